"""Which rows of a written table no other row equals, by the quasi-identifiers and what else is released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import group_columns
from kohort.classes.alone import Standing, standing_alone
from kohort.table import Table
from kohort.verification.judges.cell_store import WRITTEN
from kohort.verification.judges.cells import Cells

KEY_BITS = 63


def rows_alone(
    table: Table, class_of: IntArray, quasi: Sequence[str], hidden: Sequence[str] = ()
) -> Standing:
    """Return how many rows are alone by more and more columns; `class_of` tells the class of each row.

    Columns that are `hidden` are nothing that anybody knows of a person, such as the number of a group.
    """

    def alone(names: tuple[str, ...]) -> int:
        return _once([class_of, *(table[name].codes for name in names)])

    return standing_alone([n for n in table.names if n not in quasi and n not in hidden], alone)


def rows_alone_on_disk(
    cells: Cells, names: Sequence[str], quasi: Sequence[str], known: Mapping[frozenset[str], int]
) -> Standing:
    """Return the same of the written file in the store, as it is `known` of columns beside quasi-identifiers, or by GROUP BY."""

    def alone(beside: tuple[str, ...]) -> int:
        if frozenset(beside) in known:
            return known[frozenset(beside)]
        keys = ", ".join(cells.keys(WRITTEN, [*quasi, *beside]).values())
        return cells.number(
            f"SELECT count(*) FROM (SELECT 1 FROM {WRITTEN} GROUP BY {keys} HAVING count(*) = 1)"
        )

    return standing_alone([name for name in names if name not in quasi], alone)


def _once(columns: Sequence[IntArray]) -> int:
    """Return how many rows have codes that no other row has."""
    if not len(columns[0]):
        return 0
    bits = [int(column.max()).bit_length() for column in columns]
    if sum(bits) > KEY_BITS:
        numbers = group_columns(columns)[1]
    else:
        from kohort.classes.grouping_kernels import number

        keys = columns[0].astype(np.int64)
        for column, width in zip(columns[1:], bits[1:], strict=True):
            keys <<= width
            keys |= column
        numbers = number(keys)[0]
    return int((np.bincount(numbers) == 1).sum())
