"""Judges from released cells that nothing is told beyond the open ends that a plan declares.

With `high = 90` a cell may say `>=90`, `85-89`, `[80, 90)` or `*`, and neither `97` nor `[90, 95)` nor `>=95`: whoever
stands beyond an end is told by it alone. The plan says what the ends are, so this is judged without the original.
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.hierarchy import SUPPRESSED, Label
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.file_labels import read_label
from kohort.hierarchy.numerals import is_number
from kohort.hierarchy.spans import OR_MISSING
from kohort.table import Table
from kohort.verification.judges.verdict import Verdict

Ends = Mapping[
    str, tuple[float | None, float | None]
]  # column -> its low and high, as the plan declares them


def judge_open_ends(labels: Table, ends: Ends, truthful: bool = True) -> list[Verdict]:
    """Return a verdict for every column that has open ends; of `labels` the distinct values are looked at.

    Where a release is not `truthful`, the end itself may be told: a mean of people who all count as the end.
    """
    return [_judge(name, labels[name].texts, *ends[name], truthful) for name in ends]


def _judge(
    name: str, texts: tuple[Label, ...], low: float | None, high: float | None, truthful: bool
) -> Verdict:
    wrong = sum(not _within(text, low, high, truthful) for text in texts)
    note = f"{wrong:,} of {len(texts):,} released values tell more" if wrong else ""
    return Verdict(_promise(name, low, high), not wrong, note=note)


def _within(text: Label, low: float | None, high: float | None, truthful: bool) -> bool:
    if text is None or text == SUPPRESSED:
        return True
    label = text.removesuffix(OR_MISSING)
    bounds = Bounds(label, label) if is_number(label) else read_label(label)
    if bounds is None:
        return False
    first, last = (None if end is None else float(end) for end in (bounds.low, bounds.high))
    if not truthful and first == last and first in (low, high):
        return True
    return _above(first, last, low) and _below(first, last, bounds, high)


def _above(first: float | None, last: float | None, low: float | None) -> bool:
    """Say whether nothing below `low` is told but that it is below."""
    if low is None or (first is not None and first >= low):
        return True
    return first is None and (last is None or last >= low)


def _below(first: float | None, last: float | None, bounds: Bounds, high: float | None) -> bool:
    """Say whether nothing from `high` on is told but that it is there."""
    if high is None or (last is not None and (last < high or (last == high and not bounds.high_in))):
        return True
    return last is None and (first is None or first < high or (first == high and bounds.low_in))


def _promise(name: str, low: float | None, high: float | None) -> str:
    told = [f"below {low}"] * (low is not None) + [f"from {high} on"] * (high is not None)
    return f"{name} not told {' or '.join(told)}"
