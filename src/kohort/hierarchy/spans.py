"""Released values that are sets of ground values: how they are spelled, and what a spelling means.

A released value of a column is one of
- a label of its hierarchy at any level (`Undergraduate`, `20-39`, a missing value),
- `*`: any value,
- an interval of numbers, `[20, 40)`, `[20, 39]`, `(-inf, 18)`: round brackets exclude the end,
- a set of ground values, `{Married, Widowed}`; a value that holds one of `,{}"` or that stands with blanks
  around it is quoted as in JSON,
- either of the last two followed by ` or missing`, where the missing value belongs to it too.
"""

from __future__ import annotations

import json
import re

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy.hierarchy import SUPPRESSED, Hierarchy, Label

_OR_MISSING = " or missing"
_INTERVAL = re.compile(r"^([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])$")
_PLAIN = re.compile(r'^[^\s,{}"](?:[^,{}"]*[^\s,{}"])?$')


def span_label(hierarchy: Hierarchy, codes: IntArray) -> Label:
    """Return the spelling of a set of ground codes: one value, `*` for all, an interval or a set.

    For numbers the set is spelled as the closed interval from its least to its greatest value, so it must
    hold every ground value between them.
    """
    distinct: IntArray = np.unique(codes)
    if len(distinct) == 1:
        return hierarchy.ground[int(distinct[0])]
    if len(distinct) == hierarchy.size:
        return SUPPRESSED
    told = [int(c) for c in distinct if hierarchy.ground[c] is not None]
    suffix = _OR_MISSING if len(told) < len(distinct) else ""
    if hierarchy.numbers is not None:
        return f"[{hierarchy.ground[told[0]]}, {hierarchy.ground[told[-1]]}]{suffix}"
    return "{" + ", ".join(_quoted(str(hierarchy.ground[c])) for c in told) + "}" + suffix


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
    # A label that stands at several levels means the widest set that it is the label of.
    for level in reversed(hierarchy.levels):
        code = level.code_of.get(label)
        if code is not None:
            return np.asarray(level.of_ground == code)
    if label is None:
        return None
    if label.endswith(_OR_MISSING):
        mask = meaning(hierarchy, label.removesuffix(_OR_MISSING))
        return None if mask is None else mask | np.array([g is None for g in hierarchy.ground])
    return _interval(hierarchy, label) if label[:1] in "[(" else _set(hierarchy, label)


def _interval(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    match = _INTERVAL.match(label)
    if match is None or hierarchy.numbers is None:
        return None
    try:
        low, high = float(match[2]), float(match[3])
    except ValueError:
        return None
    numbers = hierarchy.numbers
    with np.errstate(invalid="ignore"):
        above = numbers >= low if match[1] == "[" else numbers > low
        below = numbers <= high if match[4] == "]" else numbers < high
    return above & below


def _set(hierarchy: Hierarchy, label: str) -> BoolArray | None:
    if not (label.startswith("{") and label.endswith("}")):
        return None
    items = re.findall(r'"(?:[^"\\]|\\.)*"|[^,]+', label[1:-1])
    values = [json.loads(item) if item.startswith('"') else item for item in map(str.strip, items)]
    code_of = hierarchy.levels[0].code_of
    if not all(value in code_of for value in values):
        return None
    mask = np.zeros(hierarchy.size, np.bool_)
    mask[[code_of[value] for value in values]] = True
    return mask


def _quoted(value: str) -> str:
    return value if _PLAIN.match(value) else json.dumps(value, ensure_ascii=False)
