"""The rows that are released, rebuilt from released values only."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kohort.arrays import BoolArray, IntArray
from kohort.chance import shuffled
from kohort.hierarchy import SUPPRESSED
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.blank_rows import demand_blank_class
from kohort.release.no_rows_left import no_rows_left
from kohort.table import Column, Table
from kohort.table.mixed import common_kind
from kohort.table.mixed_columns import kinds_in
from kohort.table.settling import settled
from kohort.table.typed_texts import typed


def released_tables(
    table: Table, plan: Plan, problem: Problem, recoded: Recoded, rows: IntArray
) -> dict[str, Table]:
    """Return the tables of the release by name, as the decision publishes its rows."""
    return recoded.publication.tables(released_table(table, plan, problem, recoded, rows), rows)


def released_order(plan: Plan, problem: Problem, recoded: Recoded) -> IntArray:
    """Return the original rows in the order in which they are released.

    Shuffled by the operating system, whatever the plan's seed; unshuffled only where the plan says so. Rows
    that are suppressed but kept blank stand among the others.
    """
    rows = recoded.rows()
    if not len(rows):
        raise no_rows_left(plan, problem)
    if plan.recode.suppressed_rows == "blank":
        demand_blank_class(problem, recoded)
        rows = np.arange(problem.n_rows)
    return shuffled(rows) if plan.output.shuffle else rows


def released_table(table: Table, plan: Plan, problem: Problem, recoded: Recoded, rows: IntArray) -> Table:
    """Return the released columns: released values and nothing else, whatever stood in the original."""
    kept = np.zeros(problem.n_rows, np.bool_)
    kept[recoded.rows()] = True
    blank, places = ~kept[rows], recoded.places(rows)
    columns = (
        _recoded(table, problem, recoded, name, rows, places, blank)
        if name in problem.names
        else _carried(table[name], rows)
        for name in plan.released
    )
    return Table.of(columns, len(rows))


def _carried(column: Column, rows: IntArray) -> Column:
    kinds = None if column.kinds is None else column.kinds[rows]
    return settled(Column(column.name, column.codes[rows], column.values, kinds=kinds).compacted())


def _recoded(
    table: Table,
    problem: Problem,
    recoded: Recoded,
    name: str,
    rows: IntArray,
    places: IntArray,
    blank: BoolArray,
) -> Column:
    j, column = problem.names.index(name), table[name]
    source = column.values.type
    if column.kinds is not None:
        source = common_kind(
            kinds_in(Column(name, column.codes[rows], column.values, kinds=column.kinds[rows]))
        )
    return told_column(problem, recoded, j, recoded.columns[j].codes[places], ~blank, source)


def told_column(
    problem: Problem, recoded: Recoded, j: int, codes: IntArray, kept: BoolArray, source: pa.DataType
) -> Column:
    """Return quasi-identifier j of rows or classes, all of them released, from the codes of their labels.

    Those that are not `kept` are blank. The `source` is the type of what was read, of several types the one that the cells of
    released rows have in common. Where the plan declares open ends, or noise was added, the column is text.
    """
    labels = pa.array(recoded.columns[j].labels, pa.string())
    if not kept.all():
        labels = pa.concat_arrays([labels, pa.array([SUPPRESSED])])
        codes = np.where(kept, codes, np.int32(len(labels) - 1))
    told = Column(problem.names[j], codes, labels).compacted()
    is_text = recoded.columns[j].as_text or problem.hierarchies[j].open_ended
    return told if is_text else typed(told, source)
