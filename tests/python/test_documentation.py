"""The blocks of Python in the documentation run, one after the other on each page."""

import re
from pathlib import Path

import pytest

root = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_blocks_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", (root / page).read_text(), re.S | re.M)
    assert blocks
    known = {}
    for block in blocks:
        exec(compile(block, page, "exec"), known)
    assert capsys.readouterr().out
