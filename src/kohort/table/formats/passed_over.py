"""What stands in a file beside its table, as far as a look at its parts shows: things that readers of the table pass over.

Told by what they are, never by name or contents, which may be somebody's. That nothing is found does not prove
that nothing is there: unused bytes and entries are seen only where the file is written anew and compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.formats.databases import is_sqlite
from kohort.table.formats.duckdb_file import held, open_duckdb
from kohort.table.formats.sqlite_file import open_sqlite

Look = Callable[[Path], list[str]]

# Written by programs of themselves: what stands in it follows from types and names, or is seen when the file is rewritten.
_KEYS_OF_PROGRAMS = (b"ARROW:schema", b"pandas", b"org.apache.spark.")
_FIELD_NUMBER = b"PARQUET:field_id"
# That polars held a column coded, without a name for the codes; of its enums it writes down every value that there may be.
_PLAIN_CODES = b"_PL_CATEGORICAL2", re.compile(rb"0;0;u(8|16|32);")
_LISTED_VALUES = b"_PL_ENUM_VALUES"

_WORKBOOK_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|styles|sharedStrings|metadata)\.xml|"
    r"xl/_rels/workbook\.xml\.rels|xl/theme/theme1\.xml|xl/worksheets/[^/]+\.xml|.*/"
)
_LAID = re.compile(r"xl/tables/table[0-9]+\.xml|xl/worksheets/_rels/sheet[0-9]+\.xml\.rels")
_SHEET = re.compile(r"xl/(work|chart|dialog|macro)sheets/[^/]+\.xml")
_TOLD = re.compile(
    rb"<(?:\w+:)?(title|subject|description|keywords|category|contentStatus)(?:\s[^>]*)?>[^<]+<"
)
_PART_BYTES = 1 << 20  # of a part that is looked into; a larger one is no list of names

# What a database may hold beside a table: how DuckDB lists it, and of that what counts.
_DUCKDB_LISTS = {
    "views": (("views", "TRUE"),),
    "functions or macros": (("functions", "TRUE"),),
    "types": (("types", "NOT internal"),),
    "sequences": (("sequences", "TRUE"),),
    "indexes": (("indexes", "TRUE"),),
    "further schemas": (("schemas", "schema_name <> 'main'"),),
    "comments": tuple((listed, "comment IS NOT NULL") for listed in ("tables", "columns", "schemas")),
    "default or generated values": (("columns", "column_default IS NOT NULL"),),
    "keys or conditions": (("constraints", "constraint_type NOT IN ('NOT NULL')"),),
}


def in_database(path: Path) -> list[str]:
    """Return what stands beside the only table of a database, and where changes of it wait in a file of their own."""
    found = _in_sqlite(path) if is_sqlite(path) else _in_duckdb(path)
    waiting = [f"{path.name}{end}" for end in ("-wal", "-journal") if _is_filled(path, end)]
    return [*found, *(f"changes that wait in {name!r} and are not in the file" for name in waiting)]


def _is_filled(path: Path, end: str) -> bool:
    beside = path.with_name(path.name + end)
    return beside.is_file() and beside.stat().st_size > 0


def _in_sqlite(path: Path) -> list[str]:
    with open_sqlite(path) as connection:
        # an index without SQL of its own is that of a key, whose cells are those of the table
        held = Counter(
            kind
            for (kind,) in connection.execute(
                "SELECT type FROM main.sqlite_master WHERE type <> 'index' OR sql IS NOT NULL"
            )
        )
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    return _found(
        {
            "further tables": held["table"] - 1,
            "views": held["view"],
            "triggers": held["trigger"],
            "indexes": held["index"],
            "pages out of use, where deleted cells may stand": free,
        }
    )


def _in_duckdb(path: Path) -> list[str]:
    with open_duckdb(path) as connection:
        listed = {
            what: sum(len(held(connection, name, "database_name", which)) for name, which in lists)
            for what, lists in _DUCKDB_LISTS.items()
        }
        return _found({"further tables": len(held(connection, "tables", "table_name")) - 1, **listed})


def in_parquet(path: Path) -> list[str]:
    """Return metadata of the file or of its columns that no program writes by itself."""
    if path.is_dir():
        return []
    file = pyarrow.parquet.ParquetFile(path)
    keys = [key for key in file.metadata.metadata or {} if not key.startswith(_KEYS_OF_PROGRAMS)]
    told = [pair for field in file.schema_arrow for pair in (field.metadata or {}).items()]
    lists = [key for key, _ in told if key.startswith(_LISTED_VALUES)]
    of_columns = [key for key, value in told if not _is_of_a_type(key, value)]
    of_schema = [key for key in file.schema_arrow.metadata or {} if not key.startswith(_KEYS_OF_PROGRAMS)]
    return _found(
        {
            "metadata": len(keys) + len(of_schema) + len(of_columns) - len(lists),
            "lists of the values that a column may have (an Enum of polars: make it text)": len(lists),
        }
    )


def _is_of_a_type(key: bytes, value: bytes) -> bool:
    """Say whether metadata of a column follows from its number or type, and has no room for anything else."""
    known, plain = _PLAIN_CODES
    return key == _FIELD_NUMBER or (key == known and plain.fullmatch(value) is not None)


def in_workbook(path: Path) -> list[str]:
    """Return further sheets, hidden ones too, and parts that are no cells: comments, pictures, programs, stored tables."""
    try:
        with ZipFile(path) as book:
            names = book.namelist()
            sheets = sum(map(bool, map(_SHEET.fullmatch, names)))
            others = [
                name for name in names if not _WORKBOOK_PARTS.fullmatch(name) and not _SHEET.fullmatch(name)
            ]
            laid = any(name.startswith("xl/tables/") for name in others)
            parts = sum(not (laid and _LAID.fullmatch(name)) for name in others)
            named = _part(book, "xl/workbook.xml").count(b"<definedName ")
            told = len(_TOLD.findall(_part(book, "docProps/core.xml")))
    except (BadZipFile, OSError, NotImplementedError, RuntimeError):
        raise InputError(
            f"{path} is a workbook whose parts cannot be listed; save it anew",
            code="table.damaged",
            path=path,
        ) from None
    return _found(
        {
            "further sheets": sheets - 1,
            "names and styles that are laid over the cells as a table of Excel's (xl/tables, as polars writes it)": laid,
            "parts that are no sheet, such as comments, pictures, programs or stored results": parts,
            "names of cells": named,
            "properties of the document": told,
        }
    )


def _part(book: ZipFile, name: str) -> bytes:
    if name not in book.namelist():
        return b""
    with book.open(name) as part:
        return part.read(_PART_BYTES)


def _found(held: Mapping[str, int]) -> list[str]:
    return [what for what, number in held.items() if number > 0]
