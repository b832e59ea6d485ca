"""Groupings of rows that are elsewhere: those of the rows at hand where there is one region, and true within each where not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.unit.algorithms.partition.test_counted_search import PROMISES, AtHand, Nodes, labels_of, problem_of

from kohort.algorithms import Silent, able, algorithm
from kohort.algorithms.partition.grouped_search import solved
from kohort.algorithms.partition.grouping import Grouping, classes_of
from kohort.recode import Problem, Solution
from kohort.recode.counted_boxes import CountedBoxes
from kohort.recode.levels import settled
from kohort.recode.nodes import Lines
from kohort.report.regions import grouped_apart

GROUPING = able(lambda card: card.regions and card.decides == "row")


def options(name: str) -> dict[str, Any]:
    return {} if algorithm(name).card.truthful else {"release": "interval"}


def counted(problem: Problem, name: str, most: int) -> tuple[Solution, Problem]:
    """Return what an algorithm finds of a problem whose rows are elsewhere."""
    chosen: Any = algorithm(name)
    elsewhere: Any = replace(
        problem, nodes=Nodes(problem, AtHand(problem, most)), class_of=np.zeros(0, np.int32)
    )
    found = solved(elsewhere, chosen(**options(name)), Silent())
    return found, settled(elsewhere, found)


def test_what_groups_rows_is_served() -> None:
    assert GROUPING == ["enhanced-pk", "greedy-pk", "k-member", "mdav", "v-mdav"]


@pytest.mark.parametrize("name", GROUPING)
def test_one_region_is_grouped_as_the_rows_at_hand(name: str) -> None:
    """Tuples are distinct here, so that none is parted."""
    problem = distinct(problem_of(1, "k", {}))
    found, stood = counted(problem, name, most=10_000)
    chosen: Any = algorithm(name)
    whole = chosen(**options(name)).solve(problem, Silent())
    assert isinstance(found.decision, CountedBoxes)
    told, rows = found.decision.apply(stood), found.decision.rows
    group_of = rows.place[rows.box_of]  # type: ignore[attr-defined]
    expected = whole.decision.apply(problem)
    assert labels_of(stood, told, group_of) == labels_of(problem, expected, np.arange(problem.n_rows))
    assert found.score == pytest.approx(whole.score)
    assert not list(grouped_apart(name, found.facts))


@pytest.mark.parametrize("promise", ["k", "l", "t"])
@pytest.mark.parametrize("name", GROUPING)
def test_groups_keep_every_promise_and_cross_no_region(name: str, promise: str) -> None:
    assert promise in PROMISES
    problem = replace(problem_of(2, promise, {}), seed=7)
    found, stood = counted(problem, name, most=70)
    again, _ = counted(problem, name, most=70)
    assert isinstance(found.decision, CountedBoxes)
    assert isinstance(again.decision, CountedBoxes)
    assert found.facts["regions"] > 2
    assert (
        found.decision.rows.told.tolist() == again.decision.rows.told.tolist()
    )  # with the seed of the problem
    assert not problem.failing(found.decision.apply(stood).outcome(stood).classes).any()
    owner: Any = found.decision.rows.box_of  # type: ignore[attr-defined]
    of_tuple = np.unique(np.column_stack([problem.class_of, owner]), axis=0)[:, 0]
    assert len(np.unique(of_tuple)) == len(of_tuple)  # the rows of a tuple are in one group
    assert stood.base.rows.sum() == problem.n_rows
    [said] = grouped_apart(name, found.facts)
    assert (
        f"within {found.facts['regions']} regions of at most {found.facts['most_in_a_region']} rows" in said
    )
    assert "no group reaches from one region into another; where some were cut once more" in said


@pytest.mark.parametrize("name", GROUPING)
def test_an_executor_that_does_it_again_does_the_same(name: str) -> None:
    """In whatever order the lines of a region come to it, and without a seed in the plan."""
    problem, chosen = problem_of(3, "l", {}), algorithm(name)
    grouping = Grouping.of(problem, chosen(**options(name)), ())  # type: ignore[call-arg]
    ground = problem.base.codes[problem.class_of]
    one = Lines(0, ground, dict(problem.sensitive), np.ones(len(ground), np.int64))
    mixed = np.random.default_rng(1).permutation(len(ground))
    other = Lines(0, ground[mixed], {n: v[mixed] for n, v in one.values.items()}, one.records)
    boxes, again = grouping(one), grouping(other)
    assert boxes[0][mixed].tolist() == again[0].tolist()
    assert boxes[1].tolist() == again[1].tolist()


def distinct(problem: Problem) -> Problem:
    """Return the problem of one row of each tuple."""
    first = np.unique(problem.class_of, return_index=True)[1]
    base, values = problem.base, {name: codes[first] for name, codes in problem.sensitive.items()}
    sizes = {name: histogram.size for name, histogram in base.sensitive.items()}
    rows = np.arange(len(first))
    return replace(
        problem, base=classes_of(base.codes, rows, values, sizes), class_of=rows, sensitive=values, seed=7
    )


def test_what_regions_cost_is_said() -> None:
    for before, after, said in (
        (2.0, 2.5, "changed by +25.0%"),
        (4.0, 3.0, "changed by -25.0%"),
        (0.0, 0.0, "nothing was lost"),
        (0.0, 1.0, "lost what they had not"),
    ):
        tried = {"before": before, "after": after}
        [told] = grouped_apart("mdav", {"regions": 2, "most_in_a_region": 1, "cut_once_more": tried})
        assert "of at most 1 row, where" in told
        assert said in told
