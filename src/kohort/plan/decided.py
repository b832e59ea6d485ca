"""Whether everything that a plan proposes was decided by somebody."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.errors import InputError
from kohort.plan.plan import Plan
from kohort.table.roles import Role
from kohort.toml import toml_key

MEANINGS: Mapping[Role, str] = {
    Role.IDENTIFIER: "it names a person, or is left out to be safe",
    Role.QUASI: "others may know it of a person, so it is generalized, and nothing is promised about what it tells",
    Role.SENSITIVE: "it must not be learnt of a person, so it is kept as it is, and a [[require]] must watch it",
    Role.INSENSITIVE: "neither, so it is kept as it is",
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
            f"say which role each has ({roles}): take out decided = false where it is the one that is proposed, or write another "
            f'instead of all that stands there, as in {toml_key(waiting[0])} = "identifier"; in Python, '
            'plan.decide({"column": "role"}) does both',
            code="plan.undecided",
            columns=list(waiting),
        )
