"""What a released label stands for, for those who have nothing but the label: the verifier, attacks and metrics."""

from __future__ import annotations

import json

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.hierarchy.bounds import Bounds, read_interval
from kohort.hierarchy.grid import day_of
from kohort.hierarchy.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.numerals import is_number
from kohort.hierarchy.spans import OR_MISSING, is_plain


def meaning(hierarchy: Hierarchy, label: Label) -> BoolArray | None:
    """Return the mask of ground values that a released label stands for; None where it means nothing.

    A label of the hierarchy, in any of its spellings, is known by its structure. What is not one is read as an interval
    or a set, exactly as `kohort.hierarchy.spans` spells them; anything else means nothing.
    """
    if label == SUPPRESSED:
        return np.ones(hierarchy.size, np.bool_)
    mask = _by_structure(hierarchy, label)
    if mask is not None or label is None:
        return mask
    for spelling in hierarchy.spellings:
        mask = _by_structure(spelling.hierarchy, label)
        if mask is not None:
            return mask
    mask = _set_or_interval(hierarchy, label.removesuffix(OR_MISSING))
    if mask is None or not label.endswith(OR_MISSING):
        return mask
    return np.asarray(mask | np.array([g is None for g in hierarchy.ground]))


def _by_structure(hierarchy: Hierarchy, label: Label) -> BoolArray | None:
    found = [(level, level.code_of[label]) for level in hierarchy.levels if label in level.code_of]
    if not found:
        return None
    return np.asarray(np.logical_or.reduce([level.of_ground == code for level, code in found]))


def _set_or_interval(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    bounds = read_interval(label)
    return _set(hierarchy, label) if bounds is None else _interval(hierarchy, bounds)


def _interval(hierarchy: Hierarchy, bounds: Bounds) -> BoolArray | None:
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
    mask = _between(scale, low, high, bounds)
    for code, own in enumerate(hierarchy.levels[0].bounds or ()):
        if (
            own is not None
        ):  # where beyond an open end a number lies is not known: all of it is covered, or nothing
            mask[code] = _reaches_beyond(own, low, high, bounds)
    if hierarchy.ground[-1] is None:
        mask[-1] = False  # a missing value lies in no interval
    return mask


def _reaches_beyond(own: Bounds, low: float | None, high: float | None, bounds: Bounds) -> bool:
    """Say whether an interval covers the whole of an open one."""
    if own.low is None:
        return low is None and (high is None or float(str(own.high)) <= high)
    start = float(own.low)
    return high is None and (low is None or low < start or (low == start and bounds.low_in))


def _between(
    scale: FloatArray | IntArray, low: float | None, high: float | None, bounds: Bounds
) -> BoolArray:
    mask = np.ones(len(scale), np.bool_)
    if low is not None:
        mask &= (scale >= low) if bounds.low_in else (scale > low)
    if high is not None:
        mask &= (scale <= high) if bounds.high_in else (scale < high)
    return mask


def _set(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    if len(label) < 3 or label[0] != "{" or label[-1] != "}":
        return None
    values = _items(label[1:-1])
    code_of = hierarchy.levels[0].code_of
    if values is None or any(value not in code_of for value in values):
        return None
    mask = np.zeros(hierarchy.size, np.bool_)
    mask[[code_of[value] for value in values]] = True
    return mask


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
