"""What a released label stands for, for those who have nothing but the label: the verifier, attacks and metrics."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.hierarchy.bounds import Bounds, read_interval
from kohort.hierarchy.domain import SUPPRESSED, Label
from kohort.hierarchy.grid import day_of
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.numerals import is_number
from kohort.hierarchy.spans import OR_MISSING, is_plain

_ALL = (0, None)  # levels


def meaning(hierarchy: Hierarchy, label: Label) -> BoolArray | None:
    """Return the mask of ground values that a released label stands for; None where it means nothing."""
    codes = covered(hierarchy, label)
    if codes is None:
        return None
    mask = np.zeros(hierarchy.size, np.bool_)
    mask[codes] = True
    return mask


def covered(hierarchy: Hierarchy, label: Label) -> IntArray | None:
    """Return the ground codes that a released label stands for, ascending; None where it means nothing.

    A label of the hierarchy, in any of its spellings, is known by its structure: what lies under it at the levels that the plan
    allows, or at all levels where none of those has it. What is not one is read as an interval or a set, exactly as
    `kohort.hierarchy.spans` spells them; anything else means nothing.

    Complexity: what the label covers, not the whole domain: ground values stand in order, so most labels are a run of them. Those
    of an interval are a piece of `hierarchy.codes` and take no memory, however far it goes.
    """
    if label == SUPPRESSED:
        return hierarchy.codes
    for levels in (hierarchy.allowed, _ALL):
        for spelled in _spelled(hierarchy) if label is not None else (hierarchy,):
            codes = _by_structure(spelled, label, *levels)
            if codes is not None:
                return codes
    return None if label is None else spanned(hierarchy, label)


def spanned(hierarchy: Hierarchy, text: str) -> IntArray | None:
    """Return the ground codes that a text stands for as an interval or a set, whatever labels the hierarchy has; else None."""
    codes = _set_or_interval(hierarchy, text.removesuffix(OR_MISSING))
    if codes is None or not text.endswith(OR_MISSING) or hierarchy.ground[-1] is not None:
        return codes
    return np.union1d(codes, [hierarchy.size - 1])


def _spelled(hierarchy: Hierarchy) -> Iterator[Hierarchy]:
    """Yield the hierarchy in all its spellings, those that are built when they are asked for last."""
    yield hierarchy
    yield from (spelling.hierarchy for spelling in hierarchy.spellings)


def _by_structure(hierarchy: Hierarchy, label: Label, low: int, high: int | None) -> IntArray | None:
    levels = hierarchy.levels[min(low, hierarchy.height) : None if high is None else high + 1]
    found = [level.run(level.code_of[label]) for level in levels if label in level.code_of]
    if not found:
        return None
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def _set_or_interval(hierarchy: Hierarchy, label: str) -> IntArray | None:
    bounds = read_interval(label)
    return _set(hierarchy, label) if bounds is None else _interval(hierarchy, bounds)


def _interval(hierarchy: Hierarchy, bounds: Bounds) -> IntArray | None:
    scale = hierarchy.numbers if hierarchy.days is None else hierarchy.days
    told = [end for end in (bounds.low, bounds.high) if end is not None]
    if scale is None or (hierarchy.days is None and not all(map(is_number, told))):
        return None
    position = float if hierarchy.days is None else day_of
    try:
        low = None if bounds.low is None else position(bounds.low)
        high = None if bounds.high is None else position(bounds.high)
    except ValueError:
        return None
    # A missing value stands last, and lies in no interval.
    first, stop = _between(scale[: hierarchy.size - (hierarchy.ground[-1] is None)], low, high, bounds)
    codes = hierarchy.codes[first:stop]
    for code, own in hierarchy.levels[0].bounded:
        # Where beyond an open end a number lies is not known: all of it is covered, or nothing.
        reached = _reaches_beyond(own, low, high, bounds)
        codes = np.union1d(codes, [code]) if reached else codes[codes != code]
    return codes


def _reaches_beyond(own: Bounds, low: float | None, high: float | None, bounds: Bounds) -> bool:
    """Say whether an interval covers the whole of an open one."""
    if own.low is None:
        return low is None and (high is None or float(str(own.high)) <= high)
    start = float(own.low)
    return high is None and (low is None or low < start or (low == start and bounds.low_in))


def _between(
    scale: FloatArray | IntArray, low: float | None, high: float | None, bounds: Bounds
) -> tuple[int, int]:
    """Return the first code of an ascending scale that lies between the ends, and the one behind the last."""
    first = 0 if low is None else np.searchsorted(scale, low, "left" if bounds.low_in else "right")
    stop = len(scale) if high is None else np.searchsorted(scale, high, "right" if bounds.high_in else "left")
    return int(first), max(int(first), int(stop))


def items_of(label: Label) -> tuple[str, ...]:
    """Return the values that a label spells out: those of a set, or itself; none where it is an interval or suppressed.

    >>> items_of("{cook, clerk}"), items_of("cook"), items_of("[20, 29]")
    (('cook', 'clerk'), ('cook',), ())
    """
    if label is None or label == SUPPRESSED:
        return ()
    text = label.removesuffix(OR_MISSING)
    if read_interval(text) is not None:
        return ()
    values = _items(text[1:-1]) if len(text) > 2 and text[0] == "{" and text[-1] == "}" else None
    return (text,) if values is None else tuple(values)


def is_span(label: Label) -> bool:
    """Say whether a label has the form of an interval or a set, whatever it means.

    >>> is_span("[20, 29]"), is_span("{cook, clerk} or missing"), is_span("20-29")
    (True, True, False)
    """
    text = (label or "").removesuffix(OR_MISSING)
    return read_interval(text) is not None or (len(text) > 2 and text[0] == "{" and text[-1] == "}")


def _set(hierarchy: Hierarchy, label: str) -> IntArray | None:
    if len(label) < 3 or label[0] != "{" or label[-1] != "}":
        return None
    values = _items(label[1:-1])
    code_of = hierarchy.levels[0].code_of
    if values is None or any(value not in code_of for value in values):
        return None
    return np.unique([code_of[value] for value in values])


def _items(text: str) -> list[str] | None:
    """Return the values of a set, as they stand between its braces; None where they are not spelled as ours."""
    found: list[str] = []
    place = 0
    while True:
        if text.startswith('"', place):
            try:
                value, place = json.JSONDecoder().raw_decode(text, place)
            except ValueError:
                return None
        else:
            end = text.find(", ", place)
            value = text[place : None if end < 0 else end]
            place = len(text) if end < 0 else end
            if not is_plain(value):
                return None
        found.append(value)
        if place == len(text):
            return found
        if not text.startswith(", ", place):
            return None
        place += 2
