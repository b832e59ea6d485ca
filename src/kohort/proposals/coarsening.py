"""How coarsely a sensitive number might be told, as a plan writes it; dates are proposed as quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import floor, log10
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.hierarchy.coarse import Coarse, coarsened
from kohort.proposals.evidence import Evidence, own_beside_usual
from kohort.proposals.round_numbers import middle, round_ends, round_number

_FEW = 50  # distinct values that are told as they are
_STEPS = 100  # between the ends
_CROWD = 10  # rows


def fitting_coarseness(evidence: Evidence) -> dict[str, Any]:
    """Return the finest round width by which few rows have a value of their own; {} where none is needed.

    The plan is published: the ends lie where enough people are beyond, as those of intervals do.
    """
    if evidence.distinct <= _FEW and not _points(evidence, evidence.counts):
        return {}
    if not evidence.is_number:
        return {}
    found: dict[str, Any] = {}
    for found in _widths(evidence):
        try:
            told = coarsened(evidence.column, as_coarse(found))
        except InputError:  # among very many values a few are no numbers
            return {}
        if not _points(evidence, told.counts()):
            break
    return _needed(evidence, found)


def _needed(evidence: Evidence, found: dict[str, Any]) -> dict[str, Any]:
    """Return what was found without an end that a crowd stands at anyway: 0 is told as 0 where many have it."""
    if not found:
        return {}
    whole = (
        coarsened(evidence.column, as_coarse({"round": found["round"]}))
        if "round" in found
        else evidence.column
    )
    rows = {
        float(text): n
        for text, n in zip(whole.texts, whole.counts().tolist(), strict=True)
        if text is not None
    }
    crowded = {end for end, at in (("bottom", min(rows)), ("top", max(rows))) if rows[at] >= _CROWD}
    return {key: value for key, value in found.items() if key not in crowded}


def _points(evidence: Evidence, counts: np.ndarray) -> bool:
    """Say whether more than a fifth of the rows, or of those beside a usual value, would have one of their own.

    A release takes up to half.
    """
    return int((counts == 1).sum()) > evidence.rows / 5 or own_beside_usual(counts) > 1 / 5


def _widths(evidence: Evidence) -> Iterator[dict[str, Any]]:
    numbers = np.array([float(text) for text in evidence.told])
    least, greatest = middle(numbers, evidence.told_counts)
    span = greatest - least or float(np.ptp(numbers)) or 1.0
    power = floor(log10(span / _STEPS))
    finest = float(Decimal(1).scaleb(-max(len(text.partition(".")[2].rstrip("0")) for text in evidence.told)))
    for place in range(power, power + 3):
        for digit in (1, 2, 5):
            width = round_number(digit, place)
            if width < span / _STEPS or width < finest:
                continue
            told = {"round": width} if width != finest else {}
            ends = round_ends(least, greatest, width)
            yield told | {key: ends[end] for key, end in (("bottom", "low"), ("top", "high")) if end in ends}


def as_coarse(found: dict[str, Any]) -> Coarse:
    """Return how a number is told, as a plan writes it, ready to be applied."""
    width, bottom, top = (
        Decimal(str(found[key])) if key in found else None for key in ("round", "bottom", "top")
    )
    return Coarse(width, bottom, top)
