"""Local recoding by groups: the rows of a group are released alike, each attribute under one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.hierarchy import SUPPRESSED
from kohort.hierarchy.spans import span_label
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn

Style = Literal["span", "ancestor", "interval", "grid"]
STYLES: tuple[Style, ...] = ("span", "ancestor", "interval", "grid")

_DENSE = 1 << 26  # (group, value) pairs up to which presence is marked in a dense table


@dataclass(frozen=True, eq=False)
class Groups:
    """Every row of a group is released with the group's label of each attribute.

    With the style `span` a label tells the numbers as the closed interval from the least to the greatest
    value of the group, other values as the set of those in the group; with `ancestor` it is the lowest
    label of the hierarchy above all values of the group. `interval` tells numbers as `span` does and other
    values as `ancestor` does; `grid` likewise, with the ends of intervals moved outwards to the ends of the
    labels one level up, so that they tell no value of the group. A missing value is a value of the group
    like any other. Two groups that come out with equal labels everywhere are one class of the release.
    """

    group_of: IntArray  # (n_rows) any whole numbers; rows with the same one form a group
    kept: BoolArray  # (n_rows) rows that are released; a group is labelled by its kept rows only
    style: Style = "span"

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise InputError(
                f"groups can be released by the styles {', '.join(STYLES)}; {self.style!r} is none of them"
            )

    def apply(self, problem: Problem) -> Recoded:
        """Label every group; rows x attributes, plus one step per distinct label."""
        group_of, n_groups = _numbered(self.group_of, self.kept)
        rows = np.flatnonzero(self.kept)
        columns = []
        for j, hierarchy in enumerate(problem.hierarchies):
            codes = np.zeros(problem.n_rows, np.int32)
            spelled = label_groups(hierarchy, problem.codes[rows, j], group_of, n_groups, self.style)
            codes[rows] = spelled.codes[group_of]
            columns.append(ReleasedColumn(codes, spelled.labels, spelled.leaves, spelled.depth))
        return Recoded(tuple(columns), self.kept)

    def facts(self, problem: Problem) -> dict[str, Any]:  # noqa: ARG002
        """Return the number of groups and how their labels are spelled."""
        return {"groups": _numbered(self.group_of, self.kept)[1], "style": self.style}


@dataclass(frozen=True, eq=False)
class GroupLabels:
    """The label of every group in one attribute: a code per group into the distinct labels."""

    codes: IntArray  # int32 (n_groups)
    labels: tuple[Label, ...]
    leaves: FloatArray
    depth: FloatArray


def label_groups(
    hierarchy: Hierarchy, ground: IntArray, group_of: IntArray, n_groups: int, style: Style
) -> GroupLabels:
    """Return one label per group over the ground codes of its items.

    Items are rows or base classes; every group 0 … n_groups - 1 holds at least one.
    """
    if n_groups == 0:
        return GroupLabels(
            np.zeros(0, np.int32), (SUPPRESSED,), np.array([float(hierarchy.size)]), np.ones(1)
        )
    values, starts = distinct_values(ground, group_of, n_groups, hierarchy.size)
    if style == "ancestor" or (style != "span" and hierarchy.numbers is None):
        return _ancestors(hierarchy, values, starts)
    if hierarchy.numbers is not None:
        return _intervals(hierarchy, values, starts, grid_ends(hierarchy) if style == "grid" else None)
    return label_sets(hierarchy, values, starts)


def label_ranges(
    hierarchy: Hierarchy, low: IntArray, high: IntArray, missing: BoolArray | None = None
) -> GroupLabels:
    """Return the label of the ground codes low … high of each group, both ends included.

    Numbers are spelled as intervals, other values as sets. `missing` marks groups that cover the missing
    value beside their range.
    """
    absent = np.zeros(len(low), np.bool_) if missing is None else missing
    keys = (low.astype(np.int64) * hierarchy.size + high) * 2 + absent
    distinct, codes = np.unique(keys, return_inverse=True)
    last = hierarchy.size - 1
    m = distinct % 2
    a, b = np.divmod(distinct // 2, hierarchy.size)
    leaves = (b - a + 1 + m).astype(np.float64)
    labels = [
        _range_label(hierarchy, low, high, [last] * more)
        for low, high, more in zip(a.tolist(), b.tolist(), m.tolist(), strict=True)
    ]
    level = np.zeros(len(distinct), np.int64)
    for domain in hierarchy.levels:
        steps = np.concatenate([[0], np.cumsum(np.diff(domain.of_ground) != 0)])
        level += (steps[a] != steps[b]) | ((m == 1) & (domain.of_ground[a] != domain.of_ground[last]))
    return _told(hierarchy, codes.reshape(-1), labels, leaves, level)


def _range_label(hierarchy: Hierarchy, low: int, high: int, missing: list[int]) -> Label:
    whole = high - low + 1 + len(missing) == hierarchy.size
    if hierarchy.numbers is None or whole or hierarchy.ground[high] is None:
        return span_label(hierarchy, np.append(np.arange(low, high + 1), np.array(missing, np.int64)))
    return span_label(hierarchy, np.array([low, high, *missing]))  # an interval is spelled by its ends


def _numbered(group_of: IntArray, kept: BoolArray) -> tuple[IntArray, int]:
    """Return the groups of the kept rows numbered 0, 1, … and how many there are."""
    distinct, numbered = np.unique(group_of[kept], return_inverse=True)
    return numbered.reshape(-1), len(distinct)


def failing_groups(problem: Problem, group_of: IntArray) -> BoolArray:
    """Mark the groups 0, 1, … of rows, none of them empty, that break a promise by themselves."""
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    sensitive = {name: (values, sizes[name]) for name, values in problem.sensitive.items()}
    codes = group_of.astype(np.int32)[:, None]
    return problem.failing(classes_of_rows(codes, sensitive, problem.respondents)[0])


def distinct_values(
    ground: IntArray, group_of: IntArray, n_groups: int, size: int
) -> tuple[IntArray, IntArray]:
    """Return the distinct values of each group, ascending, and where each group starts."""
    keys = group_of.astype(np.int64) * size + ground
    if n_groups * size <= _DENSE:
        present = np.zeros(n_groups * size, np.bool_)
        present[keys] = True
        pairs = np.flatnonzero(present)
    else:
        pairs = np.unique(keys)
    return pairs % size, np.searchsorted(pairs, np.arange(n_groups + 1) * size)


def grid_ends(hierarchy: Hierarchy) -> tuple[IntArray, IntArray]:
    """Return, for each ground code of numbers, the least and the greatest code under its label one level up.

    The missing value keeps its own code at both ends.
    """
    told = hierarchy.size - (hierarchy.ground[-1] is None)
    least: IntArray = np.arange(hierarchy.size)
    greatest: IntArray = np.arange(hierarchy.size)
    if hierarchy.height:
        label = hierarchy.levels[1].of_ground[:told]
        first = np.full(len(hierarchy.levels[1].labels), hierarchy.size)
        last = np.full(len(hierarchy.levels[1].labels), -1)
        np.minimum.at(first, label, np.arange(told))
        np.maximum.at(last, label, np.arange(told))
        least[:told], greatest[:told] = first[label], last[label]
    return least, greatest


def _intervals(
    hierarchy: Hierarchy, values: IntArray, starts: IntArray, grid: tuple[IntArray, IntArray] | None = None
) -> GroupLabels:
    first, last = values[starts[:-1]], values[starts[1:] - 1]
    missing = np.zeros(len(first), np.bool_)
    if hierarchy.ground[-1] is None:
        missing = (np.diff(starts) > 1) & (last == hierarchy.size - 1)
        last = np.where(missing, values[starts[1:] - 2], last)
    if grid is not None:
        several = first < last
        first, last = np.where(several, grid[0][first], first), np.where(several, grid[1][last], last)
    return label_ranges(hierarchy, first, last, missing)


def label_sets(hierarchy: Hierarchy, values: IntArray, starts: IntArray) -> GroupLabels:
    """Return the label of each group's set of ground codes: values[starts[i]:starts[i + 1]], ascending."""
    codes, firsts = _alike(hierarchy.size, values, starts)
    sets = [values[starts[i] : starts[i + 1]] for i in firsts]
    level = _covering_levels(hierarchy, values, starts)[firsts]
    labels = [span_label(hierarchy, codes_of) for codes_of in sets]
    return _told(hierarchy, codes, labels, np.array([float(len(s)) for s in sets]), level)


def _alike(size: int, values: IntArray, starts: IntArray) -> tuple[IntArray, IntArray]:
    """Return a number for each group, equal where the sets are, and the first group of each number."""
    if size <= 62:
        masks = np.bitwise_or.reduceat(np.left_shift(np.int64(1), values.astype(np.int64)), starts[:-1])
        _, firsts, codes = np.unique(masks, return_index=True, return_inverse=True)
        return codes.reshape(-1), firsts
    code_of: dict[bytes, int] = {}
    found: list[int] = []
    packed = values.astype(np.int32)
    numbers = np.empty(len(starts) - 1, np.int64)
    bounds = starts.tolist()
    for i in range(len(numbers)):
        key = packed[bounds[i] : bounds[i + 1]].tobytes()
        numbers[i] = code_of.setdefault(key, len(found))
        if numbers[i] == len(found):
            found.append(i)
    return numbers, np.array(found)


def _covering_levels(hierarchy: Hierarchy, values: IntArray, starts: IntArray) -> IntArray:
    """Return the lowest level at which all values of each group have one label."""
    level = np.zeros(len(starts) - 1, np.int64)
    for domain in hierarchy.levels:
        above = domain.of_ground[values]
        level += np.minimum.reduceat(above, starts[:-1]) != np.maximum.reduceat(above, starts[:-1])
    return level


def _ancestors(hierarchy: Hierarchy, values: IntArray, starts: IntArray) -> GroupLabels:
    level = _covering_levels(hierarchy, values, starts)
    first = values[starts[:-1]]
    offsets = np.cumsum([0] + [len(domain.labels) for domain in hierarchy.levels])
    for depth, domain in enumerate(hierarchy.levels[:-1]):
        # A label that also stands for other values, at another level, would be read as both.
        clear = np.array([_means(hierarchy, depth, code) for code in range(len(domain.labels))], np.bool_)
        level[(level == depth) & ~clear[domain.of_ground[first]]] += 1
    keys = np.empty(len(first), np.int64)
    for depth, domain in enumerate(hierarchy.levels):
        here = level == depth
        keys[here] = offsets[depth] + domain.of_ground[first[here]]
    distinct, codes = np.unique(keys, return_inverse=True)
    heights = np.searchsorted(offsets, distinct, side="right") - 1
    nodes = [(int(d), int(key - offsets[d])) for d, key in zip(heights, distinct, strict=True)]
    labels = [
        hierarchy.levels[d].labels[c] if d < hierarchy.height or _means(hierarchy, d, c) else SUPPRESSED
        for d, c in nodes
    ]
    leaves = np.array([float(hierarchy.levels[d].leaves[c]) for d, c in nodes])
    return _told(hierarchy, codes.reshape(-1), labels, leaves, heights)


def _means(hierarchy: Hierarchy, depth: int, code: int) -> bool:
    """Whether the label is understood as this node: no other level uses it for other values."""
    label = hierarchy.levels[depth].labels[code]
    covered = int(hierarchy.levels[depth].leaves[code])
    if label == SUPPRESSED:
        return covered == hierarchy.size
    first = int(np.argmax(hierarchy.levels[depth].of_ground == code))
    for level in hierarchy.levels:
        other = level.code_of.get(label)
        # Levels are nested, so nodes with a value in common and equally many values are the same set.
        if other is not None and (level.leaves[other] != covered or level.of_ground[first] != other):
            return False
    return True


def _told(
    hierarchy: Hierarchy, codes: IntArray, labels: list[Label], leaves: FloatArray, level: IntArray
) -> GroupLabels:
    """Return the labels, each once, with their depth; what covers the whole domain stands at the root.

    A span that is spelled like a label of the hierarchy with another meaning gives way to `*`.
    """
    for i, (label, covered) in enumerate(zip(labels, leaves.tolist(), strict=True)):
        found = ((domain, domain.code_of.get(label)) for domain in hierarchy.levels)
        if any(code is not None and domain.leaves[code] != covered for domain, code in found):
            labels[i], leaves[i] = SUPPRESSED, hierarchy.size
    place: dict[Label, int] = {}
    merged = np.array([place.setdefault(label, len(place)) for label in labels], np.int32)
    firsts = np.unique(merged, return_index=True)[1]
    height = max(hierarchy.height, 1)
    depth = np.where(leaves == hierarchy.size, float(hierarchy.height > 0), level / height)
    return GroupLabels(merged[codes], tuple(place), leaves[firsts], depth[firsts])
