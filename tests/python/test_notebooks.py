"""Every notebook of the examples runs from its first cell to its last, and keeps its outputs small."""

import os
import shutil
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
notebooks = sorted((Path(__file__).resolve().parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(notebooks) >= 6


@pytest.mark.parametrize("path", notebooks, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shutil.copytree(path.parent.parent / "traces", tmp_path / "traces")
    folder = tmp_path / "notebooks"
    folder.mkdir()
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs stay out of the repository"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs and len(nbformat.writes(notebook)) < 100_000
    shown = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("<svg" in html for html in shown)
    assert not any("<script" in html for html in shown)
