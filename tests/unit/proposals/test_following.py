"""A column that follows from another has its role: neither a logarithm nor a class tells what the other must not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from kohort.arrays import FloatArray
from kohort.proposals import Proposal, propose
from kohort.proposals.following import follows
from kohort.table import Role, Table

RNG = np.random.default_rng(7)
WAGE = np.round(RNG.lognormal(2, 0.5, 400), 2)
AGE = RNG.integers(18, 80, 400).astype(float)
FORMS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "logarithm": np.log,
    "square": np.square,
    "negative": np.negative,
    "rounded": lambda numbers: np.round(np.log(numbers), 3),
}


def proposals(**columns: object) -> dict[str, Proposal]:
    return {p.column: p for p in propose(Table.from_arrow(pa.table(columns)))}


@pytest.mark.parametrize("form", FORMS)
def test_a_number_that_says_what_a_wage_says_is_as_sensitive(form: str) -> None:
    found = proposals(wage=WAGE, x=FORMS[form](WAGE))
    assert (found["wage"].role, found["x"].role) == (Role.SENSITIVE, Role.SENSITIVE)
    assert found["x"].reason == "it follows from wage, which is sensitive"
    assert found["x"].hierarchy is None
    assert not proposals(wage=WAGE, x=FORMS[form](RNG.permutation(WAGE)))["x"].decided


def test_few_classes_of_a_sensitive_number_wait_for_a_decision() -> None:
    found = proposals(wage=WAGE, x=(np.median(WAGE) < WAGE).astype(int))["x"]
    assert (found.role, found.decided) == (Role.QUASI, False)


@pytest.mark.parametrize("form", FORMS)
def test_what_follows_from_an_age_is_not_kept_as_it_is(form: str) -> None:
    found = proposals(age=AGE, premium=FORMS[form](AGE))["premium"]
    assert (found.role, found.confidence) == (Role.QUASI, "unsure")
    assert found.hierarchy is not None
    assert found.reason == "it follows from age, which is quasi"
    assert proposals(age=AGE, premium=RNG.permutation(AGE))["premium"].role is Role.SENSITIVE


def test_missing_numbers_and_chance() -> None:
    gone = np.where(np.quantile(WAGE, 0.2) > WAGE, np.nan, np.log(WAGE))
    assert follows(gone, WAGE)
    assert not follows(np.where(np.arange(400) % 5 == 0, np.nan, WAGE), np.where(WAGE < 9, np.nan, WAGE))
    assert not follows(np.where(np.arange(400) == np.argmax(WAGE), 1.0, 0.0), WAGE), "one row says nothing"


def test_classes_of_a_place_are_a_place_and_what_it_settles_is_not_kept() -> None:
    states = np.array(["Bayern", "Hessen", "Sachsen", "Saarland"])[RNG.integers(0, 4, 400)]
    dummy = (states == "Hessen").astype(int)
    price = np.array([f"{len(state)}.5" for state in states])
    found = proposals(state=states, y7=dummy, price=price)
    assert {(found[name].role, found[name].decided) for name in ("y7", "price")} == {(Role.QUASI, True)}
    assert {found[name].reason for name in ("y7", "price")} == {"it follows from state, which is quasi"}
    assert proposals(state=states, price=RNG.permutation(price))["price"].role is Role.SENSITIVE


def test_a_place_of_few_rows_settles_nothing() -> None:
    states = np.arange(400) // 2
    assert proposals(region=states, price=states % 7 * 150.0)["price"].role is Role.SENSITIVE


def test_whether_a_value_is_there_is_told_with_the_value() -> None:
    known = RNG.random(400) < 0.6
    some = [wage if there else None for wage, there in zip(WAGE, known, strict=True)]
    found = proposals(wage=some, r=known.astype(int))["r"]
    assert (found.role, found.decided) == (Role.SENSITIVE, True)
    assert found.reason == "it says whether wage has a value, which is sensitive"
    assert not proposals(wage=some, r=RNG.permutation(known).astype(int))["r"].decided
    assert not proposals(q7=some, r=known.astype(int))["r"].decided, "of what is unknown it is too"
