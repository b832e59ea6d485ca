"""What is told in public of a release: computed from the released tables and the public plan, and nothing else.

So whoever holds the tables can compute it again, byte for byte, and learns nothing from it that the tables
do not say. Rows that were left out, how much was lost, what the search did, when and where: all that is
in the private audit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from kohort.algorithms import algorithm
from kohort.algorithms.taxonomy import choose
from kohort.card import Card
from kohort.evidence.asked import public_plan
from kohort.evidence.facts import algorithm_facts, class_sizes, plain, promise_facts
from kohort.evidence.grain import significant
from kohort.evidence.released import column_facts, own_reference
from kohort.evidence.verdicts import public_verdicts
from kohort.models import GroupPromise, Reference
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.risk.audit import judged
from kohort.typed import typed
from kohort.verification.judges.contents import Contents

DIGITS = 6  # of figures: those behind may differ from one processor to the next


def public_facts(told: Contents, plan: Plan, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the manifest of the tables that say `told`; `files` are their names and SHA-256 digests.

    Of the plan nothing is looked at but its public part, so the plan that stands in a manifest serves as well.
    Where a respondent is named, rows are counted and risks are left out: whose the rows are is not released.
    """
    asked = public_plan(plan)
    plan = Plan.from_dict(asked)
    reference, card = own_reference(told, plan), card_of(plan, told.rows)
    torn = torn_of(plan, card)
    shown = plan.input.respondent is None or torn is not None  # who is torn has one row: rows are people
    figures = {
        "rows": told.rows,
        "classes": len(told.classes),
        "class_sizes": class_sizes(told.classes),
        **_groups(told, torn),
        "verdicts": public_verdicts(told, plan, reference, card, torn),
        **(_risks(told, reference) if shown else {"risk": None, "sensitive": {}}),
        "columns": column_facts(told, plan),
    }
    return {
        "zone": "public",
        "kohort": version("kohort"),
        "counted": "records" if shown else "rows",
        **_rounded(plain(figures)),
        "algorithm": algorithm_facts(card, plan.recode.options),
        "objective": plan.recode.objective,
        "promises": promise_facts(plan, card.torn),
        "asked": asked,
        "plan_toml": plan_toml(asked),
        "files": dict(sorted(files.items())),
    }


def manifest_bytes(public: Mapping[str, Any]) -> bytes:
    """Return public facts as they are written."""
    text = json.dumps(public, indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8")


def card_of(plan: Plan, rows: int) -> Card:
    """Return the card of the algorithm that the plan names, or that serves it in a release of so many rows.

    Only cells of tiny tables are suppressed otherwise, and there no row is left out: the released rows are all.
    """
    recode = plan.recode
    return algorithm(recode.algorithm or choose(recode.generalize, recode.suppress, rows)).card


def torn_of(plan: Plan, card: Card) -> GroupPromise | None:
    """Return the column that the plan tears off, and what it promises of it; None where it does not."""
    if not card.torn:
        return None
    chosen: Any = typed("[recode.options]", algorithm(card.name), plan.recode.options)
    found: GroupPromise = chosen.torn(plan.require, plan.sensitive)
    return found


def _groups(told: Contents, torn: GroupPromise | None) -> dict[str, Any]:
    """Return, where sensitive values are told by groups, of which column, in how many, and what is promised of them."""
    if torn is None or told.groups is None:
        return {}
    sizes = class_sizes(told.groups)
    return {"groups": len(told.groups), **asdict(torn), "group_sizes": sizes}


def _risks(told: Contents, reference: Reference) -> dict[str, Any]:
    """Return the risks of records by what the release shows."""
    found = judged(told.classes, reference)
    if told.groups is not None:
        found["sensitive"] |= judged(told.groups, reference)["sensitive"]
    return {"risk": found["risk"], "sensitive": found["sensitive"]}


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return significant(value, DIGITS) if isinstance(value, float) else value
