"""Small trees of items and people who hold some of them, for the tests of sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
from tests.reference import sets as naive

from kohort.hierarchy import Hierarchy
from kohort.sets.baskets import Baskets
from kohort.sets.item_tree import ItemTree
from kohort.sets.k_m import KM
from kohort.sets.set_problem import SetProblem


def paths(tree: naive.Tree, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The labels over each item, from the item to the root."""
    if isinstance(tree, str):
        yield (tree, *above)
        return
    for child in tree[1]:
        yield from paths(child, (tree[0], *above))


def hierarchy_of(tree: naive.Tree, name: str = "basket") -> Hierarchy:
    rows = list(paths(tree))
    depth = max(map(len, rows))
    return Hierarchy.from_rows(name, [(row[0],) * (depth - len(row)) + row for row in rows])


def baskets_of(hierarchy: Hierarchy, held: Sequence[set[str]]) -> Baskets:
    people = [person for person, items in enumerate(held) for _ in items]
    codes = [hierarchy.levels[0].code_of[item] for items in held for item in items]
    return Baskets.of(np.array(people, np.int64), np.array(codes, np.int64), len(held))


def problem_of(tree: naive.Tree, held: Sequence[set[str]], *models: KM) -> SetProblem:
    hierarchy = hierarchy_of(tree)
    return SetProblem(baskets_of(hierarchy, held), ItemTree.of(hierarchy), models)


def random_world(seed: int) -> tuple[naive.Tree, list[set[str]], int, int]:
    """A tree of two to eight items, people enough for k, and k and m."""
    draw = np.random.default_rng(seed)
    items = [f"i{n}" for n in draw.permutation(int(draw.integers(2, 9)))]
    k, m = int(draw.integers(2, 5)), int(draw.integers(1, 4))
    popular = draw.random(len(items)) ** 2
    held = [{item for item, p in zip(items, popular, strict=True) if draw.random() < p} for _ in range(40)]
    held = held[: int(draw.integers(k, 30))]
    while sum(map(bool, held)) < k:
        held.append({items[0]})
    return _grown(items, draw, map("G{}".format, count())), held, k, m


def _grown(items: Sequence[str], draw: np.random.Generator, names: Iterator[str]) -> naive.Tree:
    """A random tree over items in this order; leaves stand at any height, and some groups have one member."""
    parts: list[naive.Tree] = list(items)
    while len(parts) > 1:
        start, size = int(draw.integers(0, len(parts))), int(draw.integers(1, 4))
        if size > 1 or draw.random() < 0.2:
            parts[start : start + size] = [(next(names), parts[start : start + size])]
    return ("*", parts)
