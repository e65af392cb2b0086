"""The exceptions that Orrery raises. Each says what is wrong, where, and what to do."""

from __future__ import annotations

from typing import NamedTuple, Sequence

from . import _core


class Problem(NamedTuple):
    """One thing that is wrong.

    >>> import orrery as orr
    >>> try:
    ...     orr.Experiment(platform="dgx-h1000", workload={}).check()
    ... except orr.InputError as error:
    ...     problem = error.problems[0]
    >>> problem.place
    'experiment.platform'
    """

    kind: str
    """``input``, ``stall``, ``stopped`` or ``internal``."""
    place: str
    """``experiment.workload.model`` in keyword arguments, ``file:line:column`` in a file; empty where it is not known."""
    message: str
    """What is wrong, and mostly what to do."""
    hint: str
    """What to do, where the message says that behind a semicolon; it is a part of the message."""
    run: str
    """Name of the run, for a problem of one of several runs; otherwise empty."""

    def __str__(self) -> str:
        severity = "internal error" if self.kind == "internal" else "error"
        return f"{self.place}: {severity}: {self.message}" if self.place else f"{severity}: {self.message}"


class OrreryError(Exception):
    """Base of all exceptions that Orrery raises. It has the attributes of its first problem.

    Attributes:
        problems: everything that is wrong, at least one :class:`Problem`.
    """

    problems: tuple[Problem, ...]

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[OrreryError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)

    @property
    def place(self) -> str:
        """Where the first problem is, as :attr:`Problem.place`."""
        return self.problems[0].place

    @property
    def message(self) -> str:
        """What is wrong there, as :attr:`Problem.message`."""
        return self.problems[0].message

    @property
    def hint(self) -> str:
        """What to do, as :attr:`Problem.hint`."""
        return self.problems[0].hint


class InputError(OrreryError, ValueError):
    """What the caller gave is wrong, or this machine is too small for it."""


class StallError(OrreryError, RuntimeError):
    """A simulation cannot go on. The message says which rank waits for what."""


class StoppedError(OrreryError, RuntimeError):
    """A run was stopped before its end."""


class InternalError(OrreryError, RuntimeError):
    """A fault of Orrery itself, which its authors would like to know."""


_classes: dict[str, type[OrreryError]] = {"input": InputError, "stall": StallError, "stopped": StoppedError}


def problem_of(problem: _core.Problem) -> Problem:
    return Problem(problem.kind, problem.place, problem.message, problem.hint, problem.run)


def error_of(problems: Sequence[_core.Problem]) -> OrreryError:
    """Returns the exception for some problems, of the class that the first one asks for."""
    return _classes.get(problems[0].kind, InternalError)([problem_of(problem) for problem in problems])


_core.set_make_error(error_of)
