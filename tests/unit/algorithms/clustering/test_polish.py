"""Exchanges between finished clusters lower the information loss and break nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.reference.clustering_tables import clusters_of, naive_of, random_problem

from kohort.algorithms.algorithm import Silent
from kohort.algorithms.clustering.demands import demands_of
from kohort.algorithms.clustering.polish import polished
from kohort.algorithms.clustering.tuples import Tuples
from kohort.algorithms.watch import Watch, unwatched
from kohort.models import KAnonymity
from kohort.models.p_sensitive import PSensitive
from kohort.stopping import Stop


def losses(twin, clusters):
    return sum(twin.loss(cluster) for cluster in clusters)


def best_exchange(twin, clusters, size):
    """The best move or exchange, by trying all, as (gain, clusters)."""
    whole = losses(twin, clusters)
    best = 0
    for a, one in enumerate(clusters):
        for t in range(len(one)):
            for b, other in enumerate(clusters):
                if a == b:
                    continue
                rest = one[:t] + one[t + 1 :]
                options = [[*other, one[t]]] if len(one) > size and len(other) < len(one) else []
                changed = [(rest, option) for option in options]
                changed += [
                    ([*rest, other[u]], [*other[:u], *other[u + 1 :], one[t]]) for u in range(len(other))
                ]
                for left, right in changed:
                    if twin.diverse(left) and twin.diverse(right):
                        others = [c for i, c in enumerate(clusters) if i not in (a, b)]
                        best = max(best, whole - losses(twin, [*others, left, right]))
    return best


@pytest.mark.parametrize("seed", range(15))
def test_polishing_lowers_the_loss_and_keeps_sizes_and_diversity(seed):
    k, p = 3, 2
    problem = random_problem(seed, 40, (KAnonymity(k), PSensitive(p, columns=("s0", "s1"))), seed=1)
    demands = demands_of(problem, "test")
    twin, _ = naive_of(problem)
    tuples = Tuples.of(problem, demands.needs, np.ones(2), True)
    rng = np.random.default_rng(seed)
    start = np.zeros(40, np.int64)
    for _ in range(200):  # a random partition into diverse clusters
        trial = rng.permutation(np.append(np.repeat(np.arange(7), 5), rng.integers(0, 7, 5)))
        if all(twin.diverse(c) for c in clusters_of(problem, trial, demands)):
            start = trial
            break
    before = clusters_of(problem, start, demands)
    assert len(before) == 7
    after_of = polished(tuples, start, k, 50, unwatched())
    after = clusters_of(problem, after_of, demands)
    assert len(after) == 7
    assert all(len(c) >= k and twin.diverse(c) for c in after)
    assert losses(twin, after) < losses(twin, before)
    assert sum(len(c) ** 2 for c in after) <= sum(len(c) ** 2 for c in before)
    assert Counter(r for c in after for r in c) == Counter(r for c in before for r in c)

    assert best_exchange(twin, after, k) == 0  # no move and no exchange of two tuples gains anything more


def test_no_passes_and_no_time_leave_the_clusters_as_they_are():
    problem = random_problem(1, 40, (KAnonymity(3),))
    tuples = Tuples.of(problem, (), np.zeros(0), True)
    start = np.arange(40) % 8
    for passes, limit in ((0, None), (10, 0.0)):
        watch = Watch(Silent(), Stop(), limit)
        assert (polished(tuples, start, 3, passes, watch) == start).all()
