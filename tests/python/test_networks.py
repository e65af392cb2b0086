"""Networks, models and algorithms of one's own."""

import json
import pickle

import pytest
from support import program, root

import orrery as orr


def test_a_network_is_described_as_by_the_program(folder):
    network = orr.Network.load(root / "examples" / "networks" / "fat-tree.yaml")
    assert network.describe().to_dict() == json.loads(program("topology", str(root / "examples/networks/fat-tree.yaml"), "--json", folder=folder))
    assert str(network.describe()) == program("topology", str(root / "examples/networks/fat-tree.yaml"), folder=folder)
    rails = orr.Network.rails(boxes=256, pod=64, link="50 GB/s", latency="500 ns")
    file = root / "examples" / "networks" / "hgx-rails.yaml"
    ours, said = rails.describe().to_dict(), json.loads(program("topology", str(file), "--json", folder=folder))
    assert {**ours, "file": ""} == {**said, "file": ""}
    assert orr.topology(file).nodes["nodes"] == rails.describe().nodes["nodes"]
    assert program("topology", str(file), "--dot=-", folder=folder) == rails.dot()


def test_forms_of_networks():
    for network, npus in (
        (orr.Network.ring(8, "50 GB/s", "1 us"), 8),
        (orr.Network.switch(8, dict(bandwidth="50 GB/s", latency="1 us", count=2)), 8),
        (orr.Network.fully_connected(4, "50 GB/s", "1 us"), 4),
        (orr.Network.torus([4, 4, dict(size=2)], "50 GB/s", "1 us"), 32),
        (orr.Network.torus([4, 4], "50 GB/s", "1 us", wrap=False), 16),
        (orr.Network.fat_tree([8, dict(size=4, oversubscription=2)], "50 GB/s", "1 us"), 32),
        (orr.Network.dragonfly("50 GB/s", "1 us", groups=9, routers=4, hosts=2, global_links=2), 72),
        (orr.Network.rails([4, 2], "50 GB/s", "1 us", only=True, inside=dict(build="dgx-1v", **dgx1())), 64),
        (orr.Network.rails(boxes=4, link="400 Gbit/s", latency="1 us", pod=2, oversubscription=2), 32),
    ):
        assert network.describe().network["npus"] == [npus]
        assert pickle.loads(pickle.dumps(network)).describe().to_dict() == network.describe().to_dict()
        assert "<svg" in network.svg() and "Network" in repr(network)
    assert "<svg" in orr.Network.switch(8, "50 GB/s", "1 us")._repr_html_()
    assert "bisection" in orr.Network.switch(400, "50 GB/s", "1 us")._repr_html_()
    dimensions = orr.Network([dict(topology="ring", size=8, bandwidth="50 GB/s", latency="1 us")])
    assert "Network: dimensions" in dimensions._repr_html_()
    with pytest.raises(orr.InputError, match="network.link"):
        orr.Network.ring(8, "50 GB/s")
    with pytest.raises(orr.InputError, match="network.sizes"):
        orr.Network.ring(8, "50 GB/s", "1 us", sizes=4)
    with pytest.raises(orr.InputError, match="dimensions has no nodes"):
        dimensions.describe()
    with pytest.raises(orr.InputError, match="no-such-file.yaml"):
        orr.Network.load("no-such-file.yaml")
    for wrong in (dict(), dict(boxes=8, levels=[8]), dict(boxes=8, pod=3), dict(boxes=8, oversubscription=2)):
        with pytest.raises(TypeError):
            orr.Network.rails(link="50 GB/s", latency="1 us", **wrong)
    with pytest.raises(TypeError, match="latency"):
        orr.Network.ring(8, dict(bandwidth="50 GB/s"), "1 us")


def dgx1():
    fast, slow = dict(bandwidth="25 GB/s", latency="1 us"), dict(bandwidth="12 GB/s", latency="1 us")
    return dict(nvlink=fast, pcie=slow, cpus=slow)


def test_an_experiment_may_have_a_network(folder):
    network = orr.Network.switch(8, "50 GB/s", "500 ns")
    workload = dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))])
    run = orr.Experiment(network=network, workload=workload).run()
    written = dict(build="switch", size=8, link=dict(bandwidth="50 GB/s", latency="500 ns"))
    assert run.time == orr.Experiment(network=written, workload=workload).run().time
    assert orr.Experiment(network=written, workload=workload).with_(network=network, network_model="packet").run().time > 0


def test_models_of_ones_own(folder):
    layers = orr.Model.layers([dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))])
    network = [dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")]
    assert orr.Experiment(network=network, workload=layers).run().time == orr.Experiment.load("ring.yaml").run().time
    assert "1 layers" in repr(layers) and pickle.loads(pickle.dumps(layers)).__orrery__() == layers.__orrery__()
    config = dict(architectures=["LlamaForCausalLM"], model_type="llama", hidden_size=4096, intermediate_size=14336, num_attention_heads=32)
    config.update(num_hidden_layers=32, num_key_value_heads=8, vocab_size=128256, max_position_embeddings=8192)
    (folder / "config.json").write_text(json.dumps(config))
    model = orr.Model.from_config("config.json")
    step = dict(model=model, batch=dict(global_=64, micro=1), parallelism=dict(tensor=8, data=4))
    assert orr.Experiment(platform="dgx-a100", workload=step).run().mfu > 0 and "config.json" in repr(model)
    with pytest.raises(orr.InputError, match="experiment.workload.model"):
        orr.Experiment(platform="dgx-a100", workload={**step, "model": orr.Model.from_config("none.json")}).check()
    with pytest.raises(orr.InputError, match="colour"):
        orr.Experiment(network=network, workload=orr.Model.layers([dict(name="layer", colour=1)])).check()


def algorithm_time(algorithm, collective, members, folder):
    layer = dict(name="layer", forward=dict(collective=collective, size="8 MiB"))
    network = [dict(topology="fully-connected", size=members, bandwidth="50 GB/s", latency="500 ns")]
    system = dict(collectives={collective: algorithm.save(folder / "algorithm.xml")})
    return orr.Experiment(network=network, system=system, workload=orr.Model.layers([layer], policy="model")).run().time


def test_algorithms_of_ones_own(folder):
    members = 4
    ring = [(i, (i + 1) % members, (i - step) % members) for step in range(members - 1) for i in range(members)]
    direct = [(i, j, i) for i in range(members) for j in range(members) if i != j]
    adding = [(i, (i + 1) % members, (i - step) % members, "add") for step in range(1, members) for i in range(members)]
    times = {name: algorithm_time(orr.Algorithm.sends("all-gather", members, sends), "all-gather", members, folder) for name, sends in dict(ring=ring, direct=direct).items()}
    assert times["direct"] < times["ring"]
    for collective, sends in (("reduce-scatter", adding), ("all-reduce", adding + ring)):
        assert algorithm_time(orr.Algorithm.sends(collective, members, sends), collective, members, folder) > 100e-6
    # A tree: a member adds what two others send, and hands the sum on, which waits for both.
    tree = [(i, 0, c, "add") for i in (1, 2, 3) for c in range(8)] + [(0, i, c) for i in (1, 2, 3) for c in range(8)]
    assert algorithm_time(orr.Algorithm.sends("all-reduce", 4, tree, chunks=8), "all-reduce", 4, folder) > 0
    with pytest.raises(orr.InputError, match="algorithm.xml"):
        algorithm_time(orr.Algorithm.sends("all-gather", members, direct[:-1]), "all-gather", members, folder)
    for wrong, match in (
        (("all-to-all", 2, []), "collective: error"),
        (("all-gather", 2, [(0, 2, 0)]), r"sends\[0\]: error: 0 and 2 are no two of 2 members"),
        (("all-gather", 2, [(0, 1, 0), (1, 0, 7)]), r"sends\[1\]: error: 7 is none of the chunks 0 to 1"),
        (("all-gather", 2, [(0, 1, 0, "multiply")]), "write 'add'"),
    ):
        with pytest.raises(orr.InputError, match=match):
            orr.Algorithm.sends(*wrong)
    with pytest.raises(TypeError, match="save"):
        orr.Experiment(system=dict(collectives=dict(all_gather=orr.Algorithm.sends("all-gather", 2, []))))
    file = root / "examples" / "algorithms" / "ring-all-gather-4.xml"
    written = orr.Algorithm(file)
    assert algorithm_time(written, "all-gather", 4, folder) == pytest.approx(times["ring"], rel=1e-3) and "ring-all-gather" in repr(written)


def test_networks_come_from_networkx_and_go_there():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_node("leaf", kind="switch")
    for npu in range(4):
        graph.add_edge(npu, "leaf", bw="50 GB/s" if npu else 50e9, lat="500 ns" if npu else 500e-9)
    network = orr.Network.from_networkx(graph, bandwidth="bw", latency="lat")
    star = orr.Network.switch(4, "50 GB/s", "500 ns")
    assert network.describe().network.to_dict() == star.describe().network.to_dict()
    back = network.to_networkx()
    assert back.number_of_nodes() == 5 and back.number_of_edges() == 8
    assert sorted(data["kind"] for _, data in back.nodes(data=True)) == ["npu"] * 4 + ["switch"]
    assert {data["bandwidth"] for *_, data in back.edges(data=True)} == {50e9}
    again = orr.Network.from_networkx(back)
    assert again.describe().network.to_dict() == network.describe().network.to_dict()
    with pytest.raises(KeyError):
        orr.Network.from_networkx(graph)
    with pytest.raises(orr.InputError, match=r"network.links\[0\].bandwidth"):
        orr.Network.from_networkx(networkx.Graph([(0, 1, dict(bandwidth="fast", latency="1 us"))]))
