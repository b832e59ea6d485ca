"""The notebook in docs/ runs from its first cell to its last, and is kept without outputs.

Its cells are run here as a kernel runs them, one after the other in one namespace, the last expression of each shown. The
packages that run notebooks elsewhere (nbclient, ipykernel and what they need: 90 MB) are not asked for.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import kohort

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
TOLD = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in TOLD["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; return what its last line comes to, where that is an expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_every_cell_runs_and_shows_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = [run_cell(source, names) for source in CELLS]
    kinds = {type(each) for each in shown}
    assert {kohort.Plan, kohort.Audit, kohort.Release} <= kinds
    for each in shown:
        if hasattr(each, "_repr_html_"):
            assert each._repr_html_().lstrip().startswith("<div"), type(each)
    assert str(names["release"].table["sex"].dtype) == "category"
    assert set(names["found"]["status"]) == {"found"}
    assert all(holds for _, holds in shown[-1])
    assert (tmp_path / "release" / "manifest.json").exists()


def test_it_is_a_notebook_without_outputs() -> None:
    assert (TOLD["nbformat"], TOLD["metadata"]["kernelspec"]["name"]) == (4, "python3")
    ids = [cell["id"] for cell in TOLD["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in TOLD["cells"]:
        assert cell["cell_type"] in ("markdown", "code")
        assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == ([], None)


def test_a_cell_that_fails_is_found() -> None:
    with pytest.raises(ZeroDivisionError):
        run_cell("x = 1\nx / 0", {})
    assert run_cell("x = 1\nx + 1", {}) == 2
    assert run_cell("x = 1", {}) is None
