"""What waits in a plan is decided in Python, and a plan is printed as the file that it would be."""

from __future__ import annotations

import pytest

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
