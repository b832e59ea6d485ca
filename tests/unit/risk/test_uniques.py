import numpy as np
import pytest
from tests.reference import risk as naive
from tests.thinned import many

from kohort.classes import classes_of_rows, grouping_kernels
from kohort.risk.columns import leaving_out
from kohort.risk.uniques import BUDGET, Projection, affordable_size, sample_uniques

NAMES = ("age", "zip", "sex", "job")


def test_the_fewest_facts_that_point_at_one_person():
    """Row 3 is the only one of its age; row 0 needs two facts: no other woman lives in zip 1."""
    rows = [(30, 1, "f"), (30, 1, "m"), (30, 2, "f"), (40, 2, "m"), (30, 1, "m"), (30, 2, "f")]
    codes = np.column_stack([np.unique([r[j] for r in rows], return_inverse=True)[1] for j in range(3)])
    classes, class_of = classes_of_rows(codes.astype(np.int32))
    found = sample_uniques(classes, NAMES[:3])
    minimal = {subset.columns: subset.minimal for subset in found.subsets if subset.minimal}
    assert minimal == {("age",): 1, ("zip", "sex"): 2}
    assert {s.columns: s.unique for s in found.subsets}["zip", "sex"] == 2
    assert found.unique == 2
    scores = found.scores[class_of]
    assert scores.tolist() == [1, 0, 0, 2 * 1 + 1, 0, 0], "m = 3: one column scores (3-1)(3-2), two score 1"
    assert found.shares == pytest.approx({"age": 2 / 6, "zip": 2 / 6, "sex": 2 / 6})


@many(seed=range(80))
def test_minimal_sample_uniques_equal_their_twin(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 25)), int(rng.integers(1, 5))
    codes = rng.integers(0, rng.integers(2, 5), (n, m)).astype(np.int32)
    persons = rng.integers(0, 9, n).astype(np.int32) if seed % 2 else None
    named = list(range(n)) if persons is None else persons.tolist()
    size = int(rng.integers(1, 4))
    classes, class_of = classes_of_rows(codes, respondents=persons)
    found = sample_uniques(classes, NAMES[:m], size)
    minimal, scores = naive.minimal_sample_uniques(codes.tolist(), named, size)
    assert found.scores[class_of].tolist() == scores
    assert {s.columns: s.minimal for s in found.subsets} == {
        tuple(NAMES[c] for c in columns): len({named[i] for i in rows}) for columns, rows in minimal.items()
    }
    for subset in found.subsets:
        columns = [NAMES.index(name) for name in subset.columns]
        assert subset.unique == len(naive.unique_people(codes.tolist(), named, columns))
    assert found.unique == len(naive.unique_people(codes.tolist(), named, range(m)))
    assert found.pointed_at == len({named[i] for i, score in enumerate(scores) if score})


@many(seed=range(30))
def test_leaving_a_column_out_equals_grouping_without_it(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (int(rng.integers(1, 30)), 3)).astype(np.int32)
    persons = rng.integers(0, 9, len(codes)).astype(np.int32) if seed % 2 else None
    named = list(range(len(codes))) if persons is None else persons.tolist()
    classes, _ = classes_of_rows(codes, respondents=persons)
    for j, left in enumerate(leaving_out(classes, NAMES[:3])):
        rest = np.delete(codes, j, axis=1).tolist()
        crowd = naive.crowd_of_each_person(rest, named)
        assert left.column == NAMES[j]
        assert left.classes == len({tuple(row) for row in rest})
        assert left.k == min(crowd.values())
        assert left.unique == sum(size == 1 for size in crowd.values())
        assert left.average_risk == pytest.approx(np.mean([1 / size for size in crowd.values()]))


def test_one_column_can_be_left_out_of_one():
    classes, _ = classes_of_rows(np.array([[0], [1], [2]], np.int32))
    [left] = leaving_out(classes, ("age",))
    assert (left.classes, left.k, left.unique) == (1, 3, 0)


def test_columns_wider_than_64_bits_together_are_grouped_all_the_same():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 4, (40, 4)).astype(np.int32)
    wide = codes + np.int32(2**30) * (codes > 1)
    small, _ = classes_of_rows(codes)
    large, _ = classes_of_rows(wide.astype(np.int32))
    expected, found = sample_uniques(small, NAMES, 4), sample_uniques(large, NAMES, 4)
    assert [(s.columns, s.unique, s.minimal) for s in found.subsets] == [
        (s.columns, s.unique, s.minimal) for s in expected.subsets
    ]


def test_large_tables_with_many_columns_are_looked_at_on_smaller_sets():
    assert affordable_size(30_000, 9, 3) == 3
    assert affordable_size(1_000_000, 9, 3) == 3
    assert affordable_size(1_000_000, 30, 3) == 1
    assert affordable_size(BUDGET * 10, 3, 3) == 1
    assert affordable_size(10, 2, 3) == 2


def test_many_columns_are_looked_at_on_smaller_sets_however_few_rows_there_are():
    assert affordable_size(50, 2_000, 3) == 1
    assert affordable_size(50, 400, 3) == 2
    assert affordable_size(50, 60, 3) == 3


@pytest.mark.parametrize("seed", range(12))
def test_leaving_one_of_many_columns_out_equals_grouping_without_it(seed):
    """More columns than one key holds, some of which alone tell everybody apart."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 40)), int(rng.integers(33, 60))
    codes = (rng.random((n, m)) < rng.choice([0.02, 0.5])).astype(np.int32) * rng.integers(1, 4, m).astype(
        np.int32
    )
    if seed % 3 == 0:
        codes[:, int(rng.integers(0, m))] = rng.permutation(n)
    persons = rng.integers(0, 9, n).astype(np.int32) if seed % 2 else None
    classes, _ = classes_of_rows(codes, respondents=persons)
    for j, (merged, left) in enumerate(
        zip(
            Projection(classes).without_each(), leaving_out(classes, [f"q{c}" for c in range(m)]), strict=True
        )
    ):
        expected, _ = classes_of_rows(np.delete(codes, j, axis=1), respondents=persons)
        assert sorted(merged.rows.tolist()) == sorted(expected.rows.tolist())
        assert sorted(merged.sizes.tolist()) == sorted(expected.sizes.tolist())
        assert (left.column, left.classes) == (f"q{j}", len(expected))


def test_leaving_each_column_out_numbers_as_many_cells_as_there_are(monkeypatch):
    counted = []
    number = grouping_kernels.number
    monkeypatch.setattr(grouping_kernels, "number", lambda keys: counted.append(len(keys)) or number(keys))
    rng = np.random.default_rng(1)
    for m in (100, 400):
        classes, _ = classes_of_rows(rng.integers(0, 2, (50, 3)).astype(np.int32)[:, rng.integers(0, 3, m)])
        counted.clear()
        leaving_out(classes, [f"q{c}" for c in range(m)])
        assert 0 < sum(counted) <= 3 * m * len(classes)
