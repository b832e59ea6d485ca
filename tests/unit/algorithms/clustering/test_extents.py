"""Extents of finished groups against the naive measures."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.clustering_tables import naive_of, random_problem

from kohort.algorithms.clustering.extents import Extents
from kohort.algorithms.clustering.tuples import measure
from kohort.models import KAnonymity


@pytest.mark.parametrize("seed", range(20))
def test_losses_and_the_nearest_group_are_the_naive_ones(seed):
    problem = random_problem(seed, 40, (KAnonymity(2),), weights=(1.0, 2.0, 1.0))
    twin, _ = naive_of(problem)
    rng = np.random.default_rng(seed)
    group_of = rng.permutation(np.append(np.arange(9), rng.integers(0, 9, 31)))
    groups = [[(tuple(codes), ()) for codes in problem.codes[group_of == g].tolist()] for g in range(9)]
    extents = Extents.of(*measure(problem, tight=True), group_of)
    assert extents.sizes.tolist() == [len(group) for group in groups]
    assert (2 * extents.losses()).tolist() == [float(twin.per_tuple(group)) for group in groups]
    for c in range(9):
        rises = {
            other: twin.loss(groups[c] + groups[other]) - twin.loss(groups[c]) - twin.loss(groups[other])
            for other in range(9)
            if other != c
        }
        assert rises[extents.nearest(c)] == min(rises.values())
