"""Models of one's own, as experiments take them."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping


class Model:
    """A model of one's own: a transformer in a file, or a list of layers.

    >>> import orrery as orr
    >>> layers = orr.Model.layers([dict(name="layer", weight_gradient=dict(compute="100 us", collective="all-reduce", size="64 MiB"))])
    >>> orr.Experiment(network=orr.Network.switch(8, "50 GB/s", "500 ns"), workload=layers).run().compute
    0.0001
    """

    def __init__(self, description: Any) -> None:
        """Takes what an experiment has in its place; :meth:`from_config` and :meth:`layers` make it."""
        self._description = description

    @classmethod
    def from_config(cls, file: str | os.PathLike[str]) -> Model:
        """Returns the transformer in a Hugging Face ``config.json``, or in a transformer file, for ``workload=dict(model=...)``.

        The file is read with the experiment, whose :class:`InputError` says what is wrong with it.
        """
        path = os.fspath(file)
        return cls(path if os.sep in path else os.path.join(os.curdir, path))

    @classmethod
    def layers(cls, layers: Iterable[Mapping[str, Any]], **keys: Any) -> Model:
        """Returns a workload of layers, for ``workload=``.

        Args:
            layers: dicts with the keys of layers (docs/inputs/workloads.md): ``name``, and ``forward``, ``input_gradient`` and
                ``weight_gradient``, each with ``compute`` and, if it communicates, ``collective`` and ``size``.
            keys: further keys of the workload, such as ``policy``, which is ``data`` where it is left out, or ``pipeline``.
        """
        return cls({"policy": "data", **keys, "layers": [dict(layer) for layer in layers]})

    def __orrery__(self) -> Any:
        return self._description

    def __repr__(self) -> str:
        if isinstance(self._description, str):
            return f"Model.from_config({self._description!r})"
        return f"<Model: {len(self._description['layers'])} layers>"
