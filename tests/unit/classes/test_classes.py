import numpy as np
from tests.reference import classes as naive

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy

AGE = Hierarchy.from_rows("age", [[str(a), f"{a // 2 * 2}s", "*"] for a in range(6)])
SEX = Hierarchy.from_rows("sex", [["f", "*"], ["m", "*"], [None, "*"]])


def told(classes):
    """Return the classes as the naive twin tells them."""
    dense = classes.sensitive["ill"].dense()
    return {
        tuple(code): (rows, {v: c for v, c in enumerate(values) if c}, size)
        for code, rows, values, size in zip(
            classes.codes.tolist(), classes.rows.tolist(), dense.tolist(), classes.sizes.tolist(), strict=True
        )
    }


def test_rolled_up_classes_equal_those_counted_from_rows_with_people_counted_once():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 40))
        codes = np.column_stack([rng.integers(0, 6, n), rng.integers(0, 3, n)]).astype(np.int32)
        ill, people = rng.integers(0, 4, n), rng.integers(0, max(1, n // 2), n)
        base, class_of = classes_of_rows(codes, {"ill": (ill, 4)}, people)
        assert (base.codes[class_of] == codes).all()
        assert told(base) == naive.classes([tuple(c) for c in codes.tolist()], ill.tolist(), people.tolist())
        middle = base.rollup((AGE, SEX), (1, 0))
        for levels, source in (((1, 0), base), ((2, 0), middle), ((1, 1), middle), ((2, 1), base)):
            rolled = source.rollup((AGE, SEX), levels)
            mapped = np.column_stack(
                [
                    h.levels[level].of_ground[codes[:, j]]
                    for j, (h, level) in enumerate(zip((AGE, SEX), levels, strict=True))
                ]
            )
            rows = [tuple(c) for c in mapped.tolist()]
            assert told(rolled) == naive.classes(rows, ill.tolist(), people.tolist())
            assert rolled.levels == levels
            assert rolled.n_rows == n


def test_a_person_in_two_merged_classes_counts_once():
    codes = np.array([[0, 0], [1, 0], [1, 0]], np.int32)
    base, _ = classes_of_rows(codes, respondents=np.array([7, 7, 3]))
    assert base.sizes.tolist() == [1, 2]
    merged = base.rollup((AGE, SEX), (1, 0))
    assert merged.sizes.tolist() == [2]
    assert merged.rows.tolist() == [3]


def test_kept_classes_are_the_ones_asked_for():
    codes = np.array([[0, 0], [1, 0], [1, 0], [2, 1]], np.int32)
    base, _ = classes_of_rows(codes, {"ill": (np.array([0, 1, 2, 0]), 3)})
    kept = base.kept(np.array([False, True, True]))
    assert kept.codes.tolist() == [[1, 0], [2, 1]]
    assert kept.sizes.tolist() == [2, 1]
    assert kept.sensitive["ill"].dense().tolist() == [[0, 1, 1], [1, 0, 0]]
