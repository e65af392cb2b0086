"""Sweeps: the runs of an experiment whose keys vary, on any executor, kept in a file."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pickle
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence

from . import _core
from ._progress import Listener, shown
from ._table import Table, Value
from ._warnings import log_warnings

if TYPE_CHECKING:
    from ._experiment import Experiment

Row = dict[str, Value]

_TRIES = 3
"""How often runs are sent to an executor whose workers die."""


@lru_cache(maxsize=4)
def _sweep_of(pickled: bytes) -> _core.Sweep:
    experiment: Experiment = pickle.loads(pickled)
    return experiment._sweep()


def _simulate_part(pickled: bytes, runs: list[int], fold: bool) -> str:
    """Simulates runs of a sweep where an executor has sent them. The experiment is read once in each process."""
    return _sweep_of(pickled).simulate_part(runs, fold)


class Study:
    """The runs of a sweep in a file, and those that it still lacks.

    Runs are simulated when they are asked for: by iterating, by :meth:`run`, or by whatever shows all of them. Each is in
    the file within a moment after it ends, so that a program which is killed goes on where it was.

    >>> import orrery as orr, os, tempfile
    >>> ring = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = ring.sweep({"compute-scale": [1, 2, 4]}, store=os.path.join(folder, "rings.sqlite"))
    ...     sorted(run["compute-scale"] for run in study)
    ...     study.best("step_us")["run"]
    [1, 2, 4]
    'compute-scale=1'
    """

    def __init__(self, store: str | os.PathLike[str], simulation: _Simulation | None = None) -> None:
        """Studies come from :meth:`Experiment.sweep`, or with :meth:`load` from a file."""
        self._store = os.fspath(store)
        self._simulation = simulation
        self._core: _core.Study | None = None

    @classmethod
    def load(cls, store: str | os.PathLike[str]) -> Study:
        """Returns the study in a file that a sweep has written. Raises :class:`InputError` where it is no such file."""
        study = cls(store)
        study._study()
        return study

    def _study(self) -> _core.Study:
        if self._core is None:
            self._core = _core.Study.load(self._store)
        return self._core

    @property
    def store(self) -> str:
        """Name of the file."""
        return self._store

    @property
    def name(self) -> str:
        """Name of the study. Raises :class:`InputError` where the file cannot be read."""
        return self._study().name if self._simulation is None else self._simulation.name

    def __iter__(self) -> Iterator[Row]:
        """Yields the runs as dicts by the names of columns: first those in the file, then others as they end.

        Raises :class:`InputError` where the file cannot be written, and what the executor raises where its workers die.
        """
        if self._simulation is None:
            yield from Table(self._study().table("", "", None))
            return
        with self._simulation.opened(self._store) as missing:
            lacking = set(missing)
            for row in Table(self._study().table("", "", None)):
                if row["number"] not in lacking:
                    yield row
            for numbers in self._simulation.simulate(missing):
                yield from Table(self._study().table(f"number in ({', '.join(map(str, numbers))})", "", None))
        self._simulation = None

    def run(self) -> Study:
        """Simulates all runs that the file lacks, and returns the study. Raises as iterating does."""
        if self._simulation is not None:
            with self._simulation.opened(self._store) as missing:
                for _ in self._simulation.simulate(missing):
                    pass
            self._simulation = None
        return self

    def table_of(self, where: str = "", sort: str = "", limit: int | None = None) -> Table:
        """Returns runs as a table, in the order of the sweep unless they are sorted. Raises :class:`InputError`.

        Args:
            where: an expression over columns and keys, such as ``"tensor == 8 and step_us < 5 ms"``; empty for all runs.
            sort: expressions with commas between them, such as ``"network_cost_usd, step_us desc"``.
            limit: number of runs at most.
        """
        return Table(self.run()._study().table(where, sort, limit))

    @property
    def table(self) -> Table:
        """All runs, a row each. Raises :class:`InputError` where the file cannot be read or written."""
        return self.table_of()

    def __len__(self) -> int:
        return len(self._simulation) if self._simulation is not None else len(self.table)

    def best(self, objective: str) -> Row:
        """Returns the run that is best, or raises KeyError where no run has a value.

        Args:
            objective: a column that is to be small, or large with a ``-`` in front, such as ``-model_flop_utilization``.
        """
        column = objective.removeprefix("-")
        order = f"{column} desc" if objective.startswith("-") else column
        for row in self.table_of(f"{column} is not null and status == 'ok'", order, 1):
            return row
        raise KeyError(column)

    def pareto(self, *objectives: str) -> list[Row]:
        """Returns the runs than which no other is better in one objective and as good in all, sorted by the first.

        Args:
            objectives: columns as those of :meth:`best`. Raises KeyError for one that is none.
        """
        signs = {name.removeprefix("-"): -1 if name.startswith("-") else 1 for name in objectives}
        rows = [row for row in self.table_of("status == 'ok'") if all(row[name] is not None for name in signs)]
        points = [(tuple(sign * float(row[name] or 0) for name, sign in signs.items()), row) for row in rows]
        points.sort(key=lambda point: point[0])
        front: list[tuple[tuple[float, ...], Row]] = []
        for values, row in points:
            if not any(other != values and all(a <= b for a, b in zip(other, values)) for other, _ in front):
                front.append((values, row))
        return [row for _, row in front]

    def report(self, file: str | os.PathLike[str]) -> str:
        """Writes the page of the study, and returns its name. Raises :class:`InputError` where it cannot be written."""
        self.run()._study().write_report(os.fspath(file))
        return os.fspath(file)

    def __repr__(self) -> str:
        return f"<Study {self._store!r}>"


class _Simulation:
    """Sends the runs that a store lacks to an executor, and keeps what comes back."""

    def __init__(self, experiment: Experiment, executor: concurrent.futures.Executor | Any | None, threads: int, options: dict[str, Any]) -> None:
        self._pickled = pickle.dumps(experiment)
        self._sweep = experiment._sweep()
        log_warnings(self._sweep.warnings)
        self._executor = executor
        self._threads = threads or os.cpu_count() or 1
        self._fold: bool = options.pop("fold")
        self._seconds: float = options.pop("chunk_seconds")
        self._progress: Listener | bool | None = options.pop("progress")
        self._options = options
        self._opened: _core.SweepStore | None = None

    @property
    def name(self) -> str:
        return self._sweep.name

    def __len__(self) -> int:
        return len(self._sweep)

    def opened(self, store: str) -> _Simulation:
        self._opened = _core.SweepStore.open(self._sweep, store, *self._options.values())
        self._missing = self._opened.missing()
        return self

    def __enter__(self) -> list[int]:
        return self._missing

    def __exit__(self, *_: object) -> None:
        self._opened = None  # which others may have now

    def simulate(self, missing: Sequence[int]) -> Iterator[list[int]]:
        """Yields the numbers of runs as parts end and are in the store."""
        if not missing:
            return
        with shown(self._progress, self.name) as listener:
            if self._executor is not None:
                yield from self._simulate_on(self._executor, missing, listener)
                return
            with concurrent.futures.ThreadPoolExecutor(self._threads) as executor:
                yield from self._simulate_on(executor, missing, listener)

    def _simulate_on(self, executor: Any, missing: Sequence[int], listener: Listener | None) -> Iterator[list[int]]:
        # Parts are to take some seconds each, so that sending them costs little, and all workers end at about the same time.
        workers = getattr(executor, "_max_workers", None) or self._threads
        places = 2 * max(int(workers), 2)
        begin, size, done, failed, seconds = 0, 1, 0, 0, 0.0
        pending: dict[Any, tuple[list[int], int]] = {}
        try:
            while begin < len(missing) or pending:
                while begin < len(missing) and len(pending) < places:
                    numbers = list(missing[begin : begin + size])
                    begin += len(numbers)
                    pending[self._send(executor, numbers)] = (numbers, 1)
                for future in _ended(pending):
                    numbers, tries = pending.pop(future)
                    try:
                        part: str = future.result()
                    except (_core_error(), KeyboardInterrupt):
                        raise
                    except Exception:
                        if tries == _TRIES:
                            raise
                        pending[self._send(executor, numbers)] = (numbers, tries + 1)
                        continue
                    assert self._opened is not None
                    self._opened.add(part)
                    done += len(numbers)
                    runs = json.loads(part)
                    failed += sum(run["failed"] for run in runs)
                    seconds += sum(run["seconds"] for run in runs)
                    if listener is not None:
                        listener(len(missing), done, failed, done / len(missing))
                    even = max(1, (len(missing) - begin) // places)
                    size = max(1, min(int(self._seconds * done / max(seconds, 1e-9)), even))
                    yield numbers
        finally:
            for future in pending:
                future.cancel()

    def _send(self, executor: Any, numbers: list[int]) -> Any:
        return executor.submit(_simulate_part, self._pickled, numbers, self._fold)


def _core_error() -> type[Exception]:
    from ._errors import OrreryError

    return OrreryError


def _ended(pending: Iterable[Any]) -> list[Any]:
    """Waits for some of the calls. Those of submitit are no futures, but say whether they are done."""
    futures = list(pending)
    if all(isinstance(future, concurrent.futures.Future) for future in futures):
        return list(concurrent.futures.wait(futures, return_when=concurrent.futures.FIRST_COMPLETED).done)
    pause = 0.01
    while not (ended := [future for future in futures if future.done()]):
        time.sleep(pause)
        pause = min(2 * pause, 1.0)
    return ended


def sweep_keys(
    keys: Mapping[str, Any] | None, zip_: Mapping[str, Any] | Sequence[Mapping[str, Any]], where: str | Sequence[str], sample: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Returns the key ``sweep`` of an experiment."""
    sweep: dict[str, Any] = {}
    if keys:
        sweep["grid"] = dict(keys)
    if zip_:
        sweep["zip"] = dict(zip_) if isinstance(zip_, Mapping) else [dict(one) for one in zip_]
    if where:
        sweep["where"] = where if isinstance(where, str) else list(where)
    if sample:
        sweep["sample"] = dict(sample)
    return sweep


class RayExecutor(concurrent.futures.Executor):
    """An executor whose calls run on Ray, which has to be installed and started.

    >>> import orrery as orr
    >>> issubclass(orr.RayExecutor, concurrent.futures.Executor)
    True
    """

    def __init__(self, **options: Any) -> None:
        """Raises ImportError where Ray is not installed.

        Args:
            options: those of ``ray.remote``, such as ``num_cpus``.
        """
        import ray  # type: ignore[import-not-found,import-untyped,unused-ignore] # pyright: ignore

        self._ray: Any = ray
        self._call: Any = self._ray.remote(**options)(_call) if options else self._ray.remote(_call)
        self._refs: dict[concurrent.futures.Future[Any], Any] = {}
        self._is_shut_down = False

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        """Returns the future of a call. Raises RuntimeError where the executor was shut down."""
        if self._is_shut_down:
            raise RuntimeError("cannot schedule new futures after shutdown")
        ref = self._call.remote(function, args, kwargs)
        future: concurrent.futures.Future[Any] = ref.future()
        self._refs[future] = ref
        future.add_done_callback(lambda done: self._refs.pop(done, None))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no further calls.

        Args:
            wait: whether to wait for those that were taken.
            cancel_futures: whether to drop those that have not begun.
        """
        self._is_shut_down = True
        pending = dict(self._refs)
        if cancel_futures:
            for ref in pending.values():
                self._ray.cancel(ref)
        if wait:
            concurrent.futures.wait(pending)


def _call(function: Any, args: Any, kwargs: Any) -> Any:
    return function(*args, **kwargs)
