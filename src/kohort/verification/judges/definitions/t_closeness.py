"""t-closeness (Li et al. 2007): no class's values are farther than t from the whole table's.

Where people have several rows, a distance is the greatest of several readings: each person a mass of 1, spread evenly over
their values; for equal and hierarchical, the greatest difference of the shares of people who hold a value, as a mean over
the levels below the root; for ordered, each person as the least, and as the greatest, of their values.
"""

from __future__ import annotations

from math import inf, lcm
from typing import Protocol

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.distances import DISTANCES, Ratio
from kohort.verification.judges.definitions.exact import above, greatest_ratio, written
from kohort.verification.judges.definitions.exact import whole as reckoned
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.held import Held
from kohort.verification.judges.definitions.order import ranks
from kohort.verification.judges.definitions.whole import Whole, per_value

EVEN = 16  # values up to which a person's mass is spread evenly to the unit


class Asked(Protocol):
    """The parameters."""

    t: float
    columns: tuple[str, ...]
    distance: str


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether all classes are within t, and the greatest distance; nobody is alone."""
    if len(counted) == 0:
        return Finding(True, -inf)
    measured = [ratio for column in asked.columns for ratio in _measured(asked.distance, counted, column)]
    far = any(above(work, unit, written(asked.t)).any() for work, unit in measured)
    together = bool((counted.people > 1).all())
    return Finding(together and not far, max(greatest_ratio(work, unit) for work, unit in measured))


def _measured(distance: str, counted: Counted, column: str) -> list[Ratio]:
    """Return the distance of each class by every reading."""
    table, measure = counted.wholes[column], DISTANCES[distance]
    if table.held is None:
        return [measure(counted.holding(column), table.records, table)]
    own, size = _held(counted, column), len(table.labels)
    units = lcm(*range(1, min(int(np.bincount(table.held.entries.owner).max()), EVEN) + 1))
    found = [measure(own.spread(units), per_value(table.held.spread(units), size), table)]
    if distance != "ordered":
        return [*found, _shares(own, counted.people, table, deep=distance == "hierarchical")]
    for rank in (ranks(table), size - 1 - ranks(table)):
        found.append(measure(own.first_of(rank), per_value(table.held.first_of(rank), size), table))
    return found


def _held(counted: Counted, column: str) -> Held:
    """Return who holds what; where everybody in the release has one row, each is somebody else."""
    if column in counted.held:
        return counted.held[column]
    values = counted.values[column]
    owner, value = np.repeat(values.owner, values.count), np.repeat(values.value, values.count)
    return Held.of(owner, np.arange(len(owner)), value)


def _shares(own: Held, people: IntArray, table: Whole, *, deep: bool) -> Ratio:
    """Return the greatest difference of a share of people, as a mean over levels: Σ max |c·N − C·n| of levels·n·N."""
    assert table.held is not None
    levels = [np.arange(len(table.labels)), *(table.ancestors()[1:-1] if deep else [])]
    N, most = table.people, len(levels) * table.people * int(people.max())
    n = reckoned(people, most)
    work = np.zeros_like(n)
    for up in levels:
        size = int(up.max()) + 1
        C = reckoned(per_value(table.held.rolled_up(up).holding(), size), most)
        for these, counts in own.rolled_up(up).holding().matrices(size):
            work[these] += np.abs(reckoned(counts, most) * N - C * n[these, None]).max(axis=1)
    return work, n * (N * len(levels))
