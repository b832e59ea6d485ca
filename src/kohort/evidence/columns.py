"""What happened to each column, told by its hierarchy and not by people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.evidence.labels import most_frequent
from kohort.facts.columns import ColumnFacts, Generalized, LevelFacts
from kohort.hierarchy import Hierarchy, Label
from kohort.metrics import Outcome
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.recode import Problem, Recoded
from kohort.table import Table


def columns_told(
    table: Table,
    plan: Plan,
    problem: Problem,
    recoded: Recoded,
    outcome: Outcome,
    decided: Mapping[str, Any],
    k: int,
) -> tuple[ColumnFacts, ...]:
    """Return the role of every column of the plan and, of quasi-identifiers, what happened to them.

    `decided` is what the decision tells: the level of each column where whole columns were generalized, and by
    what groups are told where values are perturbed.
    """
    coarse = coarse_columns(plan)
    return tuple(
        ColumnFacts(
            name=name,
            role=str(plan.columns[name].role),
            released=name in plan.released,
            generalized=_generalized(name, table, plan, problem, recoded, outcome, decided, k)
            if name in problem.names
            else None,
            told=coarse[name].words() if name in coarse else "",
        )
        for name in plan.columns
    )


def _generalized(
    name: str,
    table: Table,
    plan: Plan,
    problem: Problem,
    recoded: Recoded,
    outcome: Outcome,
    decided: Mapping[str, Any],
    k: int,
) -> Generalized:
    """Return the levels of a quasi-identifier, what was released of it and what it lost."""
    j = problem.names.index(name)
    hierarchy, column = problem.hierarchies[j], recoded.columns[j]
    records = records_of(problem, recoded, j)
    example = _example(column.labels, records, people_of(outcome, j, len(column.labels)), k)
    level = 0 if column.ground else decided.get("levels", {}).get(name)
    return Generalized(
        hierarchy=(plan.columns[name].hierarchy or {}).get("kind"),
        height=hierarchy.height,
        level=level,
        levels=_chain(hierarchy, level, example),
        domain=hierarchy.size,
        values=len(table[name].values),
        released_values=int((records > 0).sum()),
        example=example,
        loss=outcome.lost(j) if column.extents is None else _spread(outcome, column.extents, j),
        told_by=decided.get("aggregates", {}).get(name),
    )


def _spread(outcome: Outcome, extents: FloatArray, j: int) -> float:
    """Return the same of perturbed values: over how much of the domain those of a group were spread, on average."""
    open_to = float(outcome.classes.rows @ extents[outcome.classes.codes[:, j]])
    return round((open_to + outcome.suppressed) / outcome.n_rows, 12)


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
    """Return the released value that most records hold, missing ones apart, if at least k people do: nobody's in particular."""
    code = most_frequent(labels, records)
    return labels[code] if code is not None and people[code] >= k else None


def _chain(hierarchy: Hierarchy, released: int | None, example: Label) -> tuple[LevelFacts, ...]:
    """Return every level by name, number of labels and an example: the released one and what stands above it.

    Levels below the released one have no example, for it would be finer than the release.
    """
    examples: list[Label] = [None] * len(hierarchy.levels)
    if released is not None and example is not None:
        code = hierarchy.levels[released].code_of[example]
        ground = int(np.flatnonzero(hierarchy.levels[released].of_ground == code)[0])
        for height in range(released, hierarchy.height):
            level = hierarchy.levels[height]
            examples[height] = level.labels[level.of_ground[ground]]
    return tuple(
        LevelFacts(name, len(level.labels), shown)
        for name, level, shown in zip(hierarchy.level_names(), hierarchy.levels, examples, strict=True)
    )
