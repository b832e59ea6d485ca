"""Naive twins of the privacy models: plain Python over lists of values, fractions instead of floats.

A class is a list of values of one sensitive column; the whole table is the list of all values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

Value = str | None


def written(number: float) -> Fraction:
    return Fraction(str(number))


def distinct(values: Sequence[Value]) -> int:
    return len(set(values))


def entropy_holds(values: Sequence[Value], l: float) -> bool:  # noqa: E741
    n = len(values)
    product = math.prod(c**c for c in Counter(values).values())
    return Fraction(n**n, product) >= written(l) ** n


def entropy(values: Sequence[Value]) -> float:
    n = len(values)
    return -sum(c / n * math.log(c / n) for c in Counter(values).values())


def recursive_holds(values: Sequence[Value], c: float, l: int) -> bool:  # noqa: E741
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < written(c) * sum(counts[l - 1 :])


def recursive_l(values: Sequence[Value], c: float) -> int:
    best = 1
    for l in range(2, len(set(values)) + 1):  # noqa: E741
        if recursive_holds(values, c, l):
            best = l
    return best


def share(values: Sequence[Value], value: Value) -> Fraction:
    return Fraction(values.count(value), len(values))


def equal_distance(values: Sequence[Value], table: Sequence[Value]) -> Fraction:
    return sum((abs(share(values, v) - share(table, v)) for v in set(table)), Fraction(0)) / 2


def ordered_distance(values: Sequence[Value], table: Sequence[Value], order: Sequence[Value]) -> Fraction:
    if len(order) < 2:
        return Fraction(0)
    running, moved = Fraction(0), Fraction(0)
    for value in order:
        running += share(values, value) - share(table, value)
        moved += abs(running)
    return moved / (len(order) - 1)


def hierarchical_distance(
    values: Sequence[Value], table: Sequence[Value], paths: dict[Value, tuple[Value, ...]]
) -> Fraction:
    """Li et al. 2007: each inner node moves the lesser of its children's positive and negative excess."""
    height = len(next(iter(paths.values()))) - 1
    cost = Fraction(0)
    for level in range(1, height + 1):
        for node in {path[level] for path in paths.values()}:
            children = {path[level - 1] for path in paths.values() if path[level] == node}
            extras = []
            for child in children:
                leaves = [v for v, path in paths.items() if path[level - 1] == child]
                extras.append(sum((share(values, v) - share(table, v) for v in leaves), Fraction(0)))
            up = sum((e for e in extras if e > 0), Fraction(0))
            down = sum((-e for e in extras if e < 0), Fraction(0))
            cost += Fraction(level, height) * min(up, down)
    return cost


def max_gain(values: Sequence[Value], table: Sequence[Value]) -> Fraction:
    """The greatest relative gain (q − p)/p over the values, 0 where none gains."""
    gains = [(share(values, v) - share(table, v)) / share(table, v) for v in set(values)]
    return max([Fraction(0), *gains])


def enhanced_holds(values: Sequence[Value], table: Sequence[Value], beta: float) -> bool:
    for v in set(values):
        p, q = share(table, v), share(values, v)
        gain = (q - p) / p
        if gain > written(beta) or gain > -math.log(p):
            return False
    return True


def disclosure(values: Sequence[Value], table: Sequence[Value], absent: bool) -> float:
    """The greatest |log q/p|; infinite where a value of the table is absent and `absent` counts."""
    shares = [(share(values, v), share(table, v)) for v in set(table)]
    if absent and any(q == 0 for q, _ in shares):
        return math.inf
    return max(abs(math.log(q / p)) for q, p in shares if q > 0)


def max_clusters(columns: Sequence[Sequence[Value]], p: int) -> int:
    """Condition 2 as printed."""
    n = len(columns[0])
    frequencies = [sorted(Counter(column).values(), reverse=True) for column in columns]
    return min((n - max(sum(f[: p - i]) for f in frequencies)) // i for i in range(1, p + 1))


def most_clusters_that_exist(rows: Sequence[tuple[Value, ...]], p: int) -> int:
    """The most p-sensitive groups into which the rows can be partitioned, by trying every partition."""
    best = 0
    for partition in partitions(list(range(len(rows)))):
        if all(len({rows[i][j] for i in part}) >= p for part in partition for j in range(len(rows[0]))):
            best = max(best, len(partition))
    return best


def partitions(items: list[int]) -> list[list[list[int]]]:
    if not items:
        return [[]]
    first, rest = items[0], items[1:]
    found = []
    for partition in partitions(rest):
        found.append([[first], *partition])
        found.extend(
            [*partition[:i], [first, *partition[i]], *partition[i + 1 :]] for i in range(len(partition))
        )
    return found


def average_risk_failing(sizes: Sequence[int], risk: float) -> list[bool]:
    """Drop the smallest classes, equal sizes together, until the mean size is at least 1/risk."""
    for least in sorted(set(sizes)):
        kept = [s for s in sizes if s >= least]
        if Fraction(len(kept), sum(kept)) <= written(risk):
            return [s < least for s in sizes]
    return [True] * len(sizes)


def all_columns(
    rows: Sequence[dict[str, Value]], columns: Sequence[str], holds: Callable[[str, list[Value]], bool]
) -> bool:
    return all(holds(column, [row[column] for row in rows]) for column in columns)
