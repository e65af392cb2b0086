"""Tests the inputs of examples/astra-sim-1 with the program.

generate.sh writes the layer tables that are there, byte for byte. Every other script ends without a warning, and computes
what its layer table asks for. The three formats of a network agree with each other and with the data sheets.

usage: check_astra1_inputs.py ORRERY
"""

import csv
import filecmp
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[2] / "examples" / "astra-sim-1"
GIB = 2**30

# Bytes per second and direction of all links of an NPU in each dimension: the README of the inputs has the sources.
DGX2 = [6 * 25e9, 8 * 100e9 / 8 / 16]
TPU_V2 = [2 * 496e9 / 8] * 2
TORUS = [2 * 50e9] * 3


def run(script, *words, orrery):
    result = subprocess.run([INPUTS / script, *words], env={**os.environ, "ORRERY": orrery}, capture_output=True, text=True)
    assert result.returncode == 0 and result.stderr == "", f"{script}: {result.stderr}"


def check_tables(orrery):
    with tempfile.TemporaryDirectory() as folder:
        run("generate.sh", folder, orrery=orrery)
        names = sorted(path.name for path in (INPUTS / "workloads").iterdir())
        assert names == sorted(os.listdir(folder)), names
        _, differing, failed = filecmp.cmpfiles(INPUTS / "workloads", folder, names, shallow=False)
        assert not differing and not failed, f"{differing + failed}: run generate.sh"


def binary32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def computation_ns(table, passes):
    """Returns what the training loops of docs/models/training-loops.md compute, in which times are binary32."""
    header, count, *lines = table.read_text().splitlines()
    steps = [[int(binary32(int(time))) for time in line.split()[2:11:3]] for line in lines]
    assert len(steps) == int(count)
    policy, *words = header.split()
    total = sum(map(sum, steps))
    if policy == "HYBRID_TRANSFORMER_FWD_IN_BCKWD":
        lists = " ".join(words)
        numbers = {key: sorted(map(int, re.search(rf"\b{key}: \d+((?: \d+)*)", lists)[1].split()))
                   for key in ("checkpoints", "checkpoint_initiates")}
        for start, end in zip(numbers["checkpoints"], numbers["checkpoint_initiates"]):
            total += sum(step[0] for step in steps[start:end])
    else:
        total -= steps[0][1]  # the first layer has no input gradient
    return passes * total


def check_readme(script, step_us, exposed_share):
    """The table of the README has the step to three digits, and the exposed share to a percent."""
    found = re.search(rf"^\| `{script}` .*\| ([\d.]+) (us|ms|s) \| (\d+) % \|$", (INPUTS / "README.md").read_text(), re.M)
    assert found, f"README.md has no row of {script}"
    step = float(found[1]) * {"us": 1, "ms": 1e3, "s": 1e6}[found[2]]
    assert abs(step / step_us - 1) < 0.005, f"{script}: a step takes {step_us} us"
    assert abs(int(found[3]) - 100 * exposed_share) <= 0.5, f"{script}: {100 * exposed_share} % are exposed"


def check_runs(orrery):
    scripts = sorted(path for path in INPUTS.glob("*-*.sh"))
    assert len(scripts) == 7
    for script in scripts:
        text = script.read_text()
        table = INPUTS / re.search(r"\$inputs/(workloads/[^\"]+)", text)[1]
        passes = int(re.search(r"--num-passes=(\d+)", text)[1])
        with tempfile.TemporaryDirectory() as folder:
            run(script.name, folder, orrery=orrery)
            row, = csv.DictReader(open(Path(folder) / "tutorial_result.csv"))
        total, computed, exposed = (float(row[f"{name}Time(us)"]) for name in ("Total", "Compute", "ExposedCommunication"))
        assert row["Name"] == script.stem
        assert abs(computed - computation_ns(table, passes) / 1000) < 1e-6, f"{script.name}: computes {computed} us"
        assert exposed > 0 and abs(total - computed - exposed) < 1e-6, script.name
        check_readme(script.name, total / passes, exposed / total)


def check_bandwidths():
    for name, expected in {"dgx2": DGX2, "tpu-v2": TPU_V2, "torus": TORUS}.items():
        network = json.loads((INPUTS / f"networks/{name}.json").read_text())
        lists = zip(network["links-count"], network["link-bandwidth"], expected, strict=True)
        for links, gib_per_s, bytes_per_s in lists:
            assert abs(links * gib_per_s * GIB / bytes_per_s - 1) < 1e-8, name
        yaml = (INPUTS / f"networks/{name}.yaml").read_text()
        values = {key: re.search(rf"^{key}: \[ (.*) \]$", yaml, re.M)[1].split(", ")
                  for key in ("topology", "npus_count", "bandwidth", "latency")}
        assert values["topology"] == network["topologies-per-dim"], name
        assert list(map(int, values["npus_count"])) == network["units-count"], name
        assert list(map(int, values["latency"])) == network["link-latency"], name
        for gib_per_s, block, bytes_per_s in zip(values["bandwidth"], values["topology"], expected, strict=True):
            links = 2 if block == "Ring" else 1  # a ring's links are those to both neighbours
            assert abs(links * float(gib_per_s) * GIB / bytes_per_s - 1) < 1e-8, name


def all_reduce_us(orrery, network):
    with tempfile.TemporaryDirectory() as folder:
        experiment = Path(folder) / "all-reduce.yaml"
        experiment.write_text(f"""
network: {INPUTS / "networks" / network}
workload: {{ layers: [ {{ name: all, weight-gradient: {{ collective: all-reduce, size: 1 MiB }} }} ] }}
""")
        result = subprocess.run([orrery, "run", experiment, "--json", f"--output={folder}"], capture_output=True, text=True)
        assert result.returncode == 0 and result.stderr == "", result.stderr
        row, = csv.DictReader(open(Path(folder) / "all-reduce/runs.csv"))
        return float(row["total_us"])


def check_formats_agree(orrery):
    for name in ("dgx2", "tpu-v2", "torus"):
        times = [all_reduce_us(orrery, f"{name}.{kind}") for kind in ("json", "yaml")]
        assert abs(times[0] / times[1] - 1) < 1e-8, f"{name}: {times}"


def check_wires():
    """Wires of Garnet's networks carry a flit per cycle of a nanosecond."""
    for name, wires, expected in (("torus", 1, TORUS[0] / 2), ("dgx2", 6, DGX2[0]), ("tpu-v2", 1, TPU_V2[0] / 2)):
        keys = dict(line.split(": ") for line in (INPUTS / f"networks/{name}-garnet.txt").read_text().splitlines())
        widths = {keys[key] for key in ("flit-width", "tile-link-width", "package-link-width") if key in keys}
        assert len(widths) == 1, name
        assert wires * int(widths.pop()) / 8 * 1e9 == expected, name


def check_formats(orrery):
    for file in sorted(INPUTS.glob("*/*")):
        words = ["validate", file]
        if file.suffix == ".yaml" and file.parent.name == "networks":  # only with a run
            continue
        result = subprocess.run([orrery, *words], capture_output=True, text=True)
        assert result.returncode == 0 and result.stderr == "", f"{file}: {result.stderr}"


def main():
    orrery = sys.argv[1]
    check_tables(orrery)
    check_runs(orrery)
    check_bandwidths()
    check_formats_agree(orrery)
    check_wires()
    check_formats(orrery)


if __name__ == "__main__":
    main()
