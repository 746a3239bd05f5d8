"""The notebooks run from top to bottom in a kernel of their own, show their figures, and are stored without outputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FEW = 400
"""Matches in place of those that a reader would want."""

pytestmark = [
    # Of Jupyter's own packages: what they will leave off one day.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Proactor event loop:RuntimeWarning"),
]


def executed(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    budgets = 0
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source, count = re.subn(r"(?m)^MATCHES = [\d_]+", f"MATCHES = {FEW}", cell.source)
            budgets += count
    assert budgets == 1, "a notebook says once, in MATCHES, how much it plays"
    # Neither the reader's own settings nor an installed copy of the lab.
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_what_it_makes(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = [
        [output.get("data", {}) for output in cell.outputs]
        for cell in executed(path, monkeypatch, tmp_path).cells
        if cell.cell_type == "code"
    ]
    assert all(shown), "every cell of code shows something"
    everything = [data for outputs in shown for data in outputs]
    assert any(data.get("image/png") for data in everything)
    assert any("<svg" in data.get("text/html", "") for data in everything)
    assert any("<table" in data.get("text/html", "") for data in everything)
    assert [path.name for path in tmp_path.iterdir() if not path.name.isupper()] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert cells
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)
