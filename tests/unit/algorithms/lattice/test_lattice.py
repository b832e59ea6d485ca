from itertools import product
from math import prod

import numpy as np
import pytest

from kohort.algorithms.lattice.lattice import Lattice, minimal, precedes
from kohort.errors import InputError

LATTICES = [Lattice((0, 0), (1, 2)), Lattice((1, 0, 2), (3, 0, 4)), Lattice((0,) * 4, (2, 1, 3, 1))]


@pytest.mark.parametrize("lattice", LATTICES)
def test_index_and_vector_are_each_others_inverse_in_lexicographic_order(lattice):
    vectors = list(lattice)
    assert vectors == sorted(vectors)
    assert len(vectors) == len(lattice) == prod(lattice.shape)
    assert [lattice.index(v) for v in vectors] == list(range(len(vectors)))
    assert [lattice.vector(i) for i in range(len(vectors))] == vectors
    assert [tuple(v) for v in lattice.vectors().tolist()] == vectors


@pytest.mark.parametrize("lattice", LATTICES)
def test_heights_partition_the_lattice(lattice):
    by_height = [list(lattice.at(h)) for h in range(lattice.height + 1)]
    assert sorted(v for nodes in by_height for v in nodes) == list(lattice)
    assert all(sum(v) - sum(lattice.lowest) == h for h, nodes in enumerate(by_height) for v in nodes)
    assert by_height[0] == [lattice.lowest]
    assert by_height[-1] == [lattice.highest]


@pytest.mark.parametrize("lattice", LATTICES)
def test_neighbours_are_one_step_away(lattice):
    for a, b in product(lattice, repeat=2):
        one_up = precedes(a, b) and sum(b) == sum(a) + 1
        assert (b in list(lattice.above(a))) == one_up
        assert (a in list(lattice.below(b))) == one_up


def test_strategies_count_the_ways_up():
    def ways(lattice, levels):
        above = list(lattice.above(levels))
        return sum(ways(lattice, v) for v in above) if above else 1

    for lattice in LATTICES:
        assert lattice.strategies() == ways(lattice, lattice.lowest)


def test_minimal_vectors_generalize_no_other():
    rng = np.random.default_rng(3)
    for _ in range(50):
        vectors = [tuple(v) for v in rng.integers(0, 3, (6, 3)).tolist()]
        expected = {v for v in vectors if not any(u != v and precedes(u, v) for u in vectors)}
        assert minimal(vectors) == tuple(sorted(expected))


def test_bounds_that_cross_are_refused():
    with pytest.raises(InputError, match="lower min_levels"):
        Lattice((0, 2), (1, 1))
