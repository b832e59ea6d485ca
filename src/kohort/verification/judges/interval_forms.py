"""Whether intervals are spelled as Kohort spells them, or all in one other form: either way their spelling tells nothing.

Other programs tell `[30, 40)` or `(29, 39]` where Kohort tells `30-39`. That is as good where a column does it throughout,
with plain numerals: the form is then one choice for all, and no row or class can be marked by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.spans import Ranges
from kohort.verification.judges.interval_ends import cells_from, is_whole, reach_of

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMERAL = re.compile(r"(?!-[0.]+$)-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?")


@dataclass(frozen=True, eq=False)
class Interval:
    """A released interval that is no label of its hierarchy: its text, its ends as written, and what it covers."""

    text: str
    ends: Bounds
    codes: IntArray  # without a missing value
    missing: bool


def spelled_as_ours(hierarchy: Hierarchy, intervals: Sequence[Interval]) -> bool:
    """Say whether Kohort would tell what each interval covers by that very text, at some least level."""
    if hierarchy.grid is None:
        return not intervals
    if hierarchy.days is not None:
        # Where the outermost dates end follows from the released rows; but a day is spelled in one way.
        return _end_on_cells(hierarchy, [interval.ends for interval in intervals])
    ranges = [Ranges.of(hierarchy, level) for level in range(hierarchy.height)]
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
        and _on_marks(hierarchy, told)
        and _end_alike(hierarchy, intervals)
    )


def _on_marks(hierarchy: Hierarchy, told: Sequence[Bounds]) -> bool:
    """Say whether intervals end where cells or labels of the hierarchy do, however that is written: else an end tells something."""
    cells = list(cells_from(hierarchy, 0))
    whole = is_whole(hierarchy)
    begins, stops = ({reach_of(hierarchy, own, whole)[side] for own in cells} for side in (0, 1))
    if not whole:
        begins = stops = begins | stops
    reaches = [reach_of(hierarchy, own, whole) for own in told]
    return all(low in {None, *begins} and high in {None, *stops} for low, high in reaches)


def _end_alike(hierarchy: Hierarchy, intervals: Sequence[Interval]) -> bool:
    """Say whether intervals that begin, or stop, with the same declared value do so at the same place.

    Where values are not declared, how far an interval goes is what it means.
    """
    whole = is_whole(hierarchy)
    reaches = [(own.codes, reach_of(hierarchy, own.ends, whole)) for own in intervals]
    ends = [{(int(codes[at]), reach[at]) for codes, reach in reaches} for at in (0, -1)]
    return not hierarchy.declared or all(len(told) == len(dict(told)) for told in ends)


def are_plain_numbers(texts: Sequence[str]) -> bool:
    """Say whether texts are numbers without needless signs, no two of them the same number.

    >>> are_plain_numbers(["12.5", "7"]), are_plain_numbers(["12.50", "7"]), are_plain_numbers(["7e0"])
    (True, False, False)
    >>> are_plain_numbers(["12.5.0"])
    False
    """
    # as programs write whole numbers among others
    pointed = [text.removesuffix(".0") if _NUMERAL.fullmatch(text) else text for text in texts]
    return any(_plain_numerals(told) for told in (texts, pointed)) and len({*map(float, texts)}) == len(texts)


def _plain_dates(written: Sequence[str]) -> bool:
    return all(_DATE.fullmatch(end) for end in written)


def _plain_numerals(written: Sequence[str]) -> bool:
    """Say whether numbers have no needless sign, and all the same number of decimals or none that ends in zero."""
    found = [_NUMERAL.fullmatch(end) for end in written]
    fractions = [match.group(1) or "" for match in found if match is not None]
    if len(fractions) < len(found):
        return False
    return len({len(part) for part in fractions}) <= 1 or not any(part.endswith("0") for part in fractions)
