"""Whether intervals are spelled as Kohort spells them, or all in one other form: either way their spelling tells nothing.

Other programs tell `[30, 40)` or `(29, 39]` where Kohort tells `30-39`. That is as good where a column does it throughout,
with plain numerals: the form is then one choice for all, and no row or class can be marked by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.grid import day_of
from kohort.hierarchy.spans import Ranges
from kohort.verification.judges.level_bounds import cells_from

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")


@dataclass(frozen=True, eq=False)
class Interval:
    """A released interval that is no label of its hierarchy: its text, its ends as written, and what it covers."""

    text: str
    ends: Bounds
    codes: IntArray  # without a missing value
    missing: bool


def spelled_as_ours(hierarchy: Hierarchy, intervals: Sequence[Interval]) -> bool:
    """Say whether Kohort would tell what each interval covers by that very text, at some least level."""
    if not intervals or hierarchy.grid is None:
        return not intervals
    if hierarchy.days is not None:
        # Where the outermost dates end follows from the released rows; but a day is spelled in one way.
        return _end_on_cells(hierarchy, [interval.ends for interval in intervals])
    ranges = [Ranges.of(hierarchy, level) for level in range(max(hierarchy.height, 1))]
    return all(_is_told_by(ranges, interval) for interval in intervals)


def _is_told_by(ranges: Sequence[Ranges], interval: Interval) -> bool:
    low, high = int(interval.codes[0]), int(interval.codes[-1])
    return any(own.label(low, high, interval.missing) == interval.text for own in ranges)


def _end_on_cells(hierarchy: Hierarchy, told: Sequence[Bounds]) -> bool:
    """Say whether intervals begin and end, as they are written, where cells or labels do."""
    cells = list(cells_from(hierarchy, 0))
    begins = {(own.low, own.low_in) for own in cells}
    stops = {(own.high, own.high_in) for own in cells}
    return all((own.low, own.low_in) in begins and (own.high, own.high_in) in stops for own in told)


def in_one_form(hierarchy: Hierarchy, intervals: Sequence[Interval], others: Sequence[Bounds | None]) -> bool:
    """Say whether all intervals have ends of one kind and plain numerals; `others` are those that labels tell, as written."""
    told = [interval.ends for interval in intervals]
    if None in others:
        return False  # labels that are told in words of their own
    told += [other for other in others if other is not None]
    lows = {own.low_in for own in told if own.low is not None}
    highs = {own.high_in for own in told if own.high is not None}
    written = [end for own in told for end in (own.low, own.high) if end is not None]
    plain = _plain_dates(written) if hierarchy.days is not None else _plain_numerals(written)
    return (
        len(lows) <= 1
        and len(highs) <= 1
        and plain
        and _follow(hierarchy, intervals)
        and _on_marks(hierarchy, told)
    )


def _on_marks(hierarchy: Hierarchy, told: Sequence[Bounds]) -> bool:
    """Say whether intervals end where cells or labels of the hierarchy do, however that is written: else an end tells something."""
    cells = list(cells_from(hierarchy, 0))
    whole = is_whole(hierarchy)
    begins, stops = ({reach(hierarchy, own, whole)[side] for own in cells} for side in (0, 1))
    if not whole:
        begins = stops = begins | stops
    reaches = [reach(hierarchy, own, whole) for own in told]
    return all(low in {None, *begins} and high in {None, *stops} for low, high in reaches)


def reach(hierarchy: Hierarchy, own: Bounds, whole: bool) -> tuple[float | None, float | None]:
    """Return where an interval begins and ends; of whole numbers and days its first and its last.

    An end between two whole numbers stays where it is: no cell ends there.
    """
    low = None if own.low is None else place_of(hierarchy, own.low)
    high = None if own.high is None else place_of(hierarchy, own.high)
    if not whole:
        return low, high
    first = low if low is None or own.low_in or not low.is_integer() else low + 1
    return first, high if high is None or own.high_in or not high.is_integer() else high - 1


def is_whole(hierarchy: Hierarchy) -> bool:
    """Say whether all ground values are whole numbers, or days."""
    if hierarchy.days is not None or hierarchy.numbers is None:
        return True
    told = hierarchy.numbers[~np.isnan(hierarchy.numbers)]
    return bool((told == np.floor(told)).all())


def are_plain_numbers(texts: Sequence[str]) -> bool:
    """Say whether texts are numbers without needless signs, no two of them the same number.

    >>> are_plain_numbers(["12.5", "7"]), are_plain_numbers(["12.50", "7"]), are_plain_numbers(["7e0"])
    (True, False, False)
    """
    pointed = [text.removesuffix(".0") for text in texts]  # as programs write whole numbers among others
    return any(_plain_numerals(told) for told in (texts, pointed)) and len({*map(float, texts)}) == len(texts)


def place_of(hierarchy: Hierarchy, end: str) -> float:
    """Return where an end of an interval lies: a number, or a day."""
    return float(end) if hierarchy.days is None else day_of(end)


def _plain_dates(written: Sequence[str]) -> bool:
    return all(_DATE.fullmatch(end) for end in written)


def _plain_numerals(written: Sequence[str]) -> bool:
    """Say whether numbers have no needless sign, and all the same number of decimals or none that ends in zero."""
    found = [_NUMERAL.fullmatch(end) for end in written]
    if not all(found) or any(end.startswith("-") and not end.strip("-0.") for end in written):
        return False
    fractions = [match.group(1) or "" for match in found if match is not None]
    return len({len(part) for part in fractions}) <= 1 or not any(part.endswith("0") for part in fractions)


def _follow(hierarchy: Hierarchy, intervals: Sequence[Interval]) -> bool:
    """Say whether ends follow from what is covered, where the plan declares every whole number of a range.

    Beyond the first and the last of them, all intervals of a column end alike.
    """
    numbers = _whole_range(hierarchy)
    if numbers is None:
        return True
    below, above = set[float](), set[float]()
    for own in intervals:
        low, high = numbers[own.codes[0]], numbers[own.codes[-1]]
        begin = None if own.ends.low is None else float(own.ends.low) + (not own.ends.low_in)
        stop = None if own.ends.high is None else float(own.ends.high) - (not own.ends.high_in)
        if begin is not None and begin != low:
            below.add(begin if low == numbers[0] and begin.is_integer() else np.nan)
        if stop is not None and stop != high:
            above.add(stop if high == numbers[-1] and stop.is_integer() else np.nan)
    return all(len(ends) <= 1 and not np.isnan(list(ends)).any() for ends in (below, above))


def _whole_range(hierarchy: Hierarchy) -> IntArray | None:
    """Return the ground values where these are all whole numbers of a declared range; else None."""
    if hierarchy.numbers is None or not hierarchy.declared or hierarchy.days is not None:
        return None
    told = hierarchy.numbers[~np.isnan(hierarchy.numbers)]
    each = len(told) and told[0].is_integer() and bool((np.diff(told) == 1).all())
    return told.astype(np.int64) if each else None
