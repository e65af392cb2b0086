"""What studies share: how they are called, and how they show their progress."""

from __future__ import annotations

from typing import Any, Mapping

from . import _core
from ._findings import Sensitivity
from ._progress import Listener, shown


def sensitivity_of(
    of: _core.Experiment | _core.Run,
    run: str,
    *,
    share: float = 0.25,
    target: float | None = None,
    costs: Mapping[str, Any] | None = None,
    only: str = "",
    threads: int = 0,
    progress: Listener | bool | None = None,
) -> Sensitivity:
    """Returns the sensitivity of an experiment's run, or of a run."""
    prices = _core.Document.of_names(None if costs is None else dict(costs))
    with shown(progress, run or "sensitivity") as listener:
        return Sensitivity(_core.sensitivity(of, run, share, target, prices, only, threads, listener))
