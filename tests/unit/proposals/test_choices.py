"""Whoever decides is offered a choice, and what it would mean: never one role as if there were no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.proposals.messy.first_half import TABLES as FIRST
from tests.unit.proposals.messy.second_half import TABLES as SECOND
from tests.unit.proposals.test_messy_tables import drawn

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plan.decided import demand_decided
from kohort.proposals import Proposal, note_of, propose
from kohort.proposals.choices import choices
from kohort.proposals.words import CONCEPTS
from kohort.table import Role, Table

SENSITIVE = [concept for concept in CONCEPTS if concept.role is Role.SENSITIVE]
KEPT = {"model": "k-anonymity", "k": 2}
VALUES: dict[str, list[Any]] = {
    "codes": [f"K{100 + 37 * i}" for i in range(8)],
    "numbers": [1003 + 717 * i for i in range(8)],
    "phrases": ["came in the early morning", "was seen by the other one", "none of these at all"],
    "ages": [*range(18, 90)],
    "words": ["Gurk", "Trzin", "Ikast", "Kuhmo"],
}


def proposed(names: list[str], values: list[Any]) -> list[Proposal]:
    drawn_of = np.random.default_rng(3).integers(0, len(values), 400)
    return propose(Table.from_arrow(pa.table({name: [values[i] for i in drawn_of] for name in names})))


def check(found: Proposal) -> None:
    offered = choices(found)
    assert offered[0] is found.role
    assert (len(set(offered)) > 1) == (not found.decided)
    assert all(
        str(role) in note_of(found).split(": ", 2)[0 if found.confidence == "sure" else 1] for role in offered
    )


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("concept", SENSITIVE, ids=lambda concept: concept.name)
def test_what_is_called_after_something_sensitive_may_be_called_so(concept: Any, values: str) -> None:
    words = concept.words.split()
    names = [*dict.fromkeys([*words[::9], *(f"{word}_xyzzy" for word in words[::11])])]
    for found in proposed(names, VALUES[values]):
        check(found)
        if not found.decided and found.role is Role.QUASI and found.concept == concept.name:
            assert Role.SENSITIVE in choices(found)


@pytest.mark.parametrize("text", [*FIRST, *SECOND], ids=lambda text: text.split("|")[0].strip())
def test_every_decision_of_a_table_is_a_choice(text: str) -> None:
    for found in propose(drawn(text).table):
        check(found)


def test_whoever_forgot_to_decide_is_told_what_each_role_would_mean() -> None:
    plan = Plan.from_dict({"columns": {"q7": {"role": "quasi", "decided": False}}, "require": [KEPT]})
    with pytest.raises(InputError) as refused:
        demand_decided(plan)
    for said in (
        "nothing is promised about what it tells",
        "must not be learnt",
        "left out",
        "kept as it is",
    ):
        assert said in str(refused.value)
