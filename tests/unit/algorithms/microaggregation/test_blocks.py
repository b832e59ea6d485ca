"""How far the sums of blocks move when one record is replaced: every table of small domains is tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from kohort.algorithms.microaggregation.blocks import block_sums, blocks, curve_order
from kohort.algorithms.microaggregation.dp_mdav import DpMdav
from kohort.algorithms.microaggregation.grid import Grid


def sums_of(table: np.ndarray, grids: list[Grid], size: int) -> list[list[int]]:
    """Return the sums that receive noise, column by column; a code is a place less the least one."""
    places = [range(grid.least, grid.greatest + 1) for grid in grids]
    codes = table - np.array([grid.least for grid in grids])
    block_of = blocks(curve_order(codes, places, grids), size)
    return [block_sums(block_of, codes[:, j], places[j]) for j in range(len(grids))]


def greatest_loss(tops: tuple[int, ...], n: int, size: int) -> tuple[Fraction, list[Fraction]]:
    """Return the greatest privacy loss over all neighbouring tables at ε = 1, and the L1 move of each column.

    Tables are multisets of records; a neighbour has one record replaced by any other. The loss of discrete
    Laplace noise of some scale on a number that moves by d is d/scale, exactly; losses of numbers add up.
    """
    grids = [Grid.declared(str(j), [0, top], 0) for j, top in enumerate(tops)]
    scales = DpMdav(epsilon=1).scales(grids, n // size)
    records = list(product(*(range(top + 1) for top in tops)))
    sums: dict[tuple[tuple[int, ...], ...], list[list[int]]] = {
        table: sums_of(np.array(table), grids, size) for table in combinations_with_replacement(records, n)
    }
    worst, moves = Fraction(0), [Fraction(0)] * len(tops)
    for table, held in sums.items():
        for gone in sorted(set(table)):
            rest = list(table)
            rest.remove(gone)
            for come in records:
                if come <= gone:  # neighbours both ways
                    continue
                other = sums[tuple(sorted([*rest, come]))]
                moved = [
                    sum(abs(a - b) for a, b in zip(*pair, strict=True))
                    for pair in zip(held, other, strict=True)
                ]
                moves = [max(m, Fraction(d)) for m, d in zip(moves, moved, strict=True)]
                worst = max(worst, sum((d / s for d, s in zip(moved, scales, strict=True)), Fraction(0)))
    return worst, moves


@pytest.mark.parametrize(
    ("top", "n", "size"), [(3, 6, 2), (4, 5, 2), (2, 7, 3), (5, 4, 1), (1, 8, 3), (6, 3, 3)]
)
def test_of_one_column_no_two_neighbours_differ_by_more_than_epsilon_and_some_do_by_all_of_it(top, n, size):
    worst, moves = greatest_loss((top,), n, size)
    assert worst == 1
    assert moves == [top]


@pytest.mark.parametrize(
    ("tops", "n", "size"), [((1, 1), 6, 2), ((1, 2), 4, 2), ((2, 2), 4, 1), ((2, 2), 3, 3), ((1, 1, 1), 4, 2), ((3, 1), 4, 2)]
)  # fmt: skip
def test_of_several_columns_no_two_neighbours_differ_by_more_than_epsilon(tops, n, size):
    worst, moves = greatest_loss(tops, n, size)
    n_blocks = n // size
    assert Fraction(1, 4) < worst <= 1
    assert all(move <= n_blocks * top for move, top in zip(moves, tops, strict=True))
    # Scales as if the columns' sums moved by their width, as with one column, would not do for all of them.
    assert worst * len(tops) * n_blocks > len(tops) or n_blocks == 1


def test_larger_tables_of_several_columns_stay_within_epsilon():
    generator = np.random.default_rng(1)
    grids = [Grid.declared(str(j), [-5, 5], 0) for j in range(3)]
    for _ in range(300):
        n, size = int(generator.integers(6, 60)), int(generator.integers(1, 6))
        scales = DpMdav(epsilon=1).scales(grids, n // size)
        one = generator.integers(-5, 6, (n, 3))
        other = one.copy()
        other[generator.integers(n)] = generator.choice([-5, 5], 3)
        held = [sums_of(table, grids, size) for table in (one, other)]
        loss = sum(
            Fraction(sum(abs(a - b) for a, b in zip(*pair, strict=True))) / scale
            for pair, scale in zip(zip(*held, strict=True), scales, strict=True)
        )
        assert loss <= 1


def test_blocks_depend_on_the_number_of_records_alone():
    for n in range(1, 40):
        for size in range(1, n + 1):
            sizes = {
                tuple(np.bincount(blocks(np.array(rank), size)))
                for rank in ([0] * n, range(n), [*range(n)][::-1])
            }
            assert len(sizes) == 1
            (told,) = sizes
            assert set(told[:-1]) <= {size}
            assert size <= told[-1] < 2 * size


def test_records_compare_alike_in_every_table():
    """The order of two records is the same whatever else there is, and however a value is written."""
    generator = np.random.default_rng(2)
    grids = [Grid.declared(str(j), [0, 9], 0) for j in range(2)]
    places = [list(range(10)), list(range(10))]
    whole = np.array(list(product(range(10), range(10))))
    everywhere = curve_order(whole, places, grids)
    for _ in range(50):
        some = np.sort(generator.choice(100, 20, replace=False))
        shuffled = [generator.permutation(10) for _ in grids]  # ground codes in another order
        codes = np.column_stack([np.argsort(s)[whole[some, j]] for j, s in enumerate(shuffled)])
        rank = curve_order(codes, [s.tolist() for s in shuffled], grids)
        assert np.array_equal(np.argsort(rank), np.argsort(everywhere[some]))
    assert curve_order(np.array([[0], [1], [2]]), [[7, 7, 3]], grids[:1]).tolist() == [1, 1, 0]


@pytest.mark.parametrize("top", [9, 10**18, 10**30])
def test_sums_are_exact_whatever_their_size(top):
    places = [-top, -1, 0, 1, top - 1, top]
    codes = np.array([0, 0, 5, 4, 5, 5, 5])
    assert block_sums(np.array([0, 0, 0, 1, 1, 1, 1]), codes, places) == [-top, 4 * top - 1]


def test_a_hundred_columns_have_an_order():
    grids = [Grid.declared(str(j), [0, 1], 0) for j in range(100)]
    codes = np.random.default_rng(3).integers(0, 2, (50, 100))
    assert len(set(curve_order(codes, [[0, 1]] * 100, grids).tolist())) == 50
