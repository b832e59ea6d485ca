"""Released values that are sets of ground values, and how they are spelled.

A released value of a column is one of
- a label of its hierarchy at any level (`Undergraduate`, `20-39`, a missing value); where a label stands
  at several levels for different values, it means all of them that the plan's bounds of levels allow,
- `*`: any value,
- an interval of numbers or dates whose ends lie on the hierarchy's grid: `[20, 40)`, `[20, 39]`, `<18`, `>=90`,
  `[2020-03-01, 2020-06-30]`,
- a set of ground values that the plan names, `{Married, Widowed}`; a value that holds one of `,{}"` or that stands
  with blanks around it is quoted as in JSON,
- either of the last two followed by ` or missing`, where the missing value belongs to it too.
Labels are spelled from what they cover; `kohort.hierarchy.reading` reads them back for whoever has nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy.bounds import Bounds, spelled
from kohort.hierarchy.domain import SUPPRESSED, Label
from kohort.hierarchy.grid import Grid, wide_grid
from kohort.hierarchy.hierarchy import Hierarchy

OR_MISSING = " or missing"


def span_label(
    hierarchy: Hierarchy,
    codes: IntArray,
    level: int = 0,
    released: IntArray | None = None,
    ceiling: int | None = None,
) -> Label:
    """Return the spelling of a set of ground codes: one value, `*` for all, an interval, a set or a label above it.

    Numbers and dates with a grid are spelled as the interval from the cell of the least to the cell of the
    greatest, so the codes should be all of those between. Values that the plan names are listed; of all
    others the label that stands above them is told. Nothing finer than the labels of `level` is told. `released` are
    the codes of the whole release, whose first and last dates are told coarsely (`Ranges.label`), but by no label above
    the level `ceiling`.
    """
    distinct: IntArray = np.unique(codes)
    told = [int(c) for c in distinct if hierarchy.ground[c] is not None]
    if len(distinct) == hierarchy.size and hierarchy.size > 1:
        return SUPPRESSED
    if not told:
        return None
    if hierarchy.grid is not None:
        return Ranges.of(hierarchy, level, released, ceiling).label(
            told[0], told[-1], len(told) < len(distinct)
        )
    if len(distinct) == 1 and level == 0:
        return exact_label(hierarchy, told[0])
    if hierarchy.lists(level):
        return listed(hierarchy, distinct)
    height = max(lowest_common_ancestor(hierarchy, distinct)[0], level)
    return node_label(hierarchy, height, int(hierarchy.levels[height].of_ground[distinct[0]]))


def listed(hierarchy: Hierarchy, codes: IntArray) -> str:
    """Return the set of distinct ground codes, ascending, with a missing value told behind it.

    >>> from kohort.hierarchy import Hierarchy
    >>> towns = Hierarchy.from_rows("town", [("rome", "*"), ("bari, old", "*")])
    >>> listed(towns, np.array([0, 1]))
    '{rome, "bari, old"}'
    """
    told = [text for text in (hierarchy.ground[int(code)] for code in codes) if text is not None]
    return "{" + ", ".join(map(_quoted, told)) + "}" + OR_MISSING * (len(told) < len(codes))


@dataclass(frozen=True, eq=False)
class Ranges:
    """Spells runs of ground codes from the grid of their hierarchy, no finer than the labels of a level."""

    hierarchy: Hierarchy
    level: (
        int  # whose labels end where they say; 0: the finest cells do, and a single declared value is exact
    )
    grid: Grid
    wide: Grid
    coarse: Grid | None = None  # where the outermost dates are told, if these are not declared
    outermost: tuple[int, int] = (-1, -1)  # the codes of the earliest and the latest date of the release

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        level: int,
        released: IntArray | None = None,
        ceiling: int | None = None,
    ) -> Ranges:
        """Return the spelling for a hierarchy with a grid, in a release of some ground codes; no label is above `ceiling`."""
        assert hierarchy.grid is not None
        assert hierarchy.wide_grid is not None
        wide = hierarchy.wide_grid
        if level > max(1, hierarchy.grid.level):
            wide = wide_grid(hierarchy, hierarchy.grid, level)
        if released is None or hierarchy.days is None or hierarchy.declared:
            return cls(hierarchy, level, hierarchy.grid, wide)
        told = released[released < hierarchy.size - (hierarchy.ground[-1] is None)]
        if not len(told):
            return cls(hierarchy, level, hierarchy.grid, wide)
        outermost = int(told.min()), int(told.max())
        height = _coarse_level(hierarchy, level, outermost, len(told) < len(released))
        coarse = wide_grid(hierarchy, hierarchy.grid, height if ceiling is None else min(height, ceiling))
        return cls(hierarchy, level, hierarchy.grid, wide, coarse, outermost)

    def label(self, low: int, high: int, missing: bool = False) -> Label:
        """Return the interval that holds the cells of all ground codes low … high, none of them missing.

        Where dates are not declared, the earliest and the latest of a release are often one person's: an interval
        that is outermost there ends with a label of the coarsest level that the release calls for and the plan allows.
        """
        hierarchy, suffix = self.hierarchy, OR_MISSING * missing
        if low == 0 and high - low + 1 + missing == hierarchy.size > 1:
            return SUPPRESSED
        if low == high and not missing and self.level == 0 and self._is_one_value(low):
            return exact_label(hierarchy, low)
        begin, end = self._begin(low), self._end(high)
        if self.coarse is not None:
            begin = self._coarse(low) if low == self.outermost[0] else begin
            end = self._coarse(high) if high == self.outermost[1] else end
        if begin is end and begin.open and not missing:
            above = hierarchy.levels[min(max(self.level, 1), hierarchy.height)]
            return above.labels[int(above.of_ground[low])]
        text = spelled(begin, end)
        return SUPPRESSED if text is None else text + suffix

    def _is_one_value(self, code: int) -> bool:
        """Say whether a finest cell is a single number that is spelled in one way only."""
        own = self.grid.bounds[self.grid.cell_of[code]]
        return own.low == own.high and bool(self.grid.first[code] == self.grid.last[code])

    def _coarse(self, code: int) -> Bounds:
        assert self.coarse is not None
        return self.coarse.bounds[int(self.coarse.cell_of[code])]

    def _begin(self, code: int) -> Bounds:
        """Return the bounds of the label that begins with a ground code, else those of its finest cell."""
        grid = self.wide if self.level or self.wide.first[code] == code else self.grid
        return grid.bounds[int(grid.cell_of[code])]

    def _end(self, code: int) -> Bounds:
        grid = self.wide if self.level or self.wide.last[code] == code else self.grid
        return grid.bounds[int(grid.cell_of[code])]


def _coarse_level(hierarchy: Hierarchy, level: int, outermost: tuple[int, int], missing: bool) -> int:
    """Return the level below the root that a hierarchy of the released dates alone would have; none below `level`.

    The periods of the last level are such a root where all released dates lie in one of them and none is missing.
    Whether there is a `*` above them may follow from somebody who was left out.
    """
    top = hierarchy.height - (hierarchy.levels[-1].bounds is None)
    first, last = hierarchy.levels[top].of_ground[list(outermost)].tolist()
    grid = 0 if hierarchy.grid is None else hierarchy.grid.level
    return max(top - 1, 1, grid, min(level, top)) if first == last and not missing else top


def exact_label(hierarchy: Hierarchy, code: int) -> Label:
    """Return a ground value; as a set of one where its label means more than that value."""
    label = hierarchy.ground[code]
    return label if label is None or _is_exact(hierarchy, code) else "{" + _quoted(label) + "}"


def _is_exact(hierarchy: Hierarchy, code: int) -> bool:
    """Tell whether a ground value's label means nothing but that value."""
    label = hierarchy.ground[code]
    above = ((level, level.code_of.get(label)) for level in hierarchy.levels[1:])
    return (label != SUPPRESSED or hierarchy.size == 1) and all(
        found is None or (level.of_ground[code] == found and level.leaves[found] == 1)
        for level, found in above
    )


def label_at(hierarchy: Hierarchy, level: int, code: int) -> tuple[Label, float]:
    """Return the label of a level above a ground code, and how many ground values lie under it."""
    domain = hierarchy.levels[level]
    above = int(domain.of_ground[code])
    return domain.labels[above], float(domain.leaves[above])


def node_label(hierarchy: Hierarchy, level: int, code: int) -> Label:
    """Return the label of a node; `*` where another level uses the label for other values."""
    return hierarchy.levels[level].labels[code] if is_clear(hierarchy, level, code) else SUPPRESSED


def is_clear(hierarchy: Hierarchy, depth: int, code: int) -> bool:
    """Tell whether the label is understood as this node: no other level uses it for other values."""
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


def lowest_common_ancestor(hierarchy: Hierarchy, codes: IntArray) -> tuple[int, int]:
    """Return (level, code at that level) of the lowest label above all the ground codes."""
    for height, level in enumerate(hierarchy.levels):
        above = level.of_ground[codes]
        if (above == above[0]).all():
            return height, int(above[0])
    raise AssertionError("a hierarchy has one root")


def is_plain(value: str) -> bool:
    """Tell whether a value stands in a set without quotes."""
    return value.strip() == value != "" and not any(mark in value for mark in ',{}"')


def _quoted(value: str) -> str:
    return value if is_plain(value) else json.dumps(value, ensure_ascii=False)
