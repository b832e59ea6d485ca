"""Whatever a file stores as two and Kohort reads as one is told, in every format, type and engine: never said to be spelled in one way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort.errors import InputError
from kohort.table.formats.parquet_forms import with_room_for_forms
from kohort.verification.judges.loose import SPELLED

PLAN: dict[str, Any] = {
    "columns": {"cell": {"role": "quasi"}, "ill": {"role": "sensitive"}},
    "require": [{"model": "k-anonymity", "k": 2}],
    "recode": {"max_suppression": 0.5},
}
NOTHING = [None, "", "\u200b"]
Write = Callable[[Path, list[Any]], None]
Case = tuple[
    str, Write, list[Any], list[Any]
]  # suffix, how cells are written, forms of one value, other cells


def ills(cells: list[Any]) -> list[str]:
    return ["flu", "hiv"] * (len(cells) // 2)


def in_parquet(kind: pa.DataType, **told: Any) -> Write:
    def write(path: Path, cells: list[Any]) -> None:
        column = pa.array(cells, pa.string()).cast(kind) if "string" in str(kind) else pa.array(cells, kind)
        pyarrow.parquet.write_table(pa.table({"cell": column, "ill": ills(cells)}), path, **told)

    return write


def in_sqlite(declared: str) -> Write:
    def write(path: Path, cells: list[Any]) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"CREATE TABLE t (cell {declared}, ill TEXT)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", zip(cells, ills(cells), strict=True))

    return write


def in_duckdb(declared: str) -> Write:
    def write(path: Path, cells: list[Any]) -> None:
        import duckdb

        with duckdb.connect(str(path)) as connection:
            connection.execute(f"CREATE TABLE t (cell {declared}, ill TEXT)")
            connection.executemany("INSERT INTO t VALUES (?, ?)", list(zip(cells, ills(cells), strict=True)))

    return write


def in_workbook(path: Path, cells: list[Any]) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        forms = {date: "yyyy-mm-dd", datetime: "yyyy-mm-dd hh:mm"}
        formats = {kind: book.add_format({"num_format": form}) for kind, form in forms.items()}
        for row, told in enumerate([("cell", "ill"), *zip(cells, ills(cells), strict=True)]):
            for column, cell in enumerate(told):
                if type(cell) in formats:
                    sheet.write_datetime(row, column, cell, formats[type(cell)])
                elif isinstance(cell, str):
                    sheet.write_string(row, column, cell)
                elif cell is not None:
                    sheet.write(row, column, cell)


def in_statistics(writer: str, **told: Any) -> Write:
    def write(path: Path, cells: list[Any]) -> None:
        pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
        frame = pandas.DataFrame({"cell": pandas.Series(cells, dtype=object), "ill": ills(cells)})
        if not any(isinstance(cell, str) for cell in cells):
            frame["cell"] = frame["cell"].astype(float)
        getattr(pyreadstat, writer)(frame, str(path), **told)

    return write


def cases() -> Iterator[Case]:
    for text in (pa.string(), pa.large_string(), pa.string_view()):
        yield ".parquet", in_parquet(text), NOTHING, ["x", "x"]
        yield ".pq", in_parquet(text, use_dictionary=False, store_schema=False), NOTHING, ["x", "x"]
        if text != pa.string_view():  # of which Arrow makes no dictionaries
            yield ".parquet", in_parquet(pa.dictionary(pa.int8(), text)), NOTHING, ["x", "x"]
    for number in (pa.float64(), pa.float32(), pa.float16()):
        yield ".parquet", in_parquet(number), [0.0, -0.0], [1.5, 1.5]
        yield ".parquet", in_parquet(number), [None, float("nan")], [1.5, 1.5]
    for suffix in (".sqlite", ".db"):
        yield suffix, in_sqlite(""), [1, 1.0, "1"], [2, 2]
        yield suffix, in_sqlite(""), [1, 1.0, "1"], ["x", "x"]
        yield suffix, in_sqlite(""), NOTHING, ["x", "x"]
        yield suffix, in_sqlite(""), NOTHING, [7, 7]
        yield suffix, in_sqlite(""), [0.0, -0.0, 0], [1.5, 1.5]
        yield suffix, in_sqlite(""), [2**60, str(2**60)], [1.5, 1.5]
    yield ".sqlite", in_sqlite("BOOLEAN"), [1, "true"], ["x", "x"]
    yield ".sqlite", in_sqlite("TEXT"), NOTHING, ["x", "x"]
    for suffix in (".duckdb", ".db"):
        yield suffix, in_duckdb("VARCHAR"), NOTHING, ["x", "x"]
        yield suffix, in_duckdb("DOUBLE"), [0.0, -0.0], [1.5, 1.5]
    yield ".xlsx", in_workbook, [1, "1"], [2, 2]
    yield ".xlsx", in_workbook, [1, "1"], ["x", "x"]
    yield ".xlsx", in_workbook, [True, "true"], ["x", "x"]
    yield ".xlsx", in_workbook, [0.0, "0"], ["x", "x"]
    yield ".xlsx", in_workbook, [date(2020, 1, 1), "2020-01-01"], ["x", "x"]
    yield ".xlsx", in_workbook, [None, " "], [7, 7]
    yield ".xlsx", in_workbook, [None, " "], ["x", "x"]
    of_users = {"missing_user_values": {"cell": ["a", "b"]}}
    yield ".dta", in_statistics("write_dta", **of_users), ["a", "b", float("nan")], [2.0, 2.0]
    ranges = {"missing_ranges": {"cell": [99, 98]}}
    yield ".sav", in_statistics("write_sav", **ranges), [99.0, 98.0, float("nan")], [2.0, 2.0]
    for suffix, writer in ((".sav", "write_sav"), (".dta", "write_dta")):
        labels = {"variable_value_labels": {"cell": {1: "m", 2: "m", 3: "4"}}}
        yield suffix, in_statistics(writer, **labels), [1.0, 2.0], [5.0, 5.0]
        yield suffix, in_statistics(writer, **labels), [3.0, 4.0], [5.0, 5.0]


CASES = list(cases())


def spelled(path: Path, engine: str) -> bool | None:
    verdicts = kohort.verify(path, PLAN, engine=engine)
    return {verdict.promise: verdict.holds for verdict in verdicts}[SPELLED]


def engines(suffix: str) -> list[str]:
    return ["memory"] if suffix in (".xlsx", ".sav", ".dta") else ["memory", "duckdb"]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{i}{case[0]}" for i, case in enumerate(CASES)])
def test_two_forms_of_one_value_are_never_said_to_be_one(number: int, tmp_path: Path) -> None:
    suffix, write, forms, others = CASES[number]
    path = tmp_path / f"table{suffix}"
    for one, other in combinations(forms, 2):
        write(path, [one] * 5 + [other, *others])
        for engine in engines(suffix):
            assert spelled(path, engine) is False, (one, other, engine)
        path.unlink()
    for form in forms:
        write(path, [form] * 6 + others)
        for engine in engines(suffix):
            assert spelled(path, engine) is not False, (form, engine)
        path.unlink()


def test_a_workbook_that_kohort_did_not_write_is_not_said_to_spell_every_value_in_one_way(
    tmp_path: Path,
) -> None:
    """One day in two formats: what a sheet shows is more than what is read of it."""
    path = tmp_path / "table.xlsx"
    in_workbook(path, [date(2020, 1, 1)] * 3 + [datetime(2020, 1, 1)])
    assert spelled(path, "memory") is None


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_types_with_room_for_several_forms_are_not_judged(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    in_parquet(pa.int8())(path, [1, 1, 2, 2])
    assert (with_room_for_forms(path), spelled(path, engine)) == (["cell"], None)
    moments = pa.array([datetime(2020, 1, 1)] * 4)
    whole = pa.table({"cell": moments, "ill": ills([1] * 4)})
    pyarrow.parquet.write_table(whole, path, use_deprecated_int96_timestamps=True)
    assert (with_room_for_forms(path), spelled(path, engine)) == (["cell"], None)
    in_parquet(pa.int64())(path, [1, 1, 2, 2])
    assert (with_room_for_forms(path), spelled(path, engine)) == ([], True)


def test_binary_cells_are_refused_whatever_holds_them(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary())):
        cells = pa.array([b"", b"x"] * 2, pa.binary())
        pyarrow.parquet.write_table(pa.table({"cell": cells.cast(kind), "ill": ills([1] * 4)}), path)
        for engine in ("memory", "duckdb"):
            with pytest.raises(InputError):
                kohort.verify(path, PLAN, engine=engine)
