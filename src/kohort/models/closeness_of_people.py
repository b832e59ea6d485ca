"""How far the people of a class are from those of the whole table, where people hold several values.

A distance is the greatest of several readings, each of which is the paper's distance where everybody has one row:

- *spread*: each person is a mass of 1, spread evenly over their values; the earth mover's distance of the masses.
  Whole units are spread, 720,720 at most, so it is even to the unit where somebody holds more than 16 values.
- *shares* (equal, hierarchical): the greatest difference between the shares of people who hold a value at all,
  in the class and in the table; hierarchical: the mean of that over the levels below the root. A mass may stay as it
  is while everybody comes to hold a value beside others; the share does not. With one value each, the greatest
  difference is at most the sum of the positive ones, which is the earth mover's distance.
- *least* and *greatest* (ordered): each person counts as the least, then as the greatest of their values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, Holders
from kohort.models.earth_mover import (
    EarthMover,
    Equal,
    Hierarchical,
    Ordered,
    Work,
    domain_order,
    kind_of,
    rolled_up,
)
from kohort.models.model import Attribute
from kohort.models.segments import maxima, minima

Reading = Callable[[Holders], Histogram]
Measure = Callable[[Classes, bool], Work]  # exactly, where asked for, however large the numbers are
MOVERS: dict[str, Callable[[Attribute], EarthMover]] = {
    "equal": Equal,
    "ordered": Ordered,
    "hierarchical": Hierarchical,
}
_EVEN = 16  # values up to which a person's mass is spread exactly


def measures(attribute: Attribute, distance: str) -> tuple[Measure, ...]:
    """Return what measures a column's distance from the whole table; the greatest of them counts."""
    if attribute.pairs is None:
        mover, name = MOVERS[distance](attribute), attribute.name
        return (lambda classes, exact: mover.work(classes.people_holding(name), exact),)
    units = lcm(*range(1, min(attribute.pairs.most, _EVEN) + 1))
    readings = [_moved(attribute, distance, partial(spread, units=units), units)]
    if distance == "ordered":
        rank = np.argsort(domain_order(attribute))
        readings += [
            _moved(attribute, distance, partial(one_value, rank=rank)),
            _moved(attribute, distance, partial(one_value, rank=-rank)),
        ]
        return tuple(readings)
    return *readings, _shares(attribute, distance)


def _moved(attribute: Attribute, distance: str, reading: Reading, units: int = 1) -> Measure:
    """Return the earth mover's distance by a reading; a person is `units`."""
    assert attribute.pairs is not None
    totals = reading(attribute.pairs.whole()).dense()[0]
    mover = MOVERS[distance](replace(attribute, totals=totals, pairs=None))

    def measure(classes: Classes, exact: bool) -> Work:
        holders = classes.holders.get(attribute.name)
        if holders is not None:
            return mover.work(reading(holders), exact)
        held = classes.people_holding(attribute.name)
        return mover.work(replace(held, counts=held.counts * units), exact)

    return measure


def spread(holders: Holders, units: int) -> Histogram:
    """Return the masses of the values when each person's `units` are spread over the values they hold in a class."""
    member, members = holders.in_class()
    held = np.bincount(member, minlength=members)[member]
    counts = units // held
    if (units % held).any():  # what is left over goes to the first values, a unit each
        order = np.argsort(member, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order)) - np.searchsorted(member[order], member[order])
        counts = counts + (rank < units % held)
    entries = replace(
        holders.entries,
        values=holders.pairs.value[holders.entries.values],
        counts=counts,
        size=holders.pairs.n_values,
    )
    return entries.merged(np.arange(holders.n_classes), holders.n_classes)


def one_value(holders: Holders, rank: IntArray) -> Histogram:
    """Return the people of each class by the one of their values that is first in the rank."""
    value, (member, members) = holders.pairs.value[holders.entries.values], holders.in_class()
    first, owner = np.full(members, np.iinfo(np.int64).max), np.empty(members, np.int64)
    np.minimum.at(first, member, rank[value])
    owner[member] = holders.entries.owners
    of_rank = np.argsort(rank)  # ranks are -(m - 1) … 0 or 0 … m - 1
    chosen = of_rank[first - rank.min()].astype(np.int32)
    return Histogram.of(owner, chosen, holders.n_classes, holders.pairs.n_values)


def _shares(attribute: Attribute, distance: str) -> Measure:
    """Return the greatest difference of shares of people, the mean over levels where a hierarchy is told."""
    pairs, levels = attribute.pairs, [(np.arange(len(attribute.labels)), len(attribute.labels))]
    assert pairs is not None
    if distance == "hierarchical" and attribute.hierarchy is not None and attribute.ground is not None:
        above = attribute.hierarchy.levels[1:-1]
        levels += [(level.of_ground[attribute.ground], len(level.labels)) for level in above]
    tables = [pairs.whole().rolled_up(up, size).people.dense()[0] for up, size in levels]
    whole = pairs.n_people
    fits = whole * whole * len(levels) < 2**62

    def measure(classes: Classes, exact: bool) -> Work:
        n = classes.sizes.astype(kind_of(fits, exact))
        worst = np.zeros_like(n)
        for (up, size), table in zip(levels, tables, strict=True):
            worst += _greatest_difference(_at_level(classes, attribute.name, up, size), table, n, whole)
        return worst, n * (whole * len(levels))

    return measure


def _at_level(classes: Classes, column: str, up: IntArray, size: int) -> Histogram:
    holders = classes.holders.get(column)
    if holders is None:
        return rolled_up(classes.people_holding(column), up, size)
    return holders.rolled_up(up, size).people


def _greatest_difference(held: Histogram, table: IntArray, n: NDArray[Any], whole: int) -> NDArray[Any]:
    """Return the greatest |c·N − C·n| of each class over all values, those absent from it included."""
    size = np.repeat(n, np.diff(held.starts))
    excess = held.counts.astype(n.dtype) * whole - table[held.values].astype(n.dtype) * size
    return np.asarray(np.maximum(maxima(held.starts, np.abs(excess)), _greatest_absent(held, table) * n))


def _greatest_absent(held: Histogram, table: IntArray) -> IntArray:
    """Return, per class, the people of the table who hold the most frequent value that is absent from the class."""
    order = np.argsort(-table, kind="stable")
    rank = np.argsort(order)
    ranks = np.sort(held.owners * held.size + rank[held.values]) - held.owners * held.size
    lengths = np.diff(held.starts)
    place = np.arange(len(ranks)) - np.repeat(held.starts[:-1], lengths)
    # Ranks of a class stand in order, so the first that is not at its own place leaves a gap there.
    gap = minima(held.starts, np.where(ranks == place, np.repeat(lengths, lengths), place))
    return np.asarray(np.append(table[order], 0)[gap])
