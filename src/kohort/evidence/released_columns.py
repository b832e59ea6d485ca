"""The columns of a release as they stand in it: what was declared of them, and which values most rows share.

A report may travel further than its table. So it quotes generalized values that k rows or more share, and no value of
a sensitive column, although the table shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.evidence.labels import natural
from kohort.evidence.release import small
from kohort.facts.columns import ReleasedColumn, Shown
from kohort.hierarchy import AVAILABLE_BUILDERS, build_hierarchy
from kohort.models import Attribute, Reference, crowd_of
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.third_parties import as_said_by
from kohort.verification.judges.contents import Contents

SHOWN = 12  # values of a column


def column_facts(told: Contents, plan: Plan) -> tuple[ReleasedColumn, ...]:
    """Return every released column with its role; of those that are counted, what is released of it too."""
    return tuple(_quasi(told, plan, n) if n in told.quasi else _other(told, plan, n) for n in plan.released)


def _other(told: Contents, plan: Plan, name: str) -> ReleasedColumn:
    values = len(told.labels[name]) if name in told.labels else None
    coarse = coarse_columns(plan)
    declared = f"told {coarse[name].words()}" if name in coarse else ""
    return ReleasedColumn(name=name, role=str(plan.columns[name].role), values=values, declared=declared)


def _quasi(told: Contents, plan: Plan, name: str) -> ReleasedColumn:
    """Return the hierarchy that was declared, and the most frequent values if k rows or more, of k people, share them."""
    labels, counts = told.labels[name], told.counts(name)
    frequent = [
        code
        for code in np.argsort(-counts, kind="stable")[:SHOWN]
        if counts[code] >= small(plan) and _of_many(plan)
    ]
    shown = [Shown(labels[c], int(counts[c])) for c in sorted(frequent, key=lambda c: natural(labels[c]))]
    hierarchy = plan.columns[name].hierarchy or {}
    return ReleasedColumn(
        name=name,
        role=str(plan.columns[name].role),
        values=len(labels),
        hierarchy=hierarchy,
        declared=_declared(hierarchy),
        shown=tuple(shown),
        others=int(counts.sum()) - sum(entry.rows for entry in shown),
    )


def _of_many(plan: Plan) -> bool:
    """Tell whether every released value is of as many people as rows are asked for.

    Whose rows are whose is not released: where a respondent is named it is so if each class is promised to hold so many.
    """
    return plan.input.respondent is None or crowd_of(plan.require) >= small(plan)


def _declared(spec: Mapping[str, Any]) -> str:
    """Return what is declared of a hierarchy, in the words of its kind."""
    kind = AVAILABLE_BUILDERS[spec["kind"]]
    card = kind.card
    told = [said.format(", ".join(map(str, spec[option]))) for option, said in card.words if spec.get(option)]
    return as_said_by(kind, ", ".join([card.told or card.summary, *told]))


def own_reference(told: Contents, plan: Plan) -> Reference:
    """Return the distributions of the release itself, with the hierarchies that stand in the plan."""
    names = [*told.classes.sensitive, *told.apart]
    return Reference(told.rows, {name: _attribute(told, plan, name) for name in names})


def _attribute(told: Contents, plan: Plan, name: str) -> Attribute:
    labels, counts, spec = told.labels[name], told.counts(name), plan.columns[name].hierarchy
    if spec is None:
        return Attribute(name, labels, counts)
    try:
        hierarchy = build_hierarchy(name, spec, labels, counts.tolist())
    except InputError:  # of a level file, which is not public, or for other values than those released
        return Attribute(name, labels, counts, unordered=True)
    return Attribute(name, labels, counts, hierarchy, hierarchy.encode(labels, counts))
