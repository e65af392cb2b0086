"""The Python package as users type it."""

import copy
import logging
import os
import pickle
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor

import pytest

import orrery as orr


def ring(**keys):
    """A ring of NPUs whose one layer is compute and an all-reduce."""
    return orr.Experiment(
        **{
            "network": [dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
            "workload": dict(
                policy="data",
                layers=[dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))],
            ),
            **keys,
        }
    )


def slow():
    """Packets that take minutes."""
    return packets().with_("workload.layers.layer.weight-gradient.size=16 GiB")


def packets():
    """The ring as a network of switches, packet by packet."""
    link = dict(bandwidth="50 GB/s", latency="1 us")
    return ring(network=dict(build="torus", link=link, dimensions=[dict(size=8)]), network_model="packet", packets=dict(every_packet=True))


def test_a_run_says_where_its_time_goes():
    run = ring().run()
    assert run.name == "experiment" and run.npus == 8 and run.iterations == 1
    assert run.compute == 100e-6 and run.exposed > 0 and run.bubble == run.idle == 0
    assert run.time == pytest.approx(run.compute + run.exposed, abs=1e-12)
    assert run.step == run.time
    assert run.mfu is None and run.tokens_per_second is None and run.step_interval is None
    assert "exposed" in str(run) and "experiment" in repr(run)
    assert run.to_dict()["npus"] == 8


def test_keys_may_be_written_as_names_of_python():
    run = orr.Experiment(
        platform="dgx-a100",
        workload=dict(model="llama3-8b", batch=dict(global_=64, micro=1), parallelism=dict(tensor=8, data=4)),
    ).run()
    assert 0 < run.mfu < run.hfu <= 1 or run.mfu == run.hfu
    assert run.tokens_per_second > 0 and run.memory > 0
    low, high = run.step_interval
    assert low <= run.step <= high and low < high


def test_names_that_the_user_gives_stay_as_they_are():
    experiment = ring(network="my_ring", networks=dict(my_ring=[dict(topology="ring", size=4, bandwidth="50 GB/s", latency="1 us")]))
    assert experiment.run().npus == 4


def test_tables_are_attributes_with_units_and_meanings():
    run = ring().run()
    assert "layers" in run.tables and "links" in run.tables
    layers = run.layers
    assert len(layers) == 1 and layers["layer"] == ["layer"] and layers["compute_us"] == [100.0]
    column = next(column for column in layers.columns if column.name == "exposed_us")
    assert column.unit == "us" and column.type == "real" and column.meaning.endswith(".")
    assert [row["layer"] for row in layers] == ["layer"]
    assert layers.to_dict()["run"] == ["experiment"]
    assert len(run.topology_links) > 0
    with pytest.raises(AttributeError):
        run.no_such_table
    with pytest.raises(orr.InputError, match="no table `nothing`"):
        run.table("nothing")
    with pytest.raises(KeyError):
        layers["nothing"]


def test_other_libraries_read_tables_without_a_copy():
    pyarrow = pytest.importorskip("pyarrow")
    links = ring().run().links
    table = pyarrow.table(links)
    assert table.num_rows == len(links) and table.column_names == [column.name for column in links.columns]
    assert table.column("utilization").to_pylist() == links["utilization"]
    assert table.schema.field("busy_ns").metadata[b"unit"] == b"ns"
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(links).to_dict(as_series=False) == links.to_dict()


def test_mistakes_have_a_place_and_a_hint():
    with pytest.raises(orr.InputError) as caught:
        orr.Experiment(platform="dgx-h1000", workload={}).check()
    assert caught.value.place == "experiment.platform"
    assert "dgx-h100" in caught.value.message
    with pytest.raises(orr.InputError, match="experiment.workload.layres"):
        ring(workload=dict(policy="data", layers=[], layres=1)).run()
    with pytest.raises(orr.InputError, match="no-such-file.yaml"):
        orr.Experiment.load("no-such-file.yaml")
    with pytest.raises(TypeError, match="not set"):
        ring(passes={1})
    with pytest.raises(orr.InputError, match="keep"):
        ring().simulate(keep="nothing")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is orr.InputError and error.problems == caught.value.problems


def test_a_run_that_fails_loses_no_other():
    def step(name, model):
        return dict(name=name, workload=dict(model=model, batch=dict(global_=8, micro=1), parallelism=dict(tensor=8)))

    experiment = orr.Experiment(
        platform="dgx-a100", runs=[step("good", "llama3-8b"), step("bad", "gpt3-175b"), step("last", "gpt3-5b")]
    )
    with pytest.raises(orr.InputError, match="395.8 GiB") as caught:
        experiment.check()
    assert caught.value.problems[0].run == "bad" and len(caught.value.problems) == 1
    runs = experiment.simulate()
    assert [run.error is None for run in runs] == [True, False, True]
    assert isinstance(runs["bad"].error, orr.InputError) and "failed" in repr(runs["bad"])
    assert runs.table()["status"] == ["ok", "failed", "ok"] and runs.table()["total_us"][1] is None
    with pytest.raises(orr.InputError, match="395.8 GiB"):
        runs.raise_error()
    assert experiment.with_(allow_out_of_memory=True).simulate().error is None


def test_several_runs():
    experiment = ring(runs=[dict(name="once"), dict(name="twice", passes=2)])
    assert experiment.runs == ["once", "twice"]
    with pytest.raises(orr.InputError, match="2 runs"):
        experiment.run()
    runs = experiment.simulate()
    assert len(runs) == 2 and runs["twice"].iterations == 2 and runs[0].name == "once" and runs.error is None
    table = runs.table()
    assert table["passes"] == [None, 2] and table["run"] == ["once", "twice"]
    with pytest.raises(KeyError):
        runs["thrice"]


def test_changed_copies():
    plain = ring()
    assert plain.with_("network.0.bandwidth=100 GB/s").run().time < plain.run().time
    assert plain.with_(passes=3).run().iterations == 3
    assert plain.with_(network_model="link").run().time >= plain.run().time
    assert copy.deepcopy(plain).run().time == pickle.loads(pickle.dumps(plain)).run().time == plain.run().time
    with pytest.raises(orr.InputError, match="network_model"):
        plain.with_(network_model="magic").run()


def test_results_are_written_as_the_program_writes_them(tmp_path):
    ring(name="mine").simulate(output=tmp_path)
    assert (tmp_path / "mine" / "summary.json").exists()
    assert (tmp_path / "mine" / "mine" / "timeline.csv").exists()


def test_files_are_written_on_request(tmp_path):
    run = ring(name="mine").run()
    run.report(tmp_path / "step.html")
    assert (tmp_path / "step.html").read_text().startswith("<!doctype html>")
    run.timeline(tmp_path / "step.pftrace")
    assert (tmp_path / "step.pftrace").stat().st_size > 100
    run.timeline(tmp_path / "step.csv")
    assert (tmp_path / "step.csv").read_text().startswith("part,")
    assert run.save(tmp_path / "results") == str(tmp_path / "results" / "mine")
    assert (tmp_path / "results" / "mine" / "mine" / "links.csv").exists()
    ring(name="written").simulate(output=tmp_path)
    for name in ("runs.csv", "layers.csv"):
        assert (tmp_path / "written" / name).read_text().replace("written", "mine") == (tmp_path / "results" / "mine" / name).read_text()
    with pytest.raises(orr.InputError, match=".pftrace"):
        run.timeline(tmp_path / "step.png")
    with pytest.raises(orr.InputError, match="Keep::everything"):
        ring().run(keep="summaries").timeline(tmp_path / "none.csv")
    with pytest.raises(orr.InputError, match="no-such-folder"):
        run.report(tmp_path / "no-such-folder" / "step.html")
    assert not (tmp_path / "none.csv").exists()


def test_notebooks_show_runs_without_scripts():
    run = ring(name="mine").run()
    shown = run._repr_html_()
    assert "<svg" in shown and "exposed" in shown and "<script" not in shown and "mine" in shown
    runs = orr.Experiment(
        platform="dgx-a100",
        runs=[
            dict(name=name, workload=dict(model=model, batch=dict(global_=8, micro=1), parallelism=dict(tensor=8)))
            for name, model in (("good", "llama3-8b"), ("bad", "gpt3-175b"))
        ],
    ).simulate()
    shown = runs._repr_html_()
    assert shown.count("<svg") == 1 and "failed" in shown and "395.8 GiB" in shown
    assert "MFU" in runs["good"]._repr_html_()


def test_warnings_are_logged(caplog):
    with caplog.at_level(logging.WARNING, "orrery"):
        ring(networks=dict(unused=[dict(topology="ring", size=4, bandwidth="1 GB/s", latency="1 us")])).run()
    assert "unused" in caplog.text


def test_progress_is_told():
    told = []
    ring(runs=[dict(name=str(i)) for i in range(4)]).simulate(progress=lambda *now: told.append(now))
    assert told[-1] == (4, 4, 0, 1.0)

    def refuse(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        slow().run(progress=refuse)


def test_ctrl_c_stops_a_run_at_once():
    experiment = slow()
    experiment.check()
    pressed = []

    def press():
        time.sleep(1)
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        experiment.run()
    assert time.process_time() - pressed[0] < 0.5  # of this process, whatever else the machine does


def test_other_threads_run_meanwhile():
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    packets().run()
    stop.set()
    thread.join()
    assert counted[0] > before


def time_of(experiment):
    return experiment.run().time


def resident_kib():
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def test_memory_stays_flat():
    def runs(count):
        for _ in range(count):
            assert ring().run().layers is not None
        return resident_kib()

    before = runs(2_000)
    assert runs(8_000) < before + 1024  # each of these runs would take 131 bytes for that


def test_process_pools_and_forks():
    expected = ring().run().time
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(time_of, [ring()] * 4)) == [expected] * 4


def test_the_package_is_the_program(tmp_path):
    import subprocess
    import sys

    told = subprocess.run([sys.executable, "-m", "orrery", "--version"], capture_output=True, text=True, check=True)
    assert orr.__version__ in told.stdout
    bad = subprocess.run([sys.executable, "-m", "orrery", "run", "none.yaml"], capture_output=True, text=True, cwd=tmp_path)
    assert bad.returncode == 2 and "none.yaml: error" in bad.stderr
