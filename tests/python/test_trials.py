"""Trials: what optimizers ask for and are told."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import orrery as orr

SCALE = "compute-scale"
BANDWIDTH = "network.ring.bandwidth"
examples = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def ring():
    return orr.Experiment(
        name="rings",
        network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
        workload=dict(
            policy="data",
            layers=[dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))],
        ),
    )


def of_workers(store):
    with contextlib.closing(sqlite3.connect(store)) as database:
        return database.execute("SELECT key, ended, seconds FROM runs ORDER BY key").fetchall()


def names(store):
    return [run["run"] for run in orr.Study.load(store)]


def point(scale, bandwidth="50 GB/s"):
    return {SCALE: scale, BANDWIDTH: bandwidth}


def test_a_point_is_a_run_of_a_study(ring, tmp_path):
    store = tmp_path / "new" / "a.sqlite"
    with ring.trials(store=store, objectives=["step_us"]) as trials:
        rows = [trials.evaluate(point(scale, bandwidth)) for scale in (4, 1) for bandwidth in ("25 GB/s", "50 GB/s")]
        assert len(trials) == 4
    study = orr.Study.load(store)
    kept = list(study)
    assert [run["number"] for run in kept] == [0, 1, 2, 3]
    assert rows == [{name: value for name, value in run.items() if name != "number"} for run in kept]
    assert rows[0]["run"] == "compute-scale=4_bandwidth=25GBps"
    expected = ring.sweep({SCALE: [1, 4], BANDWIDTH: ["25 GB/s", "50 GB/s"]}, store=tmp_path / "b.sqlite")
    assert {run["run"]: run["step_us"] for run in expected} == {run["run"]: run["step_us"] for run in kept}
    assert study.best("step_us")["run"] == "compute-scale=1_bandwidth=50GBps"
    assert os.path.getsize(study.report(tmp_path / "a.html")) > 1000
    shown = subprocess.run([sys.executable, "-m", "orrery", "results", str(store)], check=True, capture_output=True, text=True).stdout
    assert "compute-scale  network.ring.bandwidth_gb_per_second" in shown and "4 runs" in shown


def test_nothing_is_simulated_twice(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store) as trials:
        first = trials.evaluate(point(2))
        before = of_workers(store)
        assert trials.evaluate(point(2)) == trials.evaluate({BANDWIDTH: "50 GB/s", SCALE: 2.0}) == first
        assert len(trials) == 1
    with ring.trials(store=store) as trials:
        assert trials.evaluate(point(2)) == first
    assert of_workers(store) == before
    study = ring.sweep({SCALE: [2], BANDWIDTH: ["50 GB/s"]}, store=store).run()
    assert len(study.table) == 1 and of_workers(store) == before


def test_trials_go_on_where_earlier_ones_ended(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    killed = ring.trials(store=store)  # never closed
    killed.evaluate(point(1))
    killed.evaluate(point(2))
    before = of_workers(store)
    with ring.trials(store=store) as trials:
        trials.evaluate({BANDWIDTH: "50 GB/s", SCALE: 3})
        trials.evaluate(point(1))
    assert [run[SCALE] for run in orr.Study.load(store)] == [1, 2, 3]
    assert set(before) < set(of_workers(store))
    with ring.trials(store=store) as trials:
        trials.evaluate({SCALE: 5})
    assert names(store) == ["compute-scale=5"]  # other keys are another study


def test_points_of_another_experiment_are_left_out(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store) as trials:
        trials.evaluate(point(1))
    with ring.with_(passes=2).trials(store=store) as trials:
        trials.evaluate(point(2))
    assert names(store) == ["compute-scale=2_bandwidth=50GBps"]


def test_a_run_that_fails_is_a_row(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store) as trials:
        wrong = trials.evaluate(point("quick"))
        right = trials.evaluate(point(1))
        negative = trials.evaluate(point(1, "-1 GB/s"))
        assert len(of_workers(store)) == 3
    assert (wrong["status"], right["status"], negative["status"]) == ("failed", "ok", "failed")
    assert "quick" in wrong["reason"] and wrong["step_us"] is None
    assert [run["status"] for run in orr.Study.load(store)] == ["failed", "ok", "failed"]
    before = of_workers(store)
    with ring.trials(store=store) as trials:
        assert trials.evaluate(point("quick")) == wrong
    assert of_workers(store) == before
    with ring.trials(store=store, retry_failed=True) as trials:
        assert trials.evaluate(point("quick"))["status"] == "failed"
    assert [key for key, *_ in of_workers(store)] == [key for key, *_ in before] and of_workers(store) != before
    assert len(names(store)) == 3
    with ring.trials(store=tmp_path / "b.sqlite") as trials:
        trials.evaluate(point("quick"))
    assert [run["status"] for run in orr.Study.load(tmp_path / "b.sqlite")] == ["failed"]


def test_a_point_may_complete_an_experiment_that_is_none_without_it(tmp_path):
    store = tmp_path / "a.sqlite"
    layers = [dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))]
    base = orr.Experiment(workload=dict(policy="data", layers=layers))
    network = [dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")]
    with base.trials(store=store) as trials:
        assert trials.evaluate({"network": network, SCALE: "quick"})["status"] == "failed"
        assert trials.evaluate({"network": network, SCALE: 2})["status"] == "ok"
        assert trials.evaluate({"network": network, SCALE: "slow"})["status"] == "failed"
    assert [run["status"] for run in orr.Study.load(store)] == ["failed", "ok", "failed"]
    with pytest.raises(orr.InputError), base.trials(store=tmp_path / "b.sqlite") as trials:
        assert trials.evaluate({"network": network, SCALE: "quick", "passes": "some"})["status"] == "failed"  # no study can be made of it


def test_keys_that_are_wrong_are_refused(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store) as trials, pytest.raises(orr.InputError, match="no key `compute-scal`"):
        trials.evaluate({"compute-scal": 1})
    with ring.trials(store=store) as trials:
        with pytest.raises(orr.InputError, match="is empty"):
            trials.evaluate({})
        trials.evaluate({SCALE: 1})
        with pytest.raises(orr.InputError, match="none of the keys of these trials"):
            trials.evaluate(point(1))
        with pytest.raises(TypeError):
            trials.evaluate({SCALE: object()})
        assert len(trials) == 1
    with pytest.raises(RuntimeError):
        trials.evaluate({SCALE: 1})
    with pytest.raises(RuntimeError):
        trials.submit({SCALE: 1})
    with orr.Experiment(workload={}).trials(store=tmp_path / "b.sqlite") as trials, pytest.raises(orr.InputError):
        trials.evaluate({SCALE: 1})


def test_a_key_may_be_left_out(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store, keys=[SCALE, BANDWIDTH]) as trials:
        full = trials.evaluate(point(2, "25 GB/s"))
        usual = trials.evaluate({SCALE: 2})
        assert usual == trials.evaluate({SCALE: 2, BANDWIDTH: None})
    assert full["run"] == "compute-scale=2_bandwidth=25GBps" and usual["run"] == "compute-scale=2"
    assert names(store) == [full["run"], usual["run"]]


def test_points_are_simulated_on_threads(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    with ring.trials(store=store, threads=2) as trials:
        futures = [trials.submit(point(scale)) for scale in (1, 2, 3, 4, 1, 2)]
        rows = [future.result() for future in concurrent.futures.as_completed(futures)]
        with pytest.raises(orr.InputError):
            trials.submit({"nothing": 1}).result()
    assert sorted(row["run"] for row in rows) == sorted([*names(store), "compute-scale=1_bandwidth=50GBps", "compute-scale=2_bandwidth=50GBps"])
    assert len(names(store)) == 4


def test_points_are_simulated_by_processes(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor, ring.trials(store=store, executor=executor) as trials:
        futures = [trials.submit(point(scale)) for scale in (1, 2, "quick", 3)]
        assert [future.result()["status"] for future in futures] == ["ok", "ok", "failed", "ok"]
        assert trials.evaluate(point(4))["status"] == "ok"
    assert len(names(store)) == 5


class _Dying(concurrent.futures.Executor):
    """Loses some calls, as a machine that breaks does."""

    def __init__(self, losses):
        self.losses = losses

    def submit(self, function, /, *args):
        future = concurrent.futures.Future()
        self.losses -= 1
        if self.losses >= 0:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(function(*args))
        return future


def test_points_whose_worker_dies_are_sent_again(ring, tmp_path):
    with ring.trials(store=tmp_path / "a.sqlite", executor=_Dying(2)) as trials:
        assert trials.evaluate(point(1))["status"] == "ok"
    with ring.trials(store=tmp_path / "b.sqlite", executor=_Dying(3)) as trials:
        with pytest.raises(ConnectionError):
            trials.evaluate(point(1))
        assert trials.evaluate(point(1))["status"] == "ok"


def test_threads_share_trials(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    rows = []
    with ring.trials(store=store) as trials:

        def work():
            for scale in range(1, 7):
                rows.append(trials.evaluate(point(scale)))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(rows) == 24 and len({(row["run"], row["ended"], row["seconds"]) for row in rows}) == 6
    assert sorted(names(store)) == sorted({row["run"] for row in rows})


def _work(experiment, store, scales):
    with experiment.trials(store=store) as trials:
        for scale in scales:
            trials.evaluate(point(scale))


def test_processes_share_a_file(ring, tmp_path):
    store = str(tmp_path / "a.sqlite")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_work, args=(ring, store, range(first, first + 6))) for first in (1, 4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert sorted(run[SCALE] for run in orr.Study.load(store)) == list(range(1, 10))


def test_an_experiment_from_a_file(tmp_path):
    file = tmp_path / "rings.yaml"
    file.write_text(
        "network: [{ name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 1 us }]\n"
        "workload: { policy: data, layers: [{ name: a, weight-gradient: { compute: 1 us } }] }\n"
    )
    with orr.Experiment.load(file).trials(store=tmp_path / "a.sqlite", objectives=["step_us"]) as trials:
        assert [trials.evaluate({SCALE: scale})["status"] for scale in ("quick", 1)] == ["failed", "ok"]
        with pytest.raises(orr.InputError):
            trials.evaluate({"compute-scal": 1})
    assert len(names(tmp_path / "a.sqlite")) == 2


def test_optuna_asks_and_is_told(ring, tmp_path):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(directions=["minimize", "maximize"], sampler=optuna.samplers.RandomSampler(seed=1))
    with ring.trials(store=tmp_path / "a.sqlite") as trials:

        def objective(trial):
            run = trials.evaluate(point(trial.suggest_int("scale", 1, 4), f"{trial.suggest_int('bandwidth', 25, 100, step=25)} GB/s"))
            return run["step_us"], run["compute_us"]

        study.optimize(objective, n_trials=12, n_jobs=2)
        asked = study.ask()
        study.tell(asked, objective(asked))
    assert len(study.trials) == 13
    kept = {(run["step_us"], run["compute_us"]) for run in orr.Study.load(tmp_path / "a.sqlite")}
    assert {tuple(trial.values) for trial in study.trials} == kept


def test_the_example_for_optuna(tmp_path, monkeypatch):
    optuna = pytest.importorskip("optuna")
    monkeypatch.syspath_prepend(str(examples))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import optuna_study as example

    experiment = orr.Experiment.parse(example.BOXES)
    with experiment.trials(store=tmp_path / "a.sqlite", objectives=example.OBJECTIVES) as trials:
        found = example.search(trials, optuna.samplers.NSGAIISampler(seed=1, population_size=4), 8)
    assert len(found.trials) == 8 and found.best_trials
    front = {(run["step_us"], run["network_cost_usd"]) for run in orr.Study.load(tmp_path / "a.sqlite").pareto(*example.OBJECTIVES)}
    assert {tuple(trial.values) for trial in found.best_trials} == front


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
