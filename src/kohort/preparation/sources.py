"""Whatever holds a table: a path, a dataframe, a relation, a `Table`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.table import Table
from kohort.table.formats.options import HowToRead, ReadingOptions, reading_options
from kohort.table.reading import read_released, read_table
from kohort.table.streaming import STREAMS, open_released
from kohort.table.tidying import tidied


def read_source(
    source: Any, plan: Plan | None = None, expected: Sequence[str] = ()
) -> tuple[Table, Callable[[pa.Table], Any]]:
    """Return the table, and how to turn a released one into the type of the source.

    `expected` are names that it must hold, where the caller knows some; the plan's quasi-identifiers otherwise.
    """
    told = of_cells(plan)
    if isinstance(source, Table):
        return tidied(source, told), lambda released: released
    if isinstance(source, str | Path):
        return _read(Path(source), plan, expected), lambda released: released
    from kohort.table.frames import from_frame  # brings narwhals, which paths do without

    table, back = from_frame(source)
    return tidied(table, told), back


def called(source: Any) -> str:
    """Return what a message calls a source: by its path, and a frame without a cell of it."""
    return str(source) if isinstance(source, str | Path) else "the table handed over"


def of_cells(plan: Plan | None) -> ReadingOptions:
    """Return what a plan says of cells wherever they come from."""
    if plan is None:
        return ReadingOptions()
    told = plan.input
    return ReadingOptions(
        missing=told.missing, missing_in=told.missing_in, decimal=told.decimal, trim=told.trim, fold=told.fold
    )


def _read(path: Path, plan: Plan | None, expected: Sequence[str]) -> Table:
    return read_table(path, **how_to_read(plan, expected))


def how_to_read(plan: Plan | None, expected: Sequence[str] = ()) -> HowToRead:
    """Return how a plan has files read; `expected` are names that must be found, else the quasi-identifiers."""
    if plan is None:
        return {"expected": expected}
    told = plan.input
    return {
        "table": told.table,
        "missing": told.missing,
        "delimiter": told.delimiter,
        "encoding": told.encoding,
        "header": told.header,
        "skip": told.skip,
        "footer": told.footer,
        "missing_in": told.missing_in,
        "decimal": told.decimal,
        "trim": told.trim,
        "fold": told.fold,
        "expected": expected or plan.quasi,
    }


def as_released(plan: Plan) -> Plan:
    """Return the plan as it says how others may have written a release: no line of one is passed over unseen."""
    return replace(plan, input=msgspec.structs.replace(plan.input, skip=0, footer=0))


def options_of_release(path: Path, plan: Plan) -> list[ReadingOptions]:
    """Return how a released file may be read: as Kohort writes it, then as the plan says, where others wrote it."""
    told = reading_options(how_to_read(as_released(plan)))
    if path.suffix.lower() not in STREAMS:
        return [ReadingOptions(header=True), told]
    try:
        stream = open_released(path)
    except InputError:
        return [told]
    return [stream.options, told] if set(plan.quasi) <= set(stream.names) else [told]


def read_population(plan: Plan) -> Table | None:
    """Return the table of the population that a plan names, where it names one."""
    path = plan.input.population
    return None if path is None else read_source(plan.base / path, plan)[0]


def reread(written: Any) -> Table:
    """Return a released table as its reader sees it: from its bytes, or from its decoded cells."""
    if isinstance(written, str | Path):
        return read_released(written)
    if isinstance(written, Table):
        return Table.from_arrow(written.to_arrow())
    return read_source(written)[0]
