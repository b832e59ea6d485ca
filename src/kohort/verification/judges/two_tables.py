"""Judges a release in two tables: the groups that link them, and the rows as an attacker sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, cast

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.facts.head import Apart
from kohort.models import Attribute, GroupPromise, PrivacyModel, Reference, in_groups
from kohort.models.segments import maxima
from kohort.plurals import many
from kohort.table import Table
from kohort.verification.judges.contents import Contents, contents_of, ordered_labels
from kohort.verification.judges.counts import TRUE_COUNTS, judge_counts
from kohort.verification.judges.group_contents import COUNT, GROUP, GroupContents
from kohort.verification.judges.layout import Asked, Sizing
from kohort.verification.judges.people_unknown import PEOPLE_UNKNOWN, numbers_unknown, people_unknown
from kohort.verification.judges.promises import judge_classes, judge_promises
from kohort.verification.judges.shown_to_all import BY_PEOPLE, shown_in
from kohort.verification.judges.told_apart import Crowds, Lines
from kohort.verification.judges.twice import Twice
from kohort.verification.judges.verdict import Verdict

ONE_ROW = "nobody has more than one row"
UNPAIRED = "not judged: which rows are in a group, and so which values, only the private audit can tell"
APART = "not judged: it speaks of rows together with a column that stands apart from them"


class Dealing(Protocol):
    """An algorithm that deals rows into groups."""

    def promised(self, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> GroupPromise:
        """Return what is promised of the groups."""


@dataclass(frozen=True)
class TwoTables:
    """The rows in one table with the group of each, the values of one column in another, group by group."""

    promise: GroupPromise

    apart: ClassVar = True
    one_row_each: ClassVar = True
    stems: ClassVar[tuple[str, ...]] = ("table", "sensitive")

    @classmethod
    def of(cls, algorithm: object, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> TwoTables:
        """Return the layout; refuses promises that groups cannot keep."""
        return cls(cast(Dealing, algorithm).promised(models, sensitive))

    def declared(self, released: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the rows: all but the one that stands apart, and the group."""
        return (*(name for name in released if name != self.promise.column), GROUP)

    def contents(
        self, tables: Mapping[str, Table], quasi: Sequence[str], sensitive: Sequence[str]
    ) -> Contents:
        """Return what the rows say, and which values the groups have."""
        told = contents_of(tables["table"], quasi, sensitive, hidden=(GROUP,))
        column = _column_of(tables["sensitive"])
        groups = GroupContents.of(tables["table"], tables["sensitive"], column)
        labels, _ = ordered_labels(groups.values.texts, groups.values.codes)
        classes = groups.classes(Attribute(column, labels, np.zeros(len(labels), np.int64)))
        return replace(told, labels={**told.labels, column: labels}, apart={column: classes})

    def records(self, tables: Mapping[str, Table]) -> Table:
        """Return the rows without their groups."""
        rows = tables["table"]
        return Table.of((column for column in rows if column.name != GROUP), rows.n_rows)

    def crowds(self, tables: Mapping[str, Table]) -> Crowds:
        """Return the groups, and the values that each has."""
        return group_crowds(tables["table"], tables["sensitive"])

    def judge(self, tables: Mapping[str, Table], asked: Asked) -> list[Verdict]:
        """Return the verdicts on promises about groups and about rows, and on how the tables fit together."""
        return judge_two_tables(
            tables["table"],
            tables["sensitive"],
            self.promise,
            asked.quasi,
            asked.models,
            asked.reference,
            asked.people,
        )

    def facts(self, contents: Contents, sizes: Sizing) -> Apart:
        """Return how many groups there are, of which column, what is promised of them, and how large they are."""
        groups, promise = contents.apart[self.promise.column], self.promise
        return Apart(promise.column, promise.l, promise.least, len(groups), sizes(groups))

    def named(self, promise: str) -> str:
        """Return a promise about classes as one about groups."""
        return in_groups(promise)

    def said(self, guarantee: str) -> str:
        """Return the words with groups in them and no classes."""
        return guarantee.replace("classes", "groups").replace("class", "group")

    def shown(
        self, contents: Contents, models: Sequence[PrivacyModel], reference: Reference, by_people: bool
    ) -> list[Verdict]:
        """Return the verdicts in the groups; they are promises to people with one row."""
        groups, promise = contents.apart[self.promise.column], self.promise
        verdicts = [shown_in(groups, model, reference) for model in models]
        verdicts = [replace(verdict, promise=self.named(verdict.promise)) for verdict in verdicts]
        held = groups.sensitive[promise.column]
        most = maxima(held.starts, held.counts)
        verdicts.append(Verdict(no_more_than(promise.l), bool((most * promise.l <= groups.rows).all())))
        return [*verdicts, *([Verdict(ONE_ROW, True, note=BY_PEOPLE)] if by_people else [])]

    def without_people(self, verdicts: Sequence[Verdict], models: Sequence[PrivacyModel]) -> list[Verdict]:
        """Return what the rows show: promises in groups are to people with one row, which is a promise of its own."""
        sizes = large_groups(self.promise.least)
        told = [numbers_unknown(v) if v.promise == sizes else people_unknown(v, models) for v in verdicts]
        return [*told, Verdict(ONE_ROW, None, note=PEOPLE_UNKNOWN)]

    def judge_values(
        self, tables: Mapping[str, Table], original: Table, rows: IntArray | None
    ) -> list[Verdict]:
        """Return whether the groups hold what the original says of their rows."""
        counts = judge_counts(tables["table"], tables["sensitive"], self.promise.column, original, rows)
        return [counts, *([] if rows is not None else [Verdict(TRUE_COUNTS, None, note=UNPAIRED)])]


def group_crowds(rows: Table, values: Table) -> Crowds:
    """Return the groups of the rows as whoever reads both tables finds them; raises InputError where they are not such."""
    column = _column_of(values)
    told = GroupContents.of(rows, values, column)
    if len(np.unique(told.group_of)) < told.n_groups:
        raise InputError(
            "attack: the two tables of the release do not speak of the same groups", code="release.document"
        )
    lines = {column: Lines(told.owner_of, told.values, told.counts)}
    return Crowds(told.group_of, told.n_groups, lines, frozenset({GROUP}))


def _column_of(values: Table) -> str:
    """Return the column that the second table tells."""
    return next((name for name in values.names if name not in (GROUP, COUNT)), GROUP)


def judge_two_tables(
    rows: Table,
    values: Table,
    promise: GroupPromise,
    quasi: Sequence[str],
    models: Sequence[PrivacyModel],
    reference: Reference | None,
    respondents: IntArray | None = None,
) -> list[Verdict]:
    """Return the verdicts on the plan's promises, and on how the two tables fit together.

    `rows` is the table of records with their quasi-identifiers and groups, `values` the one of groups, values and
    counts. Promises about the torn column are judged in groups. All others are judged on the rows, whose
    quasi-identifiers an attacker sees: there k-anonymity is mostly broken. `respondents` names the person of each row:
    who has two is in two groups, and holds a value that both have, so the promises are to people with one row.
    """
    told = GroupContents.of(rows, values, promise.column)
    within = [model for model in models if promise.covers(model)]
    verdicts = [*_judge_groups(told, within, reference), *judge_groups(told, promise)]
    for model in models:
        if model not in within:
            verdicts.append(_judge_rows(rows, quasi, model, promise, reference, respondents))
    if respondents is not None:
        verdicts.append(Verdict(ONE_ROW, len(np.unique(respondents)) == len(respondents)))
    return verdicts


def judge_groups(told: GroupContents, promise: GroupPromise) -> list[Verdict]:
    """Return the verdicts on the two tables by themselves; figures are told, not values.

    The torn column stands in one table only; both tables speak of the same groups, and of equally many records
    in each; each (group, value) stands once, with a count above zero; no value is more than 1/l of its group; no
    group holds fewer than `least` records, where that is asked.
    """
    sizes, counted, most = told.sizes, told.counted, told.most
    apart = int((sizes != counted).sum())
    fits = apart == 0 and told.once
    filled = counted > 0
    reached = float((counted[filled] // np.maximum(most[filled], 1)).min()) if filled.any() else 0.0
    verdicts = [
        Verdict("the sensitive column stands apart", told.stands_apart),
        Verdict(
            "both tables tell the same groups and sizes",
            fits,
            note="" if fits else f"{apart:,} of {len(sizes):,} groups differ",
        ),
        Verdict(
            no_more_than(promise.l),
            bool((most * promise.l <= counted).all()),
            note=f"found: 1/{reached:g} or less" if reached else "",
        ),
    ]
    if promise.least > 1:
        least = int(np.minimum(sizes, counted).min()) if len(sizes) else 0
        verdicts.append(Verdict(large_groups(promise.least), least >= promise.least, float(least)))
    return verdicts


def large_groups(least: int) -> str:
    """Return the promise of groups that are large, in words."""
    return f"groups of at least {many(least, 'record')}"


def no_more_than(l: int) -> str:  # noqa: E741
    """Return the promise that tearing off makes, in words."""
    return f"no value has more than 1/{l} of a group"


def _judge_groups(
    told: GroupContents, models: Sequence[PrivacyModel], reference: Reference | None
) -> list[Verdict]:
    column = told.values
    own = Reference(int(told.counted.sum()), {column.name: Attribute(column.name, column.texts, told.totals)})
    known = own if reference is None else replace(reference, population=None)  # it is about tuples
    attribute, labels = known.attributes[column.name], Table.of([column], len(column.codes))
    twice = Twice(told.classes(attribute), told.counted_by(attribute))
    verdicts = judge_classes(twice, labels, models, known, alone=reference is None)
    return [replace(verdict, promise=in_groups(verdict.promise)) for verdict in verdicts]


def _judge_rows(
    rows: Table,
    quasi: Sequence[str],
    model: PrivacyModel,
    promise: GroupPromise,
    reference: Reference | None,
    respondents: IntArray | None,
) -> Verdict:
    if promise.column in model.reads:
        return Verdict(model.label, None, note=APART)
    [verdict] = judge_promises(rows, quasi, [model], reference, respondents)
    return verdict
