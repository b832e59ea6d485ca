"""In which form a release tells a column: as it was read, more coarsely, or by the classes of its rows.

Texts of unlike forms never agree, though they may tell of the same value: `2020-01` and `2020-01-10`. So of every column that
is not told as it was read the exact values are kept too, as keyed hashes, and releases of unlike forms are joined by these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy.coarse import Coarse
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.table import Column, Table
from kohort.table.blanks import is_blank
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.plain_cells import markers_of
from kohort.table.markers import meant

Texts = tuple[str | None, ...]
Marks = Mapping[str, tuple[str, ...]]  # what is read as missing: how others may spell it
BY_CLASS = (
    "by class"  # a quasi-identifier, however it is generalized; not where groups are told beside it as it is
)
_OF_CELLS = (pa.string(), pa.bool_(), pa.float64(), pa.timestamp("us"))  # where each cell has a type


@dataclass(frozen=True, eq=False)
class Exact:
    """The values of a column that is told in another form than it was read."""

    form: str
    texts: Texts
    codes: IntArray  # of each released row


def written_column(table: Table, name: str, rows: IntArray) -> tuple[Texts, IntArray]:
    """Return all texts of a column, as they are written, also of rows that are not released, and which each of these rows holds."""
    return tuple(table[name].texts), table[name].codes[rows]


def exact_columns(
    read: Table, plan: Plan, told: Sequence[str], by_class: Sequence[str], rows: IntArray
) -> dict[str, Exact]:
    """Return the columns that are told in another form than they were read, with what was read."""
    forms = {name: form_of(coarse) for name, coarse in coarse_columns(plan).items()}
    forms |= dict.fromkeys(by_class, BY_CLASS)
    return {name: Exact(forms[name], *written_column(read, name, rows)) for name in told if name in forms}


def form_of(coarse: Coarse) -> str:
    """Return how values are told; how they were written before does not matter.

    >>> from decimal import Decimal
    >>> form_of(Coarse(round=Decimal("10.0"), top=Decimal("5E+3")))
    'round 10, top 5000'
    """
    if coarse.unit is not None:
        return f"unit {coarse.unit}"
    ends = {"round": coarse.round, "bottom": coarse.bottom, "top": coarse.top}
    return ", ".join(f"{key} {end.normalize():f}" for key, end in ends.items() if end is not None)


def missing_marks(plan: Plan, column: Column) -> Marks:
    """Return what a plan reads as missing in a column, beside blanks, as the reader spells it; of numbers that are one to it, one.

    With each stands how others may spell the same cells, who read numbers otherwise.
    """
    kinds = (column.values.type,) if column.kinds is None else _OF_CELLS
    found: dict[str, set[str]] = {}
    for mark in (*plan.input.missing, *plan.input.missing_in.get(column.name, ())):
        own = _options(plan, mark)
        read = [replace(own, decimal=decimal) for decimal in (None, ".", ",")]
        otherwise = {text for options in read for text in markers_of(column.name, pa.string(), options)}
        for kind in kinds:
            for text in markers_of(column.name, kind, own):
                for told in () if is_blank(text) else meant(text, kind):
                    found.setdefault(told, set()).update(otherwise if len(otherwise) > 1 else ())
    return {told: tuple(sorted(otherwise - {told})) for told, otherwise in sorted(found.items())}


def _options(plan: Plan, mark: str) -> ReadingOptions:
    """Return how a plan reads cells, of which one mark is missing."""
    told = plan.input
    return ReadingOptions(missing=(mark,), decimal=told.decimal, trim=told.trim, fold=tuple(told.fold))
