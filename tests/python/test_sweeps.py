"""Sweeps, on every executor."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import sqlite3
import sys

import pytest

import orrery as orr

OF_THE_MOMENT = {"seconds", "host", "ended"}
KEYS = {"network.ring.bandwidth": ["25 GB/s", "50 GB/s", "100 GB/s"], "compute-scale": {"from": 1, "to": 8, "step": 1}}


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


def rows(store):
    with contextlib.closing(sqlite3.connect(store)) as database:
        cursor = database.execute("SELECT * FROM runs ORDER BY key")
        kept = [i for i, column in enumerate(cursor.description) if column[0] not in OF_THE_MOMENT]
        return [tuple(row[i] for i in kept) for row in cursor]


def of_workers(store):
    with contextlib.closing(sqlite3.connect(store)) as database:
        return database.execute("SELECT key, ended, seconds FROM runs ORDER BY key").fetchall()


@pytest.fixture
def expected(ring, tmp_path):
    store = tmp_path / "expected.sqlite"
    ring.sweep(KEYS, store=store, threads=1).run()
    assert len(rows(store)) == 24
    return rows(store)


def test_runs_come_as_they_end_and_are_kept(ring, tmp_path):
    study = ring.sweep(KEYS, store=tmp_path / "new" / "a.sqlite", where="bandwidth >= 50 GB/s")
    seen = [run["run"] for run in study]
    assert len(seen) == len(set(seen)) == 16
    before = of_workers(study.store)
    again = ring.sweep(KEYS, store=study.store, where="bandwidth >= 50 GB/s")
    assert sorted(run["run"] for run in again) == sorted(seen)
    assert of_workers(study.store) == before
    assert len(again) == 16


def test_progress_is_told_as_parts_end(ring, tmp_path):
    told = []
    keys = {"network.ring.bandwidth": ["25 GB/s", "fast"], "compute-scale": [1, 2, 4]}
    study = ring.sweep(keys, store=tmp_path / "a.sqlite", chunk_seconds=0, progress=lambda *now: told.append(now))
    assert len(list(study)) == 6
    assert [now[:2] for now in told] == [(6, ended) for ended in range(1, 7)]
    assert told[-1] == (6, 6, 3, 1.0)
    assert [now[3] for now in told] == sorted(now[3] for now in told)


def test_progress_stops_a_sweep_and_a_bar_is_drawn(ring, tmp_path, capsys):
    with pytest.raises(ZeroDivisionError):
        ring.sweep(KEYS, store=tmp_path / "a.sqlite", progress=lambda *_: 1 / 0).run()
    ring.sweep(KEYS, store=tmp_path / "a.sqlite", progress=True).run()
    assert "rings" in capsys.readouterr().err


def test_a_limit_leaves_the_rest_for_later(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    assert len(ring.sweep(KEYS, store=store, limit=5).table) == 5
    assert len(ring.sweep(KEYS, store=store).table) == 24


def test_processes_make_the_same_table(ring, tmp_path, expected):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        study = ring.sweep(KEYS, store=tmp_path / "a.sqlite", executor=executor, chunk_seconds=0.001).run()
    assert rows(study.store) == expected


def test_dask_makes_the_same_table(ring, tmp_path, expected):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        study = ring.sweep(KEYS, store=tmp_path / "a.sqlite", executor=client.get_executor(pure=False)).run()
    assert rows(study.store) == expected


def test_ray_makes_the_same_table(ring, tmp_path, expected):
    ray = pytest.importorskip("ray")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    ray.init(
        include_dashboard=False,
        _node_ip_address="127.0.0.1",
        num_cpus=2,
        log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(paths)}},
    )
    try:
        with orr.RayExecutor() as executor:
            study = ring.sweep(KEYS, store=tmp_path / "a.sqlite", executor=executor).run()
    finally:
        ray.shutdown()
    assert rows(study.store) == expected


def test_submitit_makes_the_same_table(ring, tmp_path, expected):
    submitit = pytest.importorskip("submitit")
    executor = submitit.LocalExecutor(tmp_path / "logs")
    executor.update_parameters(timeout_min=2)
    study = ring.sweep(KEYS, store=tmp_path / "a.sqlite", executor=executor, threads=1, chunk_seconds=10).run()
    assert rows(study.store) == expected


class _Dying(concurrent.futures.Executor):
    """Loses the first call, as a machine that breaks does."""

    def __init__(self, losses):
        self.losses = losses
        self.inner = concurrent.futures.ThreadPoolExecutor(1)

    def submit(self, function, /, *args):
        if self.losses > 0:
            self.losses -= 1
            future = concurrent.futures.Future()
            future.set_exception(ConnectionError("the worker is gone"))
            return future
        return self.inner.submit(function, *args)


def test_runs_whose_worker_dies_are_sent_again(ring, tmp_path, expected):
    store = tmp_path / "a.sqlite"
    ring.sweep(KEYS, store=store, executor=_Dying(2)).run()
    assert rows(store) == expected
    with pytest.raises(ConnectionError):
        ring.sweep(KEYS, store=tmp_path / "b.sqlite", executor=_Dying(100)).run()


def test_fronts_and_bests(ring, tmp_path):
    study = ring.sweep(KEYS, store=tmp_path / "a.sqlite")
    assert study.best("step_us")["run"] == "bandwidth=100GBps_compute-scale=1"
    assert study.best("-compute_us")["compute-scale"] == 8
    front = study.pareto("exposed_us", "-compute_us")
    assert all(
        not any(a["exposed_us"] <= b["exposed_us"] and a["compute_us"] >= b["compute_us"] and a != b for a in study.table)
        for b in front
        if [run for run in front if (run["exposed_us"], run["compute_us"]) == (b["exposed_us"], b["compute_us"])] == [b]
    )
    with pytest.raises(KeyError):
        study.pareto("nothing")


def test_a_study_is_read_without_its_experiment(ring, tmp_path):
    store = tmp_path / "a.sqlite"
    ring.sweep(KEYS, store=store).run()
    study = orr.Study.load(store)
    assert study.name == "rings"
    assert len(study) == len(list(study)) == 24
    assert study.table_of("compute-scale == 2", "step_us", 1)["compute-scale"] == [2]
    assert os.path.getsize(study.report(tmp_path / "a.html")) > 1000
    with pytest.raises(orr.InputError):
        orr.Study.load(tmp_path / "none.sqlite")
    with pytest.raises(orr.InputError):
        study.table_of("nothing == 1")


def test_an_experiment_from_a_file(ring, tmp_path):
    file = tmp_path / "rings.yaml"
    file.write_text(
        "network: [{ name: ring, topology: ring, size: 8, bandwidth: 50 GB/s, latency: 1 us }]\n"
        "workload: { policy: data, layers: [{ name: a, weight-gradient: { compute: 1 us } }] }\n"
        "sweep: { grid: { compute-scale: [1, 2] } }\n"
    )
    experiment = orr.Experiment.load(file)
    assert len(experiment.sweep(store=tmp_path / "a.sqlite").table) == 2
    assert len(experiment.sweep({"compute-scale": [1, 2, 3]}, store=tmp_path / "b.sqlite").table) == 3
    with pytest.raises(orr.InputError):
        experiment.sweep({"compute-scal": [1]}, store=tmp_path / "c.sqlite")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))


@pytest.fixture
def fabrics():
    inside = dict(build="nvlink", size=4, switches=2, links=18, link=dict(bandwidth="25 GB/s", latency="100 ns"))
    inside["nics"] = dict(count=4, link=dict(bandwidth="64 GB/s", latency="500 ns"))
    return orr.Experiment(
        name="fabrics",
        platform="dgx-h100",
        network=dict(build="fat-tree", inside=inside, link=dict(bandwidth="50 GB/s", latency="500 ns"), levels=[dict(size=1), dict(size=2)]),
        workload=dict(model="gpt3-125m", batch=dict(global_=8, micro=1), parallelism=dict(tensor=2, data=4)),
        sweep=dict(grid={"network.link.bandwidth": ["12.5 GB/s", "25 GB/s", "50 GB/s"]}),
    )


def test_a_search_over_a_sweep_runs_on_any_executor(fabrics, tmp_path):
    here = orr.search(fabrics, store=tmp_path / "here.sqlite", top=2)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        there = orr.search(fabrics, store=tmp_path / "there.sqlite", top=2, executor=executor)
    assert here.to_dict() == there.to_dict()
    assert rows(tmp_path / "here.sqlite") == rows(tmp_path / "there.sqlite")
    best = here.to_dict()["best"]
    assert best[0]["point"] == "bandwidth=50GBps" and len(here.to_dict()["points"]) == 3
    stored = orr.Study.load(tmp_path / "here.sqlite").table
    assert stored["step_us"][0] == pytest.approx(here.step() * 1e6)
    before = of_workers(tmp_path / "here.sqlite")
    assert orr.search(fabrics, store=tmp_path / "here.sqlite", top=2).to_dict() == here.to_dict()
    assert of_workers(tmp_path / "here.sqlite") == before


def test_a_search_over_a_sweep_needs_a_store(fabrics, tmp_path):
    with pytest.raises(orr.InputError, match="store"):
        orr.search(fabrics)
    with pytest.raises(TypeError, match="points say"):
        orr.search(fabrics, store=tmp_path / "a.sqlite", gpus=8)
