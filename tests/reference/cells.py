"""Cell recoding, naively: all set partitions, distances cell by cell, released tuples counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, PrivacyModel
from kohort.recode import Problem, Recoded

Path = tuple[str, ...]  # a value and its ancestors


def set_partitions(items: Sequence[int], smallest: int) -> Iterator[list[list[int]]]:
    """Yield every partition of the items into blocks of at least `smallest`."""

    def grow(i: int, blocks: list[list[int]]) -> Iterator[list[list[int]]]:
        if i == len(items):
            if all(len(block) >= smallest for block in blocks):
                yield [list(block) for block in blocks]
            return
        for block in blocks:
            block.append(items[i])
            yield from grow(i + 1, blocks)
            block.pop()
        blocks.append([items[i]])
        yield from grow(i + 1, blocks)
        blocks.pop()

    yield from grow(0, [])


def suppressed_cells(rows: Sequence[Sequence[str]], block: Sequence[int]) -> int:
    """Count the cells that must go for the rows of a block to be equal."""
    columns = zip(*(rows[i] for i in block), strict=True)
    return len(block) * sum(len(set(column)) > 1 for column in columns)


def steps_to_common_ancestors(rows: Sequence[Sequence[Path]], block: Sequence[int]) -> int:
    """Count the steps that the cells of a block climb until its rows are equal."""
    steps = 0
    for column in zip(*(rows[i] for i in block), strict=True):
        steps += next(h for h in range(len(column[0])) if len({path[h] for path in column}) == 1)
    return len(block) * steps


def least_cost(rows, smallest, cost=suppressed_cells) -> int:
    """Return the least cost of any partition into blocks of at least `smallest` rows."""
    return min(
        sum(cost(rows, block) for block in blocks) for blocks in set_partitions(range(len(rows)), smallest)
    )


def released_tuples(recoded: Recoded) -> list[tuple[str | None, ...]]:
    """Return the tuples as anyone who reads the released table sees them."""
    rows = recoded.rows()
    told = [[column.labels[c] for c in recoded.codes(j, rows)] for j, column in enumerate(recoded.columns)]
    return list(zip(*told, strict=True))


def smallest_class(recoded: Recoded) -> int:
    """Return how often the rarest released tuple occurs."""
    return min(Counter(released_tuples(recoded)).values())


def flat_hierarchy(name: str, values: Sequence[str]) -> Hierarchy:
    """Return values below one root."""
    return Hierarchy.from_rows(name, [(value, "*") for value in values])


def problem_of(
    rows: Sequence[Sequence[str | None]],
    hierarchies: Sequence[Hierarchy],
    *models: PrivacyModel | int,
    **more,
) -> Problem:
    """Return the problem of the rows; a whole number among the models is a k."""
    codes = np.column_stack([h.encode([row[j] for row in rows]) for j, h in enumerate(hierarchies)]).astype(
        np.int32
    )
    sensitive = more.pop("sensitive", {})
    sizes = {name: (values, int(values.max()) + 1) for name, values in sensitive.items()}
    base, class_of = classes_of_rows(codes, sizes, more.get("respondents"))
    return Problem(
        names=tuple(h.name for h in hierarchies),
        hierarchies=tuple(hierarchies),
        base=base,
        class_of=class_of,
        models=tuple(KAnonymity(m) if isinstance(m, int) else m for m in models),
        sensitive=sensitive,
        **more,
    )


def random_rows(rng: np.random.Generator, n: int, values: Sequence[int]) -> list[tuple[str, ...]]:
    """Return n rows with `values[j]` possible values in column j, near each other now and then."""
    centres = rng.integers(0, values, (3, len(values)))
    drawn = np.where(
        rng.random((n, len(values))) < 0.5,
        centres[rng.integers(0, 3, n)],
        rng.integers(0, values, (n, len(values))),
    )
    return [tuple(f"v{v}" for v in row) for row in drawn]


def flat_problem(rows: Sequence[Sequence[str]], values: Sequence[int], k: int, **more) -> Problem:
    """Return the problem of random rows, every column below one root."""
    hierarchies = [flat_hierarchy(f"a{j}", [f"v{v}" for v in range(n)]) for j, n in enumerate(values)]
    return problem_of(rows, hierarchies, k, **more)
