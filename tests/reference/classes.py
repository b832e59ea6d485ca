"""Naive twins of the counting kernels: dictionaries and loops, nothing clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def group(rows: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the distinct rows in order and the position of every row among them."""
    distinct = sorted(set(rows))
    return distinct, [distinct.index(row) for row in rows]


def histogram(
    class_of: Sequence[int], values: Sequence[int], n_classes: int, counts: Sequence[int] | None = None
) -> list[list[tuple[int, int]]]:
    """Return, per class, its (value, count) pairs in the order of values."""
    found: list[Counter[int]] = [Counter() for _ in range(n_classes)]
    for i, (c, value) in enumerate(zip(class_of, values, strict=True)):
        found[c][value] += 1 if counts is None else counts[i]
    return [sorted(counter.items()) for counter in found]


def classes(
    rows: Sequence[tuple[int, ...]], sensitive: Sequence[int], people: Sequence[int]
) -> dict[tuple[int, ...], tuple[int, dict[int, int], int]]:
    """Return for each distinct row: its records, the records per sensitive value, and its people."""
    return {
        key: (
            rows.count(key),
            dict(Counter(s for row, s in zip(rows, sensitive, strict=True) if row == key)),
            len({p for row, p in zip(rows, people, strict=True) if row == key}),
        )
        for key in set(rows)
    }
