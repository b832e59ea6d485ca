"""What somebody who is left out has in a cell shows in no public byte: no type, no spelling, no file tells that it was there.

Two originals that differ in the cells of a person left out only, in kinds of cells that a column of one type does not hold, give the
same release: over all kinds of cells and all formats in memory, over all sources that let a column mix them end to end.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
import xlsxwriter
from tests.contract.written_files import written

import kohort
from kohort.algorithms import Silent
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table import Column, Table
from kohort.table.formats import READERS, WRITERS
from kohort.table.formats.cells import column_of
from kohort.table.mixed import KINDS, MIXED, kind_of
from kohort.table.settling import settled

# Three released cells of every kind, and what the person left out may have in their place.
CELLS: dict[str, list[Any]] = {
    "text": ["01234", "x, y", "=1"],
    "boolean": [True, False, True],
    "whole": [1000, 1010, 1],
    "long": [2**53, -(2**63), 2**60 + 1],
    "float": [0.5, 2.25, -1e300],
    "decimal": [Decimal("0.5"), Decimal("7.125"), Decimal("1e30")],
    "date": [dt.date(2020, 1, 31), dt.date(1999, 12, 31), dt.date(1, 1, 1)],
    "moment": [dt.datetime(2020, 1, 31, 5, 6), dt.datetime(1999, 12, 31, 0, 0, 0, 7), dt.datetime(2020, 1, 1)],
    "time": [dt.time(5, 6), dt.time(0), dt.time(1, 2, 3, 4)],
    "duration": [dt.timedelta(1, 2, 3), dt.timedelta(seconds=-1), dt.timedelta(0)],
}  # fmt: skip
ODD = [
    *(told[0] for told in CELLS.values()),
    *("1000", "1000.0", "true", "2020-01-31", "a text that is longer than all others", 1000.0, 2**53, 2**70, 0, None, " "),
]  # fmt: skip
FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]


def plan_of(kinds: Sequence[str], format: str = "parquet") -> kohort.Plan:
    told = {f"{kind}s": {"role": "insensitive", "allow_unique": True} for kind in kinds}
    return kohort.Plan.from_dict(
        {
            "columns": {"sex": {"role": "quasi", "max_level": 0}} | told,
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"max_suppression": 0.5},
            "output": {"format": format, "shuffle": False, "ledger": ""},
        }
    )


def rows_of(kinds: Sequence[str], odd: Callable[[str], Any]) -> dict[str, list[Any]]:
    """Return twelve people with cells of one kind in each column, and one left out with an odd cell in each."""
    shared = {f"{kind}s": [CELLS[kind][i % 3] for i in range(12)] + [odd(kind)] for kind in kinds}
    return {"sex": ["fm"[i % 2] for i in range(12)] + ["x"]} | shared


def settled_without(cells: Sequence[Any], odd: Sequence[Any]) -> pa.Array:
    """Return some cells as they are released from a column in which others stood too."""
    array = column_of("told", [*cells, *odd])
    column = Table.from_arrow(pa.table({"told": array}))["told"]
    kept = slice(0, len(cells))
    kinds = None if column.kinds is None else column.kinds[kept]
    return settled(Column("told", column.codes[kept], column.values, kinds=kinds).compacted()).to_arrow()


def test_every_kind_of_cell_has_examples_that_are_of_it() -> None:
    assert list(CELLS) == list(KINDS)
    assert all(kind_of(cell) == kind for kind, told in CELLS.items() for cell in told)


@pytest.mark.parametrize("kind", KINDS)
def test_the_type_of_what_is_released_follows_from_it_alone(kind: str) -> None:
    cells = [*CELLS[kind], None]
    alone = settled_without(cells, [])
    assert alone.type != MIXED
    for odd in ODD:
        beside = settled_without(cells, [odd])
        assert (beside.type, beside) == (alone.type, alone), odd
    for other in KINDS:  # and of cells of two kinds, those left out being of all of them
        both = [*cells, *CELLS[other]]
        alone = settled_without(both, [])
        beside = settled_without(both, ODD)
        assert (beside.type, beside) == (alone.type, alone), other


@cache
def released(odd: int | None) -> Table:
    """Return the release of a column of each kind, where the one left out has the same odd cell in all of them."""
    rows = rows_of(KINDS, lambda kind: CELLS[kind][0] if odd is None else ODD[odd])
    table = Table.from_arrow(pa.table({name: column_of(name, cells) for name, cells in rows.items()}))
    release = kohort.anonymize(table, plan_of(KINDS))
    assert release.suppressed == 1
    return release.tables["table"]


@pytest.mark.parametrize("format", FORMATS)
def test_no_byte_of_any_format_follows_the_cells_of_somebody_left_out(format: str, tmp_path: Path) -> None:
    usual = written(released(None), tmp_path / f"usual.{format}")
    for odd in (0, 3, ODD.index("1000")):  # a text, a number, a number told as text
        assert written(released(odd), tmp_path / f"{odd}.{format}") == usual, ODD[odd]


@pytest.mark.long
@pytest.mark.parametrize("odd", range(len(ODD)))
@pytest.mark.parametrize("format", FORMATS)
def test_nor_any_other_cell(format: str, odd: int, tmp_path: Path) -> None:
    usual = written(released(None), tmp_path / f"usual.{format}")
    assert written(released(odd), tmp_path / f"odd.{format}") == usual


# Sources in which one column may hold cells of several kinds, and the kinds that each has.
def workbook(rows: Mapping[str, Sequence[Any]], folder: Path) -> Path:
    with xlsxwriter.Workbook(folder / "people.xlsx", {"default_date_format": "yyyy-mm-dd"}) as book:
        sheet = book.add_worksheet()
        for i, row in enumerate([tuple(rows), *zip(*rows.values(), strict=True)]):
            for j, cell in enumerate(row):
                (sheet.write_string if isinstance(cell, str) else sheet.write)(i, j, cell)
    return folder / "people.xlsx"


def database(rows: Mapping[str, Sequence[Any]], folder: Path) -> Path:
    names = ", ".join(f"{name} {'BOOLEAN' if name == 'booleans' else ''}" for name in rows)
    with closing(sqlite3.connect(folder / "people.sqlite")) as connection, connection:
        connection.execute(f"CREATE TABLE people ({names})")
        places = ", ".join("?" * len(rows))
        connection.executemany(f"INSERT INTO people VALUES ({places})", zip(*rows.values(), strict=True))
    return folder / "people.sqlite"


def frame(rows: Mapping[str, Sequence[Any]], folder: Path) -> Any:
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in rows.items()})


# source, engine: how it is made, kinds of columns, odd cells that it takes in their place (each in every column)
SOURCES: dict[tuple[str, str], tuple[Callable[..., Any], list[str], list[Any]]] = {
    (".xlsx", "memory"): (workbook, ["text", "boolean", "whole", "float", "date"], ["x", 2.5, True, "1000"]),
    (".sqlite", "memory"): (database, ["text", "boolean", "whole", "long", "float"], ["x", 2.5, 2**53, 7, -(2**63)]),
    (".sqlite", "duckdb"): (database, ["text", "boolean", "whole", "long", "float"], ["x", 2.5, 2**53, 7, -(2**63)]),
    ("pandas", "memory"): (frame, ["whole", "decimal"], [Decimal("2.5"), 2**70, -7]),
}  # fmt: skip
ENDS = {"memory": ["parquet", "csv"], "duckdb": ["parquet", "csv"]}


def public_bytes(source: tuple[str, str], odd: Any, format: str, folder: Path) -> dict[str, bytes]:
    """Return every public file of a release from a source, where the one left out has an odd cell; None for the usual."""
    make, kinds, _ = SOURCES[source]
    folder.mkdir()
    rows = rows_of(kinds, lambda kind: CELLS[kind][1] if odd is None else odd)
    draft = make_release(make(rows, folder), plan_of(kinds, format), Silent(), source[1])
    assert Release.written(draft, folder / "out").suppressed == 1
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


def test_cells_of_several_kinds_are_told_alike_wherever_the_rows_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they are on disk, no piece of them has all kinds: the first ones are whole numbers throughout."""
    monkeypatch.setattr("kohort.table.scratch.ROWS", 1)  # which DuckDB rounds up
    first, last = [1000, 1010] * 2048, [1000, 1010]
    rows: dict[str, list[Any]] = {
        "sex": ["f", "m"] * 2049,
        "wholes": first + last,
        "texts": [*first, "x", "01234"],
        "floats": [*first, 0.5, 2.25],
        "longs": [*first, 2**60, -(2**63)],
        "booleans": [0, 1] * 2048 + [1, 7],
        "decimals": [2**60, 1] * 2048 + [0.5, 1],  # for which there is no type but text
    }
    source, plan = database(rows, tmp_path), plan_of([name[:-1] for name in rows if name != "sex"])
    told = {}
    for engine in ("memory", "duckdb"):
        Release.written(make_release(source, plan, Silent(), engine), tmp_path / engine)
        file = pyarrow.parquet.ParquetFile(tmp_path / engine / "table.parquet")
        told[engine] = file.read()
    assert file.num_row_groups > 1
    assert told["duckdb"] == told["memory"]
    kinds = dict(zip(told["memory"].column_names, told["memory"].schema.types, strict=True))
    text, whole = pa.string(), pa.int64()
    assert kinds == {
        "sex": text, "wholes": whole, "texts": text, "floats": pa.float64(), "longs": whole, "booleans": text, "decimals": text
    }  # fmt: skip


def test_every_reader_that_may_find_mixed_cells_is_tried() -> None:
    """Text is text throughout, Parquet and DuckDB are typed, and the statistics programs' columns are."""
    typed = {READERS[suffix] for suffix in (".csv", ".parquet", ".sav")}
    assert {READERS[suffix] for suffix, _ in SOURCES if suffix in READERS} == set(READERS.values()) - typed


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_no_public_byte_of_any_source_follows_them(source: tuple[str, str], tmp_path: Path) -> None:
    format = ENDS[source[1]][0]
    usual = public_bytes(source, None, format, tmp_path / "usual")
    assert public_bytes(source, SOURCES[source][2][0], format, tmp_path / "odd") == usual


@pytest.mark.long
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_nor_whatever_the_cell_and_the_format(source: tuple[str, str], tmp_path: Path) -> None:
    for format in ENDS[source[1]]:
        usual = public_bytes(source, None, format, tmp_path / f"usual {format}")
        for i, odd in enumerate(SOURCES[source][2]):
            assert public_bytes(source, odd, format, tmp_path / f"{i} {format}") == usual, odd
