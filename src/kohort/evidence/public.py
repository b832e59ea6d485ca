"""What is told in public of a release: computed from the released tables and the public plan, and nothing else.

So whoever holds the tables can compute it again, byte for byte, and learns nothing from it that the tables
do not say. Rows that were left out, how much was lost, what the search did, when and where: all that is
in the private audit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from kohort.algorithms import algorithm
from kohort.algorithms.taxonomy import choose
from kohort.card import Card
from kohort.evidence.asked import public_plan
from kohort.evidence.grain import significant
from kohort.evidence.promises import method_facts, promise_facts, watched_by_promises
from kohort.evidence.released_columns import column_facts, own_reference
from kohort.evidence.risks import risks_told, rounded_up
from kohort.evidence.singling_out import singling_out
from kohort.evidence.sizes import class_sizes
from kohort.evidence.verdicts import public_verdicts
from kohort.facts.figures import Diversity, Risk, SinglingOut
from kohort.facts.manifest import Manifest
from kohort.facts.promises import VerdictFacts
from kohort.models import Reference
from kohort.plan import Plan
from kohort.plan.text import plan_toml
from kohort.preparation.kind import Kind
from kohort.verification.judges.contents import Contents
from kohort.version import __version__

T = TypeVar("T")

DIGITS = 6  # of figures: those behind may differ from one processor to the next


def public_facts(told: Contents, plan: Plan, files: Mapping[str, str]) -> Manifest:
    """Return the manifest of the tables that say `told`; `files` are their names and SHA-256 digests.

    Of the plan nothing is looked at but its public part, so the plan that stands in a manifest serves as well.
    Where a respondent is named, rows are counted and risks are left out: whose the rows are is not released.
    """
    asked = public_plan(plan)
    plan = Plan.from_dict(asked)
    reference, card = own_reference(told, plan), card_of(plan, told.rows)
    layout = Kind.of(plan).layout
    shown = plan.input.respondent is None or layout.one_row_each  # then rows are people
    risk, sensitive = _risks(told, reference, shown)
    return Manifest(
        promises=promise_facts(plan, layout),
        verdicts=_rounded(
            public_verdicts(told, plan, reference, layout, card.truthful), tuple[VerdictFacts, ...]
        ),
        asked=asked,
        plan_toml=plan_toml(asked),
        files=dict(sorted(files.items())),
        counted="records" if shown else "rows",
        algorithm=method_facts(card, plan.recode.options),
        objective=plan.recode.objective,
        classes=len(told.classes),
        class_sizes=class_sizes(told.classes),
        apart=layout.facts(told, class_sizes),
        risk=risk,
        singling_out=_rounded(singling_out(told), SinglingOut),
        sensitive=sensitive,
        watched=watched_by_promises(plan),
        kohort=__version__,
        rows=told.rows,
        columns=column_facts(told, plan),
    )


def manifest_bytes(public: Manifest) -> bytes:
    """Return public facts as they are written."""
    text = json.dumps(msgspec.to_builtins(public), indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8")


def card_of(plan: Plan, rows: int) -> Card:
    """Return the card of the algorithm that the plan names, or that serves it in a release of so many rows.

    Only cells of tiny tables are suppressed otherwise, and there no row is left out: the released rows are all.
    """
    recode = plan.recode
    return algorithm(recode.algorithm or choose(recode.generalize, recode.suppress, rows)).card


def _risks(told: Contents, reference: Reference, shown: bool) -> tuple[Risk | None, dict[str, Diversity]]:
    """Return the risks of records by what the release shows; none where it does not show whose they are."""
    if not shown:
        return None, {}
    risk, sensitive = risks_told(told.classes, reference)
    for classes in told.apart.values():
        sensitive |= risks_told(classes, reference)[1]
    return rounded_up(_rounded(risk, Risk), risk, DIGITS), _rounded(sensitive, dict[str, Diversity])


def _rounded(facts: T, kind: type[T]) -> T:
    """Return facts with their figures to some digits."""
    return msgspec.convert(_coarse(msgspec.to_builtins(facts)), kind)


def _coarse(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _coarse(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_coarse(item) for item in value]
    return significant(value, DIGITS) if isinstance(value, float) else value
