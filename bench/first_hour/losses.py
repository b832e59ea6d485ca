"""What a release by the proposed roles loses, beside one by the roles of the truth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.first_hour.hierarchies import proposed

import kohort
from kohort.errors import InfeasibleError, InputError, UnfinishedError
from kohort.facts.release import of_table
from kohort.proposals import Proposal
from kohort.table import Table

K, SECONDS = 5, 10.0


def lost(
    path: Path,
    table: Table,
    roles: Mapping[str, str],
    judged: tuple[str, ...],
    by_hand: Mapping[str, Mapping[str, Any]] | None = None,
    weights: Mapping[str, float] | None = None,
) -> float | None:
    """Return the share of their detail that the columns `judged` lose on average by 5-anonymity; None where there is no release.

    Hierarchies are those that `init` proposes, unless some are made by hand.
    """
    columns: dict[str, Any] = {}
    for name, role in roles.items():
        columns[name] = {"role": role}
        if role == "quasi":
            columns[name]["hierarchy"] = (by_hand or {}).get(name) or proposed(table[name])
            columns[name]["weight"] = (weights or {}).get(name, 1.0)
        elif role != "identifier":
            columns[name]["allow_unique"] = True  # what is kept is not what is measured here
    plan = kohort.Plan(
        columns=columns,
        require=[kohort.KAnonymity(K)],
        recode={"time_limit": SECONDS},
        output={"ledger": ""},  # type: ignore[arg-type]
    )
    try:
        facts = of_table(kohort.anonymize(path, plan).facts)
    except (InfeasibleError, InputError, UnfinishedError):
        return None
    told = {
        column.name: column.generalized.loss for column in facts.columns if column.generalized is not None
    }
    return sum(told.get(name, 1.0) for name in judged) / len(judged)


def roles_decided(proposals: list[Proposal], truth: Mapping[str, str]) -> dict[str, str]:
    """Return the proposed roles; what is undecided is decided as the truth has it."""
    return {p.column: str(p.role) if p.decided else truth[p.column] for p in proposals}
