"""Fixtures of all tests of the package."""

import pytest
from support import RING, STEP


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with experiments, which is the current one."""
    (tmp_path / "ring.yaml").write_text(RING)
    (tmp_path / "step.yaml").write_text(STEP)
    monkeypatch.chdir(tmp_path)
    return tmp_path
