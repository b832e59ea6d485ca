"""Columns that count the rows: they say nothing but the order, which tells who is who."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kohort.proposals.concepts import concept_of
from kohort.proposals.proposal import Proposal
from kohort.table import Column, Role, Table

_UNNAMED = re.compile(r"unnamed\W*[0-9]+", re.IGNORECASE)  # as the reader of a file, and as pandas, calls it
_ENOUGH = 10  # rows: fewer may be counted by chance


def without_row_numbers(table: Table, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals with columns that count the rows, or have no name, left out of the release."""
    return [_left_out(table[proposal.column], proposal) for proposal in proposals]


def _left_out(column: Column, proposal: Proposal) -> Proposal:
    counts = counts_rows(column) and concept_of(column.name) in (None, concept_of("id"))
    if not counts and not is_unnamed(column):
        return proposal
    told = [
        *(["it has no name in the file"] if is_unnamed(column) else []),
        *(["it counts the rows"] if counts else []),
    ]
    return replace(
        proposal,
        role=Role.IDENTIFIER,
        reason=" and ".join(told),
        confidence="sure",
        hierarchy=None,
        respondent=False,
    )


def is_unnamed(column: Column) -> bool:
    """Tell whether a column has a name that was made up for want of one."""
    return _UNNAMED.fullmatch(column.name) is not None


def counts_rows(column: Column) -> bool:
    """Tell whether the values are 0, 1, 2 or 1, 2, 3 and so on, row by row."""
    rows = len(column.codes)
    if rows < _ENOUGH or len(column.values) != rows:
        return False
    first = column.texts[column.codes[0]]
    if first not in ("0", "1"):
        return False
    texts = np.array(column.texts, object)[column.codes]
    return list(texts) == [str(number) for number in range(int(first), int(first) + rows)]
