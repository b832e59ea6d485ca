"""Small random problems over ordered domains, for the tests of this directory."""

from __future__ import annotations

from typing import Any

import numpy as np

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import KAnonymity
from kohort.recode import Problem


def random_rows(
    generator: np.random.Generator, max_cuts: int = 6, rows: tuple[int, int] = (6, 16)
) -> tuple[np.ndarray, np.ndarray]:
    """Return skewed codes whose every value below the largest occurs, and a target that depends on them."""
    sizes = [int(generator.integers(2, 5))]
    while sum(sizes) - len(sizes) < max_cuts - 1 and generator.random() < 0.7:
        sizes.append(int(generator.integers(2, 2 + min(3, max_cuts - sum(sizes) + len(sizes)))))
    n = int(generator.integers(*rows))
    skew = generator.random() * 2 + 0.3
    columns = [np.minimum((generator.random(n) ** skew * size).astype(int), size - 1) for size in sizes]
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in columns])
    target = (codes[:, 0] + generator.integers(0, 2, n)) % 3
    return codes.astype(np.int32), np.unique(target, return_inverse=True)[1].astype(np.int32)


def flat_hierarchy(name: str, size: int) -> Hierarchy:
    """Return a hierarchy of one step over the values a, b, c, …."""
    return Hierarchy.from_rows(name, [(chr(97 + i), "*") for i in range(size)])


def problem_of(
    codes: np.ndarray,
    target: np.ndarray,
    k: int,
    metric: str,
    limit: int,
    hierarchies: tuple[Hierarchy, ...] | None = None,
    **more: Any,
) -> Problem:
    """Return the problem of rows of ground codes, with `y` as the target."""
    if hierarchies is None:
        sizes = codes.max(axis=0) + 1
        hierarchies = tuple(flat_hierarchy(f"q{j}", int(size)) for j, size in enumerate(sizes))
    base, class_of = classes_of_rows(codes.astype(np.int32), {"y": (target, int(target.max()) + 1)})
    objective = METRICS[metric](**({"target": "y"} if metric == "classification" else {}))
    return Problem(
        names=tuple(h.name for h in hierarchies),
        hierarchies=hierarchies,
        base=base,
        class_of=class_of,
        models=(KAnonymity(k),),
        objective=objective,
        max_suppressed=limit,
        sensitive={"y": target},
        **more,
    )
