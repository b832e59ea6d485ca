"""Naive twins of the promises about people: plain Python over (person, value) rows, fractions instead of floats.

A class is a list of (person, value), one per row; so is the whole table. Written from docs/decisions/0007-people.md,
not from the code.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from tests.reference import models as naive
from tests.reference.models import Value

Rows = Sequence[tuple[int, Value]]
EVEN = 60  # divisible by every number of values that a person of the tests can hold


def held(rows: Rows) -> dict[int, set[Value]]:
    """What each person holds."""
    found: dict[int, set[Value]] = {}
    for person, value in rows:
        found.setdefault(person, set()).add(value)
    return found


def share(rows: Rows, value: Value) -> Fraction:
    """The share of people who hold the value in any of their rows."""
    people = held(rows)
    return Fraction(sum(value in values for values in people.values()), len(people))


def greatest_share(rows: Rows) -> Fraction:
    return max(share(rows, value) for _, value in rows)


def reading(rows: Rows) -> list[Value]:
    """One value per person, by ranks: the most frequent values as often as people hold them, as long as people last."""
    people = held(rows)
    left, ranks = len(people), []
    holding = Counter(value for values in people.values() for value in values)
    for rank, (_, count) in enumerate(holding.most_common()):
        ranks += [str(rank)] * min(count, left)
        left -= min(count, left)
    return ranks


def choices(rows: Rows) -> list[tuple[Value, ...]]:
    """Every choice of one of their own values for each person."""
    return list(product(*held(rows).values()))


def gain(rows: Rows, table: Rows) -> Fraction:
    gains = [(share(rows, v) - share(table, v)) / share(table, v) for _, v in rows]
    return max([Fraction(0), *gains])


def enhanced(rows: Rows, table: Rows, beta: float) -> bool:
    for value in {value for _, value in rows}:
        p, q = share(table, value), share(rows, value)
        if (q - p) / p > naive.written(beta) or (q - p) / p > -math.log(p):
            return False
    return True


def disclosure(rows: Rows, table: Rows, absent: bool) -> float:
    shares = [(share(rows, v), share(table, v)) for v in {value for _, value in table}]
    if absent and any(q == 0 for q, _ in shares):
        return math.inf
    return max(abs(math.log(q / p)) for q, p in shares if q > 0)


def spread(rows: Rows) -> list[Value]:
    """The values with each person's mass spread evenly over theirs."""
    return [v for values in held(rows).values() for v in values for _ in range(EVEN // len(values))]


def ends(rows: Rows, order: Sequence[Value], pick: Callable[..., Value]) -> list[Value]:
    return [pick(values, key=order.index) for values in held(rows).values()]


def masses(rows: Rows) -> dict[Value, Fraction]:
    """The share of each value when each person's mass is spread evenly over theirs."""
    people = held(rows)
    found: dict[Value, Fraction] = {}
    for values in people.values():
        for value in values:
            found[value] = found.get(value, Fraction(0)) + Fraction(1, len(values) * len(people))
    return found


def equal(rows: Rows, table: Rows) -> Fraction:
    apart = max(abs(share(rows, v) - share(table, v)) for v in {v for _, v in table})
    own, whole = masses(rows), masses(table)
    moved = sum((abs(own.get(v, Fraction(0)) - mass) for v, mass in whole.items()), Fraction(0)) / 2
    return max(moved, apart)


def ordered(rows: Rows, table: Rows, order: Sequence[Value]) -> Fraction:
    readings = [(spread(rows), spread(table))]
    readings += [(ends(rows, order, pick), ends(table, order, pick)) for pick in (min, max)]
    return max(naive.ordered_distance(own, whole, order) for own, whole in readings)


def hierarchical(rows: Rows, table: Rows, paths: dict[Value, tuple[Value, ...]]) -> Fraction:
    height = len(next(iter(paths.values()))) - 1
    apart = Fraction(0)
    for level in range(height):
        own, whole = ([(p, paths[v][level]) for p, v in some] for some in (rows, table))
        apart += max(abs(share(own, node) - share(whole, node)) for _, node in whole) / height
    return max(naive.hierarchical_distance(spread(rows), spread(table), paths), apart)


def average_risk(classes: Sequence[set[int]]) -> Fraction:
    """The mean over people of 1 over the size of their smallest class."""
    people = set().union(*classes)
    return sum((Fraction(1, min(len(c) for c in classes if p in c)) for p in people), Fraction(0)) / len(
        people
    )
