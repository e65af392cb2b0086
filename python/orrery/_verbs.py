"""What can be asked besides simulating an experiment: comparisons, searches, flows and calculators."""

from __future__ import annotations

import os
from typing import Any, Iterable, Sequence

from . import _core
from ._experiment import Experiment
from ._findings import Calibration, Collective, Findings, LayoutSearch, Roofline
from ._network import network_of
from ._progress import Listener, shown
from ._registry import Registry
from ._run import Run
from ._sweep import Row

Path = str | os.PathLike[str]


class Profile:
    """A measured training step, as the PyTorch profiler recorded it.

    >>> import orrery as orr
    >>> orr.Profile.load("no-such-trace.json")
    Traceback (most recent call last):
    ...
    orrery._errors.InputError: no-such-trace.json: error: cannot open file: No such file or directory, check the path
    """

    def __init__(self, core: _core.Profile) -> None:
        """Profiles come from files: :meth:`load`."""
        self._core = core

    @classmethod
    def load(cls, *files: Path) -> Profile:
        """Returns what files, one for each rank, or folders of them tell: Kineto traces, or execution traces with durations.

        Raises :class:`InputError` where a file cannot be read.
        """
        return cls(_core.Profile.load([os.fspath(file) for file in files]))

    @property
    def ranks(self) -> int:
        """Number of ranks that were measured."""
        return self._core.ranks

    @property
    def warnings(self) -> list[str]:
        """Warnings that reading gave, each with its place."""
        return self._core.warnings

    def __repr__(self) -> str:
        return f"<Profile: {self.ranks} rank{'s' * (self.ranks != 1)}>"


def compare(before: Run, after: Run | Profile, step: int | None = None, progress: Listener | bool | None = None) -> Findings:
    """Lays two runs side by side, or a run and a measured step, as ``orrery compare`` does.

    Of two runs the tables are ``inputs``, ``times``, ``layers`` and ``links``, with a row for each thing that changes. Of a
    run and a measured step they are ``measured``, with a row for each activity, ``parts``, ``ranks`` and ``kernels``.

    >>> import orrery as orr
    >>> ring = orr.Experiment(
    ...     network=[dict(name="ring", topology="ring", size=8, bandwidth="50 GB/s", latency="500 ns")],
    ...     workload=dict(policy="data", layers=[dict(name="layer", weight_gradient=dict(
    ...         compute="100 us", collective="all-reduce", size="64 MiB"))]),
    ... )
    >>> changes = orr.compare(ring.run(), ring.with_("network.0.bandwidth=100 GB/s").run())
    >>> changes.inputs["key"], changes.inputs["after"]
    (['network.ring.bandwidth'], ['100 GB/s'])

    Args:
        before: the run that the other one is compared with; beside a measured step it is simulated once more.
        after: a run, or a measured step.
        step: number of the measured step; None for the mean of all.
        progress: that of :meth:`Experiment.simulate`.

    Raises:
        InputError: a run failed, or a side has no such step.
    """
    if isinstance(after, Run):
        return Findings(_core.compare(before._core, after._core))
    with shown(progress, before.name) as listener:
        return Findings(_core.compare_measured(before._core, after._core, step, listener))


# The keys of a transformer as a workload; others are those of its experiment.
_WORKLOAD_KEYS = ("sequence", "batch", "parallelism", "recompute", "attention", "datatype", "optimizer", "precision", "overlap")


def search(
    experiment: Experiment | None = None,
    *,
    model: Any = None,
    gpus: int | None = None,
    top: int = 10,
    network_runs: int = 0,
    fewer_gpus: bool = False,
    keep: Iterable[str] = (),
    objective: str = "time",
    exhaustive: bool = False,
    threads: int = 0,
    progress: Listener | bool | None = None,
    store: str | os.PathLike[str] | None = None,
    executor: Any = None,
    **keys: Any,
) -> LayoutSearch:
    """Searches for the best layouts of a transformer's training on a platform, as ``orrery search`` does.

    >>> import orrery as orr
    >>> orr.search(model="llama3-8b", gpus=16, platform="dgx-h100", batch=dict(global_=64), top=1).keys()["parallelism"]["data"]
    4

    With a ``network``, estimates choose layouts, and these are run on the network, whose times rank them. Each layout
    uses all of its NPUs.

    >>> boxes = orr.Network.rails(boxes=2, link="5 GB/s", latency="2 us")
    >>> found = orr.search(model="llama3-8b", platform="dgx-h100", batch=dict(global_=64), network=boxes, top=3)
    >>> found.layouts["verdict"][:3]
    ['simulated', 'simulated', 'simulated']
    >>> found.step() >= found.layouts["estimated_step_us"][0] * 1e-6
    True

    With a ``store``, the experiment has a ``sweep``, and the layouts are searched at all its points, such as on several
    networks. The runs that are simulated are in that file, so that a search that is stopped goes on where it was.

    >>> import os, tempfile
    >>> links = {"network.a.bandwidth": ["5 GB/s", "50 GB/s"]}
    >>> fabrics = orr.Experiment(
    ...     platform="dgx-h100", network=[dict(name="a", topology="switch", size=8, bandwidth="1 GB/s", latency="1 us")],
    ...     workload=dict(model="gpt3-125m", batch=dict(global_=8, micro=1), parallelism=dict(data=8)), sweep=dict(grid=links),
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = orr.search(fabrics, store=os.path.join(folder, "fabrics.sqlite"), top=2)
    >>> found.layouts["point"][0]
    'bandwidth=50GBps'

    Args:
        experiment: an experiment of one run, whose layout is where the search starts; the keys may stand in its place.
        model: name or file of a transformer, in place of an experiment.
        gpus: number of GPUs; None for as many as the experiment or its network has.
        top: number of the best layouts that are explained, and that are run on a network.
        network_runs: layouts that are run on a network at most, beside the experiment's own; 0 for twice ``top``.
        fewer_gpus: whether layouts on a half of the GPUs, a quarter and so on are looked at, too.
        keep: choices that stay as they are, such as ``"tensor"`` and ``"micro"``.
        objective: what is best: ``time`` of a step, or ``cost``, which is GPUs times time.
        exhaustive: whether every layout that fits the memory is simulated.
        threads: simulations at a time; 0 for one on each core.
        progress: that of :meth:`Experiment.simulate`.
        store: file for the runs of a search over a sweep.
        executor: what simulates these runs, as in :meth:`Experiment.sweep`; None for threads of this process.
        keys: ``platform``, ``network`` and other keys of an experiment, and those of its workload, such as ``batch``, in
            place of an experiment; a batch that says no ``micro`` starts from micro-batches of 1. The search starts from
            the layout of one GPU, or with a network from the one that is the best on the platform itself.

    Raises:
        InputError: the experiment or an option is wrong, no layout fits, or none can be run on the network.
        TypeError: there is both an experiment and a model, or neither, or options say nothing together.
    """
    if (experiment is None) == (model is None):
        raise TypeError("a search starts from an experiment or from a model")
    if experiment is not None and keys:
        raise TypeError(f"the experiment says everything; leave {', '.join(keys)} out, or change it by with_()")
    kept = list(keep)
    if store is not None:
        if experiment is None or gpus is not None or fewer_gpus:
            raise TypeError("a search with a store starts from an experiment with a sweep, whose points say how many GPUs they have")
        with shown(progress, "search") as listener:
            begun = experiment._sweep_search((kept, objective, top, network_runs, exhaustive, threads, listener))
        return _simulated(experiment, begun, os.fspath(store), executor, threads)
    if executor is not None:
        raise TypeError("an executor simulates the runs of a search with a store; give it one")

    def layouts_from(start: Experiment, gpus: int | None, top: int, fewer_gpus: bool = False) -> LayoutSearch:
        with shown(progress, "search") as listener:
            return LayoutSearch(_core.search(start._experiment(), gpus, fewer_gpus, kept, objective, top, network_runs, exhaustive, threads, listener))

    if experiment is not None:
        return layouts_from(experiment, gpus, top, fewer_gpus)
    workload: dict[str, Any] = {"model": model, "parallelism": {}, **{key: keys.pop(key) for key in _WORKLOAD_KEYS if key in keys}}
    workload["batch"] = {"micro": 1, **workload.get("batch", {})}
    if "network" in keys and not workload["parallelism"]:
        gpus = network_of(keys["network"]).npus if gpus is None else gpus
        alone = Experiment(workload=workload, **{key: keys[key] for key in ("platform", "platforms") if key in keys})
        workload = {**workload, "recompute": "none", **layouts_from(alone, gpus, 1).keys()}
    return layouts_from(Experiment(workload=workload, **keys), gpus, top, fewer_gpus)


def _simulated(experiment: Experiment, search: _core.SweepSearch, store: str, executor: Any, threads: int) -> LayoutSearch:
    """Has the runs of a search simulated, and returns what it has found."""

    def rows_of(runs: _core.Document) -> list[Row]:
        return list(experiment._of_document(runs).sweep(store=store, executor=executor, threads=threads).table)

    while (runs := search.next()) is not None:
        search.tell([row["step_us"] * 1e-6 if row["status"] == "ok" else None for row in rows_of(runs)])  # type: ignore[operator]
    rows_of(search.all())
    return LayoutSearch(search.findings())


def calibrate(
    *files: Path,
    output: Path = "",
    platform: Path = "",
    kind: str = "",
    experiment: Path = "",
    run: str = "",
    overrides: Iterable[str] = (),
    registry: Registry | None = None,
    threads: int = 0,
    progress: Listener | bool | None = None,
) -> Calibration:
    """Fits constants of a machine or of its software to what was measured on it, as ``orrery calibrate`` does.

    >>> import orrery as orr, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = os.path.join(folder, "gemm.csv")
    ...     with open(table, "w") as file:
    ...         _ = file.write("m,n,k,datatype,time_us\\n8192,8192,8192,bf16,1700\\n4096,4096,4096,bf16,230\\n")
    ...     found = orr.calibrate(table, platform="dgx-h100")
    >>> found.constants["constant"][0], found.errors["rows"]
    ('device.roofline.matrix-efficiency', [2])

    Args:
        files: measurements: tables of matrix products or of steps, outputs of nccl-tests, traces of the PyTorch profiler or
            folders of them. What is in a file says what it is.
        output: file for the constants, which experiments can name; empty for none.
        platform: for products and collectives: the platform whose constants are fitted, or its file.
        kind: for outputs of nccl-tests that do not tell it: the kind of collective.
        experiment: for a profile: the experiment file of the step that was profiled.
        run: for a profile: the run of that experiment, if it has several.
        overrides: for steps and profiles: changes of their experiments, such as ``"platform.stack=generic"``.
        registry: what plug-ins add to what experiments and platforms may name (:func:`load_plugin`).
        threads: simulations at a time; 0 for one on each core.
        progress: that of :meth:`Experiment.simulate`; it begins again with each simulation of all rows.

    Raises:
        InputError: a file or an option is wrong, or the measurements have no use for an option.
    """
    measured = [os.fspath(file) for file in files]
    with shown(progress, "calibrate") as listener:
        found = _core.calibrate(
            measured,
            os.fspath(platform),
            kind,
            os.fspath(experiment),
            run,
            list(overrides),
            os.fspath(output),
            (registry or Registry())._held,
            threads,
            listener,
        )
    return Calibration(found)


Flow = Sequence[Any] | dict[str, Any]


def flows(
    network: Any,
    flows: Iterable[Flow] | Path,
    model: str = "fluid",
    *,
    congestion_control: str | None = None,
    history: bool = False,
    registry: Registry | None = None,
    progress: Listener | bool | None = None,
    **keys: Any,
) -> Findings:
    """Runs messages that share a network, as ``orrery flows`` does.

    The tables are ``flows``, with the time of each, ``links``, and where the network model knows them ``switches`` and
    ``latencies``.

    >>> import orrery as orr
    >>> star = orr.Network.switch(4, "1 GB/s", "0 ns")
    >>> orr.flows(star, [(0, 3, "1 MB"), (1, 3, "1 MB")]).flows["end_us"]
    [2000.0, 2000.0]

    Args:
        network: a :class:`Network`, or what it is made of.
        flows: source, destination and size of each; or dicts with ``source``, ``destination``, ``bytes`` and any of
            ``start`` (a text with a unit, or seconds), ``after`` (numbers of flows that have to end before), ``channel``
            and ``priority``; or the name of a file.
        model: ``analytical``, ``link``, ``fluid`` or ``packet``.
        congestion_control: how senders of packets react, such as ``"dcqcn"``; a short form of that key of ``packets``.
        history: whether to record what links and switches hold when, in ``link_history`` and ``switch_history``.
        registry: what plug-ins add to what the network and the keys may name; None for that of the :class:`Network`.
        progress: that of :meth:`Experiment.simulate`.
        keys: more keys of the network as an experiment has them: ``routing``, ``packets``, ``failures`` and the like.

    Raises:
        InputError: the flows or the network are wrong.
        StallError: flows never end.
    """
    if congestion_control is not None:
        keys["packets"] = {**keys.get("packets", {}), "congestion_control": congestion_control}
    listed = os.fspath(flows) if isinstance(flows, (str, os.PathLike)) else [_flow(flow) for flow in flows]
    with shown(progress, "flows") as listener:
        found = _core.flows(network_of(network, registry)._core, _core.Document(listed), model, _core.Document(keys), history, listener)
    return Findings(found)


def _flow(flow: Flow) -> Flow:
    """Returns a flow whose start has a unit."""
    if not isinstance(flow, dict):
        return list(flow)
    start = flow.get("start")
    return flow if start is None or isinstance(start, str) else {**flow, "start": f"{float(start)!r} s"}


def collective(
    collective: str = "all-reduce",
    size: str | int = "64 MiB",
    members: int = 8,
    *,
    per_node: int = 0,
    platform: Any = None,
    library: Path = "nccl",
    inside: str = "",
    between: str = "",
    gpus_per_node: int = 8,
    nics_per_node: int = 0,
    algorithm: str = "",
    timed: str = "kernel",
    buffers: str = "",
    caller: str = "torch",
    interval: float = 0.8,
) -> Collective:
    """Costs a collective of a library on GPUs in nodes, as ``orrery compute collective`` does.

    >>> import orrery as orr
    >>> orr.collective("all-gather", "64 MiB", members=8).algorithm
    'ring'

    Args:
        collective: ``all-reduce``, ``all-gather``, ``reduce-scatter``, ``all-to-all`` and so on, or ``send``.
        size: of the whole tensor: a text with a unit, or bytes.
        members: GPUs of the group.
        per_node: of them in each node; 0 for as many as can be.
        platform: a platform that comes with Orrery, a file or a dict of its keys; it says all that follows but the
            algorithm.
        library: a library that comes with Orrery, or a file.
        inside: links inside a node: a class such as ``nvlink4``, or a bandwidth; empty for ``nvlink4``, or the library's
            first class.
        between: links between nodes, likewise; empty where there is but one.
        gpus_per_node: GPUs of a node.
        nics_per_node: network cards of a node; 0 for one of each GPU.
        algorithm: only this one of the library's; empty where the library chooses.
        timed: as a benchmark does: ``kernel``, or ``call`` by call.
        buffers: memory of the buffers, ``cpu`` or ``gpu``; empty where the library has them.
        caller: who calls the library: ``torch``, which lacks some of it, or a ``program`` of its own.
        interval: share of measurements that the interval of the time holds, from 0.01 to 0.99.

    Raises:
        InputError: one of these is wrong.
    """
    text = size if isinstance(size, str) else f"{size} B"
    found = _core.collective(
        collective,
        text,
        members,
        per_node,
        _core.Document(platform),
        os.fspath(library),
        inside,
        between,
        gpus_per_node,
        nics_per_node,
        algorithm,
        timed,
        buffers,
        caller,
        interval,
    )
    return Collective(found)


def roofline(
    m: int = 1,
    n: int = 1,
    k: int = 1,
    *,
    batch: int = 1,
    device: Path = "a100",
    datatype: str = "",
    weight_sparsity: float = 0,
    activation_sparsity: float = 0,
    sparsity_pattern: str = "unstructured",
    shapes: Path = "",
    table: Path = "",
) -> Roofline:
    """Costs matrix products on a device, as ``orrery compute roofline`` does.

    >>> import orrery as orr
    >>> orr.roofline(1, 4096, 4096, device="h100").bound
    'memory'

    Args:
        m: rows of the product: samples or tokens.
        n: columns of the product: output features.
        k: extent that is summed over: input features.
        batch: number of such products.
        device: a device that comes with Orrery, or a file.
        datatype: number format of the operands; empty for the usual one of the device.
        weight_sparsity: share of zeros among the weights.
        activation_sparsity: share of zeros among the activations.
        sparsity_pattern: of the weights: ``unstructured`` or ``2:4``.
        shapes: a CSV file of many shapes, in place of one.
        table: a CSV file of measured times, which the model then follows.

    Raises:
        InputError: one of these is wrong.
    """
    found = _core.products(
        m,
        n,
        k,
        batch,
        os.fspath(device),
        datatype,
        weight_sparsity,
        activation_sparsity,
        sparsity_pattern,
        os.fspath(shapes),
        os.fspath(table),
    )
    return Roofline(found)
