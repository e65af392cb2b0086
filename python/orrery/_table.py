"""Tables of results, whose columns know their units and meanings."""

from __future__ import annotations

from typing import Iterator, NamedTuple, Union

from . import _core

Value = Union[bool, int, float, str, None]


class Column(NamedTuple):
    """A column of a :class:`Table`."""

    name: str
    """As in the title of the CSV file."""
    unit: str
    """``us``, ``bytes``, ``share`` and the like; empty for words and plain numbers."""
    meaning: str
    """A sentence."""
    type: str
    """``boolean``, ``integer``, ``real`` or ``text``."""


class Table:
    """A table of results. Its values never change, so threads may share it.

    Libraries that know Apache Arrow's C stream interface read it without a copy, and none of them is required:
    ``polars.from_arrow(table)``, ``pyarrow.table(table)``, ``duckdb.sql("select * from table")``.

    >>> import orrery as orr
    >>> run = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... ).run()
    >>> table = run.table("layers")
    >>> [column.name for column in table.columns]
    ['run', 'layer', 'compute_us', 'communication_us', 'exposed_us']
    >>> table["compute_us"]
    [100.0]
    """

    def __init__(self, core: _core.Table) -> None:
        """Tables come from runs: :meth:`Run.table`."""
        self._core = core

    @property
    def name(self) -> str:
        """Name of the table, that of its CSV file without ``.csv``."""
        return self._core.name

    @property
    def columns(self) -> list[Column]:
        """The columns, in the order of the CSV file."""
        return [Column(column.name, column.unit, column.meaning, column.type) for column in self._core.columns]

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, column: str) -> list[Value]:
        """Returns the values of a column, with None where there is none. Raises KeyError."""
        return self._core.column(column)

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Yields the rows, each as a dict by the names of the columns."""
        names = [column.name for column in self._core.columns]
        for values in zip(*(self._core.column(name) for name in names)):
            yield dict(zip(names, values))

    def to_dict(self) -> dict[str, list[Value]]:
        """Returns all values as lists, by the names of the columns."""
        return {column.name: self._core.column(column.name) for column in self._core.columns}

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns an ``ArrowArrayStream`` in a capsule, by Arrow's PyCapsule interface. No value is copied."""
        return self._core.stream()

    def __repr__(self) -> str:
        names = ", ".join(f"{column.name} ({column.unit})" if column.unit else column.name for column in self.columns)
        return f"<Table {self.name}: {len(self)} rows of {names}>"
