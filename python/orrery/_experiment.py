"""Experiments: what is to be simulated."""

from __future__ import annotations

import copy
import logging
import os
import sys
import time
from typing import Any, Callable, Mapping

from . import _core
from ._errors import InputError, Problem, error_of
from ._run import Run, Runs

_log = logging.getLogger("orrery")

Listener = Callable[[int, int, int, float], None]
"""Gets the number of runs, of ended and of failed ones, and the share of the work that is done, from 0 to 1."""


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
        """Nothing is read before it is needed, so mistakes show in :meth:`check` and :meth:`run`.

        Args:
            keys: the keys of an experiment file (docs/inputs/experiment.md).
        """
        self._keys: dict[str, Any] = copy.deepcopy(keys)
        self._file: str | None = None
        self._folder = ""
        self._overrides: list[str] = []
        self._network_model = ""
        self._allow_out_of_memory = False
        self._read: _core.Experiment | None = None

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Experiment:
        """Returns the experiment in a file. Raises :class:`InputError` where it cannot be read."""
        experiment = cls()
        experiment._file = os.fspath(file)
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
        experiment._keys = _core.parse(text, "experiment") or {}
        experiment._folder = os.fspath(folder)
        return experiment

    def with_(
        self,
        *overrides: str,
        network_model: str | None = None,
        allow_out_of_memory: bool | None = None,
        **keys: Any,
    ) -> Experiment:
        """Returns a changed copy.

        Args:
            overrides: changes as ``--set`` takes them, such as ``"network.0.bandwidth=100 GB/s"``.
            network_model: model of all runs, whatever else says: ``analytical``, ``link``, ``fluid`` or ``packet``.
            allow_out_of_memory: whether a model that does not fit its device is a warning and no error.
            keys: keys that replace those of the same name; an experiment from a file takes overrides only.
        """
        if keys and self._file is not None:
            raise TypeError("an experiment from a file is changed by overrides, such as 'passes=2'")
        other = Experiment()
        other.__dict__.update(self.__dict__, _read=None)
        other._keys = {**self._keys, **copy.deepcopy(keys)}
        other._overrides = [*self._overrides, *overrides]
        if network_model is not None:
            other._network_model = network_model
        if allow_out_of_memory is not None:
            other._allow_out_of_memory = allow_out_of_memory
        return other

    def _experiment(self) -> _core.Experiment:
        if self._read is None:
            options = (self._overrides, self._network_model)
            if self._file is not None:
                self._read = _core.Experiment.load(self._file, *options, self._allow_out_of_memory)
            else:
                self._read = _core.Experiment.read(self._keys, *options, self._folder, self._allow_out_of_memory)
            for warning in self._read.warnings:
                _log.warning("%s", warning)
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
        listener = _Bar.listener(self.name, progress) if progress is None or isinstance(progress, bool) else progress
        try:
            runs = self._experiment().simulate(threads, keep, fold, os.fspath(output), listener)
        finally:
            if isinstance(listener, _Bar):
                listener.close()
        for run in runs.runs():
            for warning in run.warnings:
                _log.warning("%s", warning)
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

    def __orrery_document__(self) -> Mapping[str, Any]:
        return self._keys

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_read": None}

    def __repr__(self) -> str:
        return f"Experiment.load({self._file!r})" if self._file is not None else f"Experiment({', '.join(self._keys)})"


class _Bar:
    """Shows progress by tqdm where it is installed, and otherwise by a line on stderr, once work takes a second."""

    def __init__(self, name: str, at_once: bool) -> None:
        self._name = name
        self._since = time.monotonic() - (1 if at_once else 0)
        self._bar: Any = None
        self._drawn = False

    @staticmethod
    def listener(name: str, wanted: bool | None) -> _Bar | None:
        in_notebook = "ipykernel" in sys.modules
        if wanted is False or (wanted is None and not in_notebook and not sys.stderr.isatty()):
            return None
        return _Bar(name, wanted is True)

    def __call__(self, runs: int, ended: int, failed: int, share: float) -> None:
        if time.monotonic() - self._since < 1:
            return
        failures = f", {failed} failed" if failed else ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            sys.stderr.write(f"\r{self._name}: {100 * share:3.0f} % ({ended} of {runs} runs{failures})")
            sys.stderr.flush()
            self._drawn = True
            return
        if self._bar is None:
            self._bar = tqdm(total=100, desc=self._name, unit="%", bar_format="{desc}: {percentage:3.0f}%|{bar}| {postfix}")
        self._bar.set_postfix_str(f"{ended} of {runs} runs{failures}")
        self._bar.update(100 * share - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._drawn:
            sys.stderr.write("\n")
