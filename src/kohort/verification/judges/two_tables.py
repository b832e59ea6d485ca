"""Judges a release in two tables: the groups that link them, and the rows as an attacker sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.arrays import IntArray
from kohort.models import Attribute, GroupPromise, PrivacyModel, Reference, in_groups
from kohort.table import Table
from kohort.verification.judges.group_contents import GroupContents
from kohort.verification.judges.promises import judge_classes, judge_promises
from kohort.verification.judges.verdict import Verdict

ONE_ROW = "nobody has more than one row"
APART = "not judged: it speaks of rows together with a column that stands apart from them"


def judge_two_tables(
    rows: Table,
    values: Table,
    torn: GroupPromise,
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
    told = GroupContents.of(rows, values, torn.column)
    within = [model for model in models if torn.covers(model)]
    verdicts = [*_judge_groups(told, within, reference), *judge_groups(told, torn)]
    for model in models:
        if model not in within:
            verdicts.append(_judge_rows(rows, quasi, model, torn, reference, respondents))
    if respondents is not None:
        verdicts.append(Verdict(ONE_ROW, len(np.unique(respondents)) == len(respondents)))
    return verdicts


def judge_groups(told: GroupContents, torn: GroupPromise) -> list[Verdict]:
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
        Verdict(no_more_than(torn.l), bool((most * torn.l <= counted).all()), reached),
    ]
    if torn.least > 1:
        least = int(np.minimum(sizes, counted).min()) if len(sizes) else 0
        verdicts.append(
            Verdict(f"groups of at least {torn.least} records", least >= torn.least, float(least))
        )
    return verdicts


def no_more_than(l: int) -> str:  # noqa: E741
    """Return the promise that tearing off makes, in words."""
    return f"no value has more than 1/{l} of a group"


def _judge_groups(
    told: GroupContents, models: Sequence[PrivacyModel], reference: Reference | None
) -> list[Verdict]:
    column = told.values
    own = Reference(int(told.counted.sum()), {column.name: Attribute(column.name, column.texts, told.totals)})
    known = own if reference is None else replace(reference, population=None)  # it is about tuples
    classes = told.classes(known.attributes[column.name])
    labels = Table.of([column], len(column.codes))
    verdicts = judge_classes(classes, labels, models, known, alone=reference is None)
    return [replace(verdict, promise=in_groups(verdict.promise)) for verdict in verdicts]


def _judge_rows(
    rows: Table,
    quasi: Sequence[str],
    model: PrivacyModel,
    torn: GroupPromise,
    reference: Reference | None,
    respondents: IntArray | None,
) -> Verdict:
    if torn.column in model.reads:
        return Verdict(model.label, None, note=APART)
    [verdict] = judge_promises(rows, quasi, [model], reference, respondents)
    return verdict
