"""Algorithms of collectives that somebody has written."""

from __future__ import annotations

import os
from typing import Any, Iterable, Sequence

from ._errors import InputError, Problem

_Place = tuple[int, int]  # number of a block, and of a step in it
_KINDS = {"all-gather": "allgather", "all-reduce": "allreduce", "reduce-scatter": "reducescatter"}


class Algorithm:
    """An algorithm of a collective, for ``system=dict(collectives=dict(all_gather=...))``: a file in the format of MSCCL.

    >>> import tempfile, orrery as orr
    >>> swap = orr.Algorithm.sends("all-gather", 2, [(0, 1, 0), (1, 0, 1)])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = orr.Experiment(
    ...         network=[dict(topology="ring", size=2, bandwidth="50 GB/s", latency="500 ns")],
    ...         system=dict(collectives=dict(all_gather=swap.save(folder + "/swap.xml"))),
    ...         workload=orr.Model.layers([dict(name="layer", forward=dict(collective="all-gather", size="8 MiB"))], policy="model"),
    ...     ).run()
    >>> 50e-6 < run.time < 100e-6
    True
    """

    def __init__(self, file: str | os.PathLike[str], **keys: Any) -> None:
        """Takes a file that is there. What is wrong with it shows when the experiment is read.

        Args:
            file: name of the file (docs/inputs/systems.md, "Written algorithms").
            keys: ``span`` and ``otherwise``, as experiments have them.
        """
        self._file = os.fspath(file)
        self._text = ""
        self._keys = keys

    @classmethod
    def sends(cls, collective: str, members: int, sends: Iterable[Sequence[Any]], *, chunks: int = 0, **keys: Any) -> Algorithm:
        """Returns an algorithm that is a list of sends. :meth:`save` makes the file that an experiment needs.

        Each send is a source, a destination and the number of a chunk, and ``"add"`` behind them where the destination adds
        what it gets to what it has; otherwise it takes its place. Sends have the effect that they have one after the other;
        those that do not depend on each other are under way at the same time. Sends of one member to another stay in order.

        Args:
            collective: ``all-gather``, ``reduce-scatter`` or ``all-reduce``.
            members: number of members.
            sends: the list. Of an all-gather and a reduce-scatter, member i has or gets the i-th of equal parts of the chunks.
            chunks: number of chunks of the whole tensor; 0 for one of each member.
            keys: ``span`` and ``otherwise``, as experiments have them.

        Raises:
            InputError: it is another collective, or a send names a member or a chunk that does not exist. Whether the sends
                do what the collective does shows when the experiment is read.
        """
        if collective not in _KINDS:
            raise _wrong("collective", f"{collective!r} is none that is a list of sends; choose " + ", ".join(_KINDS))
        algorithm = cls("", **keys)
        algorithm._text = _Program(_KINDS[collective], members, chunks or members).with_sends(sends).xml()
        return algorithm

    def save(self, file: str | os.PathLike[str]) -> Algorithm:
        """Writes the algorithm into a file, and returns it as one of this file. Raises OSError where that cannot be written."""
        text = self._text
        if not text:
            with open(self._file, encoding="utf-8") as own:
                text = own.read()
        with open(file, "w", encoding="utf-8") as written:
            written.write(text)
        return Algorithm(file, **self._keys)

    def __orrery__(self) -> dict[str, Any]:
        if not self._file:
            raise TypeError("an experiment needs a file of an algorithm of sends; call save()")
        return {"algorithm": "msccl", "file": self._file, **self._keys}

    def __repr__(self) -> str:
        return f"<Algorithm: {self._file or 'not saved'}>"


def _wrong(place: str, message: str) -> InputError:
    return InputError([Problem("input", place, message, "", "")])


class _Step:
    """A step of a thread block, with the blocks and steps that it waits for."""

    def __init__(self, kind: str, chunk: int, needs: list[_Place]) -> None:
        self.kind, self.chunk, self.needs = kind, chunk, needs


class _Member:
    """The thread blocks of a member, one for each that it sends to or receives from, and what was done to its chunks."""

    def __init__(self) -> None:
        self.blocks: dict[tuple[int, int], list[_Step]] = {}  # by whom they send to and receive from; -1 for nobody
        self.written: dict[int, _Place] = {}  # by chunk: the step that wrote it last
        self.read: dict[int, list[_Place]] = {}  # and those that have read it since

    def add(self, to: int, source: int, kind: str, chunk: int) -> None:
        steps = self.blocks.setdefault((to, source), [])
        block = list(self.blocks).index((to, source))
        before = [self.written[chunk]] if chunk in self.written else []
        if kind != "s":
            before += self.read.get(chunk, [])
        # A step waits for one other, so that others are waited for by steps that do nothing. Those of its block come first anyway.
        latest: dict[int, int] = {}
        for of_block, step in before:
            if of_block != block:
                latest[of_block] = max(step, latest.get(of_block, 0))
        needs = sorted(latest.items())
        steps += [_Step("nop", chunk, [need]) for need in needs[:-1]]
        steps.append(_Step(kind, chunk, needs[-1:]))
        place = (block, len(steps) - 1)
        if kind == "s":
            self.read.setdefault(chunk, []).append(place)
        else:
            self.written[chunk], self.read[chunk] = place, []


class _Program:
    """The steps of all members, in the form of MSCCL."""

    def __init__(self, kind: str, members: int, chunks: int) -> None:
        self._kind, self._chunks = kind, chunks
        self._members = [_Member() for _ in range(members)]

    def with_sends(self, sends: Iterable[Sequence[Any]]) -> _Program:
        for number, send in enumerate(sends):
            source, destination, chunk = int(send[0]), int(send[1]), int(send[2])
            place, how = f"sends[{number}]", list(send[3:])
            if source == destination or not (0 <= source < len(self._members) and 0 <= destination < len(self._members)):
                raise _wrong(place, f"{source} and {destination} are no two of {len(self._members)} members")
            if not 0 <= chunk < self._chunks:
                raise _wrong(place, f"{chunk} is none of the chunks 0 to {self._chunks - 1}")
            if how not in ([], ["add"]):
                raise _wrong(place, f"{how[0]!r} is nothing that a destination does; write 'add', or leave it out")
            self._members[source].add(destination, -1, "s", chunk)
            self._members[destination].add(-1, source, "rrc" if how else "r", chunk)
        return self

    def xml(self) -> str:
        part = self._chunks // len(self._members)
        inputs = part if self._kind == "allgather" else self._chunks
        outputs = part if self._kind == "reducescatter" else self._chunks
        buffer = "o" if self._kind == "allgather" else "i"
        lines = [
            f'<algo name="sends" proto="Simple" nchannels="1" nchunksperloop="{self._chunks}" ngpus="{len(self._members)}" '
            f'coll="{self._kind}" inplace="1">'
        ]
        for number, member in enumerate(self._members):
            lines.append(f'  <gpu id="{number}" i_chunks="{inputs}" o_chunks="{outputs}" s_chunks="0">')
            lines += _blocks_of(member, buffer)
            lines.append("  </gpu>")
        return "\n".join([*lines, "</algo>", ""])


def _blocks_of(member: _Member, buffer: str) -> list[str]:
    awaited = {need for steps in member.blocks.values() for step in steps for need in step.needs}
    lines: list[str] = []
    for block, ((to, source), steps) in enumerate(member.blocks.items()):
        lines.append(f'    <tb id="{block}" send="{to}" recv="{source}" chan="0">')
        for number, step in enumerate(steps):
            of_block, of_step = step.needs[0] if step.needs else (-1, -1)
            where = " ".join(f'{end}buf="{buffer}" {end}off="{step.chunk}"' for end in ("src", "dst"))
            waits = f'depid="{of_block}" deps="{of_step}" hasdep="{int((block, number) in awaited)}"'
            lines.append(f'      <step s="{number}" type="{step.kind}" {where} cnt="1" {waits}/>')
        lines.append("    </tb>")
    return lines
