"""What studies find: tables, and what the program prints of them."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, cast

from . import _core
from ._errors import InputError, Problem
from ._table import Table


class Findings:
    """What a study found. It never changes, so threads may share it.

    Its tables are attributes, too: ``found.links`` is ``found.table("links")``. ``print`` shows what the program's
    command prints, and so do notebooks.

    >>> import orrery as orr
    >>> found = orr.collective("all-reduce", "64 MiB", members=8, platform="dgx-h100")
    >>> found.tables
    ['costs']
    >>> found.costs["members"]
    [8]
    """

    def __init__(self, core: _core.Findings) -> None:
        """Findings come from studies, such as :func:`orrery.compare`."""
        self._core = core

    @property
    def tables(self) -> list[str]:
        """Names of the tables, in the order in which the program shows them."""
        return self._core.tables()

    def table(self, name: str | None = None) -> Table:
        """Returns a table by its name, or the first one. Raises :class:`InputError` where there is none of that name."""
        return Table(self._core.table(self.tables[0] if name is None else name))

    @property
    def warnings(self) -> list[str]:
        """Warnings that the study gave, each with its place."""
        return self._core.warnings

    def to_dict(self) -> dict[str, Any]:
        """Returns everything that the program's command prints with ``--json``. Times there are in microseconds."""
        return dict(json.loads(self._core.json()))

    def __getattr__(self, name: str) -> Table:
        table = name.replace("_", "-")
        if name.startswith("_") or table not in self._core.tables():
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return self.table(table)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name.replace("-", "_") for name in self._core.tables())]

    def __str__(self) -> str:
        return self._core.text()

    def _repr_html_(self) -> str:
        from ._html import plain_html

        return plain_html(self._core.text())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self.tables)}>"

    def _cell(self, column: str) -> Any:
        """Returns the value of the first row of the first table."""
        return self.table()[column][0]


class Explanation(Findings):
    """Where the time on the critical path of a run goes, and why.

    Its tables are those of ``orrery explain``: ``critical_path``, its steps; ``blame``, shares of its time;
    ``path_operators`` and ``path_exchanges``, what is computed and communicated on it.

    >>> import orrery as orr
    >>> explained = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... ).run().explain()
    >>> list(explained.by("activity"))
    ['all-reduce', 'compute']
    """

    @property
    def aspects(self) -> list[str]:
        """What :meth:`by` may divide the path by: ``activity`` and those of ``layer``, ``communication``, ``part``, ``rank``,
        ``link`` and ``computing`` in which its steps differ.
        """
        return list(dict.fromkeys(str(by) for by in self.blame["by"]))

    def by(self, aspect: str) -> dict[str, float]:
        """Returns the time of the path in seconds, by the names of what its steps have in common, the longest first.

        Raises :class:`InputError` where the steps do not differ in that.
        """
        if aspect not in self.aspects:
            hint = "ask for " + ", ".join(self.aspects)
            raise InputError([Problem("input", "aspect", f"the path is not divided by {aspect!r}; {hint}", hint, "")])
        rows = (row for row in self.blame if row["by"] == aspect)
        return {str(row["name"]): float(row["time_us"] or 0) * 1e-6 for row in rows}


class Change(NamedTuple):
    """A better value of a parameter, and what it brings.

    >>> import orrery as orr
    >>> run = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... ).run()
    >>> best = run.what_if(top=1)[0]
    >>> best.key, best.was, best.becomes
    ('network.ring.bandwidth', '50 GB/s', '62.5 GB/s')
    """

    key: str
    """The parameter, as ``with_`` and ``--set`` take it."""
    kind: str
    """How one gets it: ``hardware``, ``layout``, ``software`` or ``fitted``."""
    was: str
    """Its value in the run."""
    becomes: str
    """Its better value, or another word in its place."""
    time: float
    """Seconds that the run takes with it."""
    gain: float
    """The share of its time by which the run is shorter."""


class Sensitivity(Findings):
    """Which parameters of a machine would make a run shorter, and by how much. Its table is ``sensitivity``.

    >>> import orrery as orr
    >>> found = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... ).sensitivity(share=1)
    >>> found.changes(top=1)[0].becomes
    '100 GB/s'
    """

    def changes(self, top: int | None = None) -> list[Change]:
        """Returns the changes that make the run shorter, the largest gains first; `top` is their number, None for all."""
        changes = [
            Change(row["key"], row["kind"], row["from"], row["to"], row["total_us"] * 1e-6, row["gain"])  # type: ignore[arg-type, operator]
            for row in self.table()
            if row["gain"] is not None and row["gain"] > 0  # type: ignore[operator]
        ]
        return sorted(changes, key=lambda change: -change.gain)[:top]

    @property
    def target(self) -> dict[str, Any]:
        """The least changes that reach the target: ``single`` and ``pair``, as ``orrery sensitivity --json`` tells them."""
        found = self.to_dict()
        return {name: found[name] for name in ("single", "pair") if name in found}


class LayoutSearch(Findings):
    """The layouts that a search looked at, the best first. Its table is ``layouts``.

    >>> import orrery as orr
    >>> found = orr.search(model="llama3-8b", gpus=8, platform="dgx-h100", batch=dict(global_=64), top=3)
    >>> [rank for rank in found.layouts["rank"] if rank is not None and rank <= 3]
    [1, 2, 3]
    >>> found.step(1) <= found.step(2)
    True
    """

    def _found(self, rank: int) -> dict[str, Any]:
        best = self.to_dict()["best"]
        if not 1 <= rank <= len(best):
            raise InputError([Problem("input", "rank", f"the search kept the layouts 1 to {len(best)}, not {rank}", "", "")])
        return dict(best[rank - 1])

    def step(self, rank: int = 1) -> float:
        """Returns the seconds that a training step takes with the layout of this rank, from 1 for the best.

        Raises :class:`InputError` where the search kept no such layout.
        """
        return float(self._found(rank)["step_us"]) * 1e-6

    def keys(self, rank: int = 1) -> dict[str, Any]:
        """Returns the keys of ``workload`` that make the layout of this rank: ``batch``, ``parallelism`` and ``recompute``.

        Raises :class:`InputError` where the search kept no such layout.
        """
        read = _core.parse(self._found(rank)["keys"], "layout").to_object()
        return {key: _plain(value) for key, value in read.items()}


class Calibration(Findings):
    """Constants that were fitted to measurements. Its tables are ``constants``, ``errors`` and ``rows``.

    >>> import orrery as orr, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = os.path.join(folder, "gemm.csv")
    ...     with open(table, "w") as file:
    ...         _ = file.write("m,n,k,datatype,time_us\\n8192,8192,8192,bf16,1700\\n4096,4096,4096,bf16,230\\n")
    ...     found = orr.calibrate(table, platform="dgx-h100")
    >>> 0.5 < found.keys()["device"]["roofline"]["matrix-efficiency"] < 1
    True
    """

    @property
    def yaml(self) -> str:
        """The constants as a file, of a software stack for steps and profiles, else of a platform."""
        return str(self.to_dict()["yaml"])

    def keys(self) -> dict[str, Any]:
        """Returns the constants as keys, for ``stack`` of a platform where steps or profiles were measured, else for ``platform``."""
        read = _core.parse(self.yaml, "calibration").to_object()
        return {key: _plain(value) for key, value in read.items()}


class Collective(Findings):
    """What a collective costs in a library. Its table is ``costs``, with one row.

    >>> import orrery as orr
    >>> cost = orr.collective("all-reduce", "1 GiB", members=64, platform="dgx-h100")
    >>> 0.001 < cost.time < 0.01 and cost.bus_bandwidth > 100e9
    True
    """

    @property
    def time(self) -> float:
        """Seconds that it takes."""
        return float(self._cell("time_us")) * 1e-6

    @property
    def interval(self) -> tuple[float, float]:
        """Seconds between which measured times lie in eight of ten cases, or in the share that was asked for."""
        return float(self._cell("low_us")) * 1e-6, float(self._cell("high_us")) * 1e-6

    @property
    def bus_bandwidth(self) -> float:
        """Bytes per second that links of a flat ring would need for the same time, as nccl-tests count them."""
        return float(self._cell("bus_gb_per_s")) * 1e9

    @property
    def algorithm(self) -> str:
        """The algorithm that the library chose, such as ``ring``; ``none`` for a group of one."""
        return str(self._cell("algorithm"))

    @property
    def protocol(self) -> str:
        """The protocol that the library chose, such as ``simple``."""
        return str(self._cell("protocol"))


class Roofline(Findings):
    """What matrix products cost on a device, and what their time is lost to. Its table is ``products``.

    >>> import orrery as orr
    >>> cost = orr.roofline(4096, 4096, 4096, device="h100")
    >>> cost.bound, 0.3 < cost.utilization < 1
    ('compute', True)
    """

    @property
    def time(self) -> float:
        """Seconds that the first of the products take."""
        return float(self._cell("time_us")) * 1e-6

    @property
    def utilization(self) -> float:
        """The share of the device's peak that it reaches."""
        return float(self._cell("utilization"))

    @property
    def bound(self) -> str:
        """What takes most of its time: ``compute``, ``memory`` or ``launch``."""
        return str(self._cell("bound"))


_NUMBER = re.compile(r"-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?")


def _plain(value: Any) -> Any:
    """Returns texts that are numbers or booleans as such."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[object]", value)]
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value) if value.isdigit() else float(value)
    return value
