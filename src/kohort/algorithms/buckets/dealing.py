"""Anatomy's dealing of records into groups; every draw is the operating system's."""

from __future__ import annotations

import heapq

import numpy as np

from kohort.arrays import IntArray
from kohort.chance import below, permutation
from kohort.errors import InfeasibleError


def check_eligible(values: IntArray, l: int, column: str) -> None:  # noqa: E741
    """Raise InfeasibleError where some value is held by more than n/l records (Xiao and Tao, property 1)."""
    most = int(np.bincount(values).max(initial=0))
    if most * l > len(values):
        reachable = len(values) // most if most else 0
        raise InfeasibleError(
            f"anatomy: one value of {column!r} is held by {most / len(values):.1%} of the records, and l = {l} "
            f"allows {1 / l:.1%}; the greatest l that is possible is {reachable}",
            nearest={"l": reachable, "share": most / len(values)},
            code="infeasible.too-few-values",
            algorithm="anatomy",
            column=column,
        )


def dealt(values: IntArray, l: int) -> IntArray:  # noqa: E741
    """Return the group of each record: l different values each, and the last few records spread over them.

    Which record of a value comes when is drawn, and so is which of two equally frequent values comes first. So
    given what is published, every way to pair the records of a group with its values is equally likely.
    """
    counts = np.bincount(values)
    drawn = permutation(len(values))
    order = drawn[np.argsort(values[drawn], kind="stable")]
    ends, rank = np.cumsum(counts), permutation(len(counts)).tolist()
    heap = [(-int(count), rank[value], value) for value, count in enumerate(counts) if count]
    heapq.heapify(heap)
    groups = np.empty(len(values), np.int64)
    members: list[set[int]] = []
    while len(heap) >= l:
        taken = [heapq.heappop(heap) for _ in range(l)]
        for left, tie, value in taken:
            groups[order[ends[value] + left]] = len(members)
            if left + 1 < 0:
                heapq.heappush(heap, (left + 1, tie, value))
        members.append({value for _, _, value in taken})
    for left, _, value in heap:
        for place in range(left, 0):
            free = [g for g, held in enumerate(members) if value not in held]
            chosen = free[below(len(free))]
            members[chosen].add(value)
            groups[order[ends[value] + place]] = chosen
    return groups


def united(groups: IntArray, least: int) -> IntArray:
    """Return the groups united with the next ones until each holds `least` records or more."""
    sizes = np.bincount(groups)
    onto = np.empty(len(sizes), np.int64)
    current, held = 0, 0
    for g, size in enumerate(sizes.tolist()):
        onto[g] = current
        held += size
        if held >= least:
            current, held = current + 1, 0
    if held:  # the last ones are too few: they join the group before
        onto[onto == current] = max(current - 1, 0)
    return np.asarray(onto[groups])


def numbered(groups: IntArray) -> IntArray:
    """Return the groups by numbers from 1 that tell nothing of how they were made."""
    return np.asarray((permutation(int(groups.max()) + 1) + 1)[groups])
