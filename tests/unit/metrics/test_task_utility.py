import sys

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics.task_utility import task_utility

AGE = Hierarchy.from_rows("age", [(str(a), f"{a // 20 * 20}+19", "*") for a in range(20, 80)])
JOB = Hierarchy.from_rows(
    "job", [("cook", "trade", "*"), ("baker", "trade", "*"), ("nurse", "care", "*"), ("doctor", "care", "*")]
)
HIERARCHIES = {"age": AGE, "job": JOB}


@pytest.fixture(scope="module")
def original():
    """Rich are those above 50 and all doctors: learnable from both columns."""
    rng = np.random.default_rng(4)
    age, job = rng.integers(20, 80, 3000), rng.choice(["cook", "baker", "nurse", "doctor"], 3000)
    return pa.table({"age": age, "job": job, "rich": np.where((age > 50) | (job == "doctor"), "yes", "no")})


def at_levels(table, age_level, job_level):
    def up(hierarchy, column, level):
        domain = hierarchy.levels[level]
        return [
            domain.labels[domain.of_ground[c]] for c in hierarchy.encode([str(v) for v in column.to_pylist()])
        ]

    age, job = up(AGE, table["age"], age_level), up(JOB, table["job"], job_level)
    return pa.table({"age": age, "job": job, "rich": table["rich"]})


def used(original, release, **options):
    return task_utility(original, release, "rich", ["age", "job"], HIERARCHIES, **options)


def test_the_original_teaches_as_much_as_itself(original):
    found = used(original, at_levels(original, 0, 0))
    assert found.original > 0.9
    assert found.release == pytest.approx(found.original, abs=0.03)
    assert found.kept == pytest.approx(1, abs=0.2)
    assert found.trained_on == (2100, 3000)
    assert found.tested_on == 900


def test_the_coarser_the_release_the_less_it_teaches(original):
    scores = [used(original, at_levels(original, *levels)).release for levels in ((0, 0), (1, 1), (2, 2))]
    assert scores[0] > scores[1] + 0.02
    assert scores[1] > scores[2] + 0.02


def test_a_release_that_tells_nothing_is_no_better_than_the_baseline(original):
    found = used(original, at_levels(original, 2, 2))
    assert found.release == pytest.approx(found.baseline)
    assert found.kept == pytest.approx(0)


def test_rows_may_be_held_out_by_the_caller(original):
    found = used(
        original.slice(0, 2000), at_levels(original.slice(0, 2000), 1, 0), held_out=original.slice(2000)
    )
    assert (found.trained_on, found.tested_on) == ((2000, 2000), 1000)
    assert found.baseline < found.release <= 1


def test_the_same_seed_gives_the_same_scores(original):
    release = at_levels(original, 1, 1)
    assert used(original, release, seed=3, most_rows=500) == used(original, release, seed=3, most_rows=500)
    assert used(original, release, most_rows=500).trained_on == (500, 500)


def test_features_without_a_hierarchy_are_taken_value_by_value(original):
    found = task_utility(original, at_levels(original, 1, 0), "rich", ["job"], {})
    assert found.release == pytest.approx(found.original)
    assert found.release > found.baseline


def test_missing_values_and_suppressed_rows_are_used_as_they_are():
    age = [None if i % 5 == 0 else 20 + i % 60 for i in range(400)]
    rich = ["yes" if a is None or a > 50 else "no" for a in age]
    ages = Hierarchy.from_rows("age", [*((str(a), "*") for a in range(20, 80)), (None, "*")])
    table = pa.table({"age": age, "rich": rich})
    blank = pa.table(
        {"age": ["*" if i < 40 else None if a is None else str(a) for i, a in enumerate(age)], "rich": rich}
    )
    found = task_utility(table, blank, "rich", ["age"], {"age": ages})
    assert found.original > 0.95
    assert found.release > 0.9


def test_one_answer_in_the_release_is_always_given(original):
    only = at_levels(original, 0, 0).filter(pa.array([r == "yes" for r in original["rich"].to_pylist()]))
    assert used(original, only).release == used(original, only).baseline


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rich", ["age", "pay"]), "the original has no column 'pay'"),
        (("rich", []), "at least one feature"),
        (("rich", ["rich"]), "not the target among them"),
    ],
)
def test_wrong_columns_are_told(original, arguments, told):
    with pytest.raises(InputError, match=told):
        task_utility(original, original, *arguments, HIERARCHIES)


def test_an_empty_release_is_told(original):
    with pytest.raises(InputError, match="no rows"):
        used(original, original.slice(0, 0))


def test_the_extra_to_install_is_named(original, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(InputError, match=r"kohort\[learn\]"):
        used(original, original)
