"""Packs results into bytes and back, as executors want them. Only those who pickle results import this."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from . import _core
from ._errors import error_of
from ._run import Run, Runs


def packed(runs: _core.Runs, only: str | None = None) -> dict[str, bytes]:
    """Returns the files of the results, of all runs or of one, by their paths below the folder into which they were saved.

    Raises the error of the runs where none succeeded, because then there are none.
    """
    with TemporaryDirectory(prefix="orrery-") as scratch:
        folder = Path(runs.save(scratch))
        if not (folder / "summary.json").exists():  # no run succeeded, so there are no results
            raise error_of(runs.problems)
        kept = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        if only is not None:
            kept = [path for path in kept if path.parent == folder or path.relative_to(folder).parts[0] == only]
        return {path.relative_to(scratch).as_posix(): path.read_bytes() for path in kept}


def unpacked(files: dict[str, bytes]) -> Runs:
    """Returns the results that files of :func:`packed` hold."""
    with TemporaryDirectory(prefix="orrery-") as scratch:
        for name, content in files.items():
            path = Path(scratch, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return Runs.load(next(path.parent for path in Path(scratch).rglob("summary.json")))


def unpacked_run(files: dict[str, bytes], name: str) -> Run:
    """Returns one run of these results."""
    return unpacked(files)[name]
