"""Labels of groups against a naive reading of each group's values."""

from __future__ import annotations

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy, lowest_common_ancestor, meaning
from kohort.hierarchy.standing import standing
from kohort.models import KAnonymity
from kohort.recode import Problem
from kohort.recode.groups import Groups
from kohort.recode.labels import Extents, Held, label_ancestors, label_groups, label_ranges

AGE = Hierarchy.from_rows(
    "age", [[str(a), f"{a // 10 * 10}s", "*"] for a in range(20, 50, 3)] + [[None, None, "*"]]
)
JOB = Hierarchy.from_rows(
    "job",
    [["nurse", "care", "*"], ["doctor", "care", "*"], ["clerk", "office", "*"], ["baker", "trade", "*"],
     ["smith", "trade", "*"], [None, None, "*"]],
)  # fmt: skip


def problem(codes: np.ndarray) -> Problem:
    base, class_of = classes_of_rows(codes.astype(np.int32))
    return Problem(("age", "job"), (AGE, JOB), base, class_of, (KAnonymity(2),))


def covered(hierarchy: Hierarchy, codes: np.ndarray, tight: bool) -> np.ndarray:
    """The ground codes that the label of a group covers: cells of numbers, or all values under a node."""
    told = [c for c in codes if hierarchy.ground[c] is not None]
    if len(codes) == 1:
        return codes
    if hierarchy.grid is None or not told:
        level, code = lowest_common_ancestor(hierarchy, codes)
        return np.flatnonzero(hierarchy.levels[level].of_ground == code)
    cells = hierarchy.levels[0 if tight else 1].of_ground
    first = np.flatnonzero(cells == cells[min(told)])[0]
    last = np.flatnonzero(cells == cells[max(told)])[-1]
    return np.unique([*range(first, last + 1), *(c for c in codes if hierarchy.ground[c] is None)])


@pytest.mark.parametrize("hierarchy", [AGE, JOB], ids=["numbers", "values"])
@pytest.mark.parametrize("tight", [False, True], ids=["cells", "tight"])
@pytest.mark.parametrize("seed", range(10))
def test_labels_cover_the_cells_of_numbers_and_the_node_of_other_values(hierarchy, tight, seed):
    generator = np.random.default_rng(seed)
    ground = generator.integers(0, hierarchy.size, 40)
    group_of = np.append(np.arange(12), generator.integers(0, 12, 28))
    told = label_groups(hierarchy, ground, group_of, 12, tight)
    held = Held.of(ground, group_of, 12, hierarchy.size)
    ancestors = label_ancestors(hierarchy, Extents.of(hierarchy, held))
    for g in range(12):
        codes = np.unique(ground[group_of == g])
        expected = covered(hierarchy, codes, tight)
        label = told.labels[told.codes[g]]
        assert np.flatnonzero(meaning(hierarchy, label)).tolist() == expected.tolist()
        stands = standing(hierarchy, [label])
        assert stands.leaves == len(expected)
        assert stands.depth == lowest_common_ancestor(hierarchy, expected)[0] / hierarchy.height
        level, code = lowest_common_ancestor(hierarchy, codes)
        assert ancestors.labels[ancestors.codes[g]] == hierarchy.levels[level].labels[code]
        stands = standing(hierarchy, [ancestors.labels[ancestors.codes[g]]])
        assert stands.leaves == hierarchy.levels[level].leaves[code]
        assert stands.depth == level / hierarchy.height
    for labels in (told, ancestors):
        assert len(set(labels.labels)) == len(labels.labels)


def test_a_group_is_told_by_cells_a_node_or_what_all_share():
    codes = np.array([[AGE.ground.index("23"), 0], [AGE.ground.index("41"), 1], [AGE.ground.index("23"), 0]])
    recoded = Groups(np.array([0, 0, 1]), np.ones(3, np.bool_)).apply(problem(codes))
    assert [c.labels for c in recoded.columns] == [("[20, 47]", "23"), ("nurse", "care")]


@pytest.mark.parametrize("tight", [False, True])
def test_every_row_is_covered_by_its_label_and_groups_are_classes(tight):
    generator = np.random.default_rng(5)
    codes = np.column_stack([generator.integers(0, AGE.size, 60), generator.integers(0, JOB.size, 60)])
    kept = generator.random(60) < 0.9
    group_of = generator.integers(100, 110, 60)
    asked = problem(codes)
    recoded = Groups(group_of, kept, tight).apply(asked)
    for j, hierarchy in enumerate(asked.hierarchies):
        column = recoded.columns[j]
        for row in np.flatnonzero(kept):
            understood = meaning(hierarchy, column.labels[column.codes[row]])
            assert understood is not None
            assert understood[codes[row, j]]
    assert len(recoded.outcome(asked).classes) <= 10
    assert Groups(group_of, kept, tight).facts(asked)["groups"] == 10


def test_a_label_that_a_lower_level_uses_otherwise_is_not_released():
    twice = Hierarchy.from_rows(
        "x",
        [["a", "b*", "top", "*"], ["b", "b*", "top", "*"], ["c", "other", "b*", "*"], ["d", "e", "b*", "*"]],
    )
    told = label_groups(twice, np.array([2, 3]), np.zeros(2, np.int64), 1)
    assert told.labels[told.codes[0]] == "*"
    named = Hierarchy.from_rows("y", [[str(n), "[1, 2]" if n < 4 else "more", "*"] for n in range(1, 6)])
    told = label_ranges(named, np.array([0, 1]), np.array([1, 2]), np.zeros(2, np.bool_))
    assert [told.labels[c] for c in told.codes] == ["*", "[2, 3]"]


def test_an_exact_value_whose_label_stands_higher_up_too_covers_no_more_than_it_says():
    climbing = Hierarchy.from_rows("x", [["b", "c", "*"], ["a", "b", "*"], ["d", "b", "*"]])
    told = label_groups(climbing, np.array([0, 1, 2]), np.array([0, 1, 1]), 2)
    understood = [meaning(climbing, label) for label in told.labels]
    sizes = [0 if mask is None else int(mask.sum()) for mask in understood]
    assert sizes[0] == 1
    assert standing(climbing, told.labels).leaves.tolist() == sizes


def test_nothing_kept_is_an_empty_release():
    asked = problem(np.array([[0, 0], [1, 1]]))
    recoded = Groups(np.array([0, 0]), np.zeros(2, np.bool_)).apply(asked)
    assert not recoded.kept.any()
    assert all(len(c.labels) == 1 for c in recoded.columns)
