"""A hierarchy that fits a column, as a plan writes it."""

from __future__ import annotations

from datetime import UTC, datetime
from math import floor, log10
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.hierarchy import UNTOLD, build_hierarchy
from kohort.hierarchy.calendar import date_pattern, format_days, iso_days
from kohort.proposals.date_formats import has_clock, has_short_years
from kohort.proposals.evidence import Evidence
from kohort.proposals.round_numbers import middle, round_ends, round_number

_WIDTHS = {1: (1, 5, 10), 2: (2, 10, 20), 5: (5, 10, 20)}  # leading digit of the narrowest -> all three
_FEW = 5
_NUMBERS = ("an age", "a birth year")
_DATES = ("a birth date", "an admission, visit or other event")


def fitting_hierarchy(evidence: Evidence, concept: str | None) -> tuple[dict[str, Any], str]:
    """Return the hierarchy proposed for a quasi-identifier, and what is doubtful about it ("" for nothing).

    Nothing in it is a value of the table. What is proposed can be built: where it cannot, because some
    values do not fit, it is `suppress`.
    """
    spec = _spec(evidence, concept)
    column = evidence.column
    try:
        build_hierarchy(column.name, spec, column.texts, evidence.counts.tolist())
    except InputError:
        return dict(UNTOLD), f"not all of its values fit a hierarchy of {spec['kind']}"
    return spec, _doubt(evidence, concept)


def _doubt(evidence: Evidence, concept: str | None) -> str:
    if concept in _NUMBERS and not evidence.is_number and evidence.date_format is None:
        return "not all of its values are numbers, so there are no intervals"
    if concept in _DATES and evidence.date_format is None and not evidence.is_number:
        return "not all of its values are dates written in one way"
    if evidence.is_ambiguous_date:
        return "its dates can be read day first or month first"
    if evidence.date_format is not None and has_short_years(evidence.date_format):
        return f"its years have two digits and are read as those up to {_this_year()}"
    return ""


def _spec(evidence: Evidence, concept: str | None) -> dict[str, Any]:
    if evidence.date_format is not None:
        return _dates(evidence, evidence.date_format)
    if concept == "a postal code" or (evidence.is_code and not evidence.is_number):
        return _mask(evidence)
    if evidence.distinct <= _FEW or not evidence.is_number:
        return dict(UNTOLD)
    return _intervals(evidence, concept)


def _dates(evidence: Evidence, date_format: str) -> dict[str, Any]:
    if date_format == "iso":
        days, _ = iso_days(evidence.told)
    else:
        pattern = date_pattern(date_format)
        assert pattern is not None
        days, _ = format_days(evidence.told, pattern, _this_year())
    first, last = middle(days.astype(np.float64), evidence.told_counts)
    years = (last - first) / 365.25
    if years > 15:
        levels = ["month", "year", "5-years", "decade", "20-years"]
    else:
        levels = ["month", "quarter", "year"] if years > 0.25 else ["week"]
    if _usual_length(evidence) > 10 if date_format == "iso" else has_clock(date_format):
        levels = ["day", *levels]
    spec: dict[str, Any] = {"kind": "dates", "levels": levels}
    if date_format == "iso":
        return spec
    return (
        spec | {"format": date_format} | ({"last_year": _this_year()} if has_short_years(date_format) else {})
    )


def _this_year() -> int:
    """Return the year up to which two digits are read: people are born, and come, in the past."""
    return datetime.now(UTC).year


def _mask(evidence: Evidence) -> dict[str, Any]:
    longest = _usual_length(evidence)
    if longest <= 6:
        return {"kind": "mask"}
    return {"kind": "mask", "steps": sorted({round(longest * i / 5) for i in range(1, 5)})}


def _intervals(evidence: Evidence, concept: str | None) -> dict[str, Any]:
    """Return intervals with round widths, about twenty of the narrowest, and round ends beyond which many people are.

    The plan is published, so nothing in it is a single row's value: the width follows from where most people are, and
    the ends lie where enough of them are beyond. An outlier moves neither; a row at the very quantile can still move an
    end to the next round number, as in any quantile.
    """
    if concept in _NUMBERS:
        ends = {"high": 90} if concept == "an age" else {}
        return {"kind": "intervals", "widths": [5, 10, 20], "origin": 0, **ends}
    numbers, counts = np.array([float(text) for text in evidence.told]), evidence.told_counts
    least, greatest = middle(numbers, counts)
    if least == greatest:  # most people have one value: the others tell how wide the range is
        least, greatest = middle(numbers, np.ones_like(counts))
    span = greatest - least
    power = floor(log10(span / 20)) if span > 0 else 0
    narrow = span / 20 / 10**power if span > 0 else 1
    lead = next((digit for digit in (1, 2, 5) if narrow <= digit * 1.0001), 1)
    power += narrow > 5.0001
    widths = [round_number(digit, power) for digit in _WIDTHS[lead]]
    useful = [w for w in widths if w < span and not (evidence.is_whole and w <= 1)] or widths[-1:]
    return {"kind": "intervals", "widths": useful, "origin": 0, **round_ends(least, greatest, useful[0])}


def _usual_length(evidence: Evidence) -> int:
    """Return the length that enough values have, or are longer than."""
    lengths = np.array([len(text) for text in evidence.told], np.float64)
    return int(middle(lengths, evidence.told_counts)[1]) if len(lengths) else 0
