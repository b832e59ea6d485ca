"""Where intervals begin and end, however that is written: `[20, 30)` and `20-29` of whole numbers, and `1962-01` by its days."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kohort.hierarchy import Hierarchy
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.grid import day_of, wide_grid

End = tuple[float | None, bool]  # where it is, and whether it belongs to the interval; None: there is none


def cells_from(hierarchy: Hierarchy, low: int) -> Iterator[Bounds]:
    """Yield where labels of a level or above begin and end."""
    grid = hierarchy.grid
    for height in range(low, hierarchy.height + 1):
        own = hierarchy.levels[height].bounds
        if grid is not None and grid.level <= height < hierarchy.height:
            yield from wide_grid(hierarchy, grid, height).bounds
        yield from (ends for ends in own or () if ends is not None)


def reach_of(hierarchy: Hierarchy, own: Bounds, whole: bool) -> tuple[float | None, float | None]:
    """Return where an interval begins and ends; of whole numbers and days its first and its last."""
    low, high = (None if end is None else _place_of(hierarchy, end) for end in (own.low, own.high))
    # an end between two whole numbers stays where it is: no cell ends there
    if whole and low is not None and low.is_integer():
        low += not own.low_in
    if whole and high is not None and high.is_integer():
        high -= not own.high_in
    return low, high


def is_whole(hierarchy: Hierarchy) -> bool:
    """Say whether all ground values are whole numbers, or days."""
    if hierarchy.numbers is None:
        return True
    told = hierarchy.numbers[~np.isnan(hierarchy.numbers)]
    return bool((told == np.floor(told)).all())


def _place_of(hierarchy: Hierarchy, end: str) -> float:
    """Return where an end of an interval lies: a number, or a day."""
    return float(end) if hierarchy.days is None else day_of(end)


def ends_where_cells_do(hierarchy: Hierarchy, own: Bounds, low: int) -> bool:
    """Say whether an interval begins and ends where labels of a level or above do; False where its ends are no numbers or dates.

    Where values are not declared, `[20, 29]` of whole numbers says more than `[20, 30)` does: no 29.5 may be there.
    """
    cells = list(cells_from(hierarchy, low))
    closed = all(cell.open or (cell.low_in and cell.high_in) for cell in cells)
    whole = is_whole(hierarchy) and (hierarchy.declared or closed)
    begins, ends = ({_ends(hierarchy, cell, whole)[side] for cell in cells} for side in (0, 1))
    try:
        begin, end = _ends(hierarchy, own, whole)
    except ValueError:
        return False
    return begin in begins and end in ends


def lies_between(hierarchy: Hierarchy, own: Bounds, outer: Bounds | None) -> bool:
    """Say whether an interval lies between the ends of another; None: whether it begins where it ends.

    Of whole numbers `[30, 40)` lies within 30-39; of others it does not, for 39.5 may be there.
    """
    whole = is_whole(hierarchy)
    (low, low_in), (high, high_in) = _ends(hierarchy, own, whole)
    if outer is None:
        return low == high
    (least, least_in), (most, most_in) = _ends(hierarchy, outer, whole)
    begins = least is None or (low is not None and (low, not low_in) >= (least, not least_in))
    return begins and (most is None or (high is not None and (high, high_in) <= (most, most_in)))


def _ends(hierarchy: Hierarchy, own: Bounds, whole: bool) -> tuple[End, End]:
    low, high = reach_of(hierarchy, own, whole)
    return _end(low, own.low_in, whole), _end(high, own.high_in, whole)


def _end(place: float | None, inside: bool, whole: bool) -> End:
    """Return an end that can be compared: where there is none nothing belongs to it, and a whole number that is reached does."""
    return place, place is not None and (inside or (whole and place.is_integer()))
