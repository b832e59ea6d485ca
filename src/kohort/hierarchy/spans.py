"""Released values that are sets of ground values: how they are spelled, and what a spelling means.

A released value of a column is one of
- a label of its hierarchy at any level (`Undergraduate`, `20-39`, a missing value); where a label stands
  at several levels for different values, it means all of them,
- `*`: any value,
- an interval of numbers, `[20, 40)`, `[20, 39]`, `(-inf, 18)`: round brackets exclude the end; of dates
  and timestamps too, where all are spelled alike, as in ISO 8601: `[2020-03-01, 2020-06-30]`,
- a set of ground values, `{Married, Widowed}`; a value that holds one of `,{}"` or that stands with blanks
  around it is quoted as in JSON,
- either of the last two followed by ` or missing`, where the missing value belongs to it too.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy.hierarchy import SUPPRESSED, Hierarchy, Label

_OR_MISSING = " or missing"
_INTERVAL = re.compile(r"([\[(])\s*([^,]*[^,\s])\s*,\s*([^,]*[^,\s])\s*([\])])")
_GRID = re.compile(r"(\d+)-(\d+)")
_PLAIN = r'[^\s,{}"](?:[^,{}"]*[^\s,{}"])?'
_ITEM = rf'\s*("(?:[^"\\]|\\.)*"|{_PLAIN})\s*'
_SET = re.compile(rf"\{{{_ITEM}(?:,{_ITEM})*\}}")


def span_label(hierarchy: Hierarchy, codes: IntArray) -> Label:
    """Return the spelling of a set of ground codes: one value, `*` for all, an interval or a set.

    For numbers the set is spelled as the closed interval from its least to its greatest value, so it must
    hold every ground value between them (its ends alone would do). At the ends of the domain the interval
    goes on to the end of the grid of level 1 (`15-19`), so that it does not tell the extreme of the table.
    Dates that follow each other are spelled as an interval too, other dates as a set. `meaning` takes every
    spelling back to the set.
    """
    distinct: IntArray = np.unique(codes)
    if len(distinct) == 1 and _is_exact(hierarchy, int(distinct[0])):
        return hierarchy.ground[int(distinct[0])]
    if len(distinct) == hierarchy.size:
        return SUPPRESSED
    told = [int(c) for c in distinct if hierarchy.ground[c] is not None]
    suffix = _OR_MISSING if len(told) < len(distinct) else ""
    in_a_row = len(told) > 1 and told[-1] - told[0] == len(told) - 1
    if hierarchy.numbers is not None:
        return f"[{_low_end(hierarchy, told[0])}, {_high_end(hierarchy, told[-1])}]{suffix}"
    if in_a_row and hierarchy.instants is not None:
        return f"[{hierarchy.ground[told[0]]}, {hierarchy.ground[told[-1]]}]{suffix}"
    return "{" + ", ".join(_quoted(str(hierarchy.ground[c])) for c in told) + "}" + suffix


def _low_end(hierarchy: Hierarchy, code: int) -> Label:
    """Return where an interval from a ground number begins: on the grid, if the number is the least of all."""
    ends = _grid(hierarchy, code) if code == 0 else None
    return hierarchy.ground[code] if ends is None else ends[0]


def _high_end(hierarchy: Hierarchy, code: int) -> Label:
    """Return where an interval to a ground number ends: on the grid, if the number is the greatest of all."""
    last = hierarchy.size - 1 if hierarchy.ground[-1] is not None else hierarchy.size - 2
    ends = _grid(hierarchy, code) if code == last else None
    return hierarchy.ground[code] if ends is None else ends[1]


def _grid(hierarchy: Hierarchy, code: int) -> tuple[str, str] | None:
    """Return the ends of the interval of whole numbers that is a ground number's label at level 1, if it is one."""
    if hierarchy.height < 2 or hierarchy.numbers is None:
        return None
    level = hierarchy.levels[1]
    match = _GRID.fullmatch(level.labels[level.of_ground[code]] or "")
    if match is None or not int(match[1]) <= hierarchy.numbers[code] <= int(match[2]):
        return None
    return match[1], match[2]


def _is_exact(hierarchy: Hierarchy, code: int) -> bool:
    """Tell whether a ground value's label means nothing but that value."""
    label = hierarchy.ground[code]
    if label is None:
        return True
    above = ((level, level.code_of.get(label)) for level in hierarchy.levels[1:])
    return (label != SUPPRESSED or hierarchy.size == 1) and all(
        found is None or (level.of_ground[code] == found and level.leaves[found] == 1)
        for level, found in above
    )


def lowest_common_ancestor(hierarchy: Hierarchy, codes: IntArray) -> tuple[int, int]:
    """Return (level, code at that level) of the lowest label above all the ground codes."""
    for height, level in enumerate(hierarchy.levels):
        above = level.of_ground[codes]
        if (above == above[0]).all():
            return height, int(above[0])
    raise AssertionError("a hierarchy has one root")


def meaning(hierarchy: Hierarchy, label: Label) -> BoolArray | None:
    """Return the mask of ground values that a released label stands for; None where it means nothing."""
    if label == SUPPRESSED:
        return np.ones(hierarchy.size, np.bool_)
    found = [(level, level.code_of[label]) for level in hierarchy.levels if label in level.code_of]
    if found:
        return np.asarray(np.logical_or.reduce([level.of_ground == code for level, code in found]))
    if label is None:
        return None
    if label.endswith(_OR_MISSING):
        mask = _set_or_interval(hierarchy, label.removesuffix(_OR_MISSING))
        return None if mask is None else mask | np.array([g is None for g in hierarchy.ground])
    return _set_or_interval(hierarchy, label)


def _set_or_interval(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    return _interval(hierarchy, label) if label[:1] in ("[", "(") else _set(hierarchy, label)


def _interval(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    match = _INTERVAL.fullmatch(label)
    if match is None:
        return None
    if hierarchy.numbers is not None:
        try:
            return _between(hierarchy.numbers, float(match[2]), float(match[3]), match[1], match[4])
        except ValueError:
            return None
    if hierarchy.instants is not None and len(match[2]) == len(match[3]) == hierarchy.instants.itemsize // 4:
        mask = _between(hierarchy.instants, match[2], match[3], match[1], match[4])
        return np.asarray(mask & (hierarchy.instants != ""))  # a missing value lies in no interval
    return None


def _between(values: Any, low: Any, high: Any, opening: str, closing: str) -> BoolArray:
    with np.errstate(invalid="ignore"):
        above = values >= low if opening == "[" else values > low
        below = values <= high if closing == "]" else values < high
    return np.asarray(above & below)


def _set(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    if not _SET.fullmatch(label):
        return None
    items = re.findall(rf"{_ITEM}(?:,|$)", label[1:-1])
    code_of = hierarchy.levels[0].code_of
    try:
        values = [json.loads(item) if item.startswith('"') else item for item in items]
        codes = [code_of[value] for value in values]
    except (KeyError, ValueError):
        return None
    mask = np.zeros(hierarchy.size, np.bool_)
    mask[codes] = True
    return mask


def _quoted(value: str) -> str:
    return value if re.fullmatch(_PLAIN, value) else json.dumps(value, ensure_ascii=False)
