"""Rows in the order of the original: the reading of one by the other, and the bound of chance, against plain counting."""

from __future__ import annotations

from itertools import combinations
from math import factorial, isclose, log

import numpy as np
import pyarrow as pa
import pytest

from kohort.hierarchy import Hierarchy
from kohort.table import Table
from kohort.verification.judges.row_order import Fits, follows, judge_row_order, log_chance

SEX = [Hierarchy.from_rows("sex", [("f", "*")])]


def fits_of(released: list[int], original: list[int], may: list[list[int]]) -> Fits:
    starts = np.append(0, np.cumsum([len(edges) for edges in may]))
    edges = np.array([edge for own in may for edge in own], np.int64)
    return Fits(np.array(released, np.int64), np.array(original, np.int64), starts, edges)


def can_be_read_off(released: list[int], original: list[int], may: list[list[int]]) -> bool:
    """Say by every choice of rows whether some of the original, in their order, may be the released ones."""
    return any(
        all(person in may[row] for row, person in zip(released, chosen, strict=True))
        for chosen in combinations(original, len(released))
    )


def test_rows_follow_where_some_choice_of_the_originals_rows_does() -> None:
    rng = np.random.default_rng(5)
    found = set()
    for _ in range(400):
        whole = int(rng.integers(1, 8))
        n = int(rng.integers(1, whole + 1))
        may = [np.flatnonzero(rng.random(4) < 0.6).tolist() for _ in range(3)]
        released, original = rng.integers(0, 3, n).tolist(), rng.integers(0, 4, whole).tolist()
        fits = fits_of(released, original, may)
        said = follows(fits, False), follows(fits, True)
        assert said == (
            can_be_read_off(released, original, may),
            can_be_read_off(released[::-1], original, may),
        )
        found.add((said, n == whole))
    assert len(found) == 8  # each way with and without rows that were left out


def test_the_bound_is_what_is_written_of_it() -> None:
    """Twice the choices of rows times the product of (r!)^(1/r), of all orders."""
    fits = fits_of([0, 1, 1], [0, 1, 2, 2], [[0, 1], [1, 2]])
    # Rows 0..3 of the original: one released row may stand for the first, three for the second, two for each of the others.
    permanent = factorial(3) ** (1 / 3) * 2 ** (1 / 2) * 2 ** (1 / 2)
    assert isclose(log_chance(fits), min(log(2 * 4 * permanent / factorial(3)), 0.0), abs_tol=1e-12)
    alone = fits_of(list(range(9)), list(range(9)), [[i] for i in range(9)])
    assert isclose(log_chance(alone), log(2 / factorial(9)))
    fewer = fits_of(list(range(8)), list(range(10)), [[i] for i in range(8)])
    assert isclose(
        log_chance(fewer), log(2 * 45 / factorial(8))
    )  # the last two are nobody's; eight are read off


@pytest.mark.parametrize(("released", "original"), [([], []), ([], [0]), ([0, 0], [0])])
def test_of_no_rows_and_of_too_many_nothing_is_said(released: list[int], original: list[int]) -> None:
    assert log_chance(fits_of(released, original, [[0]])) == 0.0


def numbered(rows: list[str]) -> Table:
    return Table.from_arrow(pa.table({"told": rows, "sex": ["f"] * len(rows)}))


def test_where_is_told_which_way_they_stand_and_a_million_is_the_line() -> None:
    original = numbered([str(i) for i in range(12)])
    forwards = list(range(12))
    for order, word in ((forwards, "original: each"), (forwards[::-1], "original, backwards: each")):
        [verdict] = judge_row_order(numbered([str(i) for i in order]), original, SEX)
        assert verdict.holds is False
        assert word in str(verdict.note)
        assert "1,000,000" in str(verdict.note)
    mixed = [1, 0, *range(2, 12)]
    assert judge_row_order(numbered([str(i) for i in mixed]), original, SEX) == []
    # 2 / 9! is more than one in a million, 2 / 10! is less.
    for n, judged in ((9, False), (10, True)):
        rows = [str(i) for i in range(n)]
        assert bool(judge_row_order(numbered(rows), numbered(rows), SEX)) is judged


def test_a_row_that_means_nothing_of_the_original_is_for_others_to_judge() -> None:
    original = numbered([str(i) for i in range(12)])
    strange = numbered([f"x{i}" for i in range(12)])
    assert judge_row_order(strange, original, SEX) == []
