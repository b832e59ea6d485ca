"""How a plan has cells read and told (markers, folded case, thousands, coarse values) shows nothing of those who are left out.

Two originals that differ in the cells of a person left out give the same public bytes, whatever those cells needed: no marker,
spelling, end or type of theirs stands in any file.
"""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import xlsxwriter

import kohort
from kohort.algorithms import Silent
from kohort.engines import ENGINES
from kohort.pipeline import make_release
from kohort.release.release import Release

USUAL = {"sex": "x", "pay": "1000", "fee": "2", "city": "Bonn", "since": "2021-01-01"}
ODD = {
    "markers": {"pay": "n/a", "fee": "-99", "city": "N.N."},
    "markers spelled otherwise": {"pay": "-99.0", "fee": " n/a "},
    "case and blanks": {"city": " BONN  am RHEIN "},
    "thousands": {"pay": "1,234,567.125", "fee": "12 000"},
    "another end": {"pay": "-7e300", "fee": "0.000000001", "since": "0001-01-01"},
    "nothing": dict.fromkeys(USUAL.keys() - {"sex"}, ""),
}
COLUMNS = {
    "sex": {"role": "quasi", "max_level": 0},
    "pay": {"role": "sensitive", "round": 100, "bottom": 1000, "top": 1200},
    "fee": {"role": "insensitive", "round": 0.5},
    "city": "insensitive",
    "since": {"role": "insensitive", "unit": "month"},
}
READ = {
    "missing": ["", "n/a", "-99"],
    "missing_in": {"city": ["N.N."]},
    "decimal": ".",
    "trim": True,
    "fold": ["city"],
}


def plan_of(format: str) -> kohort.Plan:
    return kohort.Plan.from_dict(
        {
            "input": READ,
            "columns": COLUMNS,
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"max_suppression": 0.5},
            "output": {"format": format, "shuffle": False, "ledger": ""},
        }
    )


def public_bytes(odd: dict[str, str], format: str, engine: str, folder: Path) -> dict[str, bytes]:
    """Return every public file of a release of twelve people, and of one who is left out."""
    folder.mkdir()
    shared = [
        {
            "sex": "fm"[i % 2],
            "pay": f"1,{i % 3}50",
            "fee": f"{i % 3}",
            "city": ("Bonn", "BONN", "Ulm")[i % 3],
            "since": f"2021-0{1 + i % 3}-09",
        }
        for i in range(12)
    ]
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(USUAL))
        writer.writeheader()
        writer.writerows([*shared, USUAL | odd])
    draft = make_release(folder / "people.csv", plan_of(format), Silent(), engine)
    assert Release.written(draft, folder / "out").suppressed == 1
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


@pytest.mark.parametrize(
    ("format", "engine", "odds"),
    [
        ("parquet", "memory", list(ODD)),
        ("xlsx", "memory", ["another end"]),
        ("csv", "duckdb", ["markers", "thousands"]),
    ],
)
def test_no_public_byte_follows_the_cells_of_somebody_left_out(
    format: str, engine: str, odds: list[str], tmp_path: Path
) -> None:
    assert engine in ENGINES
    usual = public_bytes({}, format, engine, tmp_path / "usual")
    for odd in odds:
        assert public_bytes(ODD[odd], format, engine, tmp_path / odd) == usual, odd
    assert b"n/a" not in usual["manifest.json"] + usual["report.html"]


def public_bytes_of_file(odd: object, suffix: str, engine: str, folder: Path) -> dict[str, bytes]:
    """Return every public file of a release of numbers in a workbook or a database, and of one cell that is left out."""
    folder.mkdir()
    rows = [("fm"[i % 2], *[1000 + 10 * (i % 3)] * 2) for i in range(12)] + [("x", odd, odd)]
    source = folder / f"people.{suffix}"
    if suffix == "xlsx":
        with xlsxwriter.Workbook(source) as book:
            sheet = book.add_worksheet()
            for i, row in enumerate([("sex", "pay", "fee"), *rows]):
                sheet.write_row(i, 0, row)
    else:
        with closing(sqlite3.connect(source)) as connection, connection:
            connection.execute("CREATE TABLE people (sex, pay, fee)")
            connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    plan = kohort.Plan.from_dict(
        {
            "input": {"missing": ["n/a", "-99"], "trim": True, "decimal": ","},
            "columns": {
                "sex": {"role": "quasi", "max_level": 0},
                "pay": "sensitive",
                "fee": {"role": "insensitive", "round": 0.5},
            },
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"max_suppression": 0.5},
            "output": {"format": "parquet", "shuffle": False, "ledger": ""},
        }
    )
    draft = make_release(source, plan, Silent(), engine)
    assert Release.written(draft, folder / "out").suppressed == 1
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}


@pytest.mark.parametrize(
    ("suffix", "engine"), [("xlsx", "memory"), ("sqlite", "memory"), ("sqlite", "duckdb")]
)
def test_no_text_of_somebody_left_out_makes_numbers_texts(suffix: str, engine: str, tmp_path: Path) -> None:
    usual = public_bytes_of_file(1000, suffix, engine, tmp_path / "usual")
    for i, odd in enumerate(["n/a", "-99.0", " n/a ", None, -99, "1.200,50", 0.125]):
        assert public_bytes_of_file(odd, suffix, engine, tmp_path / str(i)) == usual, odd
