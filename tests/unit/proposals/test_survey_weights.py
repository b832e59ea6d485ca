"""A weight of a survey is told from that of a body by its values, whatever it is called."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kohort.proposals import propose
from kohort.proposals.words import BODY, SURVEY_WEIGHT
from kohort.table import Role, Table

ROWS = 300
NAMES = ("wt", "WT", "weight", "wgt2", "gewicht", "poids", "peso", "w", "pweight")


def concepts(values: np.ndarray) -> set[tuple[str | None, Role]]:
    table = Table.from_arrow(pa.table({name: values.tolist() for name in NAMES}))
    return {(found.concept, found.role) for found in propose(table)}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("decimals", [3, 6, 12])
def test_shares_about_one_on_average_are_of_a_survey(seed: int, decimals: int) -> None:
    weights = np.random.default_rng(seed).gamma(3, 1 / 3, ROWS)
    assert concepts(np.round(weights / weights.mean(), decimals)) == {(SURVEY_WEIGHT, Role.QUASI)}


@pytest.mark.parametrize("seed", range(5))
def test_numbers_of_people_are_of_a_survey(seed: int) -> None:
    people = np.random.default_rng(seed).lognormal(7.5, 1, ROWS)
    assert concepts(np.round(people, 2)) == {(SURVEY_WEIGHT, Role.QUASI)}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("mean", "spread", "decimals"), [(75, 14, 1), (170, 30, 0), (72, 12, 4), (3400, 500, 0)]
)
def test_bodies_in_kilograms_pounds_and_grams_are_not(
    mean: float, spread: float, decimals: int, seed: int
) -> None:
    bodies = np.abs(np.random.default_rng(seed).normal(mean, spread, ROWS)).round(decimals)
    named = [name for name in NAMES if name != "pweight"]  # which means nothing else
    table = Table.from_arrow(pa.table({name: bodies.tolist() for name in named}))
    found = {one.column: one.concept for one in propose(table)}
    assert SURVEY_WEIGHT not in found.values()
    assert found["weight"] == BODY
