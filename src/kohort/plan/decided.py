"""Whether everything that a plan proposes was decided by somebody."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.errors import InputError
from kohort.plan.plan import Plan
from kohort.table.roles import Role
from kohort.toml import toml_key

MEANINGS: Mapping[Role, str] = {
    Role.IDENTIFIER: "it names a person, and is not released",
    Role.QUASI: "others may know it of a person",
    Role.SENSITIVE: "it must not be learnt of a person",
    Role.INSENSITIVE: "neither",
    Role.SET: "which items a person holds",
}


def undecided(plan: Plan) -> tuple[str, ...]:
    """Return the columns whose role is a proposal that waits for a decision."""
    return tuple(name for name, column in plan.columns.items() if not column.decided)


def demand_decided(plan: Plan) -> None:
    """Refuse to go by a plan some of whose roles nobody has decided on.

    What `kohort init` does not know it marks `decided = false`: who trusts it must not publish what it guessed.
    """
    waiting = undecided(plan)
    if waiting:
        roles = "; ".join(f"{role}: {said}" for role, said in MEANINGS.items() if role in plan.rules.roles)
        raise InputError(
            f"[columns] {len(waiting)} of {len(plan.columns):,} columns wait for your decision: {', '.join(waiting)}; "
            "of each, take out decided = false to keep the role that is proposed, or write another instead of all that stands "
            f'there, as in {toml_key(waiting[0])} = "identifier" ({roles}); in Python, plan.decide({{"column": "role"}}) does both',
            code="plan.undecided",
            columns=list(waiting),
        )
