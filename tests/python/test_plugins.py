"""Plug-ins from Python: the example's, built against the headers of this repository."""

import pickle
import subprocess
from pathlib import Path

import pytest
from support import told

import orrery as orr

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugins")
    for name in ("hypercube", "exchange", "last_link", "circuits"):
        source = ROOT / "examples" / "plugins" / f"{name}.cpp"
        command = ["g++", "-std=c++20", "-shared", "-fPIC", f"-I{ROOT / 'include'}", str(source), "-o", str(folder / f"{name}.so")]
        subprocess.run(command, check=True)
    return folder


def cube(**keys):
    return orr.Experiment(
        network=dict(build="hypercube", dimensions=3, link=dict(bandwidth="50 GB/s", latency="500 ns")),
        workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
            compute="1 ms", collective="all-reduce", size="1 MiB"))]),
        system=dict(collectives={"all-reduce": dict(algorithm="exchange", span="machine")}),
        **keys,
    )


def test_an_experiment_names_what_plugins_add(plugins):
    registry = orr.load_plugin(plugins / "hypercube.so", plugins / "exchange.so")
    assert registry.names["networks"] == ["hypercube"]
    assert registry.names["algorithms"] == ["exchange"]
    run = cube().with_(registry=registry).run()
    assert run.npus == 8
    copied = pickle.loads(pickle.dumps(cube().with_(registry=registry)))
    assert copied.run().time == run.time


def test_a_registry_says_what_its_plugins_add(plugins, tmp_path):
    files = [str(plugins / f"{name}.so") for name in ("hypercube", "exchange")]
    parts = orr.Registry(*files).parts
    said = told("list", "plug-ins", *(f"--plugin={file}" for file in files), folder=tmp_path)["plug_ins"]
    assert list(parts) == said
    assert parts["use"] == ["build: hypercube", "algorithm: exchange"] and parts["file"] == files
    assert len(orr.Registry().parts) == 0


def test_networks_name_what_plugins_add(plugins, tmp_path):
    registry = orr.load_plugin(plugins / "hypercube.so", plugins / "last_link.so")
    keys = dict(build="hypercube", dimensions=3, link=dict(bandwidth="50 GB/s", latency="500 ns"))
    (tmp_path / "cube.yaml").write_text("{ build: hypercube, dimensions: 3, link: { bandwidth: 50 GB/s, latency: 500 ns } }\n")
    network = orr.Network(keys, registry=registry)
    loaded = orr.Network.load(tmp_path / "cube.yaml", registry=registry)
    for cube_of_eight in (network, loaded, pickle.loads(pickle.dumps(network)), pickle.loads(pickle.dumps(loaded))):
        assert orr.topology(cube_of_eight).network["npus"] == [8]
    plugin = f"--plugin={plugins / 'hypercube.so'}"
    assert orr.topology(tmp_path / "cube.yaml", registry=registry).to_dict() == told("topology", str(tmp_path / "cube.yaml"), plugin, folder=tmp_path)
    with pytest.raises(orr.InputError, match="hypercube"):
        orr.Network(keys)
    with pytest.raises(orr.InputError, match="hypercube"):
        orr.topology(network, registry=orr.Registry())
    flows = [(0, 7, "1 MB")]
    by_last = orr.flows(network, flows, "packet", routing="last-link")
    assert by_last.flows["end_us"] == orr.flows(keys, flows, "packet", registry=registry, routing="last-link").flows["end_us"]
    with pytest.raises(orr.InputError, match="last-link"):
        orr.flows(network, flows, "packet", registry=orr.load_plugin(plugins / "hypercube.so"), routing="last-link")
    assert orr.Network.ring(4, "50 GB/s", "1 us", registry=registry).describe().network["npus"] == [4]


def test_network_models_carry_messages(plugins):
    registry = orr.load_plugin(plugins / "hypercube.so", plugins / "exchange.so", plugins / "circuits.so")
    assert registry.names["network_models"] == ["circuits"]
    alone = cube().with_(registry=registry).run()
    # Partners exchange over links of their own, on which no message waits.
    assert cube(network_model="circuits").with_(registry=registry).run().time == alone.time


def test_registries_are_of_their_experiments(plugins):
    alone = orr.load_plugin(plugins / "hypercube.so")
    with pytest.raises(orr.InputError) as caught:
        cube().with_(registry=alone).check()
    assert caught.value.place == "experiment.system.collectives.all-reduce.algorithm"
    with pytest.raises(orr.InputError) as caught:
        cube().check()
    assert caught.value.place == "experiment.network.build"


def test_files_that_are_no_plugins_are_refused():
    with pytest.raises(orr.InputError) as caught:
        orr.load_plugin(ROOT / "README.md")
    assert "cannot be loaded" in caught.value.message


def test_a_search_runs_layouts_on_networks_of_plugins(plugins):
    start = orr.Experiment(
        platform="dgx-h100",
        network=dict(build="hypercube", dimensions=3, link=dict(bandwidth="5 GB/s", latency="500 ns")),
        workload=dict(model="gpt3-350m", batch=dict(global_=32, micro=1), parallelism=dict(data=8)),
    ).with_(registry=orr.load_plugin(plugins / "hypercube.so"))
    found = orr.search(start, top=2)
    assert found.layouts["verdict"][:2] == ["simulated"] * 2
    own = found.to_dict()["own"]
    assert own["step_us"] == pytest.approx(start.run().step * 1e6, rel=1e-9) and own["step_us"] >= own["estimated_step_us"]
