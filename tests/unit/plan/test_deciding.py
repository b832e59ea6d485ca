"""What waits in a plan is decided in Python, and a plan is printed as the file that it would be."""

from __future__ import annotations

import pyarrow as pa
import pytest
from msgspec import structs

import kohort
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plan.decided import demand_decided, undecided
from kohort.table.roles import Role

WIDTHS = {"kind": "intervals", "widths": [5]}
PLAN = Plan(
    columns={
        "age": {"role": "quasi", "hierarchy": WIDTHS},
        "a.b": {"role": "quasi", "hierarchy": WIDTHS, "decided": False},
    },
    require=[{"model": "k-anonymity", "k": 5}],
    notes={"a.b": "DECIDE: nothing tells what it is"},
)


@pytest.mark.parametrize("role", [role for role in Role if role in PLAN.rules.roles])
def test_any_role_can_be_decided(role: Role) -> None:
    for told in (role, str(role)):
        decided = PLAN.decide({"a.b": told})
        assert undecided(decided) == ()
        assert decided.columns["a.b"].role is role
        assert (decided.columns["a.b"].hierarchy == WIDTHS) == (role is Role.QUASI)
        assert (decided.notes, decided.columns["age"]) == (PLAN.notes, PLAN.columns["age"])
        demand_decided(decided)


def test_a_column_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"decide about one of: age, a\.b"):
        PLAN.decide({"c": "quasi"})


def test_the_refusal_names_the_way_in_python() -> None:
    with pytest.raises(InputError, match=r"plan\.decide"):
        demand_decided(PLAN)


def test_a_plan_is_printed_with_its_reasons() -> None:
    assert str(PLAN) == PLAN.to_toml()
    assert "nothing tells what it is" in str(PLAN)


def people(hiv: int) -> pa.Table:
    rows = 160
    return pa.table(
        {
            "zip": [f"941{i % 40:02d}" for i in range(rows)],
            "diagnosis": [("flu", "cold", "asthma", "gout")[i % 4] for i in range(rows)],
            "q7": [i % hiv == 0 for i in range(rows)],
        }
    )


def test_what_is_decided_to_be_sensitive_gets_the_promise_that_is_proposed_for_such() -> None:
    plan = kohort.propose(people(2))
    proposed = [model for model in plan.require if model.card.name == "l-diversity"]
    decided = plan.decide({"q7": "sensitive"})
    added = [model for model in decided.require if model not in plan.require]
    assert [(model.card.name, model.column, model.l) for model in added] == [("l-diversity", "q7", 2)]
    assert {model.variant for model in added} == {model.variant for model in proposed}
    assert decided.decide({"q7": "sensitive"}).require == decided.require
    assert plan.decide({"q7": "insensitive"}).require == plan.require


def test_a_plan_of_ones_own_and_a_column_nearly_all_alike_get_no_promise() -> None:
    assert PLAN.decide({"a.b": "sensitive"}).require == PLAN.require
    plan = kohort.propose(people(40))
    assert plan.decide({"q7": "sensitive"}).require == plan.require


def test_a_release_says_which_sensitive_column_has_no_promise() -> None:
    plan = kohort.propose(people(40)).decide({"q7": "sensitive"})
    release = kohort.anonymize(people(40), plan)
    assert "caution: " in repr(release)
    assert "no promise is made about q7" in repr(release)
    assert any("no promise is made about q7" in said for said in release.cautions)


def test_what_only_the_original_tells_is_among_the_cautions_and_not_in_the_repr() -> None:
    release = kohort.anonymize(people(2), kohort.propose(people(2)).decide({"q7": "insensitive"}))
    shown, before = len(release.draft.published.cautions(release.facts)), repr(release)
    release.facts = structs.replace(
        release.facts, several_rows="people seem to have several rows", warnings=("odd",)
    )
    assert [said for said in release.cautions if said == "odd" or "several rows" in said] == list(
        release.cautions[shown:]
    )
    assert repr(release) == before
