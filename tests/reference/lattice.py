"""Naive twins of the lattice searches: rows, dictionaries and loops; and a maker of random problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from kohort.classes import Pairs, classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import Loss, Metric
from kohort.models import Attribute, KAnonymity, PrivacyModel, Reference
from kohort.recode import Problem

Vector = tuple[int, ...]


def problem_of(
    rows: Sequence[Sequence[str | None]],
    hierarchies: Sequence[Hierarchy],
    models: Sequence[PrivacyModel],
    objective: Metric | None = None,
    *,
    max_suppressed: int = 0,
    sensitive: Sequence[str] | None = None,
    sensitive_hierarchy: Hierarchy | None = None,
    respondents: Sequence[int] | None = None,
    **options: object,
) -> Problem:
    """Return the problem of a table given as rows of texts; the sensitive column is called `s`."""
    codes = np.column_stack([h.encode([row[j] for row in rows]) for j, h in enumerate(hierarchies)]).astype(
        np.int32
    )
    names = tuple(h.name for h in hierarchies)
    people = None if respondents is None else np.array(respondents, np.int32)
    several = people is not None and len(np.unique(people)) < len(people)
    held, attributes = {}, {}
    if sensitive is not None:
        labels = sorted(set(sensitive))
        values = np.array([labels.index(value) for value in sensitive], np.int32)
        held["s"] = (values, len(labels))
        ground = None if sensitive_hierarchy is None else sensitive_hierarchy.encode(labels)
        totals = np.bincount(values, minlength=len(labels))
        pairs = Pairs.of(people, values, len(labels))[0] if several else None
        attributes["s"] = Attribute("s", tuple(labels), totals, sensitive_hierarchy, ground, pairs)
    base, class_of = classes_of_rows(codes, held, people)
    reference = Reference(len(rows), attributes, people=len(np.unique(people)) if several else None)
    return Problem(
        names,
        tuple(hierarchies),
        base,
        class_of,
        tuple(model.bind(reference) for model in models),
        objective or Loss(),
        max_suppressed,
        sensitive={name: values for name, (values, _) in held.items()},
        respondents=people,
        reference=reference,
        **options,  # type: ignore[arg-type]
    )


def random_hierarchy(rng: np.random.Generator, name: str, sizes: int = 5, heights: int = 3) -> Hierarchy:
    """Return a hierarchy of 1 to `sizes` values and 1 to `heights` steps; labels may repeat upwards."""
    size, height = int(rng.integers(1, sizes + 1)), int(rng.integers(1, heights + 1))
    paths = [[f"v{i}"] for i in range(size)]
    now = list(range(size))
    for level in range(1, height):
        up = rng.integers(0, max(now) + 1, max(now) + 1).tolist()
        now = [up[code] for code in now]
        for path, code in zip(paths, now, strict=True):
            path.append(f"{level}.{code}")
    return Hierarchy.from_rows(name, [[*path, "*"] for path in paths])


def vectors(problem: Problem) -> Iterator[Vector]:
    """Return all level vectors within the problem's bounds."""
    return product(*(range(low, high + 1) for low, high in zip(problem.lowest, problem.highest, strict=True)))


def generalized(problem: Problem, levels: Vector) -> list[tuple[str | None, ...]]:
    """Return the rows as released at `levels`, none suppressed."""
    return [
        tuple(
            h.levels[level].labels[h.levels[level].of_ground[code]]
            for h, level, code in zip(problem.hierarchies, levels, row, strict=True)
        )
        for row in problem.codes.tolist()
    ]


def suppressed(problem: Problem, levels: Vector, k: int) -> int:
    """Return how many rows stand in classes of fewer than k rows."""
    sizes = Counter(generalized(problem, levels))
    return sum(size for size in sizes.values() if size < k)


def holds(problem: Problem, levels: Vector, k: int) -> bool:
    """Whether k-anonymity is met within the limit and something is released."""
    lost = suppressed(problem, levels, k)
    return lost <= problem.max_suppressed and lost < problem.n_rows


def minimal_vectors(problem: Problem, k: int) -> set[Vector]:
    """Return the k-minimal vectors by their definition."""
    held = [v for v in vectors(problem) if holds(problem, v, k)]
    return {
        v for v in held if not any(u != v and all(a <= b for a, b in zip(u, v, strict=True)) for u in held)
    }


def datafly_path(problem: Problem, k: int) -> list[Vector]:
    """Return the vectors that Datafly goes through; the last one holds, or all are at their highest."""
    levels = list(problem.lowest)
    path = [tuple(levels)]
    while not holds(problem, path[-1], k):
        rows = generalized(problem, path[-1])
        free = [j for j in range(len(levels)) if levels[j] < problem.highest[j]]
        if not free:
            return path
        levels[max(free, key=lambda j: (len({row[j] for row in rows}), -j))] += 1
        path.append(tuple(levels))
    return path


def scores(problem: Problem, levels: Vector, k: int) -> dict[str, float]:
    """Return the metrics that need no sensitive column, from their formulas, row by row."""
    rows = generalized(problem, levels)
    sizes = Counter(rows)
    kept = [row for row in rows if sizes[row] >= k]
    n, lost = len(rows), len(rows) - len(kept)
    classes = set(kept)
    losses, precisions = [], []
    for j, (h, level) in enumerate(zip(problem.hierarchies, levels, strict=True)):
        leaves = Counter(h.levels[level].labels[code] for code in h.levels[level].of_ground.tolist())
        share = (sum(leaves[row[j]] / h.size for row in kept) + lost) / n
        losses.append((share - 1 / h.size) / (1 - 1 / h.size) if h.size > 1 else 0.0)
        precisions.append((len(kept) * (level / h.height if h.height else 0.0) + lost) / n)
    return {
        "loss": prod(1 + x for x in losses) ** (1 / len(losses)) - 1,
        "discernibility": float(sum(sizes[row] for row in kept) + n * lost),
        "average-class-size": n / (len(classes) + (lost > 0)),
        "precision": sum(precisions) / len(precisions),
        "min-absolute-distance": float(sum(levels)),
        "min-relative-distance": sum(
            level / h.height if h.height else 0.0
            for h, level in zip(problem.hierarchies, levels, strict=True)
        ),
        "max-distribution": -float(len(classes)),
        "min-suppression": float(lost),
    }


def random_problem(
    rng: np.random.Generator, models: Sequence[PrivacyModel] | None = None, **options: object
) -> Problem:
    """Return a small random table with random hierarchies, k-anonymous unless told, and a random limit."""
    m = int(rng.choice([1, 2, 2, 3]))
    n = int(rng.integers(2, 13))
    hierarchies = [random_hierarchy(rng, f"a{j}", 4, 2 if m == 3 else 3) for j in range(m)]
    rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(n)]
    if models is None:
        models = (KAnonymity(int(rng.integers(2, 5))),)
    limit = int(rng.integers(0, n + 1)) if rng.random() < 0.7 else 0
    options.setdefault("max_suppressed", limit)
    return problem_of(rows, hierarchies, models, **options)  # type: ignore[arg-type]


def k_of(problem: Problem) -> int:
    """Return the k of a k-anonymous problem."""
    return max(model.k for model in problem.models if isinstance(model, KAnonymity))
