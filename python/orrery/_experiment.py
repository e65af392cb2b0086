"""Experiments: what is to be simulated."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Sequence

from . import _core
from ._errors import InputError, Problem, error_of
from ._findings import Sensitivity
from ._progress import Listener, shown
from ._registry import Registry
from ._run import Run, Runs
from ._studies import sensitivity_of
from ._sweep import Study, _Simulation, sweep_keys
from ._trials import Trials
from ._warnings import log_warnings



class Experiment:
    """One or several runs, each of which trains a workload on a machine.

    The keyword arguments are the keys of an experiment file, with underscores for hyphens: ``layers_per_stage`` is
    ``layers-per-stage``, and ``global_`` is ``global``. Values are dicts, lists, texts, numbers and booleans.

    >>> import orrery as orr
    >>> ring = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... )
    >>> ring.run().compute
    0.0001
    """

    def __init__(self, **keys: Any) -> None:
        """The keys are copied, and interpreted when that is needed, so mistakes show in :meth:`check` and :meth:`run`.

        Args:
            keys: the keys of an experiment file (docs/inputs/experiment.md).

        Raises:
            TypeError: a value is none of dicts, lists, texts, numbers and booleans.
        """
        self._keys = _core.Document(keys)
        self._file: str | None = None
        self._folder = ""
        self._overrides: list[str] = []
        self._network_model = ""
        self._allow_out_of_memory = False
        self._registry = Registry()
        self._read: _core.Experiment | None = None

    @classmethod
    def load(cls, file: str | os.PathLike[str], *, registry: Registry | None = None) -> Experiment:
        """Returns the experiment in a file. Raises :class:`InputError` where it cannot be read.

        Args:
            file: name of the file.
            registry: what plug-ins add to what the experiment may name (:func:`load_plugin`).
        """
        experiment = cls()
        experiment._file = os.fspath(file)
        experiment._registry = registry or experiment._registry
        experiment._experiment()
        return experiment

    @classmethod
    def parse(cls, text: str, folder: str | os.PathLike[str] = "") -> Experiment:
        """Returns the experiment that a text of YAML describes. Raises :class:`InputError`.

        Args:
            text: what an experiment file would hold.
            folder: files that the text names are relative to this folder.
        """
        experiment = cls()
        experiment._keys = _core.parse(text, "experiment")
        experiment._folder = os.fspath(folder)
        return experiment

    def with_(
        self,
        *overrides: str,
        network_model: str | None = None,
        allow_out_of_memory: bool | None = None,
        registry: Registry | None = None,
        **keys: Any,
    ) -> Experiment:
        """Returns a changed copy.

        Args:
            overrides: changes as ``--set`` takes them, such as ``"network.0.bandwidth=100 GB/s"``.
            network_model: model of all runs, whatever else says: ``analytical``, ``link``, ``fluid`` or ``packet``.
            allow_out_of_memory: whether a model that does not fit its device is a warning and no error.
            registry: what plug-ins add to what the experiment may name (:func:`load_plugin`).
            keys: keys that replace those of the same name; an experiment from a file takes overrides only.
        """
        if keys and self._file is not None:
            raise TypeError("an experiment from a file is changed by overrides, such as 'passes=2'")
        other = Experiment()
        other.__dict__.update(self.__dict__, _read=None)
        other._keys = self._keys.with_keys(keys)
        other._overrides = [*self._overrides, *overrides]
        if network_model is not None:
            other._network_model = network_model
        if allow_out_of_memory is not None:
            other._allow_out_of_memory = allow_out_of_memory
        if registry is not None:
            other._registry = registry
        return other

    def _experiment(self) -> _core.Experiment:
        if self._read is None:
            options = (self._overrides, self._network_model)
            last = (self._allow_out_of_memory, self._registry._held)
            if self._file is not None:
                self._read = _core.Experiment.load(self._file, *options, *last)
            else:
                self._read = _core.Experiment.read(self._keys, *options, self._folder, *last)
            log_warnings(self._read.warnings)
        return self._read

    @property
    def name(self) -> str:
        """Name of the experiment. Raises :class:`InputError` where the experiment is not well-formed."""
        return self._experiment().name

    @property
    def runs(self) -> list[str]:
        """Names of its runs. Raises :class:`InputError` where the experiment is not well-formed."""
        return self._experiment().runs

    @property
    def warnings(self) -> list[str]:
        """Warnings that reading it gave. Raises :class:`InputError` where the experiment is not well-formed."""
        return self._experiment().warnings

    def check(self) -> None:
        """Puts all runs together without simulating them. Raises :class:`InputError` with everything that is wrong."""
        if problems := self._experiment().check():
            raise error_of(problems)

    def simulate(
        self,
        *,
        threads: int = 0,
        keep: str = "as-written",
        fold: bool = True,
        output: str | os.PathLike[str] = "",
        progress: Listener | bool | None = None,
    ) -> Runs:
        """Simulates all runs. A run that fails keeps no other from running: :attr:`Run.error` says why it did.

        Other threads of Python go on meanwhile, and Ctrl-C stops the runs.

        Args:
            threads: runs simulated at a time; 0 for one on each core.
            keep: ``as-written`` keeps the tables of runs that write reports (up to 100 runs, or those that the experiment
                names), ``everything`` those of all, ``summaries`` only what the table of runs and layers needs.
            fold: whether equal ranks are simulated once where that is exact.
            output: a folder in which results are written as the program writes them; empty for nowhere.
            progress: a function to call now and then; True for a bar, False for none, None for a bar on a terminal or
                in a notebook once it takes more than a second.

        Raises:
            InputError: the experiment is not well-formed, or results cannot be written.
        """
        if keep not in ("as-written", "everything", "summaries"):
            raise InputError([Problem("input", "keep", f"{keep!r} is not 'as-written', 'everything' or 'summaries'", "", "")])
        with shown(progress, self.name) as listener:
            runs = self._experiment().simulate(threads, keep, fold, os.fspath(output), listener)
        for run in runs.runs():
            log_warnings(run.warnings)
        return Runs(runs)

    def run(self, **options: Any) -> Run:
        """Simulates an experiment of one run, and returns that.

        Args:
            options: those of :meth:`simulate`.

        Raises:
            InputError: the experiment is not well-formed, or has several runs.
            StallError: the simulation cannot go on.
        """
        if (count := len(self.runs)) != 1:
            raise InputError([Problem("input", "experiment.runs", f"there are {count} runs; call simulate()", "call simulate()", "")])
        return next(iter(self.simulate(**options).raise_error()))

    def sensitivity(self, run: str = "", **options: Any) -> Sensitivity:
        """Simulates a run again and again, each time with one parameter of its machine better, as ``orrery sensitivity`` does.

        Args:
            run: name of the run; it may be left out where the experiment has only one.
            options: ``share``, ``target``, ``costs``, ``only``, ``threads`` and ``progress`` of :meth:`Run.sensitivity`.

        Raises:
            InputError: the experiment is not well-formed, the run cannot be simulated, or an option is wrong.
            StallError: the simulation of the run as it is cannot go on.
        """
        return sensitivity_of(self._experiment(), run, **options)

    def sweep(
        self,
        keys: Mapping[str, Any] | None = None,
        *,
        store: str | os.PathLike[str],
        zip: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
        where: str | Sequence[str] = (),
        sample: Mapping[str, Any] | None = None,
        objectives: Sequence[str | Mapping[str, str]] = (),
        executor: Any = None,
        threads: int = 0,
        only: str = "",
        limit: int | None = None,
        reuse_any_version: bool = False,
        retry_failed: bool = False,
        fold: bool = True,
        chunk_seconds: float = 1.0,
        progress: Listener | bool | None = None,
    ) -> Study:
        """Returns the study of all combinations of values, whose runs are simulated when they are asked for.

        Args:
            keys: for each key, as a path with dots, a list of values or a range (docs/inputs/sweeps.md). Without these
                the experiment has a ``sweep`` of its own.
            store: file for the runs. Those that it has already are not simulated again.
            zip: keys whose values belong together.
            where: conditions over the keys, such as ``"tensor * data == 64"``.
            sample: how many combinations are drawn, such as ``dict(runs=100, seed=1)``.
            objectives: columns that are to be small, or dicts with ``column`` and ``goal``.
            executor: what simulates the runs: an executor of ``concurrent.futures``, Dask's, :class:`RayExecutor`, or one of
                submitit. None for threads of this process.
            threads: runs simulated at a time without an executor; 0 for one on each core.
            only: an expression over the keys; other runs are left out for now.
            limit: number of runs that are simulated at most.
            reuse_any_version: whether runs that other versions have simulated are kept.
            retry_failed: whether runs that failed are simulated again.
            fold: whether equal ranks are simulated once where that is exact.
            chunk_seconds: for how long the runs take that are sent to the executor together.
            progress: that of :meth:`simulate`, told as parts end. Of its runs are those that the store lacked.

        Raises:
            InputError: the experiment or the sweep is not well-formed.
        """
        varied = self
        if sweep := sweep_keys(keys, zip, where, sample):
            varied = varied._with_key("sweep", sweep)
        if objectives:
            varied = varied._with_key("objectives", list(objectives))
        options = dict(
            fold=fold, chunk_seconds=chunk_seconds, progress=progress, only=only, limit=limit, reuse_any_version=reuse_any_version,
            retry_failed=retry_failed,
        )
        return Study(store, _Simulation(varied, executor, threads, options))

    def trials(
        self,
        *,
        store: str | os.PathLike[str],
        keys: Sequence[str] = (),
        objectives: Sequence[str | Mapping[str, str]] = (),
        executor: Any = None,
        threads: int = 0,
        reuse_any_version: bool = False,
        retry_failed: bool = False,
        fold: bool = True,
    ) -> Trials:
        """Returns what simulates the points that an optimizer asks for, and keeps them in a file as the runs of one study.

        Args:
            store: file for the runs. Those that it has already are not simulated again.
            keys: the keys that points may have, as paths with dots. Without these, they are those of the first point.
            objectives: columns that the study shows as those that are to be small, or dicts with ``column`` and ``goal``.
            executor: what simulates the runs, as that of :meth:`sweep`. None for threads of this process.
            threads: points that are simulated at a time where they are submitted; 0 for one on each core or worker.
            reuse_any_version: whether runs that other versions have simulated are kept.
            retry_failed: whether runs that failed are simulated again.
            fold: whether equal ranks are simulated once where that is exact.
        """
        varied = self._with_key("objectives", list(objectives)) if objectives else self
        options = dict(keys=keys, fold=fold, reuse_any_version=reuse_any_version, retry_failed=retry_failed)
        return Trials(varied, store, executor, threads, options)

    def _with_key(self, key: str, value: Any) -> Experiment:
        return self.with_(f"{key}={json.dumps(value)}") if self._file is not None else self.with_(**{key: value})

    def _sweep(self) -> _core.Sweep:
        options = (self._overrides, self._network_model)
        last = (self._allow_out_of_memory, self._registry._held)
        if self._file is not None:
            return _core.Sweep.load(self._file, *options, *last)
        return _core.Sweep.read(self._keys, *options, self._folder, *last)

    def _sweep_search(self, options: tuple[Any, ...]) -> _core.SweepSearch:
        read = (self._overrides, self._network_model, self._folder, self._registry._held)
        if self._file is not None:
            return _core.SweepSearch.load(self._file, *read, *options)
        return _core.SweepSearch.read(self._keys, *read, *options)

    def _of_document(self, keys: _core.Document) -> Experiment:
        """Returns an experiment with these keys, to which overrides were applied, in the place of this one."""
        other = Experiment.__new__(Experiment)
        folder = os.path.dirname(self._file) if self._file is not None else self._folder
        other.__dict__.update(self.__dict__, _keys=keys, _file=None, _folder=folder, _overrides=[], _network_model="", _read=None)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_keys": self._keys.to_object(), "_read": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._keys = _core.Document(state["_keys"])

    def __repr__(self) -> str:
        return f"Experiment.load({self._file!r})" if self._file is not None else f"Experiment({', '.join(self._keys.keys())})"
