"""What tests of the package share: the program beside it, and experiments in a folder."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

root = Path(__file__).resolve().parents[2]
RING = """\
network: [{ name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 500 ns }]
workload:
  policy: data
  layers: [{ name: layer, weight-gradient: { compute: 100 us, collective: all-reduce, size: 64 MiB } }]
"""
STEP = """\
platform: dgx-a100
workload: { model: llama3-8b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 8, data: 4 } }
"""


def program(*words, folder, code=0):
    """What the program prints in a folder."""
    ended = subprocess.run([sys.executable, "-m", "orrery", *words], capture_output=True, text=True, cwd=folder)
    assert ended.returncode == code, ended.stderr
    return ended.stdout


def told(*words, folder):
    """What it prints as JSON, without the files that it wrote."""
    said = json.loads(program(*words, "--json", folder=folder))
    said.pop("files", None)
    return said


def same_as_csv(table, file):
    """Compares a table with what the program wrote, up to its decimals."""
    with open(file, newline="") as lines:
        written = list(csv.reader(lines))
    assert [column.name for column in table.columns] == written[0]
    assert len(table) == len(written) - 1
    for row, cells in zip(table, written[1:]):
        for value, cell in zip(row.values(), cells):
            if value is None:
                assert cell == ""
            elif isinstance(value, str):
                assert cell == value
            else:
                last_digit = 10.0 ** -len(cell.partition(".")[2])
                assert float(cell) == pytest.approx(float(value), rel=1e-12, abs=0.51 * last_digit)
