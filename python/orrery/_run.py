"""What simulated runs took, and why."""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, Mapping, overload

from . import _core
from ._errors import OrreryError, error_of
from ._findings import Change, Explanation, Sensitivity
from ._progress import Listener, shown
from ._studies import sensitivity_of
from ._table import Table


class Run:
    """A run that has ended. It never changes, so threads may share it.

    Its tables are attributes, too: ``run.layers`` is ``run.table("layers")``.

    >>> import orrery as orr
    >>> run = orr.Experiment(platform="dgx-a100", workload=dict(model="llama3-8b", batch=dict(global_=64, micro=1),
    ...                      parallelism=dict(tensor=8, data=4))).run()
    >>> abs(run.compute + run.bubble + run.exposed + run.idle - run.time) < 1e-9
    True
    >>> 0 < run.mfu < 1
    True
    """

    def __init__(self, core: _core.Run, runs: _core.Runs) -> None:
        """Runs come from experiments, :meth:`Experiment.run`, or from results: :meth:`load`."""
        self._core = core
        self._runs = runs
        self._times = core.breakdown()

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Run:
        """Returns the run that ``orrery run`` or :meth:`save` has written into a folder: that of an experiment of one run, or of a run.

        It has the tables that were written, but cannot be simulated again, so it explains nothing. The folder may go then.
        Raises :class:`InputError` where there are no results, or those of several runs.
        """
        runs = Runs.load(folder)
        if len(runs) != 1:
            _core.Run.load(os.fspath(folder))  # says which runs there are
        return runs[0]

    @property
    def name(self) -> str:
        """Name of the run."""
        return self._core.name

    @property
    def error(self) -> OrreryError | None:
        """Why the run failed; None for a run that was simulated to its end."""
        problem = self._core.problem
        return error_of([problem]) if problem else None

    @property
    def warnings(self) -> list[str]:
        """Warnings of the run, each with its place."""
        return self._core.warnings

    @property
    def time(self) -> float:
        """Seconds until the last rank's program has ended."""
        return self._core.time

    @property
    def step(self) -> float:
        """Seconds of a training iteration: the time by the number of iterations."""
        return self._core.step

    @property
    def step_interval(self) -> tuple[float, float] | None:
        """Seconds between which a measured step lies in 80 % of cases, or in the share that the experiment's `interval`
        says; None where no measured runs tell."""
        interval = self._core.step_interval
        return interval[:2] if interval else None

    @property
    def compute(self) -> float:
        """Seconds in which a rank computes, as a mean over all ranks."""
        return self._times[0]

    @property
    def bubble(self) -> float:
        """Seconds in which a rank waits and would wait even if communication took no time, as a mean."""
        return self._times[1]

    @property
    def exposed(self) -> float:
        """Seconds of all other waiting: communication that compute does not hide, as a mean over all ranks."""
        return self._times[2]

    @property
    def idle(self) -> float:
        """Seconds after a rank's own end, as a mean. With compute, bubble and exposed it adds up to the time."""
        return self._times[3]

    @property
    def update(self) -> float:
        """The part of compute, in seconds, in which a rank updates weights, as a mean over all ranks."""
        return self._times[6]

    @property
    def contention(self) -> float:
        """The part of compute, in seconds, by which it takes longer because of collectives beside it, as a mean."""
        return self._times[7]

    @property
    def npus(self) -> int:
        """Number of NPUs in the machine."""
        return self._core.npus

    @property
    def iterations(self) -> int:
        """Number of training iterations."""
        return self._core.iterations

    @property
    def messages(self) -> int:
        """Number of messages that all NPUs sent."""
        return self._core.messages

    @property
    def mfu(self) -> float | None:
        """Operations that the model needs, as a share of the devices' peak; None where that is not known."""
        return self._core.model_flop_utilization

    @property
    def hfu(self) -> float | None:
        """Operations that the devices carry out, as a share of their peak; None where that is not known."""
        return self._core.hardware_flop_utilization

    @property
    def tokens_per_second(self) -> float | None:
        """Tokens per second of all devices together; None where no tokens are trained."""
        return self._core.tokens_per_second

    @property
    def memory(self) -> float | None:
        """Bytes that are needed on the fullest device; None where that is not known."""
        return self._core.memory

    @property
    def network_cost(self) -> float | None:
        """US dollars for links, NICs and switches; None where prices are not known."""
        return self._core.network_cost

    @property
    def tables(self) -> list[str]:
        """Names of the tables that the run has."""
        return self._core.tables()

    def table(self, name: str) -> Table:
        """Returns a table by its name. Raises :class:`InputError` where there is none of that name."""
        return Table(self._core.table(name))

    def __getattr__(self, name: str) -> Table:
        table = name.replace("_", "-")
        if name.startswith("_") or table not in self._core.tables():
            raise AttributeError(f"a run has no attribute {name!r}")
        return self.table(table)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name.replace("-", "_") for name in self._core.tables())]

    def explain(self, progress: Listener | bool | None = None) -> Explanation:
        """Says where the time on the critical path of the run goes, and why, as ``orrery explain`` does.

        The run is simulated once more, with all that it takes; Ctrl-C stops that. `progress` is that of
        :meth:`Experiment.simulate`. Raises the error of a run that failed, and :class:`InputError` for a run that was
        loaded.
        """
        with shown(progress, self.name) as listener:
            return Explanation(_core.explain(self._core, listener))

    def sensitivity(
        self,
        *,
        share: float = 0.25,
        target: float | None = None,
        costs: Mapping[str, Any] | None = None,
        only: str = "",
        threads: int = 0,
        progress: Listener | bool | None = None,
    ) -> Sensitivity:
        """Simulates the run again and again, each time with one parameter of its machine better.

        Args:
            share: share by which each parameter is better, up to 15.
            target: seconds that the least change is to bring the run to; None where no change is searched.
            costs: what better parameters cost, as in the file of ``--costs``; the cheapest change then reaches the target.
            only: pattern of the parameters that are varied, such as ``"network.*"``.
            threads: simulations at a time; 0 for one on each core.
            progress: that of :meth:`Experiment.simulate`.

        Raises:
            InputError: an option is wrong, or the run was loaded, and so cannot be simulated again.
        """
        return sensitivity_of(
            self._core, self.name, share=share, target=target, costs=costs, only=only, threads=threads, progress=progress
        )

    def what_if(self, top: int = 5, **options: Any) -> list[Change]:
        """Returns the changes of the machine that make the run shortest, each by itself, the largest gains first.

        Args:
            top: their number at most.
            options: those of :meth:`sensitivity`.

        Raises:
            InputError: an option is wrong, or the run was loaded, and so cannot be simulated again.
        """
        return self.sensitivity(**options).changes(top)

    def timeline(self, file: str | os.PathLike[str]) -> None:
        """Writes what each part does when, for ui.perfetto.dev (``.pftrace``) or as a table (``.csv``).

        Raises :class:`InputError` where the file cannot be written, or where only summaries were kept.
        """
        self._core.write_timeline(os.fspath(file))

    def report(self, file: str | os.PathLike[str]) -> None:
        """Writes the page that ``orrery report`` makes of the experiment, one file of HTML that needs no network.

        Raises :class:`InputError` where the file cannot be written.
        """
        self._runs.write_report(os.fspath(file))

    def save(self, folder: str | os.PathLike[str] = "results") -> str:
        """Writes the results of the experiment as ``orrery run`` writes them, and returns the name of their folder.

        Raises :class:`InputError` where they cannot be written.
        """
        return self._runs.save(os.fspath(folder))

    def to_dict(self) -> dict[str, Any]:
        """Returns everything that summary.json says of the run. Times there are in microseconds."""
        return dict(json.loads(self._core.json()))

    def __reduce__(self) -> tuple[Any, ...]:
        from ._pickling import packed, unpacked_run

        return unpacked_run, (packed(self._runs, self.name), self.name)

    def __str__(self) -> str:
        return self._core.report()

    def _repr_html_(self) -> str:
        from ._html import run_html

        return run_html(self)

    def __repr__(self) -> str:
        error = self.error
        return f"<Run {self.name}: {'failed: ' + error.message if error else f'{self.step:.4g} s a step'}>"


class Runs:
    """The runs of an experiment, in its order.

    >>> import orrery as orr
    >>> runs = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ...     runs=[dict(name="once"), dict(name="twice", passes=2)],
    ... ).simulate()
    >>> [run.name for run in runs]
    ['once', 'twice']
    >>> runs["twice"].iterations
    2
    """

    def __init__(self, core: _core.Runs) -> None:
        """Runs come from experiments, :meth:`Experiment.simulate`, or from results: :meth:`load`."""
        self._core = core
        self._runs = [Run(run, core) for run in core.runs()]

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Runs:
        """Returns the runs that ``orrery run`` or :meth:`save` has written into the folder of an experiment.

        They have the tables that were written, but cannot be simulated again. The folder may go then. Raises
        :class:`InputError` where there are no results.
        """
        return cls(_core.Runs.load(os.fspath(folder)))

    @property
    def error(self) -> OrreryError | None:
        """Everything that went wrong; None where all runs succeeded."""
        problems = self._core.problems
        return error_of(problems) if problems else None

    def raise_error(self) -> Runs:
        """Raises the error, if there is one, and returns the runs otherwise."""
        if error := self.error:
            raise error
        return self

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    @overload
    def __getitem__(self, which: int | str) -> Run: ...
    @overload
    def __getitem__(self, which: slice) -> list[Run]: ...
    def __getitem__(self, which: int | str | slice) -> Run | list[Run]:
        """Returns a run by its number or name. Raises IndexError or KeyError."""
        if not isinstance(which, str):
            return self._runs[which]
        for run in self._runs:
            if run.name == which:
                return run
        raise KeyError(which)

    def table(self, name: str = "runs") -> Table:
        """Returns the table ``runs``, ``layers`` or ``comparisons`` of all runs. Raises :class:`InputError`."""
        return Table(self._core.table(name))

    def report(self, file: str | os.PathLike[str]) -> None:
        """Writes the page that ``orrery report`` makes of the runs, one file of HTML that needs no network.

        Raises :class:`InputError` where the file cannot be written.
        """
        self._core.write_report(os.fspath(file))

    def save(self, folder: str | os.PathLike[str] = "results") -> str:
        """Writes the results as ``orrery run`` writes them, and returns the name of their folder.

        Raises :class:`InputError` where they cannot be written.
        """
        return self._core.save(os.fspath(folder))

    def __reduce__(self) -> tuple[Any, ...]:
        from ._pickling import packed, unpacked

        return unpacked, (packed(self._core),)

    def _repr_html_(self) -> str:
        from ._html import runs_html

        return runs_html(self._runs)

    def __repr__(self) -> str:
        failed = sum(run.error is not None for run in self._runs)
        return f"<Runs: {len(self)}{f', {failed} failed' if failed else ''}>"
