"""Nothing is told beyond open ends: every spelling of an interval, against the points that lie in it."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

from kohort.table import Table
from kohort.verification.judges.open_ends import judge_open_ends
from kohort.verification.judges.verdict import Verdict

LOW, HIGH = 2, 4
ENDS = (1, 2, 3, 4, 5)
POINTS = [-1000, *(i / 4 for i in range(2, 23)), 1000]  # beyond all ends, and between every two


def spelled() -> dict[str, set[float]]:
    """Return every way to spell an interval between the ends, with the points in it."""
    found: dict[str, set[float]] = {}
    for end in ENDS:
        found |= {
            f"{end}": {end},
            f"<{end}": {p for p in POINTS if p < end},
            f"<={end}": {p for p in POINTS if p <= end},
            f">{end}": {p for p in POINTS if p > end},
            f">={end}": {p for p in POINTS if p >= end},
            f"{end}+": {p for p in POINTS if p >= end},
        }
    for first, last in product(ENDS, ENDS):
        if first < last:
            inner = {p for p in POINTS if first < p < last}
            found |= {
                f"{first}-{last}": inner | {first, last},
                f"[{first}, {last}]": inner | {first, last},
                f"[{first}, {last})": inner | {first},
                f"({first}, {last}]": inner | {last},
                f"({first}, {last})": inner,
            }
    return found


def told_beyond(covered: set[float], low: float | None, high: float | None) -> bool:
    """Whether some of what lies beyond an end is told, and not all of it alike."""
    beyond = [
        {p for p in POINTS if low is not None and p < low},
        {p for p in POINTS if high is not None and p >= high},
    ]
    return any(covered & side not in (set(), side) for side in beyond)


def judged(
    *labels: str | None, low: float | None = LOW, high: float | None = HIGH, truthful: bool = True
) -> Verdict:
    table = Table.from_arrow(pa.table({"age": pa.array(labels, pa.string())}))
    [verdict] = judge_open_ends(table, {"age": (low, high)}, truthful)
    return verdict


@pytest.mark.parametrize(("low", "high"), [(LOW, HIGH), (LOW, None), (None, HIGH), (LOW, LOW)])
@pytest.mark.parametrize("missing", ["", " or missing"])
def test_a_label_tells_all_that_is_beyond_an_end_or_nothing(
    low: int | None, high: int | None, missing: str
) -> None:
    seen = set()
    for label, covered in spelled().items():
        told = told_beyond(covered, low, high)
        assert judged(label + missing, low=low, high=high).holds is not told, label
        seen.add(told)
    assert seen == {True, False}


def test_where_a_release_is_not_truthful_the_end_itself_may_be_told() -> None:
    for label, covered in spelled().items():
        mean = label in (str(LOW), str(HIGH))
        told = told_beyond(covered, LOW, HIGH) and not mean
        assert judged(label, truthful=False).holds is not told, label
    assert judged(str(HIGH)).holds is False
    [by_default] = judge_open_ends(Table.from_arrow(pa.table({"age": [str(HIGH)]})), {"age": (None, HIGH)})
    assert by_default.holds is False


@pytest.mark.parametrize("label", ["about 3", "{2, 3}", "young", "3 or so"])
def test_what_is_no_interval_is_not_let_through(label: str) -> None:
    assert judged(label).holds is False


def test_what_is_missing_or_hidden_tells_nothing() -> None:
    told = judged(None, "*")
    assert (told.holds, told.note) == (True, "")


def test_how_many_values_tell_more_is_said_and_what_was_promised() -> None:
    told = judged("1", "3", "<2", ">=4", "5")
    assert (told.holds, told.note) == (False, "2 of 5 released values tell more")
    assert told.promise == "age not told below 2 or from 4 on"
    assert judged("3", low=None).promise == "age not told from 4 on"
    assert judged("3", high=None).promise == "age not told below 2"
    assert judge_open_ends(Table.from_arrow(pa.table({"age": ["1"]})), {}) == []
