import numpy as np
import pytest
from tests.reference import classes as naive
from tests.thinned import many

from kohort.classes import group, group_columns


@pytest.mark.parametrize(
    ("rows", "columns", "low", "high"),
    [
        (1, 1, 0, 1),
        (40, 3, 0, 3),
        (60, 4, -2, 2),
        (30, 25, 0, 2**20),  # 500 bits of key
        (50, 70, 0, 2),
        (30, 3, 0, 2**31 - 1),
    ],
)
def test_group_equals_its_naive_twin(rows, columns, low, high):
    rng = np.random.default_rng(columns)
    for _ in range(20):
        codes = rng.integers(low, high, (rows, columns)).astype(np.int32)
        codes = codes[rng.integers(0, rows, rows)]  # so that wide rows repeat
        distinct, class_of = group(codes)
        expected, positions = naive.group([tuple(row) for row in codes.tolist()])
        assert [tuple(row) for row in distinct.tolist()] == expected
        assert class_of.tolist() == positions


def test_many_groups_outgrow_the_first_hash_table():
    codes = (
        np.random.default_rng(1).permutation(np.repeat(np.arange(50_000, dtype=np.int32), 2)).reshape(-1, 1)
    )
    distinct, class_of = group(codes)
    assert distinct[:, 0].tolist() == list(range(50_000))
    assert (class_of == codes[:, 0]).all()


def test_layout_and_type_do_not_matter():
    codes = np.random.default_rng(2).integers(0, 4, (50, 3))
    expected = group(codes.astype(np.int32))
    for other in (codes, np.asfortranarray(codes.astype(np.int32)), codes.astype(np.int16)):
        distinct, class_of = group(other)
        assert distinct.dtype == other.dtype
        assert (distinct == expected[0]).all()
        assert (class_of == expected[1]).all()


def test_no_columns_make_one_group_and_no_rows_none():
    distinct, class_of = group(np.empty((3, 0), np.int32))
    assert distinct.shape == (1, 0)
    assert class_of.tolist() == [0, 0, 0]
    for distinct, class_of in (group(np.empty((0, 2), np.int32)), group_columns([np.empty(0, np.int32)] * 2)):
        assert distinct.shape == (0, 2)
        assert class_of.tolist() == []


def test_columns_are_grouped_as_their_matrix_is():
    rng = np.random.default_rng(6)
    for _ in range(50):
        n, m = int(rng.integers(1, 40)), int(rng.integers(1, 7))
        codes = rng.integers(-3, 2**30 if rng.random() < 0.3 else 5, (n, m)).astype(np.int32)
        distinct, place = group(codes)
        other, other_place = group_columns(list(codes.T))
        assert other.flags.c_contiguous
        np.testing.assert_array_equal(other, distinct)
        np.testing.assert_array_equal(other_place, place)


@many(seed=range(30))
def test_numbers_of_any_width_are_told_apart_in_every_column(seed: int) -> None:
    """Beside 63-bit hashes the columns before them were lost."""
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(int(rng.integers(1, 5))):
        width = int(rng.choice([1, 3, 20, 31, 40, 62, 63]))
        few = rng.integers(-(2 ** (width - 1)), 2 ** (width - 1) - 1, 4, endpoint=True)
        columns.append(few[rng.integers(0, 4, 40)])
    matrix = np.column_stack(columns).astype(np.int64)
    expected, place = np.unique(matrix, axis=0, return_inverse=True)
    for distinct, found in (group(matrix), group_columns(columns)):
        assert distinct.tolist() == expected.tolist()
        assert found.tolist() == place.ravel().tolist()
