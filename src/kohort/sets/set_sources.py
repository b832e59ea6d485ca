"""Whatever holds a table of sets is read; the sign between items is not taken for the one between columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from kohort.errors import InputError
from kohort.plan import Plan
from kohort.preparation.sources import read_source
from kohort.sets.set_rules import set_column
from kohort.table import Table
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.sniffing import DELIMITERS, sniff

TEXTS = (".csv", ".txt")  # whose delimiter is looked for


def read_sets(source: Any, plan: Plan) -> tuple[Table, Callable[[pa.Table], Any]]:
    """Return the table, and how to turn a released one into the type of the source."""
    expected = (*plan.columns, *([] if plan.input.respondent is None else [plan.input.respondent]))
    told = plan.input.delimiter
    if told is None and isinstance(source, str | Path) and Path(source).suffix.lower() in TEXTS:
        told = _delimiter(Path(source), plan, expected)
    if told != plan.input.delimiter:
        plan = replace(plan, input=msgspec.structs.replace(plan.input, delimiter=told))
    return read_source(source, plan, expected)


def _delimiter(path: Path, plan: Plan, expected: tuple[str, ...]) -> str | None:
    """Return a sign that cuts the first row into the columns of the plan; None where the separator is in nobody's way."""
    separator = set_column(plan)[1].separator
    if separator not in DELIMITERS or not path.is_file():
        return None
    others = [sign for sign in DELIMITERS if sign != separator]
    return next((sign for sign in others if _names(path, plan, sign) >= set(expected)), others[0])


def _names(path: Path, plan: Plan, delimiter: str) -> set[str]:
    told = plan.input
    options = ReadingOptions(delimiter=delimiter, encoding=told.encoding, header=True, skip=told.skip)
    try:
        return set(sniff(path, options).names)
    except InputError:  # said again when it is read
        return set()
