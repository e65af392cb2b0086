"""Networks: forms of networks, graphs of one's own and files, and what they can carry."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Iterable, cast

from . import _core
from ._findings import Findings
from ._registry import Registry
from ._table import Table


class Network:
    """A network of NPUs, switches and links, which an :class:`Experiment` may have as its ``network``.

    The forms take the keys of network files (docs/inputs/graphs.md), with underscores for hyphens. A ``link`` may be a
    bandwidth, beside which ``latency`` stands. All of them take a ``registry``, too, with what plug-ins add to what a network
    may name; an experiment on the network has one of its own.

    >>> import orrery as orr
    >>> network = orr.Network.torus([4, 4, 4], link="50 GB/s", latency="500 ns")
    >>> network.describe().network["npus"]
    [64]
    """

    def __init__(self, description: Any, *, registry: Registry | None = None) -> None:
        """Takes what may stand at the key ``network`` of an experiment.

        Args:
            description: a dict with ``build`` or with ``nodes`` and ``links``, a list of dimensions, or the name of a file.
            registry: what plug-ins add to what it may name (:func:`load_plugin`).

        Raises:
            InputError: it describes no network. The place says which key is wrong.
        """
        self._registry = registry or Registry()
        self._core = _core.Network.read(_core.Document(description), self._registry._held)

    @classmethod
    def load(cls, file: str | os.PathLike[str], *, registry: Registry | None = None) -> Network:
        """Returns the network in a file of any format that describes one. Raises :class:`InputError` where there is none.

        Args:
            file: name of the file.
            registry: what plug-ins add to what it may name (:func:`load_plugin`).
        """
        return cls(os.fspath(file), registry=registry)

    @classmethod
    def _form(cls, form: str, link: Any, latency: str | None, keys: dict[str, Any]) -> Network:
        registry = keys.pop("registry", None)
        return cls({"build": form, **({} if link is None else {"link": _link(link, latency)}), **keys}, registry=registry)

    @classmethod
    def ring(cls, size: int, link: Any, latency: str | None = None, **keys: Any) -> Network:
        """Returns hosts in a circle.

        Args:
            size: number of hosts.
            link: link between neighbours: a bandwidth such as ``"50 GB/s"``, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            keys: further keys of the form.
        """
        return cls._form("ring", link, latency, {"size": size, **keys})

    @classmethod
    def switch(cls, size: int, link: Any, latency: str | None = None, **keys: Any) -> Network:
        """Returns hosts at one switch.

        Args:
            size: number of hosts.
            link: link between a host and the switch: a bandwidth, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            keys: further keys of the form.
        """
        return cls._form("switch", link, latency, {"size": size, **keys})

    @classmethod
    def fully_connected(cls, size: int, link: Any, latency: str | None = None, **keys: Any) -> Network:
        """Returns hosts that are joined each with each.

        Args:
            size: number of hosts.
            link: link between two hosts: a bandwidth, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            keys: further keys of the form.
        """
        return cls._form("fully-connected", link, latency, {"size": size, **keys})

    @classmethod
    def torus(cls, dimensions: Iterable[Any], link: Any = None, latency: str | None = None, *, wrap: bool = True, **keys: Any) -> Network:
        """Returns a grid of hosts.

        Args:
            dimensions: sizes, innermost first, or dicts of their keys.
            link: link between neighbours: a bandwidth, or a dict of its keys; None where dimensions have their own.
            latency: of the link, where that is a bandwidth.
            wrap: whether the grid is closed; an open one is a mesh.
            keys: further keys of the form.
        """
        return cls._form("torus" if wrap else "mesh", link, latency, {"dimensions": _sized(dimensions), **keys})

    @classmethod
    def fat_tree(cls, levels: Iterable[Any], link: Any = None, latency: str | None = None, **keys: Any) -> Network:
        """Returns one to three levels of switches above hosts.

        Args:
            levels: sizes, from the hosts below a leaf up, or dicts such as ``dict(size=32, oversubscription=2)``.
            link: link of all levels that have none of their own: a bandwidth, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            keys: further keys of the form.
        """
        return cls._form("fat-tree", link, latency, {"levels": _sized(levels), **keys})

    @classmethod
    def rails(
        cls,
        levels: Iterable[Any] | None = None,
        link: Any = None,
        latency: str | None = None,
        *,
        boxes: int | None = None,
        rails: int = 8,
        pod: int | None = None,
        oversubscription: float = 1,
        only: bool = False,
        **keys: Any,
    ) -> Network:
        """Returns a tree in which port r of every box leads to a leaf for ports r.

        Args:
            levels: sizes, from the boxes below a leaf up, or dicts of their keys; ``boxes`` stands in their place.
            link: link between boxes and switches, and between switches: a bandwidth, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            boxes: number of boxes; they are boxes of H100s unless ``inside`` says otherwise.
            rails: GPUs and NICs of such a box.
            pod: boxes below the same leaves; None for all, with one level of switches.
            oversubscription: bandwidth into a leaf by bandwidth out of it, where there are several pods.
            only: whether the network has no way between rails (rail-only).
            keys: further keys of the form, such as ``inside``.

        Raises:
            TypeError: neither or both of ``levels`` and ``boxes`` are given, or the boxes are no whole number of pods.
        """
        if (levels is None) == (boxes is None):
            raise TypeError("rails have either `levels` or a number of `boxes`")
        if levels is None and boxes is not None:
            below = boxes if pod is None else pod
            if boxes % below:
                raise TypeError(f"{boxes} boxes are no whole number of pods of {below}")
            above = [dict(size=boxes // below, oversubscription=oversubscription)] if below < boxes else []
            if not above and oversubscription != 1:
                raise TypeError("leaves are oversubscribed where something is above them; give the size of a `pod`")
            levels = [dict(size=below), *above]
            keys.setdefault("inside", _h100_box(rails))
        return cls._form("rail-only" if only else "rail-optimized", link, latency, {"levels": _sized(levels or ()), **keys})

    @classmethod
    def dragonfly(cls, link: Any = None, latency: str | None = None, **keys: Any) -> Network:
        """Returns groups of routers joined each with each, and links between any two groups.

        Args:
            link: links of hosts, within groups and between groups that ``host_link``, ``local_link`` and ``global_link`` do
                not name: a bandwidth, or a dict of its keys.
            latency: of the link, where that is a bandwidth.
            keys: keys of the form: ``groups``, ``routers``, ``hosts``, ``global_links`` and more.
        """
        of_all = {} if link is None else dict.fromkeys(("host_link", "local_link", "global_link"), _link(link, latency))
        return cls._form("dragonfly", None, None, {**of_all, **keys})

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        bandwidth: str = "bandwidth",
        latency: str = "latency",
        kind: str = "kind",
        groups: Iterable[int] = (),
    ) -> Network:
        """Returns the network that a graph of NetworkX describes; directed edges are links that lead one way.

        A node without a kind is an NPU. Bandwidths are texts with a unit, or numbers of bytes per second; latencies are
        texts with a unit, or seconds. Further edges between two nodes of a multigraph are further links.

        Args:
            graph: a graph of NetworkX, or anything that has its methods.
            bandwidth: name of the edges' attribute with the bandwidth.
            latency: name of the edges' attribute with the latency.
            kind: name of the nodes' attribute with the kind: ``npu``, ``nic``, ``cpu``, ``pcie-switch`` or ``switch``.
            groups: sizes of the groups that NPUs form, innermost first.

        Raises:
            InputError: the graph is no network.
            KeyError: an edge has no bandwidth or latency.
        """
        names = {node: f"n{number}" if not isinstance(node, str) else node for number, node in enumerate(graph.nodes)}
        nodes = [dict(name=names[node], kind=data.get(kind, "npu")) for node, data in graph.nodes(data=True)]
        one_way = dict(one_way=True) if graph.is_directed() else {}
        links = [
            dict(
                {"from": names[a], "to": names[b]},
                bandwidth=_quantity(data[bandwidth], "GB/s", 1e9),
                latency=_quantity(data[latency], "ns", 1e-9),
                **one_way,
            )
            for a, b, data in graph.edges(data=True)
        ]
        return cls(dict(nodes=nodes, links=links, **(dict(groups=list(groups)) if groups else {})))

    def to_networkx(self) -> Any:
        """Returns a ``networkx.MultiDiGraph`` of all nodes and links; NetworkX has to be installed.

        Nodes are numbers with a ``name`` and a ``kind``. Links lead one way, with a ``bandwidth`` in bytes per second and a
        ``latency`` in seconds. Raises :class:`InputError` where the network is a list of dimensions, which knows no nodes.
        """
        graph = import_module("networkx").MultiDiGraph()
        for row in self.nodes:
            graph.add_node(row["node"], name=row["name"], kind=row["kind"])
        for row in self.links:
            rates = dict(bandwidth=float(row["bandwidth_gb_per_s"] or 0) * 1e9, latency=float(row["latency_us"] or 0) * 1e-6)
            graph.add_edge(row["from"], row["to"], **rates)
        return graph

    @property
    def nodes(self) -> Table:
        """All nodes; NPUs come first. Raises :class:`InputError` where the network is a list of dimensions."""
        return Table(self._core.nodes())

    @property
    def links(self) -> Table:
        """All links, each of which leads one way. Raises :class:`InputError` where the network is a list of dimensions."""
        return Table(self._core.links())

    @property
    def warnings(self) -> list[str]:
        """Warnings that reading it gave, each with its place."""
        return self._core.warnings

    @property
    def npus(self) -> int:
        """Number of its NPUs."""
        return self._core.npus

    def describe(self) -> Findings:
        """Says what it is made of and what it can carry, as ``orrery topology`` does.

        The tables are ``network``, one row about the whole, ``nodes``, ``cables``, ``levels`` and ``cuts``. Raises
        :class:`InputError` where the network is a list of dimensions.
        """
        return Findings(self._core.describe())

    def svg(self) -> str:
        """Returns a drawing as SVG. Raises :class:`InputError` where the network is a list of dimensions."""
        return self._core.svg()

    def dot(self) -> str:
        """Returns text for Graphviz. Raises :class:`InputError` where the network is a list of dimensions."""
        return self._core.dot()

    def __orrery__(self) -> _core.Document:
        return self._core.document

    def __reduce__(self) -> tuple[Any, ...]:
        return _network_of, (self._core.document.to_object(), self._registry)

    def _repr_html_(self) -> str:
        from ._html import plain_html

        if isinstance(self._core.document.to_object(), list):
            return plain_html(repr(self))
        most_that_can_be_read = 300
        return self.svg() if len(self.nodes) <= most_that_can_be_read else self.describe()._repr_html_()

    def __repr__(self) -> str:
        description = self._core.document.to_object()
        if isinstance(description, str):
            return f"Network.load({description!r})"
        if isinstance(description, list):
            return "<Network: dimensions>"
        return f"<Network: {description.get('build', 'nodes and links')}>"


def topology(network: Any, *, registry: Registry | None = None) -> Findings:
    """Says what a network is made of and what it can carry, as ``orrery topology`` does.

    >>> import orrery as orr
    >>> orr.topology(orr.Network.switch(8, "50 GB/s", "500 ns")).network["bisection_gb_per_s"]
    [200.0]

    Args:
        network: a :class:`Network`, or what it is made of.
        registry: what plug-ins add to what it may name; None for that of the :class:`Network`.

    Raises:
        InputError: it is none, or a list of dimensions, which knows no nodes.
    """
    return network_of(network, registry).describe()


def network_of(network: Any, registry: Registry | None = None) -> Network:
    """Returns a network, or that which is made of a description or the name of a file."""
    if isinstance(network, Network):
        return network if registry is None else Network(network._core.document.to_object(), registry=registry)
    if isinstance(network, os.PathLike):
        network = os.fspath(cast("os.PathLike[str]", network))
    return Network(network, registry=registry)


def _network_of(description: Any, registry: Registry) -> Network:
    return Network(description, registry=registry)


def _link(link: Any, latency: str | None) -> Any:
    if isinstance(link, str):
        return dict(bandwidth=link) if latency is None else dict(bandwidth=link, latency=latency)
    if latency is not None:
        raise TypeError("`latency` stands beside a link that is a bandwidth; write it into the link")
    return link


def _sized(items: Iterable[Any]) -> list[Any]:
    return [dict(size=item) if isinstance(item, int) else item for item in items]


def _quantity(value: Any, unit: str, one: float) -> str:
    return value if isinstance(value, str) else f"{float(value) / one!r} {unit}"


def _h100_box(gpus: int) -> dict[str, Any]:
    """Returns a box as that of examples/networks/hgx-rails.yaml: four NVLink switches, and a NIC for each GPU."""
    return dict(
        build="nvlink",
        size=gpus,
        switches=4,
        links=18,
        link=dict(bandwidth="25 GB/s", latency="100 ns"),
        nics=dict(count=gpus, link=dict(bandwidth="64 GB/s", latency="500 ns")),
    )
