"""Microaggregation in the plainest Python: the twins of its kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum, inf, sqrt

Record = tuple[tuple[float, ...], tuple[int, ...]]  # coordinates, and codes that are equal or not


def distance(one: Record, other: Record, weights: Sequence[float]) -> float:
    """The squared distance."""
    far = 0.0
    for a, b in zip(one[0], other[0], strict=True):
        far += (a - b) * (a - b)
    for a_code, b_code, weight in zip(one[1], other[1], weights, strict=True):
        far += weight if a_code != b_code else 0.0
    return far


def centroid(records: Sequence[Record]) -> Record:
    """The mean coordinates and the most frequent codes, of equals the least."""
    n = len(records)
    means = tuple(fsum(column) / n for column in zip(*(r[0] for r in records), strict=True))
    codes = zip(*(r[1] for r in records), strict=True)
    modes = tuple(min(Counter(column).items(), key=lambda item: (-item[1], item[0]))[0] for column in codes)
    return means, modes


def _nearest(
    records: Sequence[Record], free: list[int], to: Record, k: int, weights: Sequence[float]
) -> list[int]:
    return sorted(free, key=lambda i: (distance(records[i], to, weights), i))[:k]


def _farthest(records: Sequence[Record], free: list[int], to: Record, weights: Sequence[float]) -> int:
    return max(free, key=lambda i: (distance(records[i], to, weights), -i))


def mdav(records: Sequence[Record], weights: Sequence[float], k: int) -> list[list[int]]:
    """The groups of MDAV."""
    free, groups = list(range(len(records))), []
    while len(free) >= 2 * k:
        one = _farthest(records, free, centroid([records[i] for i in free]), weights)
        other = _farthest(records, free, records[one], weights)
        seeds = [one, other] if len(free) >= 3 * k else [one]
        for seed in seeds:
            groups.append(_nearest(records, free, records[seed], k, weights))
            free = [i for i in free if i not in groups[-1]]
    return [*groups, free] if free else groups


def v_mdav(records: Sequence[Record], weights: Sequence[float], k: int, gain: float) -> list[list[int]]:
    """The groups of V-MDAV before the last few records are put somewhere; those come as a last list."""
    free, groups = list(range(len(records))), []
    middle = centroid(records)
    while len(free) >= k:
        one = _farthest(records, free, middle, weights)
        group = _nearest(records, free, records[one], k, weights)
        free = [i for i in free if i not in group]
        while len(group) < 2 * k - 1 and free:

            def to_group(i: int, group: list[int] = group) -> float:
                return min(distance(records[i], records[g], weights) for g in group)

            best = min(free, key=lambda i: (to_group(i), i))
            beside = min(
                (distance(records[best], records[i], weights) for i in free if i != best), default=inf
            )
            if not sqrt(to_group(best)) < gain * sqrt(beside):
                break
            group.append(best)
            free.remove(best)
        groups.append(group)
    return [*groups, free]


def partitions(n: int, k: int) -> Iterator[list[list[int]]]:
    """All partitions of 0 … n - 1 into groups of k or more."""

    def grow(items: list[int], groups: list[list[int]]) -> Iterator[list[list[int]]]:
        if not items:
            if all(len(group) >= k for group in groups):
                yield [list(group) for group in groups]
            return
        for group in groups:
            group.append(items[0])
            yield from grow(items[1:], groups)
            group.pop()
        yield from grow(items[1:], [*groups, [items[0]]])

    yield from grow(list(range(n)), [])


def squares(values: Sequence[float], groups: Sequence[Sequence[int]]) -> float:
    """The sum of squares around the means of the groups."""
    total = []
    for group in groups:
        mean = fsum(values[i] for i in group) / len(group)
        total += [(values[i] - mean) ** 2 for i in group]
    return fsum(total)
