"""What comes with Orrery: the machines and workloads that experiments may name, as ``orrery list`` prints them."""

from __future__ import annotations

import os

from . import _core
from ._table import Table
from ._warnings import log_warnings


def devices() -> Table:
    """Returns the accelerators that come with Orrery, a row for each, as ``orrery list devices --json`` has them.

    The column ``device`` has the names that the key ``device`` and ``orr.roofline(device=...)`` take. A peak is missing where
    a device has none of that datatype, and 0 stands for another value that is not known.

    >>> import orrery as orr
    >>> peaks = {row["device"]: row["matrix_bf16_tflops"] for row in orr.devices()}
    >>> peaks["a100"]
    312.0
    """
    return Table(_core.devices())


def platforms() -> Table:
    """Returns the platforms that come with Orrery, a row for each, as ``orrery list platforms --json`` has them.

    The column ``platform`` has the names that the key ``platform`` and ``orr.collective(platform=...)`` take.

    >>> import orrery as orr
    >>> [row["gpus_per_node"] for row in orr.platforms() if row["platform"] == "dgx-h100"]
    [8]
    """
    return Table(_core.platforms())


def stacks() -> Table:
    """Returns the software stacks of training, a row for each, as ``orrery list stacks --json`` has them.

    The column ``stack`` has the names that the key ``stack`` of a platform takes. The factors and times are what the software
    adds to devices and links.

    >>> import orrery as orr
    >>> {row["stack"]: row["kernel_slowdown"] for row in orr.stacks()}["none"]
    1.0
    """
    return Table(_core.stacks())


def host_stacks() -> Table:
    """Returns the stacks that carry messages of hosts, a row for each, as ``orrery list host-stacks --json`` has them.

    The column ``host_stack`` has the names that the key ``host_stack`` takes.

    >>> import orrery as orr
    >>> "kernel-tcp" in orr.host_stacks()["host_stack"]
    True
    """
    return Table(_core.host_stacks())


def models() -> Table:
    """Returns the neural networks that are tables of layers, a row for each, as ``orrery list models --json`` has them.

    The column ``model`` has the names that the key ``model`` of a workload takes.

    >>> import orrery as orr
    >>> [row["layers"] for row in orr.models() if row["model"] == "vgg16"]
    [16]
    """
    return Table(_core.models())


def transformers() -> Table:
    """Returns the transformers that come with Orrery, a row for each, as ``orrery list models --json`` has them.

    The column ``transformer`` has the names that the key ``model`` of a workload and ``orr.search(model=...)`` take.

    >>> import orrery as orr
    >>> len(orr.transformers()) == len(set(orr.transformers()["transformer"]))
    True
    """
    return Table(_core.transformers())


def transformer(name_or_file: str | os.PathLike[str]) -> Table:
    """Returns a row about a transformer: its sizes, parameters and operations, as ``orrery list config.json --json`` has it.

    Warnings say what of a configuration is not modelled; they go to the logger ``orrery``.

    >>> import orrery as orr
    >>> orr.transformer("llama3-8b")["parameters"]
    [8030261248]

    Args:
        name_or_file: a name of :func:`transformers`, or a transformer file or a ``config.json`` of Hugging Face.

    Raises:
        InputError: there is none of this name, or the file describes none.
    """
    found = _core.describe_transformer(os.fspath(name_or_file))
    log_warnings(found.warnings)
    return Table(found.table("transformers"))
