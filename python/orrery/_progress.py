"""Shows how far work is."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import Any, Callable, Generator

Listener = Callable[[int, int, int, float], None]
"""Gets the number of runs, of ended and of failed ones, and the share of the work that is done, from 0 to 1."""


@contextmanager
def shown(wanted: Listener | bool | None, name: str) -> Generator[Listener | None, None, None]:
    """Yields the listener that is wanted: a function, a bar (True), none (False), or a bar where somebody sees it (None)."""
    if wanted is not None and not isinstance(wanted, bool):
        yield wanted
        return
    in_notebook = "ipykernel" in sys.modules
    if wanted is False or (wanted is None and not in_notebook and not sys.stderr.isatty()):
        yield None
        return
    bar = _Bar(name, wanted is True)
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """Shows progress by tqdm where it is installed, and otherwise by a line on stderr, once work takes a second."""

    def __init__(self, name: str, at_once: bool) -> None:
        self._name = name
        self._since = time.monotonic() - (1 if at_once else 0)
        self._bar: Any = None
        self._drawn = False

    def __call__(self, runs: int, ended: int, failed: int, share: float) -> None:
        if time.monotonic() - self._since < 1:
            return
        failures = f", {failed} failed" if failed else ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            sys.stderr.write(f"\r{self._name}: {100 * share:3.0f} % ({ended} of {runs} runs{failures})")
            sys.stderr.flush()
            self._drawn = True
            return
        if self._bar is None:
            self._bar = tqdm(total=100, desc=self._name, unit="%", bar_format="{desc}: {percentage:3.0f}%|{bar}| {postfix}")
        if runs > 1:
            self._bar.set_postfix_str(f"{ended} of {runs} runs{failures}")
        self._bar.update(100 * share - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._drawn:
            sys.stderr.write("\n")
