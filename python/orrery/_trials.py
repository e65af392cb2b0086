"""Trials: the runs of an experiment that an optimizer asks for one by one, kept in a file as one study."""

from __future__ import annotations

import concurrent.futures
import contextlib
import fcntl
import json
import os
import pickle
import threading
from typing import TYPE_CHECKING, Any, Generator, Mapping, Sequence

from . import _core
from ._errors import InputError, OrreryError, Problem
from ._sweep import _TRIES, Row, _simulate_part
from ._table import Table

if TYPE_CHECKING:
    from types import TracebackType

    from ._experiment import Experiment

Point = dict[str, Any]


class Trials:
    """Simulates the points that an optimizer asks for, and keeps them in a file as the runs of one study.

    A point gives values to keys of the experiment. Any optimizer that proposes points and is told what came of them can
    use it: Optuna, for example, by ``study.ask()`` and ``study.tell()``. A point that is in the file is not simulated
    again. Threads may share one object, and processes may have objects of their own for one file.

    >>> import orrery as orr, os, tempfile
    >>> ring = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = os.path.join(folder, "rings.sqlite")
    ...     with ring.trials(store=store) as trials:
    ...         slow = trials.evaluate({"compute-scale": 4})
    ...         fast = trials.evaluate({"compute-scale": 1})
    ...     [run["run"] for run in orr.Study.load(store)]
    ['compute-scale=4', 'compute-scale=1']
    >>> slow["step_us"] > fast["step_us"]
    True
    """

    def __init__(self, experiment: Experiment, store: str | os.PathLike[str], executor: Any, threads: int, options: dict[str, Any]) -> None:
        """Trials come from :meth:`Experiment.trials`."""
        self._experiment = experiment
        self._store = os.fspath(store)
        self._executor = executor
        self._threads = threads or getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        self._keys: tuple[str, ...] = tuple(options.pop("keys"))
        self._fold: bool = options.pop("fold")
        self._reuse_any_version: bool = options.pop("reuse_any_version")
        self._retry_failed: bool = options.pop("retry_failed")
        self._lock = threading.Lock()  # of what follows, and of the file
        self._rows: dict[str, concurrent.futures.Future[Row]] = {}  # by the texts of their points
        self._usable: Point | None = None  # a point whose run can be put together
        self._noted: set[str] | None = None  # points of the list, as far as they are known
        self._pool: concurrent.futures.ThreadPoolExecutor | None = None
        self._is_closed = False

    @property
    def store(self) -> str:
        """Name of the file."""
        return self._store

    def evaluate(self, point: Mapping[str, Any]) -> Row:
        """Returns the run of a point, which is simulated unless the file has it.

        The run is a dict by the names of the columns of a study: ``step_us``, for example, is a time in microseconds. Of a
        run that fails, ``status`` is ``failed``, ``reason`` says why, and results are None.

        Args:
            point: for each key, as a path with dots, its value: a number, a text, a boolean, a list or a dict. None leaves
                the key out, even where the experiment has it, so that it has its usual value. All points have the keys of
                the first one, or those that :meth:`Experiment.trials` was given; a key that a point lacks is as None.

        Raises:
            InputError: the experiment has no such key, or is not well-formed whatever the point is, or the file cannot be
                written.
            TypeError: a value is none of those named above.
            RuntimeError: the trials are closed. What the executor raises is raised, too, where its workers die.
        """
        text, point = self._completed(point)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the trials are closed")
            future = concurrent.futures.Future[Row]()
            known = self._rows.setdefault(text, future)
        if known is not future:
            return dict(known.result())
        try:
            row = self._run(point, text)
        except BaseException as error:
            with self._lock:
                del self._rows[text]
            future.set_exception(error)
            raise
        future.set_result(row)
        return dict(row)

    def submit(self, point: Mapping[str, Any]) -> concurrent.futures.Future[Row]:
        """Returns the future of what :meth:`evaluate` returns or raises. Raises RuntimeError where the trials are closed.

        Points are simulated on the executor, or on as many threads as the trials have.

        Args:
            point: as that of :meth:`evaluate`.
        """
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the trials are closed")
            if self._pool is None:
                self._pool = concurrent.futures.ThreadPoolExecutor(self._threads)
            return self._pool.submit(self.evaluate, dict(point))

    def close(self) -> None:
        """Makes one study of all points in the file, in the order in which they ended, for :meth:`Study.load` and the program.

        Points of earlier trials of the same keys belong to it, as far as the file still has their runs. Points that were
        submitted and have not begun are given up. Leaving a ``with`` statement closes the trials.

        Raises:
            InputError: the file cannot be written, or no run of the study can be put together.
        """
        with self._lock:
            is_first, self._is_closed = not self._is_closed, True
        if not is_first:
            return
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        concurrent.futures.wait(list(self._rows.values()))  # of other threads
        if self._rows:
            with self._file_locked():
                self._write_study()

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        """Returns the number of different points that were asked for."""
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<Trials {self._store!r}: {len(self)} points>"

    def _completed(self, point: Mapping[str, Any]) -> tuple[str, Point]:
        """Returns a point with all keys, and a text that tells it from others."""
        with self._lock:
            self._keys = self._keys or tuple(point)
        if unknown := [key for key in point if key not in self._keys]:
            known = ", ".join(f"`{key}`" for key in self._keys)
            hint = "name all keys by `keys` of trials()"
            raise InputError([Problem("input", "point", f"`{unknown[0]}` is none of the keys of these trials, {known}; {hint}", hint, "")])
        if not point:
            raise InputError([Problem("input", "point", "a point is empty; give it keys with their values", "give it keys with their values", "")])
        completed: Point = json.loads(json.dumps({key: point.get(key) for key in self._keys}, default=_plain))
        return _text_of(completed), completed

    def _run(self, point: Point, text: str) -> Row:
        points, sweep = self._sweep_of(point)
        if isinstance(sweep, InputError):
            with self._file_locked():
                self._note(text, point)
            return {"run": None, "status": "failed", "reason": str(sweep), "place": sweep.place}
        with self._file_locked():
            store = self._opened(sweep, self._retry_failed)
            missing = 0 in store.missing()
            del store  # other points want it
            if not missing:
                return self._kept(text, point)
        part = self._simulated(points, sweep)
        with self._file_locked():
            store = self._opened(sweep)
            store.add(part)
            del store
            return self._kept(text, point)

    def _sweep_of(self, point: Point) -> tuple[list[Point], _core.Sweep | InputError]:
        """Returns a sweep that begins with a point, with its points, or why the point's run cannot be put together.

        A sweep needs one run that can be, so another point stands beside one that cannot: one that is known to be right, or
        the same without some of its keys. Raises InputError where all of these fail for the same reason, as then it is no
        fault of the point's values.
        """
        alone = self._read([point])
        if not isinstance(alone, InputError):
            self._usable = self._usable or point
            return [point], alone
        nothing: Point = dict.fromkeys(point)
        others = [nothing, *({**point, key: None} for key in point)] if self._usable is None else [self._usable]
        is_of_all = True
        for other in others:
            if other == point:
                continue
            both = self._read([point, other])
            if not isinstance(both, InputError):
                self._usable = other
                return [point, other], both
            fault = self._read([other])
            is_of_all &= _messages(fault if isinstance(fault, InputError) else both) == _messages(alone)
        if is_of_all:
            raise alone
        return [point], alone

    def _swept(self, points: Sequence[Point]) -> Experiment:
        return self._experiment._with_key("sweep", {"zip": {key: [point[key] for point in points] for key in self._keys}})

    def _read(self, points: Sequence[Point]) -> _core.Sweep | InputError:
        try:
            return self._swept(points)._sweep()
        except InputError as error:
            return error

    def _simulated(self, points: Sequence[Point], sweep: _core.Sweep) -> str:
        if self._executor is None:
            return sweep.simulate_part([0], self._fold)
        pickled = pickle.dumps(self._swept(points))
        for _ in range(_TRIES - 1):
            try:
                return self._sent(pickled)
            except OrreryError:
                raise
            except Exception:  # a worker has died
                continue
        return self._sent(pickled)

    def _sent(self, pickled: bytes) -> str:
        part: str = self._executor.submit(_simulate_part, pickled, [0], self._fold).result()
        return part

    # The file, and its list of points: a file beside it with a line of JSON for each point whose run it has.

    @property
    def _list(self) -> str:
        return self._store + "-points"

    @contextlib.contextmanager
    def _file_locked(self) -> Generator[None, None, None]:
        """Keeps other threads and processes from the file, which has the sweep of one point at a time."""
        os.makedirs(os.path.dirname(self._store) or ".", exist_ok=True)
        with self._lock, open(self._list, "a") as held:
            with contextlib.suppress(OSError):  # a file system without locks is for one process
                fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def _opened(self, sweep: _core.Sweep, retry_failed: bool = False) -> _core.SweepStore:
        return _core.SweepStore.open(sweep, self._store, "", None, self._reuse_any_version, retry_failed)

    def _kept(self, text: str, point: Point) -> Row:
        """Returns the run that has just been found in the file or added to it."""
        row = next(iter(Table(_core.Study.load(self._store).table("number == 0", "", 1))))
        del row["number"]  # which it has only once the trials are closed
        self._note(text, point)
        return row

    def _note(self, text: str, point: Point) -> None:
        if self._noted is None:
            self._noted = set(self._listed())
        if text not in self._noted:
            self._noted.add(text)
            with open(self._list, "a") as file:
                file.write(json.dumps(point) + "\n")

    def _listed(self) -> dict[str, Point]:
        """Returns the points of the list that have the keys of these, by their texts."""
        points: dict[str, Point] = {}
        with open(self._list) as file:
            for line in file:
                with contextlib.suppress(json.JSONDecodeError):  # a line whose writer was killed
                    point: Point = json.loads(line)
                    if point.keys() == set(self._keys):
                        points[_text_of(point)] = point
        return points

    def _write_study(self) -> None:
        points = self._listed()
        while points:
            sweep = self._read(list(points.values()))
            if isinstance(sweep, InputError) and self._usable is not None and _text_of(self._usable) not in points:
                sweep = self._read([*points.values(), self._usable])  # a sweep needs one run that can be put together
            if isinstance(sweep, InputError):
                raise sweep
            store = self._opened(sweep)
            missing = {number for number in store.missing() if number < len(points)}
            gone = [text for number, text in enumerate(points) if number in missing and text not in self._rows]
            if not gone:
                if missing:
                    store.add(sweep.simulate_part(sorted(missing), self._fold))
                return
            del store
            for text in gone:
                del points[text]


def _messages(error: InputError) -> list[str]:
    return [problem.message for problem in error.problems]


def _text_of(point: Point) -> str:
    """Returns a text that is the same for points which an experiment cannot tell apart."""
    return json.dumps(json.loads(json.dumps(point), parse_float=_text_of_real, parse_int=str), sort_keys=True)


def _text_of_real(text: str) -> str:
    value = float(text)
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else text


def _plain(value: Any) -> Any:
    """Returns a number of NumPy as one of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a value of a point is a number, a text, a boolean, a list, a dict or None, not a {type(value).__name__}")
