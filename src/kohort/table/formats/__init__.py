"""One file per family of formats; the registries by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from kohort.table.formats.apart import Reader, apart
from kohort.table.formats.databases import read_database, write_duckdb, write_sqlite
from kohort.table.formats.delimited import write_csv, write_tsv
from kohort.table.formats.delimited_parts import read_delimited
from kohort.table.formats.excel import read_excel, read_stored_in_sheet, write_excel
from kohort.table.formats.options import ReadingOptions, WritingOptions
from kohort.table.formats.parquet import read_parquet, write_parquet
from kohort.table.formats.passed_over import Look, in_database, in_parquet, in_workbook
from kohort.table.formats.statistics import (
    read_passed_over,
    read_statistics,
    read_stored_codes,
    read_variable_labels,
    write_dta,
    write_sav,
)
from kohort.table.table import Table

__all__ = ["READERS", "WRITERS", "Reader", "Writer"]

Writer = Callable[[Table, Path, WritingOptions], None]

_workbook, _statistics = apart(read_excel), apart(read_statistics)

READERS: Mapping[str, Reader] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".txt": read_delimited,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".duckdb": read_database,
    ".ddb": read_database,
    ".sqlite": read_database,
    ".sqlite3": read_database,
    ".db": read_database,
    ".xlsx": _workbook,
    ".xlsm": _workbook,
    ".xlsb": _workbook,
    ".xls": _workbook,
    ".ods": _workbook,
    ".sav": _statistics,
    ".zsav": _statistics,
    ".por": _statistics,
    ".dta": _statistics,
    ".sas7bdat": _statistics,
    ".xpt": _statistics,
}

# readers of what files say of their columns beside the names
LABELS: Mapping[str, Reader] = {
    suffix: apart(read_variable_labels) for suffix, reader in READERS.items() if reader is _statistics
}

# readers of cells as files of these formats store them, each of its own kind
STORED: Mapping[str, Reader] = {
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), apart(read_stored_in_sheet)),
    **dict.fromkeys(LABELS, apart(read_stored_codes)),
}

_in_statistics = apart(read_passed_over)

# lookers for what stands in a file beside its table; all of a delimited text is cells, and of other formats nothing is known
LOOKS: Mapping[str, Look] = {
    **dict.fromkeys((".parquet", ".pq"), in_parquet),
    **dict.fromkeys((".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db"), in_database),
    **dict.fromkeys((".xlsx", ".xlsm"), in_workbook),
    **dict.fromkeys(LABELS, lambda path: _in_statistics(path, ReadingOptions())["what"].to_pylist()),
}
DELIMITED = frozenset({".csv", ".tsv", ".tab", ".txt"})

# what a reader of a format looks at beside the path, of what [input] of a plan may say
HEEDED: Mapping[Reader, frozenset[str]] = {
    read_delimited: frozenset({"delimiter", "encoding", "header", "skip", "footer"}),
    read_parquet: frozenset(),
    read_database: frozenset({"table"}),
    _workbook: frozenset({"table", "header", "skip", "footer"}),
    _statistics: frozenset({"encoding"}),
}

WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
HEADED = WORKBOOKS | DELIMITED  # whose names stand in the first row, if anywhere

WRITERS: Mapping[str, Writer] = {
    ".csv": write_csv,
    ".tsv": write_tsv,
    ".parquet": write_parquet,
    ".duckdb": write_duckdb,
    ".sqlite": write_sqlite,
    ".xlsx": write_excel,
    ".sav": write_sav,
    ".dta": write_dta,
}
