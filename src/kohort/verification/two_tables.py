"""Judges a release in two tables by the promises of its plan: classes are the groups that link them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.models import PrivacyModel, Reference
from kohort.table import Column, Table
from kohort.verification.anatomy import judge_anatomy
from kohort.verification.promises import judge_promises
from kohort.verification.verdict import Verdict

GROUP, COUNT = "group", "count"


def judge_two_tables(
    quasi: Table,
    sensitive: Table,
    column: str,
    l: int,  # noqa: E741
    models: Sequence[PrivacyModel],
    reference: Reference | None,
    respondents: IntArray | None = None,
) -> list[Verdict]:
    """Return the verdicts on the plan's promises over groups, and on how the two tables fit together.

    `respondents` names the person of each row of `quasi`, where k counts people.
    """
    told = unfolded(sensitive)
    promises = judge_promises(told, [GROUP], models, reference, _people(quasi, told, respondents))
    return [*promises, *judge_anatomy(quasi, sensitive, column, l)]


def unfolded(sensitive: Table) -> Table:
    """Return the table of (group, value, count) with a row per record."""
    counts = np.array([int(str(text)) for text in sensitive[COUNT].texts], np.int64)[sensitive[COUNT].codes]
    rows = np.repeat(np.arange(sensitive.n_rows), counts)
    columns = (Column(c.name, c.codes[rows], c.values) for c in sensitive if c.name != COUNT)
    return Table.of(columns, len(rows))


def _people(quasi: Table, told: Table, respondents: IntArray | None) -> IntArray | None:
    """Return a person for each unfolded record, so that each group has its own people.

    Who holds which value is unknown, and no promise asks. Where the tables disagree on the groups, which
    `judge_anatomy` tells, nobody is counted twice: all records are one person's.
    """
    if respondents is None:
        return None
    people = np.zeros(told.n_rows, np.int64)
    one, other = _numbers(quasi), _numbers(told)
    rows, records = np.argsort(one, kind="stable"), np.argsort(other, kind="stable")
    if np.array_equal(one[rows], other[records]):
        people[records] = respondents[rows]
    return people


def judge_counts(quasi: Table, sensitive: Table, column: str, original: Table, rows: IntArray) -> Verdict:
    """Return whether each group's counts are those of the original rows in it; `rows` as for `judge_truth`."""
    told = unfolded(sensitive)
    code_of = {text: code for code, text in enumerate(original[column].texts)}
    claimed = np.array([code_of.get(text, -1) for text in told[column].texts])[told[column].codes]
    groups = _numbers(quasi)
    true = _sorted(groups, original[column].codes[rows])
    said = _sorted(_numbers(told), claimed)
    return Verdict("truthful counts", true.shape == said.shape and bool((true == said).all()))


def _numbers(table: Table) -> IntArray:
    numbers: IntArray = np.array([int(str(text)) for text in table[GROUP].texts], np.int64)[
        table[GROUP].codes
    ]
    return numbers


def _sorted(groups: IntArray, values: IntArray) -> IntArray:
    order = np.lexsort((values, groups))
    return np.column_stack([groups[order], values[order]])
