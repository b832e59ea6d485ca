"""Conditions 1 and 2, and what a growing cluster must leave to later ones."""

from __future__ import annotations

import numpy as np
from tests.reference import clustering as naive
from tests.thinned import many

from kohort.algorithms.clustering.cluster_kernels import Clusters, Diversity
from kohort.algorithms.clustering.demands import Need
from kohort.algorithms.clustering.growth_kernels import bar


@many(seed=range(40))
def test_condition_2_for_one_attribute_is_what_dealing_reaches(seed):
    rng = np.random.default_rng(seed)
    frequencies = rng.integers(1, 12, int(rng.integers(2, 8)))
    values = np.repeat(np.arange(len(frequencies)), frequencies)
    for p in range(1, len(frequencies) + 1):
        need = Need("s", values, p)
        most = need.most_clusters()
        assert most == naive.most_clusters(frequencies.tolist(), p)
        assert np.minimum(frequencies, most).sum() >= p * most
        assert np.minimum(frequencies, most + 1).sum() < p * (most + 1)


@many(seed=range(150))
def test_values_are_barred_exactly_where_the_cluster_could_not_be_completed(seed):
    rng = np.random.default_rng(seed)
    size, p = int(rng.integers(3, 7)), int(rng.integers(2, 4))
    stock = rng.integers(0, 6, size)
    held = rng.permutation(size)[: int(rng.integers(0, p + 1))]
    most = naive.most_clusters(stock.tolist(), p)
    later = int(rng.integers(0, most + 1))
    clusters = Clusters(
        np.zeros((1, 0, 2), np.int32), np.zeros(1, np.int64), np.array([[len(held)]]),
        np.append(held, np.zeros(p, np.int64))[None, None, :p].astype(np.int32), np.zeros(0, np.int64),
        np.zeros(0, np.int64),
    )  # fmt: skip
    barred = np.ones(size, np.bool_)
    diversity = Diversity(np.array([0, size]), np.array([p]), np.ones(1))
    bar(diversity, clusters, 0, stock, later, barred)
    for value in range(size):
        if stock[value]:
            assert barred[value] != naive.may_take(stock.tolist(), set(held.tolist()), p, later, value)
