"""Plug-ins: what experiments may name besides that which comes with Orrery."""

from __future__ import annotations

import os
from typing import Any

from . import _core
from ._table import Table


class Registry:
    """What plug-ins add (docs/plugins.md). Two experiments may have different registries.

    >>> import orrery as orr
    >>> orr.Registry().names["networks"]
    []
    """

    def __init__(self, *files: str | os.PathLike[str]) -> None:
        """Loads plug-ins into a new registry.

        Args:
            files: shared libraries, such as ``"star.so"``.

        Raises:
            InputError: a file cannot be loaded, is no plug-in, or was built for another version of the interface.
        """
        self._held = _core.Registry()
        for file in files:
            self._held.load(os.fspath(file))

    @property
    def files(self) -> list[str]:
        """The files that were loaded."""
        return self._held.files

    @property
    def names(self) -> dict[str, list[str]]:
        """Names that experiments may use, by kind: ``networks``, ``routings``, ``congestion_controls``, ``algorithms``,
        ``compute_models``, ``exporters`` and ``network_models``."""
        return self._held.names

    @property
    def parts(self) -> Table:
        """A row for each part, as ``orrery list plug-ins`` has them: its kind, its name, what one writes to ask for it and where,
        and the file of its plug-in."""
        return Table(self._held.parts())

    def __repr__(self) -> str:
        return f"Registry({', '.join(map(repr, self.files))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Registry, tuple(self.files)


def load_plugin(*files: str | os.PathLike[str]) -> Registry:
    """Returns a registry with what these plug-ins add, for ``registry=`` of experiments.

    >>> import orrery as orr
    >>> try:
    ...     orr.load_plugin("missing.so")
    ... except orr.InputError as error:
    ...     print(error.message)
    there is no such file

    Args:
        files: shared libraries, such as ``"star.so"``.

    Raises:
        InputError: a file cannot be loaded, is no plug-in, or was built for another version of the interface.
    """
    return Registry(*files)
