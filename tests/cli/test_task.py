"""`kohort anonymize --task`: how well a column is predicted before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import CELLS, Result

Run = Callable[..., Result]


def test_a_task_is_told_on_the_terminal_in_json_and_in_the_report(kohort: Run, place: Path) -> None:
    told = kohort("anonymize", place / "plan.toml", "-o", place / "out", "--task", "ill")
    assert told.code == 0
    assert "predicting ill of 2 rows:" in " ".join(told.out.split())
    facts = json.loads(
        kohort("anonymize", place / "plan.toml", "-o", place / "out", "--task", "ill", "--json").out
    )
    assert facts["task"]["target"] == "ill"
    page = (place / "out.private" / "report.html").read_text(encoding="utf-8")
    assert "A task: predicting ill" in page
    assert not [cell for cell in CELLS if cell in page]


def test_a_task_that_is_no_column_is_refused_before_any_work(kohort: Run, place: Path) -> None:
    refused = kohort("anonymize", place / "plan.toml", "--task", 'it\'s "odd"')
    assert refused.code == 2
    assert "task is" in refused.err
    assert not (place / "plan-release").exists()
