"""`Grid`: cells of numbers or dates whose ends are declared, so that intervals may end there.

A released interval tells where it ends; were that a value which happens to occur, it would tell somebody's. So an
interval ends on a grid:
- on the ground values themselves, where they are declared one and all (a domain, a level file, a tree), stand
  close (at least every second step of their range is there: a sparse list of numbers has been read off a table,
  whoever wrote it down), and are few, as ages and years of birth are. Of an income or a birthday every single step is
  somebody's, whatever the domain;
- otherwise on the ends of the labels of the lowest level, where these are declared (widths, labels of a level file) and
  not as fine as values themselves are: at least five units wide, at most a thousand of them in the domain or in the widest
  width, and no days or parts of them (months and longer periods are);
- what is top- or bottom-coded at level 1 (`>=90`) is one cell, whatever a level file lists below it.
Numbers and dates without a grid are told as they are or by a label of their hierarchy, as other values are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.calendar import iso_days
from kohort.hierarchy.numerals import shortest

if TYPE_CHECKING:
    from kohort.hierarchy.hierarchy import Hierarchy

_DENSE = 2  # steps of the least size that there may be for every value listed
FEW = 200  # steps of a declared range, at the most, of which each may be an end
_SOME = 1000  # labels of a range, at the most, at whose ends intervals may end
_UNITS = 5  # of its last digit that such a label is wide at the least
_MONTH = 27  # days between the first and the last of the shortest period that ends may tell


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells side by side in domain order; the missing value is a cell of its own, the last, and has no bounds."""

    cell_of: IntArray  # int64: ground code -> cell
    bounds: tuple[Bounds, ...]
    position: Callable[[str], float]  # where an end lies
    level: int  # whose labels the cells are; 0: the ground values

    @cached_property
    def first(self) -> IntArray:
        """The first ground code of the cell of every ground code."""
        return np.asarray(np.searchsorted(self.cell_of, self.cell_of))

    @cached_property
    def last(self) -> IntArray:
        """The last ground code of the cell of every ground code."""
        return np.asarray(np.searchsorted(self.cell_of, self.cell_of, side="right") - 1)

    def ends(self) -> tuple[FloatArray, FloatArray]:
        """Return where each cell begins and ends; an open end lies as far off as the cell's other one."""
        low = [self.position(b.low if b.low is not None else str(b.high)) for b in self.bounds]
        high = [self.position(b.high if b.high is not None else str(b.low)) for b in self.bounds]
        return np.array(low, np.float64), np.array(high, np.float64)

    def positions(self) -> FloatArray:
        """Return a place for each cell, in ascending order: where it begins, an open one one step before the next."""
        places = self.ends()[0]
        if len(places) > 1 and self.bounds[0].low is None:
            step = (places[-1] - places[1]) / (len(places) - 2) if len(places) > 2 else 0.0
            places[0] = places[1] - (step or 1.0)
        return places


def finest_grid(hierarchy: Hierarchy) -> Grid | None:
    """Return the finest cells whose ends are declared; None where a hierarchy has none."""
    scale = _scale(hierarchy)
    if scale is None:
        return None
    distinct = np.unique(scale)
    if hierarchy.days is None and hierarchy.declared and _dense(distinct) and _few(distinct):
        return _ground_grid(hierarchy, scale)
    for level in range(1, hierarchy.height):
        bounds = _declared_bounds(hierarchy, level, len(scale))
        if bounds is None and hierarchy.days is None:
            return None
        if bounds is not None and (
            _far_apart(hierarchy, level) if hierarchy.marks else _coarse(hierarchy, bounds)
        ):
            return wide_grid(hierarchy, None, level)
    return None


def close_grid(hierarchy: Hierarchy) -> Grid | None:
    """Return the cells to whose ends means of numbers are rounded: all declared values that stand close, however many.

    A mean is nobody's value, so that it may be told to a step that is too fine for an end. None for dates, which have no means.
    """
    scale = None if hierarchy.days is not None else _scale(hierarchy)
    if scale is None:
        return None
    is_close = hierarchy.declared and _dense(np.unique(scale))
    return _ground_grid(hierarchy, scale) if is_close else finest_grid(hierarchy)


def mean_points(hierarchy: Hierarchy) -> list[str] | None:
    """Return the numbers to which means are rounded: all ends of the cells above; None where a hierarchy has none.

    Where the plan lists the ends they are all of these, whether anybody stands between two of them or not.
    """
    if hierarchy.marks:
        apart = (level for level in range(1, len(hierarchy.marks) + 1) if _far_apart(hierarchy, level))
        level = next(apart, None)
        return None if level is None else [shortest(f"{mark:f}") for mark in hierarchy.marks[level - 1]]
    grid = close_grid(hierarchy)
    if grid is None:
        return None
    return [end for own in grid.bounds for end in (own.low, own.high) if end is not None]


def wide_grid(hierarchy: Hierarchy, finest: Grid | None, level: int = 1) -> Grid:
    """Return the cells of the labels of a level, with the ends of the finest cells where a label has no bounds."""
    told = hierarchy.size - (hierarchy.ground[-1] is None)
    labels = hierarchy.levels[level].of_ground[:told]
    bounds = hierarchy.levels[level].bounds
    starts = np.append(0, 1 + np.flatnonzero(np.diff(labels)))
    stops = np.append(starts[1:], told) - 1
    cells = []
    for a, b in zip(starts.tolist(), stops.tolist(), strict=True):
        own = None if bounds is None else bounds[labels[a]]
        if own is None:
            assert finest is not None
            low, high = (finest.bounds[finest.cell_of[c]] for c in (a, b))
            own = Bounds(low.low, high.high, low.low_in, high.high_in)
        cells.append(own)
    return _grid(hierarchy, np.repeat(np.arange(len(starts)), stops - starts + 1), cells, level)


def _ground_grid(hierarchy: Hierarchy, scale: FloatArray) -> Grid:
    """Return the grid of the ground values, those under an open label of level 1 taken together.

    Ends are spelled by what they are, never as a cell of the table spells it: `037` or `3.7e1` would be somebody's.
    """
    level = hierarchy.levels[1 if hierarchy.height > 1 else 0]
    coded = np.zeros(len(scale), np.bool_)
    if level.bounds is not None:
        coded = np.array([bool(b and b.open) for b in level.bounds])[level.of_ground[: len(scale)]]
    label = level.of_ground[: len(scale)]
    new = np.append(True, (np.diff(scale) != 0) & ~(coded[1:] & coded[:-1] & (label[1:] == label[:-1])))
    bounds = []
    for code in np.flatnonzero(new).tolist():
        value = str(hierarchy.ground[code])
        text = shortest(value) if hierarchy.days is None else value[:10]  # the day of a timestamp
        own = level.bounds[label[code]] if level.bounds is not None and coded[code] else None
        bounds.append(own or Bounds(text, text))
    return _grid(hierarchy, np.cumsum(new) - 1, bounds, 0)


def _grid(hierarchy: Hierarchy, cells: IntArray, bounds: Sequence[Bounds], level: int) -> Grid:
    if hierarchy.ground[-1] is None:
        cells = np.append(cells, len(bounds))
    return Grid(cells.astype(np.int64), tuple(bounds), float if hierarchy.days is None else day_of, level)


def _scale(hierarchy: Hierarchy) -> FloatArray | None:
    """Return the ground values that are not missing as numbers or days."""
    told = hierarchy.size - (hierarchy.ground[-1] is None)
    if told == 0:
        return None
    if hierarchy.days is not None:
        return hierarchy.days[:told].astype(np.float64)
    return None if hierarchy.numbers is None else hierarchy.numbers[:told]


def _declared_bounds(hierarchy: Hierarchy, level: int, told: int) -> list[Bounds] | None:
    """Return the bounds of the labels of a level that ground values have; None where one of them has none."""
    bounds = hierarchy.levels[level].bounds
    if bounds is None:
        return None
    own = [bounds[code] for code in np.unique(hierarchy.levels[level].of_ground[:told]).tolist()]
    known = [bound for bound in own if bound is not None]
    return known if len(known) == len(own) else None


def _coarse(hierarchy: Hierarchy, bounds: Sequence[Bounds]) -> bool:
    """Say whether labels are so wide that where they end is not what somebody has."""
    if hierarchy.days is not None:
        return min(map(_days, bounds)) >= _MONTH
    widths = [_width(own) for own in bounds if not own.open]
    return not widths or _usually_wide(widths, _range(hierarchy))


def _far_apart(hierarchy: Hierarchy, level: int) -> bool:
    """Say of a level whose ends the plan lists whether it is coarse: by these alone, whoever stands between them."""
    widths = [[high - low for low, high in pairwise(marks)] for marks in hierarchy.marks]
    own = widths[level - 1]
    return not own or _usually_wide(own, max(max(level, default=Decimal(0)) for level in widths))


def _usually_wide(widths: Sequence[Decimal], reach: Decimal) -> bool:
    usual = sorted(widths)[len(widths) // 2]  # the outermost ones of a domain may be narrower
    unit = Decimal(10) ** min(_exponent(usual), 0)
    return usual >= _UNITS * unit and reach <= _SOME * usual


def _range(hierarchy: Hierarchy) -> Decimal:
    """Return how wide the widest label is that has ends, or the domain where it is declared."""
    if hierarchy.pitch is not None and hierarchy.pitch.reach is not None:
        return hierarchy.pitch.reach
    told = [
        own for level in hierarchy.levels for own in level.bounds or () if own is not None and not own.open
    ]
    if hierarchy.declared and hierarchy.numbers is not None:
        numbers = hierarchy.numbers[~np.isnan(hierarchy.numbers)]
        return Decimal(float(numbers[-1] - numbers[0]))
    return max(map(_width, told))


def _width(bounds: Bounds) -> Decimal:
    low, high = Decimal(str(bounds.low)), Decimal(str(bounds.high))
    return high - low + (bounds.low_in and bounds.high_in)  # of whole numbers from 20 to 24: five


def _exponent(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _days(bounds: Bounds) -> float:
    """Return how many days lie between the first and the last of a period; of an open one, more than any."""
    if bounds.low is None or bounds.high is None:
        return np.inf
    return day_of(bounds.high) - day_of(bounds.low)


def _dense(distinct: FloatArray) -> bool:
    if len(distinct) < 2:
        return True
    return bool(_steps(distinct) <= _DENSE * len(distinct))


def _few(distinct: FloatArray) -> bool:
    return len(distinct) < 2 or _steps(distinct) <= FEW


def _steps(distinct: FloatArray) -> float:
    """Return how many steps of the least size the range has; decimals are not exact in binary."""
    steps: float = (distinct[-1] - distinct[0]) / np.diff(distinct).min() * (1 - 1e-9)
    return steps


def day_of(text: str) -> float:
    """Return the day of an ISO date since 1970-01-01."""
    days, fine = iso_days([text])
    if not fine[0]:
        raise ValueError("not an ISO date")
    return float(days[0])
