"""What cannot be read is not judged; a file is read by the first way of reading by which it can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions
from kohort.verification.judges import loose
from kohort.verification.judges.loose import SPELLED, judge_loose, judge_spellings
from kohort.verification.judges.verdict import Verdict

FIRST, SECOND = ReadingOptions(), ReadingOptions(encoding="cp1252")


def unreadable(*_: Any) -> list[str]:
    raise InputError("it cannot be read", code="table.unreadable")


def test_parts_that_cannot_be_looked_at_are_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(loose.LOOKS, ".parquet", unreadable)
    [verdict] = judge_loose(tmp_path / "table.parquet", lambda: Verdict("never asked", True))
    assert (verdict.holds, verdict.note) == (None, "not judged: it cannot be read")


@pytest.mark.parametrize(
    ("readable", "holds"), [((FIRST,), False), ((SECOND,), True), ((FIRST, SECOND), False), ((), None)]
)
def test_the_first_way_of_reading_that_serves_is_taken(
    readable: tuple[ReadingOptions, ...], holds: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read by the first, a column is spelled in two ways; read by the second, none is."""

    def spellings(_: Path, told: ReadingOptions) -> list[str]:
        return unreadable() if told not in readable else ["town"] if told is FIRST else []

    monkeypatch.setattr(loose, "several_spellings", spellings)
    [verdict] = judge_spellings(tmp_path / "table.csv", lambda _: [FIRST, SECOND])
    assert (verdict.promise, verdict.holds) == (SPELLED, holds)
    assert ("not judged: it cannot be read" in verdict.note) is (holds is None)
