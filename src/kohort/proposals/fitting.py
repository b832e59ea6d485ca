"""A hierarchy that fits a column, as a plan writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.hierarchy import UNTOLD, build_hierarchy
from kohort.hierarchy.calendar import date_pattern, format_days, iso_days
from kohort.hierarchy.code_standards import STANDARDS
from kohort.proposals.age_units import age_in_months, is_no_age_in_years
from kohort.proposals.code_fitting import (
    OTHER,
    POSTAL,
    fitting_codes,
    have_mixed_lengths,
    is_nominal,
    nominal_hierarchy,
)
from kohort.proposals.date_formats import has_clock, has_short_years
from kohort.proposals.evidence import Evidence
from kohort.proposals.moments import are_moments
from kohort.proposals.number_fitting import fitting_numbers
from kohort.proposals.round_numbers import middle
from kohort.proposals.words import AGE

_FEW_WEEKS = 0.25  # years
_CLASSES = 15  # years, up to which nearly all are where ages are scaled or counted in classes
_DEGREES = (0.01, 0.1, 1)  # about 1, 11 and 111 km
_WHY = {
    "bands": "most of its values lie close together, and its intervals are narrow there",
    "icd10": "nearly all of its values are codes of ICD-10",
    "prefix": "its values are codes of one length, and no quantities",
}
_FEW = 5
_ODD = 0.1  # of the codes may have another length: no single value decides what a public plan tells
_NUMBERS = (AGE, "a birth year")
_DATES = ("a birth date", "an admission, visit or other event")
_DATED = (*_DATES, "a date", "a death")
_YEAR_FIRST = re.compile(r"(?:19|20)[0-9]{2}(?![0-9]).*")


def fitting_hierarchy(evidence: Evidence, concept: str | None) -> tuple[dict[str, Any], str]:
    """Return the hierarchy proposed for a quasi-identifier, and what is doubtful about it ("" for nothing).

    Nothing in it is a value of the table. What is proposed can be built: where it cannot, because some
    values do not fit, it is `suppress`.
    """
    first: dict[str, Any] = {}
    for spec in _specs(evidence, concept):
        first = first or spec
        if _can_be_built(evidence, spec):
            return spec, _doubt(evidence, concept, spec)
    return dict(UNTOLD), f"not all of its values fit a hierarchy of {first['kind']}"


def _can_be_built(evidence: Evidence, spec: dict[str, Any]) -> bool:
    column = evidence.column
    try:
        build_hierarchy(column.name, spec, column.texts, evidence.counts.tolist())
    except InputError:
        return False
    return True


def _doubt(evidence: Evidence, concept: str | None, spec: Mapping[str, Any]) -> str:
    if concept in _NUMBERS and not evidence.is_number and evidence.date_format is None:
        return "not all of its values are numbers, so there are no intervals"
    if concept in _DATES and evidence.date_format is None and not evidence.is_number:
        return "not all of its values are dates written in one way"
    if concept == POSTAL and "standard" not in spec and have_mixed_lengths(evidence):
        return "its codes have different lengths, as where zeros in front were lost or a country stands before some"
    if evidence.is_ambiguous_date:
        return "its dates can be read day first or month first"
    if evidence.date_format is not None and has_short_years(evidence.date_format):
        return f"its years have two digits and are read as those up to {_this_year()}"
    return ""


def why_hierarchy(spec: Mapping[str, Any]) -> str:
    """Return why a hierarchy is proposed that not every column of such values has; "" for the usual ones.

    >>> why_hierarchy({"kind": "prefix", "standard": "de-postcode", "other": "other"})
    'nearly all of its values are postal codes of Germany'
    """
    if spec.get("standard") is not None:
        lost = "; those that lost zeros in front are read with them" if "padded" in spec else ""
        return f"nearly all of its values are {STANDARDS[spec['standard']].codes}{lost}"
    return _WHY.get(spec["kind"], "")


def _specs(evidence: Evidence, concept: str | None) -> Iterator[dict[str, Any]]:
    """Yield what might fit, the best first."""
    if evidence.date_format is not None:
        yield from _dates(evidence, evidence.date_format)
        return
    codes = fitting_codes(evidence, concept)
    if codes is not None:
        yield codes
    if _says_when(evidence, concept) or (concept == POSTAL and have_mixed_lengths(evidence, but=_ODD)):
        yield dict(UNTOLD)
    elif concept == POSTAL or (evidence.is_code and not evidence.is_number):
        yield _mask(evidence)
    elif is_nominal(evidence, concept):
        yield nominal_hierarchy(evidence) or dict(UNTOLD)
    elif evidence.distinct <= _FEW or not evidence.is_number:
        yield dict(UNTOLD)
    elif concept == AGE and (months := age_in_months(evidence)):
        yield months
    elif concept in _NUMBERS and _are_years(evidence) and not is_no_age_in_years(evidence, concept):
        ends = {"high": 90} if concept == AGE else {}
        yield {"kind": "intervals", "widths": [5, 10, 20], "origin": 0, **ends}
    else:
        yield fitting_numbers(evidence)


def _says_when(evidence: Evidence, concept: str | None) -> bool:
    """Tell whether texts say when, and not by a date: all but the last signs of `24.12.` are a birthday, so no sign is masked.

    Where the year stands first, the first signs are a period.
    """
    if evidence.is_number or not (concept in _DATED or are_moments(evidence.told)):
        return False
    return not all(map(_YEAR_FIRST.fullmatch, evidence.told))


def _are_years(evidence: Evidence) -> bool:
    """Tell whether numbers called ages or birth years may be some: not scaled, nor classes of ages."""
    numbers = np.array([float(text) for text in evidence.told])
    return middle(numbers, evidence.told_counts)[1] > _CLASSES


def instead_of(evidence: Evidence) -> dict[str, Any]:
    """Return a hierarchy by which something could be kept of a column that is left out; {} where none is known."""
    if evidence.shape == "IP addresses":
        return {"kind": "ip"} | OTHER
    return {"kind": "intervals", "widths": list(_DEGREES), "origin": 0} if evidence.is_degrees else {}


def _dates(evidence: Evidence, date_format: str) -> Iterator[dict[str, Any]]:
    """Yield the periods of dates; hours too where all lie in few weeks and every value tells one."""
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
        levels = ["month", "quarter", "year"] if years > _FEW_WEEKS else ["week"]
    beside: dict[str, Any] = {} if date_format == "iso" else {"format": date_format}
    if has_short_years(date_format):
        beside["last_year"] = _this_year()
    if _usual_length(evidence) > 10 if date_format == "iso" else has_clock(date_format):
        levels = ["day", *levels]
        if years <= _FEW_WEEKS:
            yield {"kind": "dates", "levels": ["hour", *levels], **beside}
    yield {"kind": "dates", "levels": levels, **beside}


def _this_year() -> int:
    """Return the year up to which two digits are read: people are born, and come, in the past."""
    return datetime.now(UTC).year


def _mask(evidence: Evidence) -> dict[str, Any]:
    longest = _usual_length(evidence)
    if longest <= 6:
        return {"kind": "mask"}
    return {"kind": "mask", "steps": sorted({round(longest * i / 5) for i in range(1, 5)})}


def with_length(spec: dict[str, Any], evidence: Evidence) -> dict[str, Any]:
    """Return a hierarchy whose levels are counted from what the plan declares: of a mask, the length that codes have."""
    return {**spec, "length": _usual_length(evidence)} if spec.get("kind") == "mask" else spec


def _usual_length(evidence: Evidence) -> int:
    """Return the length that enough values have, or are longer than."""
    lengths = np.array([len(text) for text in evidence.told], np.float64)
    return int(middle(lengths, evidence.told_counts)[1]) if len(lengths) else 0
