"""Explanations, sensitivity, comparisons, searches, flows and calculators say what the program says."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from support import RING, program, root, same_as_csv, told

import orrery as orr


@pytest.mark.parametrize("name", ["ring", "step"])
def test_an_explanation_is_that_of_the_program(folder, name):
    explained = orr.Experiment.load(f"{name}.yaml").run().explain()
    assert explained.to_dict() == told("explain", f"{name}.yaml", folder=folder)["runs"][0]
    for table in explained.tables:
        same_as_csv(explained.table(table), folder / "results" / name / f"{table}.csv")
    assert str(explained).splitlines()[0] in program("explain", f"{name}.yaml", folder=folder)
    path = explained.table("critical-path")["end_us"][-1]
    for aspect in explained.aspects:
        shares = explained.by(aspect)
        assert all(seconds >= 0 for seconds in shares.values()) and sum(shares.values()) <= path * 1e-6 * 1.001
    assert sum(explained.by("activity").values()) == pytest.approx(path * 1e-6)
    with pytest.raises(orr.InputError, match="activity"):
        explained.by("colour")
    with pytest.raises(orr.InputError, match="no table `nothing`"):
        explained.table("nothing")
    with pytest.raises(AttributeError):
        explained.nothing


def test_sensitivity_is_that_of_the_program(folder):
    experiment = orr.Experiment.load("ring.yaml")
    found = experiment.sensitivity(share=0.5, target=1e-3, costs={"network.*": 5})
    (folder / "costs.yaml").write_text("'network.*': 5\n")
    said = told("sensitivity", "ring.yaml", "--by=50%", "--target=1 ms", "--costs=costs.yaml", folder=folder)
    assert found.to_dict() == said
    same_as_csv(found.sensitivity, folder / "results" / "ring" / "sensitivity.csv")
    assert found.target["single"]["total_us"] <= 1000.0
    run = experiment.run()
    changes = run.what_if(top=2)
    assert changes == run.sensitivity().changes(2) == experiment.sensitivity("ring").changes(2)
    assert changes[0].key == "network.ring.bandwidth" and 0 < changes[1].gain <= changes[0].gain
    assert changes[0].time == pytest.approx(run.time * (1 - changes[0].gain), rel=1e-4)
    assert run.what_if(only="network.ring.latency")[0].key == "network.ring.latency"


def test_sensitivity_says_what_is_wrong(folder):
    experiment = orr.Experiment.load("ring.yaml")
    with pytest.raises(orr.InputError, match="share: error: .*above 0"):
        experiment.sensitivity(share=-1)
    with pytest.raises(orr.InputError, match="target: error"):
        experiment.sensitivity(target=0)
    with pytest.raises(orr.InputError, match="only: error: the run has no parameter"):
        experiment.sensitivity(only="colour")
    with pytest.raises(orr.InputError, match="costs"):
        experiment.sensitivity(costs={"network.*": "cheap"})
    with pytest.raises(orr.InputError, match="no run `other`"):
        experiment.sensitivity("other")
    two = orr.Experiment.parse(RING + "runs: [{ name: a }, { name: b, passes: 2 }]")
    with pytest.raises(orr.InputError, match="2 runs; name one"):
        two.sensitivity()
    assert two.sensitivity("b", only="network.ring.bandwidth").changes()[0].gain > 0
    with pytest.raises(ZeroDivisionError):
        experiment.sensitivity(progress=lambda *_: 1 / 0)


def test_a_comparison_is_that_of_the_program(folder):
    before = orr.Experiment.load("ring.yaml")
    after = orr.Experiment.parse(RING.replace("50 GB/s", "75 GB/s") + "name: faster\n")
    (folder / "faster.yaml").write_text(RING.replace("50 GB/s", "75 GB/s"))
    program("run", "ring.yaml", "faster.yaml", folder=folder)
    changes = orr.compare(before.run(), after.run())
    said = told("compare", "results/ring", "results/faster", folder=folder)
    ours = changes.to_dict()
    named = [change for change in ours["comparisons"][0]["inputs"] if change["key"] != "name"]
    ours["comparisons"][0]["inputs"] = named
    assert ours == said
    assert changes.times["after_us"][0] == 100.0 and len(changes.links) > 0
    assert "faster" in str(changes) and "<pre>" in changes._repr_html_()
    same = orr.compare(before.run(), before.run())
    assert "ring (after)" in str(same) and len(same.inputs) == 0 and len(same.layers) == 0


def test_runs_that_failed_are_not_compared(folder):
    full = dict(model="gpt3-175b", batch=dict(global_=8, micro=1), parallelism=dict(tensor=8))
    failed = orr.Experiment(platform="dgx-a100", workload=full).simulate()[0]
    for study in (failed.explain, failed.what_if, lambda: orr.compare(failed, failed), lambda: orr.compare(failed, 1)):
        with pytest.raises((orr.InputError, AttributeError), match="395.8 GiB|_core"):
            study()


def test_a_search_is_that_of_the_program(folder):
    found = orr.search(orr.Experiment.load("step.yaml"), top=3, keep=["zero"])
    said = told("search", "step.yaml", "--top=3", "--keep=zero", folder=folder)
    assert found.to_dict() == said
    same_as_csv(found.layouts, folder / "results" / "step" / "layouts.csv")
    best = found.keys()
    assert best["batch"]["global"] == 64 and found.step() == pytest.approx(said["best"][0]["step_us"] * 1e-6)
    run = orr.Experiment(platform="dgx-a100", workload=dict(model="llama3-8b", **best)).run()
    assert run.step == pytest.approx(found.step(), rel=1e-9)
    with pytest.raises(orr.InputError, match="layouts 1 to 3"):
        found.keys(4)


def test_a_search_may_start_from_a_model():
    found = orr.search(model="llama3-8b", gpus=16, platform="dgx-a100", batch=dict(global_=64), top=2, objective="cost")
    assert found.layouts["gpus"][0] == 16 and found.keys(2)["parallelism"]["data"] >= 1
    fewer = orr.search(model="llama3-8b", gpus=16, fewer_gpus=True, platform="dgx-a100", batch=dict(global_=64), top=1, exhaustive=True)
    assert set(fewer.layouts["gpus"]) >= {8, 16}


def test_a_search_on_a_network_runs_the_best_there(folder):
    boxes = orr.Network.rails(boxes=2, link="1 GB/s", latency="5 us")
    assert boxes.npus == 16
    machine = dict(platform="dgx-h100", network=boxes)
    found = orr.search(model="gpt3-1.3b", batch=dict(global_=64), top=4, **machine)
    assert found.layouts["verdict"][:4] == ["simulated"] * 4
    for rank in (1, 4):
        run = orr.Experiment(workload=dict(model="gpt3-1.3b", **found.keys(rank)), **machine).run()
        assert [found.step(rank), found.layouts["step_us"][rank - 1] * 1e-6] == pytest.approx([run.step] * 2, rel=1e-12)
    assert "on the network" in str(found)


ON_BOXES = """
platform: dgx-h100
network:
  - { name: box, topology: switch, size: 4, bandwidth: 450 GB/s, latency: 500 ns }
  - { name: between, topology: switch, size: 2, bandwidth: 1 GB/s, latency: 5 us }
workload: { model: gpt3-1.3b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 4, data: 2 } }
"""


def test_a_search_on_a_network_is_that_of_the_program(folder):
    (folder / "boxes.yaml").write_text(ON_BOXES)
    found = orr.search(orr.Experiment.load("boxes.yaml"), top=3)
    said = told("search", "boxes.yaml", "--top=3", folder=folder)
    assert found.to_dict() == said
    same_as_csv(found.layouts, folder / "results" / "boxes" / "layouts.csv")
    assert "estimated_step_us" in said["own"] and said["failed"] == []


def test_a_search_on_a_network_heeds_all_keys_of_the_experiment():
    machine = dict(platform="dgx-h100", network=[dict(name="box", topology="switch", size=8, bandwidth="20 GB/s", latency="1 us")])
    options = dict(model="gpt3-1.3b", batch=dict(global_=64), recompute="full", keep=["recompute"], top=1)
    plain = orr.search(**options, **machine)
    slow = orr.search(**options, **machine, stragglers=dict(ranks=[0], slowdown=3))
    assert plain.keys()["recompute"] == "full"
    assert slow.step() > 1.5 * plain.step()
    machine["network"] = orr.Network.switch(8, "20 GB/s", "1 us")
    with pytest.raises(orr.InputError, match="experiment.network-model: error: the network is a graph"):
        orr.search(**options, **machine, network_model="analytical")


def test_a_search_says_what_is_wrong(folder):
    step = orr.Experiment.load("step.yaml")
    for options, place in ((dict(gpus=0), "gpus"), (dict(top=0), "top"), (dict(keep=["colour"]), "keep"), (dict(objective="beauty"), "objective")):
        with pytest.raises(orr.InputError, match=f"{place}: error"):
            orr.search(step, **options)
    with pytest.raises(orr.InputError, match="trains no transformer"):
        orr.search(orr.Experiment.load("ring.yaml"))
    with pytest.raises(orr.InputError, match="none of .* layouts fits"):
        orr.search(model="gpt3-175b", gpus=1, platform="dgx-a100", batch=dict(global_=8))
    switch = dict(platform="dgx-a100", network=orr.Network.switch(4, "50 GB/s", "1 us"))
    with pytest.raises(orr.InputError, match="network has 4 NPUs, but the workload's `parallelism` is for 8"):
        orr.search(model="llama3-8b", gpus=8, batch=dict(global_=8), **switch)
    with pytest.raises(orr.InputError, match="fewer_gpus: error: the run's network has 4 NPUs"):
        orr.search(model="gpt3-1.3b", batch=dict(global_=8), fewer_gpus=True, **switch)
    with pytest.raises(TypeError, match="experiment or from a model"):
        orr.search()
    with pytest.raises(TypeError, match="leave batch out"):
        orr.search(step, batch=dict(global_=8))


def test_what_cannot_go_on_has_an_error_of_its_own():
    star, lossy = orr.Network.switch(4, "12.5 GB/s", "1 us"), dict(profile="ns-3", loss=0.04)
    layers = orr.Model.layers([dict(name="gradients", weight_gradient=dict(collective="all-reduce", size="40 KB"))])
    stalled = orr.Experiment(network=star, network_model="packet", packets=lossy, workload=layers)
    run = stalled.simulate()[0]
    assert isinstance(run.error, orr.StallError)
    all_to_one = [(source, 3, "1 MB") for source in range(3)]
    for study in (stalled.run, run.explain, run.what_if, stalled.sensitivity, lambda: orr.flows(star, all_to_one, "packet", packets=lossy)):
        with pytest.raises(orr.StallError, match="4 of 4 ranks have not ended|flows never end"):
            study()


def test_ctrl_c_stops_a_study():
    experiment = orr.Experiment(
        platform="dgx-h100",
        workload=dict(model="llama3-70b", batch=dict(global_=2048, micro=1), parallelism=dict(tensor=8, pipeline=4, data=64, sequence=True)),
    )
    experiment.check()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        orr.search(experiment, exhaustive=True, threads=1)
    assert time.process_time() - began < 10


def test_flows_are_those_of_the_program(folder):
    (folder / "star.yaml").write_text("build: switch\nsize: 4\nlink: { bandwidth: 10 GB/s, latency: 1 us }\n")
    (folder / "flows.csv").write_text("source,destination,bytes,start_us,after\n0,3,1000000,0,\n1,3,1000000,5,\n2,3,500000,0,0 1\n")
    listed = [(0, 3, "1 MB"), dict(source=1, destination=3, bytes=1_000_000, start=5e-6), dict(source=2, destination=3, bytes="0.5 MB", after=[0, 1])]
    for network, flows in ((orr.Network.switch(4, "10 GB/s", "1 us"), listed), ("star.yaml", "flows.csv"), (orr.Network.load("star.yaml"), Path("flows.csv"))):
        for model in ("fluid", "packet"):
            found = orr.flows(network, flows, model)
            words = ("flows", "--topology=star.yaml", "--flows=flows.csv", f"--network-model={model}")
            said = told(*words, folder=folder)
            ours = found.to_dict()
            assert ours == said
            assert found.flows["end_us"] == [flow["end_us"] for flow in said["flows"]]
    # What packets and senders do is said by the keys of experiments.
    (folder / "packets.yaml").write_text("congestion-control: dcqcn\n")
    said = told("flows", "--topology=star.yaml", "--flows=flows.csv", "--network-model=packet", "--packets=packets.yaml", folder=folder)
    found = orr.flows("star.yaml", "flows.csv", "packet", congestion_control="dcqcn", history=True)
    assert found.to_dict()["flows"] == said["flows"]
    assert {"flows", "links", "switches", "link-history"} <= set(found.tables)
    assert orr.flows("star.yaml", listed, routing="ecmp", route_seed=3).flows["bytes"] == [1_000_000, 1_000_000, 500_000]


def test_flows_say_what_is_wrong(folder):
    star = orr.Network.switch(4, "10 GB/s", "1 us")
    for flows, match in (
        ([(0, 1)], r"flows\[0\]: error: a flow has a source"),
        ([(0, 0, "1 MB")], r"flows\[0\]: error: the flow leads from NPU 0 to itself"),
        ([(0, 9, "1 MB")], "names NPU 9"),
        ([(0, 1, "1 parsec")], r"flows\[0\]\[2\]: error"),
        ([dict(source=0, destination=1, bytes=1, after=[0])], "can never start"),
        ([dict(source=0, destination=1, bytes=1, colour=1)], "colour"),
        ("no-such-file.csv", "no-such-file.csv"),
    ):
        with pytest.raises(orr.InputError, match=match):
            orr.flows(star, flows)
    with pytest.raises(orr.InputError, match="flows.network-model"):
        orr.flows(star, [(0, 1, 1)], "magic")
    with pytest.raises(orr.InputError, match="no key `passes`"):
        orr.flows(star, [(0, 1, 1)], passes=2)
    with pytest.raises(orr.InputError, match="flows.packets"):
        orr.flows(star, [(0, 1, 1)], congestion_control="dcqcn")
    with pytest.raises(orr.InputError, match="history: error"):
        orr.flows(star, [(0, 1, 1)], "analytical", history=True)


def test_a_measured_step_is_compared(folder):
    traces = root / "examples" / "traces"
    files = sorted(traces.glob("two-stages.*.et"))
    measured = orr.Profile.load(*files)
    assert measured.ranks == 8 and "8 ranks" in repr(measured)
    experiment = orr.Experiment.load(root / "examples" / "recorded-step.yaml")
    runs = experiment.simulate()
    beside = orr.compare(runs["a100"], measured)
    words = [f"--measured={file}" for file in files]
    said = told("compare", str(root / "examples" / "recorded-step.yaml"), *words, "--run=a100", folder=folder)
    assert beside.to_dict() == said["comparisons"][0]
    same_as_csv(beside.measured, folder / "results" / "recorded-step" / "measured.csv")
    assert len(beside.parts) > 2 and len(beside.ranks) == 8
    with pytest.raises(orr.InputError, match="step"):
        orr.compare(runs["a100"], measured, step=99)
    with pytest.raises(orr.InputError, match="none.json"):
        orr.Profile.load("none.json")
    with pytest.raises(orr.InputError, match="no file is named"):
        orr.Profile.load()


def test_a_collective_is_that_of_the_program(folder):
    for ours, words in (
        (dict(), ()),
        (dict(collective="all-gather", size="1 GiB", members=64, between="ib-ndr"), ("--kind=all-gather", "--size=1 GiB", "--members=64", "--inter=ib-ndr")),
        (dict(collective="send", members=2, size=4096), ("--kind=send", "--members=2", "--size=4096 B")),
        (dict(members=16, algorithm="ring", timed="call", between="ib-hdr", gpus_per_node=4), ("--members=16", "--algorithm=ring", "--timed=call", "--inter=ib-hdr", "--gpus-per-node=4")),
        (dict(interval=0.5), ("--interval=0.5",)),
    ):
        cost = orr.collective(**ours)
        said = told("compute", "collective", *words, folder=folder)
        assert cost.to_dict() == said
        assert cost.time == pytest.approx(said["costs"][0]["time_us"] * 1e-6) and cost.protocol == said["costs"][0]["protocol"]
        assert str(cost) == program("compute", "collective", *words, folder=folder)
        low, high = cost.interval
        assert low <= cost.time <= high
    on_platform = orr.collective(members=64, platform="dgx-h100")
    assert on_platform.costs["per_node"] == [8] and on_platform.time > orr.collective(members=8, platform="dgx-h100").time
    for wrong, place in (
        (dict(collective="all-in"), "collective"),
        (dict(size="big"), "size"),
        (dict(members=0), "members"),
        (dict(platform="dgx-h1000"), "platform"),
        (dict(library="rccl"), "library"),
        (dict(inside="rope"), "inside"),
        (dict(algorithm="magic"), "algorithm"),
        (dict(timed="never"), "timed"),
        (dict(per_node=-1), "per_node"),
        (dict(interval=2), "interval"),
    ):
        with pytest.raises(orr.InputError) as caught:
            orr.collective(**wrong)
        assert caught.value.place.startswith(place), caught.value


def test_a_calibration_is_that_of_the_program(folder):
    (folder / "gemm.csv").write_text("m,n,k,datatype,time_us\n8192,8192,8192,bf16,1700\n4096,4096,4096,bf16,230\n2048,8192,4096,bf16,225\n")
    found = orr.calibrate("gemm.csv", platform="dgx-h100", output="mine.yaml")
    said = told("calibrate", "--from=gemm.csv", "--platform=dgx-h100", "--output=again.yaml", folder=folder)
    assert found.to_dict() == said
    assert str(found) in program("calibrate", "--from=gemm.csv", "--platform=dgx-h100", "--output=again.yaml", folder=folder)
    assert (folder / "mine.yaml").read_text() == (folder / "again.yaml").read_text() == found.yaml
    assert found.errors["median_after"][0] < found.errors["median_before"][0]
    assert len(found.rows) == 3 and found.tables == ["constants", "errors", "rows"]
    assert found.keys()["device"]["roofline"]["matrix-efficiency"] == pytest.approx(found.constants["after"][0], rel=1e-3)
    with pytest.raises(orr.InputError, match="platform: error: name the platform"):
        orr.calibrate("gemm.csv")
    with pytest.raises(orr.InputError, match="from: error: name files"):
        orr.calibrate()


def test_a_stack_is_calibrated_from_steps(folder):
    measured = 1.1 * orr.Experiment.load("step.yaml").run().step
    (folder / "steps.csv").write_text(f"experiment,step_s\nstep.yaml,{measured}\n")
    shares = []
    found = orr.calibrate("steps.csv", progress=lambda share, *_: shares.append(share))
    stack = found.keys()
    workload = dict(model="llama3-8b", batch=dict(global_=64, micro=1), parallelism=dict(tensor=8, data=4))
    run = orr.Experiment(platform=dict(base="dgx-a100", stack=stack), workload=workload).run()
    assert run.step == pytest.approx(measured, rel=1e-3)
    assert shares and all(0 <= share <= 1 for share in shares)
    with pytest.raises(ZeroDivisionError):
        orr.calibrate("steps.csv", progress=lambda *_: 1 / 0)


def test_products_are_those_of_the_program(folder):
    cost = orr.roofline(512, 1024, 2048, batch=4, device="h100", datatype="bf16")
    words = ("compute", "roofline", "--m=512", "--n=1024", "--k=2048", "--batch=4", "--device=h100", "--dtype=bf16")
    assert cost.to_dict() == told(*words, folder=folder)
    assert str(cost) == program(*words, folder=folder)
    assert cost.products["tile_rows"][0] > 0 and 0 < cost.utilization < 1
    assert sum(cost.products[name][0] for name in cost.to_dict()["products"][0] if name.startswith("lost_")) < cost.time * 1e6
    (folder / "shapes.csv").write_text("m,n,k\n1,1,1\n64,64,64\n")
    assert len(orr.roofline(shapes="shapes.csv").products) == 2
    for wrong, place in (
        (dict(m=0), "m"),
        (dict(device="abacus"), "device"),
        (dict(datatype="fp1"), "datatype"),
        (dict(weight_sparsity=2.0), "weight_sparsity"),
        (dict(sparsity_pattern="3:5"), "sparsity_pattern"),
        (dict(table="no-such-file.csv"), "no-such-file.csv"),
    ):
        with pytest.raises(orr.InputError) as caught:
            orr.roofline(**wrong)
        assert caught.value.place.startswith(place), caught.value
