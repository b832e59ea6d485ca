"""Labels of groups against a naive reading of each group's values."""

from __future__ import annotations

import numpy as np
import pytest

from kohort.classes import classes_of_rows
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.spans import lowest_common_ancestor, meaning, span_label
from kohort.models import KAnonymity
from kohort.recode import Problem
from kohort.recode.groups import Groups, label_groups, label_ranges

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


def closed(hierarchy: Hierarchy, codes: np.ndarray) -> np.ndarray:
    """The ground codes a span covers: all numbers between the least and the greatest."""
    if hierarchy.numbers is None:
        return np.unique(codes)
    told = [c for c in codes if hierarchy.ground[c] is not None]
    missing = [c for c in codes if hierarchy.ground[c] is None]
    between = range(min(told), max(told) + 1) if told else ()
    return np.unique([*between, *missing])


@pytest.mark.parametrize("hierarchy", [AGE, JOB], ids=["numbers", "values"])
@pytest.mark.parametrize("seed", range(20))
def test_spans_and_ancestors_equal_the_naive_labels_of_each_group(hierarchy, seed):
    generator = np.random.default_rng(seed)
    ground = generator.integers(0, hierarchy.size, 40)
    group_of = np.append(np.arange(12), generator.integers(0, 12, 28))
    spans = label_groups(hierarchy, ground, group_of, 12, "span")
    ancestors = label_groups(hierarchy, ground, group_of, 12, "ancestor")
    for g in range(12):
        codes = np.unique(ground[group_of == g])
        covered = closed(hierarchy, codes)
        assert spans.labels[spans.codes[g]] == span_label(hierarchy, covered)
        assert spans.leaves[spans.codes[g]] == len(covered)
        assert spans.depth[spans.codes[g]] == lowest_common_ancestor(hierarchy, covered)[0] / hierarchy.height
        level, code = lowest_common_ancestor(hierarchy, codes)
        assert ancestors.labels[ancestors.codes[g]] == hierarchy.levels[level].labels[code]
        assert ancestors.leaves[ancestors.codes[g]] == hierarchy.levels[level].leaves[code]
        assert ancestors.depth[ancestors.codes[g]] == level / hierarchy.height
    for told in (spans, ancestors):
        assert len(set(told.labels)) == len(told.labels)
        for label, leaves in zip(told.labels, told.leaves, strict=True):
            understood = meaning(hierarchy, label)
            assert understood is not None
            assert understood.sum() == leaves


@pytest.mark.parametrize("style", ["span", "ancestor"])
def test_every_row_is_covered_by_its_label_and_groups_are_classes(style):
    generator = np.random.default_rng(5)
    codes = np.column_stack([generator.integers(0, AGE.size, 60), generator.integers(0, JOB.size, 60)])
    kept = generator.random(60) < 0.9
    group_of = generator.integers(100, 110, 60)
    asked = problem(codes)
    recoded = Groups(group_of, kept, style).apply(asked)
    for j, hierarchy in enumerate(asked.hierarchies):
        column = recoded.columns[j]
        for row in np.flatnonzero(kept):
            understood = meaning(hierarchy, column.labels[column.codes[row]])
            assert understood is not None
            assert understood[codes[row, j]]
    assert len(recoded.outcome(asked).classes) <= 10
    assert Groups(group_of, kept, style).facts(asked)["groups"] == 10


def test_a_label_that_a_lower_level_uses_otherwise_is_not_released():
    twice = Hierarchy.from_rows(
        "x",
        [["a", "b*", "top", "*"], ["b", "b*", "top", "*"], ["c", "other", "b*", "*"], ["d", "e", "b*", "*"]],
    )
    told = label_groups(twice, np.array([2, 3]), np.zeros(2, np.int64), 1, "ancestor")
    assert told.labels[told.codes[0]] == "*"
    named = Hierarchy.from_rows("y", [[str(n), "[1, 2]" if n < 4 else "more", "*"] for n in range(1, 6)])
    told = label_ranges(named, np.array([0, 1]), np.array([1, 2]))
    assert [told.labels[c] for c in told.codes] == ["*", "[2, 3]"]


def test_an_exact_value_whose_label_stands_higher_up_too_covers_no_more_than_it_says():
    climbing = Hierarchy.from_rows("x", [["b", "c", "*"], ["a", "b", "*"], ["d", "b", "*"]])
    for style in ("span", "ancestor"):
        told = label_groups(climbing, np.array([0, 1, 2]), np.array([0, 1, 1]), 2, style)
        for label, leaves in zip(told.labels, told.leaves, strict=True):
            understood = meaning(climbing, label)
            assert understood is not None
            assert understood.sum() == leaves


def test_nothing_kept_is_an_empty_release():
    asked = problem(np.array([[0, 0], [1, 1]]))
    recoded = Groups(np.array([0, 0]), np.zeros(2, np.bool_)).apply(asked)
    assert not recoded.kept.any()
    assert all(len(c.labels) == 1 for c in recoded.columns)


def test_an_unknown_style_is_refused():
    with pytest.raises(InputError, match="span, ancestor"):
        Groups(np.array([0]), np.array([True]), "mean")  # type: ignore[arg-type]
