"""The notebook as a page: its cells are run, and what each shows stands below it."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "docs" / "notebook.ipynb"
NOTE = """
!!! note
    This is [notebook.ipynb](notebook.ipynb) with what its cells show, run when this site was built.
"""


def text() -> str:
    """Return the page."""
    cells = json.loads(SOURCE.read_text(encoding="utf-8"))["cells"]
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        names: dict[str, Any] = {}
        parts = [_part(cell["cell_type"], "".join(cell["source"]), names) for cell in cells]
    return "\n\n".join([parts[0], NOTE, *parts[1:], ""])


def _part(kind: str, source: str, names: dict[str, Any]) -> str:
    return source if kind == "markdown" else f"```python\n{source}\n```\n\n{_shown(source, names)}"


def _shown(source: str, names: dict[str, Any]) -> str:
    """Run a cell; return what a notebook would show of it."""
    sys.path.insert(0, str(ROOT))
    from tests.docs.test_notebook import run_cell

    with contextlib.redirect_stdout(io.StringIO()) as printed:
        value = run_cell(source, names)
    plain = "" if value is None or hasattr(value, "_repr_html_") else repr(value)
    texts = [each.rstrip() for each in (printed.getvalue(), plain) if each]
    return "".join(f"```text\n{each}\n```\n" for each in texts) + _html(value)


def _html(value: Any) -> str:
    """Return an object's own HTML on one line, so that Markdown finds no paragraph in it."""
    if not hasattr(value, "_repr_html_"):
        return ""
    lines = " ".join(line.strip() for line in value._repr_html_().splitlines())
    return f'<div class="shown">{lines}</div>'
