"""Verification of released tables: their promises, their shape, their truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError, VerificationError
from kohort.hierarchy import Hierarchy
from kohort.models import PrivacyModel, Reference
from kohort.plan import Plan
from kohort.preparation import check_names, max_suppressed, people_of, quasi_hierarchies, reference_of
from kohort.preparation.sources import read_source, reread
from kohort.release.kind import Kind
from kohort.table import Table
from kohort.verification.judges import (
    ONE_ROW,
    Verdict,
    judge_counts,
    judge_level_bounds,
    judge_open_ends,
    judge_promises,
    judge_shape,
    judge_suppression,
    judge_truth,
    judge_two_tables,
    match_rows,
    with_guards,
)
from kohort.verification.judges.counts import TRUE_COUNTS
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.judges.truth import UNMATCHED

READABLE = "the tables can be read and judged"
PEOPLE_UNKNOWN = (
    "not judged: rows were counted, and without the private audit nobody can tell which are one person's"
)
UNPAIRED = "not judged: which rows are in a group, and so which values, only the private audit can tell"
TRUTH_UNKNOWN = "not judged: it takes the original table to tell"


@dataclass(frozen=True, eq=False)
class Original:
    """The original table, for those who hold it: what a release must be true of."""

    table: Table
    hierarchies: tuple[Hierarchy, ...]
    reference: Reference

    @classmethod
    def of(cls, source: Any, plan: Plan) -> Original:
        """Read the original and build its hierarchies anew."""
        table = read_source(source, plan)[0]
        check_names(table.names, plan)
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
    table = tables["table"]
    reference = reference if original is None else original.reference
    shape = judge_shape(table, declared(plan, kind), None if rows is None else len(rows))
    if not shape.holds:
        return [shape]
    if kind.torn is None:
        told = table
        if original is not None and rows is not None:
            told = with_guards(table, original.table, plan.guards, rows)
        promises = judge_promises(told, plan.quasi, plan.require, reference, people)
    else:
        promises = judge_two_tables(
            table, tables["sensitive"], kind.torn, plan.quasi, plan.require, reference, people
        )
    if plan.input.respondent is not None and people is None:
        promises = without_people(promises, plan.require)
        if kind.torn is not None:
            promises.append(Verdict(ONE_ROW, None, note=PEOPLE_UNKNOWN))
    return [
        *promises,
        shape,
        *_judge_levels(table, plan, original),
        *judge_open_ends(table, plan.open_ends, kind.truthful),
        *(_judge_truth(tables, kind, original, rows) if kind.truthful else []),
        judge_suppression(table.n_rows, *limits(plan, original)),
    ]


def declared(plan: Plan, kind: Kind) -> tuple[str, ...]:
    """Return the columns that the released table must have."""
    if kind.torn is None:
        return plan.released
    return (*(name for name in plan.released if name != kind.torn.column), "group")


def limits(plan: Plan, original: Original | None) -> tuple[int | None, int | None]:
    """Return how many rows the original has and how many of them may be left out; blank ones are not."""
    if original is None:
        return None, None
    n_rows = original.table.n_rows
    return n_rows, 0 if plan.recode.suppressed_rows == "blank" else max_suppressed(plan, n_rows)


def without_people(promises: Sequence[Verdict], models: Sequence[PrivacyModel]) -> list[Verdict]:
    """Return the verdicts on promises that count people, where only rows could be counted."""
    return [_people_unknown(verdict, models) for verdict in promises]


def _people_unknown(verdict: Verdict, models: Sequence[PrivacyModel]) -> Verdict:
    """Return the verdict without a claim about people: they may be fewer than the rows, never more.

    So a promise about numbers of people alone is broken where rows break it; shares of sensitive values among
    people may be anything. Promises in groups are to people with one row, which is a promise of its own.
    """
    model = next((m for m in models if m.label == verdict.promise), None)
    if model is None and "groups of at least" not in verdict.promise:
        return verdict
    if model is not None and model.reads:
        return Verdict(verdict.promise, None, note=PEOPLE_UNKNOWN)
    return replace(verdict, holds=verdict.holds and None, note=verdict.note or PEOPLE_UNKNOWN)


def _judge_truth(
    tables: Mapping[str, Table], kind: Kind, original: Original | None, rows: IntArray | None
) -> list[Verdict]:
    if original is None:
        return [Verdict(TRUTH, None, note=TRUTH_UNKNOWN)]
    told = tables["table"]
    if kind.torn is not None:
        told = Table.of((column for column in told if column.name != "group"), told.n_rows)
    found = match_rows(told, original.table, original.hierarchies) if rows is None else rows
    if found is None:
        return [Verdict(TRUTH, False, note=UNMATCHED)]
    truth = judge_truth(told, original.table, original.hierarchies, found)
    if kind.torn is None:
        return [truth]
    counts = judge_counts(tables["table"], tables["sensitive"], kind.torn.column, original.table, rows)
    unpaired = [] if rows is not None else [Verdict(TRUE_COUNTS, None, note=UNPAIRED)]
    return [truth, counts, *unpaired]


def _judge_levels(table: Table, plan: Plan, original: Original | None) -> list[Verdict]:
    """Return the verdicts on the plan's min_level and max_level; none where it sets no bounds."""
    bounds = plan.level_bounds
    if not bounds:
        return []
    tuples = np.column_stack([table[name].codes for name in plan.quasi])
    hierarchies = None if original is None else original.hierarchies
    return judge_level_bounds(table, plan.quasi, tuples, bounds, hierarchies)


def person_of_each(respondents: Sequence[int] | IntArray, n_rows: int) -> IntArray:
    """Return the person of each row; there must be one for each."""
    people = np.unique(np.asarray(respondents), return_inverse=True)[1]
    if people.shape != (n_rows,):
        raise InputError(f"the release has {n_rows:,} rows, and people are named for {people.size:,}")
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
        return read_source(released, plan)[0]
    return table if set(plan.quasi) <= set(table.columns) else read_source(released, plan)[0]
