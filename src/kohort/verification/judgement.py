"""Verification of released tables: their promises, their shape, their truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError, VerificationError
from kohort.hierarchy import Hierarchy
from kohort.models import Reference, crowd_of
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.plurals import many
from kohort.preparation import check_names, max_suppressed, people_of, quasi_hierarchies, reference_of
from kohort.preparation.kind import Kind
from kohort.preparation.sources import as_released, read_source, reread
from kohort.table import Table
from kohort.verification.judges import (
    Asked,
    Layout,
    Verdict,
    judge_coarse,
    judge_level_bounds,
    judge_open_ends,
    judge_shape,
    judge_suppression,
    judge_truth,
    left_blank,
    match_rows,
    told_again,
    with_guards,
)
from kohort.verification.judges.as_they_are import judge_as_they_are
from kohort.verification.judges.level_bounds import Bounds
from kohort.verification.judges.perturbed import (
    RowsTold,
    Told,
    distinct_tuples,
    ground_counts,
    judge_perturbed,
    judge_perturbed_rows,
)
from kohort.verification.judges.recounted import recount
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.judges.truth import UNMATCHED

READABLE = "the tables can be read and judged"
TRUTH_UNKNOWN = "not judged: it takes the original table to tell"


@dataclass(frozen=True, eq=False, repr=False)
class Original:
    """The original table, for those who hold it: what a release must be true of."""

    table: Table
    hierarchies: tuple[Hierarchy, ...]
    reference: Reference

    @classmethod
    def of(cls, source: Any, plan: Plan) -> Original:
        """Read the original and build its hierarchies anew."""
        read = read_source(source, plan)[0]
        check_names(read.names, plan)
        table = told_again(read, coarse_columns(plan))
        population = (
            None if plan.input.population is None else read_source(plan.base / plan.input.population, plan)[0]
        )
        hierarchies = quasi_hierarchies(table, plan, population)
        people = people_of(table, plan.input.respondent, plan.sensitive)
        return cls(table, hierarchies, reference_of(table, plan, hierarchies, population, people))


def judge_release(
    tables: Mapping[str, Table],
    plan: Plan,
    kind: Kind,
    original: Original | None = None,
    people: IntArray | None = None,
    rows: IntArray | None = None,
    reference: Reference | None = None,
) -> list[Verdict]:
    """Return a verdict on every promise of a release; on what cannot be told, that it is not judged.

    `people` names the person of each released row and `rows` its original row, where that is known; where it
    is not, an assignment of rows is sought. `reference` is what is known of the original where it is not at hand.
    """
    layout, first = kind.layout, kind.layout.stems[0]
    table = tables[first]
    reference = reference if original is None else original.reference
    shape = judge_shape(table, layout.declared(plan.released), None if rows is None else len(rows))
    if not shape.holds:
        return [shape]
    told = tables
    if original is not None:
        recount(original.table, plan.input.respondent, original.reference)
    if original is not None and rows is not None:
        told = {**tables, first: with_guards(table, original.table, plan.guards, rows)}
    promises = layout.judge(told, Asked(plan.quasi, plan.require, reference, people))
    if plan.input.respondent is not None and people is None:
        promises = layout.without_people(promises, plan.require)
    return [
        *promises,
        shape,
        *_judge_levels(table, plan, original),
        *judge_open_ends(table, plan.open_ends, kind.truthful),
        *judge_coarse(tables, coarse_columns(plan)),
        *(
            _judge_truth(tables, layout, original, rows)
            if kind.generalizes
            else _judge_perturbed(table, plan, kind, original, rows)
        ),
        judge_suppression(table.n_rows, *limits(plan, kind, original), _blank(table, plan, original)),
    ]


def limits(plan: Plan, kind: Kind, original: Original | None) -> tuple[int | None, int | None]:
    """Return how many rows the original has and how many of them may be left out, or blank."""
    if original is None:
        return None, None
    n_rows = original.table.n_rows
    return n_rows, max_suppressed(plan, n_rows) if kind.leaves_out else 0


def _judge_truth(
    tables: Mapping[str, Table], layout: Layout, original: Original | None, rows: IntArray | None
) -> list[Verdict]:
    if original is None:
        return [Verdict(TRUTH, None, note=TRUTH_UNKNOWN)]
    told = layout.records(tables)
    found = match_rows(told, original.table, original.hierarchies) if rows is None else rows
    if found is None:
        return [Verdict(TRUTH, False, note=UNMATCHED)]
    truth = judge_truth(told, original.table, original.hierarchies, found)
    return [truth, *layout.judge_values(tables, original.table, rows)]


def _judge_perturbed(
    table: Table, plan: Plan, kind: Kind, original: Original | None, rows: IntArray | None
) -> list[Verdict]:
    """Return the verdicts on columns that are as they were, and on those that are perturbed."""
    source = None if original is None else original.table
    as_they_are = judge_as_they_are(table, source, carried(plan), rows)
    assert kind.perturbation is not None
    if rows is None or original is None:
        judged = judge_perturbed(
            kind.perturbation, None if original is None else told_of(table, table, plan, original)
        )
        return [*as_they_are, judged]
    return [*as_they_are, judge_perturbed_rows(kind.perturbation, _rows_told(table, plan, original, rows))]


def carried(plan: Plan) -> list[str]:
    """Return the columns that are released as they are where quasi-identifiers are perturbed."""
    return [name for name in plan.released if name not in plan.quasi]


def told_of(labels: Table, table: Table | tuple[IntArray, IntArray], plan: Plan, original: Original) -> Told:
    """Return perturbed values beside the original's: of a table, or of tuples of codes of `labels` with the rows of each."""
    own = {hierarchy.name: hierarchy for hierarchy in original.hierarchies}
    tuples, rows = distinct_tuples(table, plan.quasi) if isinstance(table, Table) else table
    return Told(
        tuple(plan.quasi),
        {name: labels[name].texts for name in plan.quasi},
        tuples,
        rows,
        tuple(own[name] for name in plan.quasi),
        {name: ground_counts(original.table[name], own[name]) for name in plan.quasi},
        original.reference.people is None,
        crowd_of(plan.require),
    )


def _rows_told(table: Table, plan: Plan, original: Original, rows: IntArray) -> RowsTold:
    own = {hierarchy.name: hierarchy for hierarchy in original.hierarchies}
    sources = [original.table[name] for name in plan.quasi]
    return RowsTold(
        tuple(table[name] for name in plan.quasi),
        tuple(own[name] for name in plan.quasi),
        tuple(own[source.name].encode(source.texts)[source.codes[rows]] for source in sources),
        original.reference.people is None,
        crowd_of(plan.require),
    )


def _judge_levels(table: Table, plan: Plan, original: Original | None) -> list[Verdict]:
    """Return the verdicts on the plan's min_level and max_level; none where it sets no bounds."""
    if not plan.level_bounds:
        return []
    return judge_level_bounds(*_bounded(table, plan, original), plan.leaves_blank)


def _blank(table: Table, plan: Plan, original: Original | None) -> int | None:
    """Return how many rows tell nothing though a bound demands that they do; None where the plan leaves none blank."""
    if not plan.leaves_blank:
        return None
    return int(left_blank(*_bounded(table, plan, original)).sum()) if plan.level_bounds else 0


def _bounded(
    table: Table, plan: Plan, original: Original | None
) -> tuple[Table, tuple[str, ...], IntArray, Bounds, tuple[Hierarchy, ...] | None]:
    tuples = np.column_stack([table[name].codes for name in plan.quasi])
    hierarchies = None if original is None else original.hierarchies
    return table, plan.quasi, tuples, plan.level_bounds, hierarchies


def person_of_each(respondents: Sequence[int] | IntArray, n_rows: int) -> IntArray:
    """Return the person of each row; there must be one for each."""
    people = np.unique(np.asarray(respondents), return_inverse=True)[1]
    if people.shape != (n_rows,):
        raise InputError(
            f"the release has {many(n_rows, 'row')}, and people are named for {people.size:,}",
            code="verify.people",
            rows=n_rows,
            found=int(people.size),
        )
    return people


def judged_or_failed(tables: Mapping[str, Table], *terms: Any, **known: Any) -> list[Verdict]:
    """Return the verdicts on a release; one that contradicts its plan or its original fails with the reason."""
    try:
        return judge_release(tables, *terms, **known)
    except (InputError, VerificationError) as problem:
        return [Verdict(READABLE, False, note=str(problem))]


def any_release(released: Any, plan: Plan) -> Table:
    """Return a released table: as Kohort writes it, or as the plan or the file itself says where others wrote it."""
    if not isinstance(released, str | Path):
        return reread(released)
    try:
        table = reread(released)
    except InputError:
        return read_source(released, as_released(plan))[0]
    return table if set(plan.quasi) <= set(table.columns) else read_source(released, as_released(plan))[0]
