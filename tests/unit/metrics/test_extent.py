"""Truta's Definition 9 by hand: widths of intervals, heights of trees."""

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics.extent import label_extents, level_extents

AGE = Hierarchy.from_rows(
    "age", [("25", "20-39", "*"), ("36", "20-39", "*"), ("39", "20-39", "*"), ("65", "60-79", "*")]
)
JOB = Hierarchy.from_rows(
    "job",
    [
        ("cook", "trade", "work", "*"),
        ("baker", "trade", "work", "*"),
        ("nurse", "care", "work", "*"),
        ("none", "none", "none", "*"),
    ],
)


def test_numbers_lose_the_width_of_their_interval_over_that_of_the_range():
    """25, 36 and 39 come out as [25, 39]: 14 of the 40 years from 25 to 65, though they are 3 of 4 values."""
    assert label_extents(AGE, ["25", "[25, 39]", "20-39", "*"]).tolist() == [0, 14 / 40, 14 / 40, 1]
    assert label_extents(AGE, ["[36, 65]"]).tolist() == [29 / 40]


def test_other_values_lose_the_height_of_the_tree_below_their_label():
    """`none` is one node of the tree, although it stands at three levels; a set loses as its lowest common ancestor."""
    labels = ["cook", "trade", "work", "none", "*", "{cook, nurse}"]
    assert label_extents(JOB, labels) == pytest.approx([0, 1 / 3, 2 / 3, 0, 1, 2 / 3])


def test_levels_tell_the_same_as_labels():
    for hierarchy in (AGE, JOB):
        for level, extents in zip(hierarchy.levels, level_extents(hierarchy), strict=True):
            assert label_extents(hierarchy, level.labels) == pytest.approx(extents)


def test_a_missing_value_alone_loses_nothing_and_beside_numbers_all():
    age = Hierarchy.from_rows(
        "age", [("20", "20s", "*"), ("29", "20s", "*"), ("50", "50s", "*"), (None, None, "*")]
    )
    assert label_extents(age, [None, "20s", "[20, 29] or missing", "*"]) == pytest.approx([0, 9 / 30, 1, 1])


def test_a_domain_of_one_value_cannot_lose_by_generalization():
    one = Hierarchy.from_rows("one", [("7", "*")])
    assert label_extents(one, ["7", "*"]).tolist() == [0, 0]


def test_a_perturbed_label_has_no_extent():
    with pytest.raises(InputError, match="stands for no ground values"):
        label_extents(AGE, ["26.5"])


@pytest.mark.parametrize(("domain", "width"), [(None, 14 / 40), ([0, 100], 19 / 100)])
def test_the_range_is_the_domain_declared_or_else_the_tables(domain, width):
    """Six records, classes 20-39 and 60-79 of three each: three lose 14 years, three none, of 40 in the table.

    With a domain declared, the labels cover 20 to 39 and 60 to 79: 19 of 100 years each.
    """
    told = {"kind": "intervals", "widths": [20]} | ({} if domain is None else {"domain": domain})
    frame = pa.table({"age": [25, 36, 39, 65, 65, 65], "ill": ["a", "b", "c"] * 2})
    plan = kohort.Plan(
        columns={"age": {"role": "quasi", "hierarchy": told}, "ill": "sensitive"},
        require=[kohort.KAnonymity(3)],
        recode={"objective": "information-loss", "max_suppression": 0},
    )
    release = kohort.anonymize(frame, plan)
    assert release.facts.score == pytest.approx(3 * width + (0 if domain is None else 3 * width))
    assert np.isclose(release.facts.losses["information-loss"], release.facts.score)
