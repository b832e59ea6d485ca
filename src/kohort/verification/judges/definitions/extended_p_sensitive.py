"""Extended p-sensitive k-anonymity (Campan and Truta 2006): values of a class lie under at least p strong nodes.

A value's strong node is the highest of its ancestors that is protected, by its label or by its level; the value itself
where none is.
"""

from __future__ import annotations

from math import inf
from typing import Protocol

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.diversity import least_values
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.tally import tally
from kohort.verification.judges.definitions.whole import Whole


class Asked(Protocol):
    """The parameters."""

    p: int
    k: int
    columns: tuple[str, ...]
    protected: tuple[str, ...]
    level: int | None


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether all classes have values under p strong nodes and k people, and the least number of such nodes."""
    if len(counted) == 0:
        return Finding(True, inf)
    nodes = min(_least_nodes(asked, counted, column) for column in asked.columns)
    return Finding(nodes >= asked.p and int(counted.people.min()) >= asked.k, float(nodes))


def _least_nodes(asked: Asked, counted: Counted, column: str) -> int:
    strong = _strong_nodes(asked, counted.wholes[column])
    if column in counted.held:
        return least_values(counted.held[column].rolled_up(strong).holding(), counted.people)
    values = counted.values[column]
    return least_values(tally(values.owner, strong[values.value], values.count), counted.people)


def _strong_nodes(asked: Asked, whole: Whole) -> IntArray:
    """Return a number for the strong node of each value."""
    assert whole.hierarchy is not None
    top = len(whole.hierarchy.levels) - 1
    guarding = None if asked.level is None else min(asked.level, top)  # a level above the top means the top
    number_of: dict[tuple[int, int], int] = {}
    found = []
    for path in np.column_stack(whole.ancestors()).tolist():
        strong = (0, path[0])
        for height, node in enumerate(path):
            if height == guarding or whole.hierarchy.levels[height].labels[node] in asked.protected:
                strong = (height, node)
        found.append(number_of.setdefault(strong, len(number_of)))
    return np.array(found, np.int64)
