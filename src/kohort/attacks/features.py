"""What an intruder knows of people as few codes per column: numbers and dates in bins, other values by their headings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.attacks.target import Target
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.numerals import numbers_of
from kohort.table import Column

BINS = 20  # of numbers and dates
HEADINGS = 100  # of other values: where there are more, they are read at the finest level that has no more


def known_features(target: Target) -> list[IntArray]:
    """Return what is known of each released row's person: codes, a column each."""
    if target.apart is not None:
        return [binned(target.released[name], target.hierarchies.get(name)) for name in target.quasi]
    assert target.original is not None
    return [binned(target.original[name], target.hierarchies.get(name))[target.rows] for name in target.quasi]


def binned(column: Column, hierarchy: Hierarchy | None = None) -> IntArray:
    """Return the codes of a column, in bins of as many rows each where it holds many numbers or dates."""
    if len(column.texts) <= BINS:
        return column.codes
    numbers = numbers_of(column.texts)
    numbers = days_of(column.texts) if numbers is None else numbers
    if numbers is None:
        return _headed(column, hierarchy)
    known = numbers[column.codes]
    cuts = np.nanquantile(known, np.linspace(0, 1, BINS + 1)[1:-1])
    return np.asarray(np.searchsorted(cuts, np.nan_to_num(numbers, nan=np.inf))[column.codes])


def days_of(texts: Sequence[str | None]) -> FloatArray | None:
    """Return the texts as days, nan for missing; None unless all are dates as ISO 8601 writes them."""
    try:
        days = [np.nan if t is None else datetime.fromisoformat(t).toordinal() for t in texts]
    except ValueError:
        return None
    return np.array(days, np.float64) if any(text is not None for text in texts) else None


def _headed(column: Column, hierarchy: Hierarchy | None) -> IntArray:
    if hierarchy is None or len(column.texts) <= HEADINGS:
        return column.codes
    ground = hierarchy.codes_of(column.texts)
    if (ground < 0).any():
        return column.codes
    level = next((level for level in hierarchy.levels if len(level.labels) <= HEADINGS), hierarchy.levels[-1])
    return np.asarray(level.of_ground[ground][column.codes])
