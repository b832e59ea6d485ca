"""Figures of long tests are kept, added up over their parts, and printed."""

from pathlib import Path

import pytest
from tests.trust import figures


def test_parts_are_added_up_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "PLACE", tmp_path / "trust")
    for part, tried in (("a/b", 3), ("c", 40_000), ("a/b", 5)):
        figures.record("trying", part, tried=tried, in_vain=0)
    figures.record("once", share="all")
    lines = figures.table().splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| once | all share | 2")
    assert lines[3].startswith("| trying | 40,005 tried, 0 in vain | 2")
