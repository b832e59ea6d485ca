"""Mondrian, record by record and in the plainest Python: the twin of the partition kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from kohort.hierarchy import Hierarchy

Rows = list[int]


class Box(NamedTuple):
    """The records of one group and the first and last ground code of its box in every attribute."""

    rows: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]


class Asked(NamedTuple):
    """What is to be partitioned: ground codes record by record, and which groups may be released."""

    codes: Sequence[Sequence[int]]
    hierarchies: Sequence[Hierarchy]
    k: int
    keeps: Callable[[Rows], bool]
    relaxed: bool = False
    by_tree: bool = False


def mondrian(asked: Asked, order: Sequence[int]) -> list[Box]:
    """Return the groups of the records named in `order`, which is also the order that ties are dealt in."""
    low = tuple(0 for _ in asked.hierarchies)
    high = tuple(h.size - 1 for h in asked.hierarchies)
    return _cut(asked, Box(tuple(order), low, high))


def _cut(asked: Asked, box: Box) -> list[Box]:
    for parts in _candidates(asked, box):
        if all(asked.keeps(list(part.rows)) for part in parts):
            return [found for part in parts for found in _cut(asked, part)]
    return [box]


def _position(hierarchy: Hierarchy, code: int) -> float:
    if hierarchy.numbers is None:
        return float(code)
    if hierarchy.ground[code] is None:
        told = [
            float(number)
            for number, text in zip(hierarchy.numbers, hierarchy.ground, strict=True)
            if text is not None
        ]
        return told[-1] + ((told[-1] - told[0]) / (len(told) - 1) if len(told) > 1 else 1.0)
    return float(hierarchy.numbers[code])


def _spread(asked: Asked, rows: Sequence[int], j: int) -> float:
    at = [_position(asked.hierarchies[j], asked.codes[row][j]) for row in rows]
    return max(at) - min(at)


def _common_level(asked: Asked, rows: Sequence[int], j: int) -> int:
    for height, level in enumerate(asked.hierarchies[j].levels):
        if len({int(level.of_ground[asked.codes[row][j]]) for row in rows}) == 1:
            return height
    raise AssertionError


def _tree(asked: Asked, j: int) -> bool:
    return asked.by_tree and asked.hierarchies[j].numbers is None


def _ranked(asked: Asked, rows: Sequence[int]) -> list[int]:
    everyone = range(len(asked.codes))

    def width(j: int) -> float:
        if _tree(asked, j):
            hierarchy = asked.hierarchies[j]
            level = hierarchy.levels[_common_level(asked, rows, j)]
            return (int(level.leaves[level.of_ground[asked.codes[rows[0]][j]]]) - 1) / (hierarchy.size - 1)
        return _spread(asked, rows, j) / _spread(asked, everyone, j)

    wide = [j for j in range(len(asked.hierarchies)) if len({asked.codes[row][j] for row in rows}) > 1]
    return sorted(wide, key=lambda j: (-width(j), -_spread(asked, rows, j), -j))


def _candidates(asked: Asked, box: Box) -> list[list[Box]]:
    n, k = len(box.rows), asked.k
    if n < 2 * k:
        return []
    found = []
    for j in _ranked(asked, box.rows):
        found += _children(asked, box, j) if _tree(asked, j) else _clean(asked, box, j)
    if asked.relaxed:
        found += [_dealt(asked, box, j) for j in _ranked(asked, box.rows)]
    return found


def _children(asked: Asked, box: Box, j: int) -> list[list[Box]]:
    level = asked.hierarchies[j].levels[_common_level(asked, box.rows, j) - 1]
    parts = []
    for label in sorted({int(level.of_ground[asked.codes[row][j]]) for row in box.rows}):
        rows = [row for row in box.rows if level.of_ground[asked.codes[row][j]] == label]
        under = [c for c in range(asked.hierarchies[j].size) if level.of_ground[c] == label]
        parts.append(_part(box, rows, j, min(under), max(under)))
    return [parts] if all(len(part.rows) >= asked.k for part in parts) else []


def _clean(asked: Asked, box: Box, j: int) -> list[list[Box]]:
    n, k = len(box.rows), asked.k
    held = sorted(asked.codes[row][j] for row in box.rows)
    middle = (held[(n - 1) // 2], held[n // 2])
    hierarchy = asked.hierarchies[j]
    median = (_position(hierarchy, middle[0]) + _position(hierarchy, middle[1])) / 2
    ranked = []
    values = sorted(set(held))
    for first, after in pairwise(values):
        left = sum(code <= first for code in held)
        lost = n // k - left // k - (n - left) // k
        if left < k or n - left < k or (asked.relaxed and (lost or 20 * min(left, n - left) < n)):
            continue
        before = [c for c in range(first, after) if _position(hierarchy, c) <= median]
        cut = max(before) if before else first
        ranked.append((abs(2 * left - n) + 2 * k * lost, -left, cut))
    parts = []
    for _, _, cut in sorted(ranked):
        low = [row for row in box.rows if asked.codes[row][j] <= cut]
        high = [row for row in box.rows if asked.codes[row][j] > cut]
        parts.append([_part(box, low, j, box.low[j], cut), _part(box, high, j, cut + 1, box.high[j])])
    return parts


def _dealt(asked: Asked, box: Box, j: int) -> list[Box]:
    n, k = len(box.rows), asked.k
    groups, spare = divmod(n, k)
    left = n - n // 2 if groups % 2 == 0 else n - (groups // 2) * k - spare // 2
    cut = sorted(asked.codes[row][j] for row in box.rows)[left - 1]
    tied = left - sum(asked.codes[row][j] < cut for row in box.rows)
    ties = sum(asked.codes[row][j] == cut for row in box.rows)
    low, high, seen = [], [], 0
    for row in box.rows:
        goes_left = asked.codes[row][j] < cut
        if asked.codes[row][j] == cut:
            seen += 1
            goes_left = seen * tied // ties > (seen - 1) * tied // ties
        (low if goes_left else high).append(row)
    after = cut + 1 if tied == ties else cut
    return [_part(box, low, j, box.low[j], cut), _part(box, high, j, after, box.high[j])]


def _part(box: Box, rows: Rows, j: int, low: int, high: int) -> Box:
    return Box(
        tuple(rows),
        (*box.low[:j], low, *box.low[j + 1 :]),
        (*box.high[:j], high, *box.high[j + 1 :]),
    )
