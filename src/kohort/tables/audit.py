"""What a table achieves as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.plan.rules import demand_offer
from kohort.preparation import sensitive_hierarchies
from kohort.preparation.sources import read_source
from kohort.risk import audit_facts
from kohort.table.alike import alike, alike_warning


def audit(
    source: Any,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | None = None,
    respondent: str | None = None,
    *,
    plan: Plan | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
) -> dict[str, Any]:
    """Return what a table (a frame, or a path) achieves as it stands: k, l, t, p, α, β, δ and the risks.

    Roles may be named here or taken from a plan, which also gives the hierarchies of sensitive columns.
    """
    if plan is not None:
        demand_offer(plan, "audit")
    named = [*(quasi or ()), *(sensitive or ()), *([respondent] if respondent else [])]
    table = read_source(source, plan, named)[0]
    if quasi is None:
        if plan is None:
            raise InputError("audit: name the quasi-identifiers, or give a plan that does")
        quasi = plan.quasi
    if sensitive is None:
        sensitive = () if plan is None else [name for name in plan.sensitive if name in table.columns]
    if respondent is None and plan is not None and plan.input.respondent in table.columns:
        respondent = plan.input.respondent
    facts = audit_facts(
        table,
        quasi,
        sensitive,
        respondent,
        {} if plan is None else sensitive_hierarchies(table, plan, sensitive),
        sampling_fraction=sampling_fraction,
        population=None if population is None else read_source(population, plan)[0],
    )
    named = [] if respondent is None else alike_warning(respondent, alike(table[respondent].values))
    return facts | {"warnings": named}
