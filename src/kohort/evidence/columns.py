"""What happened to each column, told by its hierarchy and not by people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label
from kohort.metrics import Outcome
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.table import Table


def column_facts(
    name: str,
    table: Table,
    plan: Plan,
    problem: Problem,
    recoded: Recoded,
    outcome: Outcome,
    levels: Mapping[str, int],
    k: int,
) -> dict[str, Any]:
    """Return a column's role and, for a quasi-identifier, its levels, what was released of it and what it lost.

    `levels` tells the level of each column, where whole columns were generalized.
    """
    told: dict[str, Any] = {
        "name": name,
        "role": str(plan.columns[name].role),
        "released": name in plan.released,
    }
    if name not in problem.names:
        return told
    j = problem.names.index(name)
    hierarchy, column = problem.hierarchies[j], recoded.columns[j]
    spec = plan.columns[name].hierarchy or {}
    records = records_of(problem, recoded, j)
    example = _example(column.labels, records, people_of(outcome, j, len(column.labels)), k)
    share = (outcome.covered()[j] / hierarchy.size + outcome.suppressed) / outcome.n_rows
    least = 1 / hierarchy.size
    level = 0 if column.ground else levels.get(name)
    return told | {
        "hierarchy": spec.get("kind"),
        "height": hierarchy.height,
        "level": level,
        "levels": _chain(spec, hierarchy, level, example),
        "domain": hierarchy.size,
        "values": len(table[name].values),
        "released_values": int((records > 0).sum()),
        "example": example,
        "loss": max(round(float((share - least) / (1 - least)), 12), 0.0) if hierarchy.size > 1 else 0.0,
    }


def records_of(problem: Problem, recoded: Recoded, j: int) -> IntArray:
    """Return how many records are released with each label of attribute j."""
    column = recoded.columns[j]
    weights = None if recoded.class_of is None else problem.base.rows[recoded.kept]
    return np.bincount(column.codes[recoded.kept], weights, minlength=len(column.labels)).astype(np.int64)


def people_of(outcome: Outcome, j: int, n_labels: int) -> IntArray:
    """Return how many people are released with each label of attribute j; records where people are not named."""
    classes = outcome.classes
    if classes.respondents is None:
        return np.bincount(classes.codes[:, j], classes.rows, minlength=n_labels).astype(np.int64)
    return classes.respondents.merged(classes.codes[:, j].astype(np.int64), n_labels).distinct()


def _example(labels: Sequence[Label], records: IntArray, people: IntArray, k: int) -> Label:
    """Return the released value that most records hold, if at least k people do: public, and nobody's in particular."""
    told = [code for code in np.argsort(-records, kind="stable") if labels[code] is not None]
    return labels[told[0]] if told and people[told[0]] >= k else None


def _chain(
    spec: Mapping[str, Any], hierarchy: Hierarchy, released: int | None, example: Label
) -> list[dict[str, Any]]:
    """Return every level by name, number of labels and an example: the released one and what stands above it.

    Levels below the released one have no example, for it would be finer than the release; but a tree stands
    in the plan, so its own leaves are shown.
    """
    chain = [
        {"name": name, "labels": len(level.labels), "example": None}
        for name, level in zip(hierarchy.level_names(), hierarchy.levels, strict=True)
    ]
    if released is None or example is None:
        return chain
    ground = int(
        np.flatnonzero(hierarchy.levels[released].of_ground == _code(hierarchy, released, example))[0]
    )
    start = 0 if spec.get("kind") == "tree" else released
    for height in range(start, hierarchy.height):
        level = hierarchy.levels[height]
        chain[height]["example"] = level.labels[level.of_ground[ground]]
    return chain


def _code(hierarchy: Hierarchy, level: int, label: Label) -> int:
    return hierarchy.levels[level].code_of[label]
