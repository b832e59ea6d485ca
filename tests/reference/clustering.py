"""Naive clusterings, row by row in plain Python, with exact fractions.

A row is (codes of the quasi-identifiers, values of the watched sensitive attributes). Rows are handed over
sorted; ties go to the first row, then to the first cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

Row = tuple[tuple[int, ...], tuple[int, ...]]
Cluster = list[Row]


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier: numbers by code, or the path from each code up to the root."""

    weight: int
    numbers: dict[int, int] | None = None
    paths: dict[int, tuple[str | None, ...]] | None = None


@dataclass(frozen=True)
class Naive:
    """The measures of Truta et al., section 3.1, straight from their definitions."""

    attributes: Sequence[Attribute]
    table: Sequence[Row]
    p: tuple[int, ...] = ()

    def per_tuple(self, rows: Sequence[Row]) -> Fraction:
        """The information loss of a cluster divided by its size."""
        return sum(
            (self._cost(j, [row[0][j] for row in rows]) for j in range(len(self.attributes))), Fraction()
        )

    def _cost(self, j: int, codes: list[int]) -> Fraction:
        attribute = self.attributes[j]
        if attribute.numbers is not None:
            mine = [attribute.numbers[c] for c in codes]
            whole = [attribute.numbers[row[0][j]] for row in self.table]
            width = max(whole) - min(whole)
            return Fraction(attribute.weight * (max(mine) - min(mine)), width) if width else Fraction(0)
        assert attribute.paths is not None
        paths = [attribute.paths[c] for c in codes]
        level = next(h for h in range(len(paths[0])) if len({path[h] for path in paths}) == 1)
        return Fraction(attribute.weight * level, len(paths[0]) - 1)

    def loss(self, cluster: Sequence[Row]) -> Fraction:
        """Definition 9."""
        return len(cluster) * self.per_tuple(cluster) if cluster else Fraction(0)

    def rise(self, cluster: Cluster, row: Row) -> Fraction:
        return self.loss([*cluster, row]) - self.loss(cluster)

    def lacking(self, cluster: Sequence[Row]) -> tuple[int, ...]:
        """p − y of each attribute."""
        return tuple(max(0, p - len({row[1][i] for row in cluster})) for i, p in enumerate(self.p))

    def diverse(self, cluster: Sequence[Row]) -> bool:
        return not any(self.lacking(cluster))

    def diversity(self, row: Row, cluster: Cluster) -> int:
        """Definition 11 with equal weights, times their number."""
        before, after = self.lacking(cluster), self.lacking([*cluster, row])
        return sum((b - a) * b for b, a in zip(before, after, strict=True))


def _disperse(naive: Naive, clusters: list[Cluster], rest: Sequence[Row]) -> None:
    for row in sorted(rest):
        min(clusters, key=lambda cluster: naive.rise(cluster, row)).append(row)


def greedy(naive: Naive, k: int, start: int) -> list[Cluster]:
    """k-member (without p) and greedy-pk: `start` is the row that the first cluster is furthest from."""
    pool, clusters = list(naive.table), []
    last = pool[start]
    while len(pool) >= k:
        reference = last
        last = max(pool, key=lambda row: naive.per_tuple([reference, row]))
        cluster = [last]
        pool.remove(last)
        while not (naive.diverse(cluster) and len(cluster) >= k):
            helpful = [r for r in pool if naive.diverse(cluster) or naive.diversity(r, cluster) > 0]
            if not helpful:
                pool += cluster
                cluster = []
                break
            last = min(helpful, key=lambda row: naive.per_tuple([*cluster, row]))
            cluster.append(last)
            pool.remove(last)
        if not cluster:
            break
        clusters.append(cluster)
    if not clusters:
        return [list(naive.table)]
    _disperse(naive, clusters, pool)
    return clusters


def enhanced(naive: Naive, size: int, m: int) -> list[Cluster]:
    """The five steps, for the hardest attribute first and at most m clusters."""
    p = naive.p[0]
    pool = list(naive.table)
    clusters: list[Cluster] = [[] for _ in range(m)]
    frequency = Counter(row[1][0] for row in pool)
    values = sorted(frequency, key=lambda v: (-frequency[v], v))
    frequent = [v for v in values if frequency[v] >= m][: p - 1]
    waiting = [i % m for i in range((p - len(frequent)) * m)]
    for value in reversed(values[len(frequent) :]):
        for _ in range(min(frequency[value], m, len(waiting))):
            cluster = clusters[waiting.pop(0)]
            row = _best(naive, [r for r in pool if r[1][0] == value], cluster)
            cluster.append(row)
            pool.remove(row)
    for value in reversed(frequent):
        open_ = list(clusters)
        while open_:
            rows = [r for r in pool if r[1][0] == value]
            pairs = [(-naive.diversity(_best(naive, rows, c), c), naive.rise(c, _best(naive, rows, c)), i)
                     for i, c in enumerate(open_)]  # fmt: skip
            cluster = open_.pop(min(pairs)[2])
            row = _best(naive, rows, cluster)
            cluster.append(row)
            pool.remove(row)
    clusters = _diversified(naive, sorted(clusters, key=lambda c: sum(naive.lacking(c))), pool)
    if not clusters:
        return [list(naive.table)]
    clusters.sort(key=len, reverse=True)
    full = [c for c in clusters if len(c) >= size]
    possible = len(full) + (len(naive.table) - sum(map(len, full))) // size
    pool += [row for cluster in clusters[possible:] for row in cluster]
    pool.sort()
    clusters = clusters[:possible]
    for cluster in clusters:
        while len(cluster) < size:
            current = cluster
            row = min(pool, key=lambda r: naive.per_tuple([*current, r]))
            cluster.append(row)
            pool.remove(row)
    _disperse(naive, clusters, pool)
    return clusters


def _best(naive: Naive, rows: Sequence[Row], cluster: Cluster) -> Row:
    return min(rows, key=lambda r: (-naive.diversity(r, cluster), naive.per_tuple([*cluster, r])))


def _diversified(naive: Naive, clusters: list[Cluster], pool: list[Row]) -> list[Cluster]:
    h = 0
    while h < len(clusters):
        while pool and not naive.diverse(clusters[h]):
            row = _best(naive, pool, clusters[h])
            if naive.diversity(row, clusters[h]) == 0:
                break
            clusters[h].append(row)
            pool.remove(row)
        if naive.diverse(clusters[h]):
            h += 1
        else:
            pool += clusters.pop()
            pool.sort()
    return clusters


def most_clusters(frequencies: Sequence[int], p: int) -> int:
    """The most disjoint groups of p different values, by trying: deal from the most frequent values."""
    left, made = sorted(frequencies, reverse=True), 0
    while len(left) >= p and left[p - 1] > 0:
        left = sorted([*(f - 1 for f in left[:p]), *left[p:]], reverse=True)
        made += 1
    return made


def may_take(stock: Sequence[int], held: set[int], p: int, later: int, value: int) -> bool:
    """Whether a cluster that holds these values may take another tuple of `value` and still be completed.

    Completed: there are p different values in it, and what is left serves `later` clusters more.
    """
    left = list(stock)
    left[value] -= 1
    missing = max(0, p - len(held | {value}))
    others = [v for v in range(len(left)) if v not in held | {value} and left[v] > 0]
    for chosen in combinations(others, missing):
        rest = [f - (v in chosen) for v, f in enumerate(left)]
        if later == 0 or most_clusters(rest, p) >= later:
            return True
    return False


def most_clusters_of_rows(rows: Sequence[tuple[int, ...]], p: int) -> int:
    """The most disjoint groups of rows with p different values of every attribute, by exhaustion."""
    if not rows:
        return 0
    first, rest = rows[0], list(rows[1:])
    best = most_clusters_of_rows(rest, p)
    for size in range(p - 1, len(rest) + 1):
        for chosen in combinations(range(len(rest)), size):
            members = [first, *(rest[i] for i in chosen)]
            if all(len(set(column)) >= p for column in zip(*members, strict=True)):
                left = [row for i, row in enumerate(rest) if i not in chosen]
                best = max(best, 1 + most_clusters_of_rows(left, p))
    return best
