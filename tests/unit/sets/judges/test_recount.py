"""The judge's own counting, and the search's, against combinations written out one by one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference import sets as naive
from tests.reference.set_worlds import baskets_of, hierarchy_of, random_world

from kohort.sets import rare
from kohort.sets.judges import recount
from kohort.sets.judges.recount import smallest_support
from kohort.sets.rare import rare_sets


def world(seed: int):
    tree, held, _, _ = random_world(seed)
    hierarchy = hierarchy_of(tree)
    return hierarchy.ground, held, baskets_of(hierarchy, held)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
def test_the_smallest_support_is_that_of_the_combinations_written_out(m, monkeypatch):
    for pairs in (recount.PAIRS, 2):
        monkeypatch.setattr(recount, "PAIRS", pairs)
        for seed in range(40):
            ground, held, baskets = world(seed)
            least = min(naive.supports(held, m).values(), default=None)
            assert smallest_support(baskets, len(ground), m) == least


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("steps", [1, 10, rare.STEPS])
def test_rare_combinations_are_all_found_rarest_first(size, steps, monkeypatch):
    monkeypatch.setattr(rare, "STEPS", steps)
    monkeypatch.setattr(rare, "ROOM", min(steps, 1 << 16))
    for seed in range(60):
        ground, held, baskets = world(seed)
        support = {c: n for c, n in naive.supports(held, size).items() if len(c) == size}
        smaller = naive.supports(held, size - 1).values()
        k = min(min(smaller, default=9), 9)  # what is smaller is held by k, as the search sees to
        names = np.argsort(np.argsort(ground))
        found, complete = rare_sets(baskets, names, len(ground), size, k, lambda: None)
        told = [tuple(sorted(ground)[code] for code in row) for row in found.tolist()]
        assert complete
        assert set(told) == {c for c, n in support.items() if n < k}
        assert told == sorted(told, key=lambda c: (support[c], c))


def test_only_combinations_with_fresh_labels_are_counted():
    for seed in range(60):
        ground, _, baskets = world(seed)
        names = np.argsort(np.argsort(ground))
        for fresh in range(len(ground) + 1):
            every, _ = rare_sets(baskets, names, len(ground), 2, 100, lambda: None)
            some, _ = rare_sets(baskets, names, fresh, 2, 100, lambda: None)
            assert some.tolist() == [row for row in every.tolist() if min(row) < fresh]
