"""A source read for what is asked of it: a column that nobody asks for may hold what cannot be recoded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.engines.wanted import Wanted
from kohort.errors import InputError
from kohort.preparation.sources import how_to_read, read_source
from kohort.table import Table
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS, open_stream


def read_wanted(source: Any, wanted: Wanted) -> tuple[Table, Callable[[pa.Table], Any]]:
    """Return the table, and how to turn a released one into the type of the source.

    Of a file that is not released, other columns are left where they are if they hold what Kohort does not read: an engine
    that reads column by column never sees them.
    """
    try:
        return read_source(source, wanted.plan, wanted.expected)
    except InputError as problem:
        if wanted.whole or not _is_passed_over(source, wanted, problem):
            raise
    how = how_to_read(wanted.plan, wanted.expected)
    names = open_stream(source, **how).names
    asked = wanted.among(names).columns
    how["columns"] = [name for name in names if name in asked]
    return read_table(source, **how), lambda released: released


def _is_passed_over(source: Any, wanted: Wanted, problem: InputError) -> bool:
    """Say whether it is a type that is refused, of a column that nobody asks for, in a file that is read column by column."""
    if problem.code != "table.column-type" or not isinstance(source, str | Path):
        return False
    return problem.fields.get("column") not in wanted.columns and Path(source).suffix.lower() in STREAMS
