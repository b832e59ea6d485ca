"""What is released is spelled from the plan and the released rows: a left-out person's odd cells change no byte of it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.errors import InfeasibleError, InputError
from kohort.pipeline import make_release
from kohort.table.formats import WRITERS
from kohort.table.formats.cells import column_of

CUTS = ("k-optimize", "hill-climbing", "genetic", "annealing")
FORMATS = [suffix.removeprefix(".") for suffix in sorted(WRITERS)]
NAMES = [name for name in ALGORITHMS if not algorithm(name).card.covers_all]
USUAL: dict[str, Any] = {
    "age": 31,
    "zip": "53711",
    "born": dt.date(1990, 5, 17),
    "dose": 2,
    "since": dt.date(2020, 1, 1),
    "fee": Decimal(7),
}
# In the place of what the left-out person has: another type, another length, another number of digits.
ODD: dict[str, dict[str, Any]] = {
    "a fraction": {"age": 77.5, "dose": 0.125, "fee": Decimal("7.125")},
    "a large float": {"age": 1e5, "dose": 1e17},
    "a huge number": {"age": 2**62, "dose": 2**62},
    "a long code": {"zip": "ABCDEFGHIJKL"},
    "a short code": {"zip": "5"},
    "a time of day": {"born": dt.datetime(1990, 5, 17, 23, 59, 1), "since": dt.datetime(2020, 1, 1, 1, 2, 3, 4)},
    "nothing": dict.fromkeys(USUAL),
}  # fmt: skip


def people(odd: dict[str, Any]) -> pa.Table:
    """Return 24 people whose values are shared, and one whose sex nobody has, with the odd cells."""
    rows = range(24)
    cells: dict[str, list[Any]] = {
        "age": [20 + 7 * (i % 4) for i in rows],
        "zip": [("53711", "53712", "53706", "60601")[i % 4] for i in rows],
        "born": [dt.date(1980 + i % 4, 3, 9) for i in rows],
        "sex": ["f" if i < 12 else "m" for i in rows],
        "dose": [i % 3 for i in rows],
        "since": [dt.date(2021, 1, 1 + i % 3) for i in rows],
        "fee": [Decimal(i % 3) for i in rows],
    }
    last = USUAL | {"sex": "x"} | odd
    return pa.table({name: column_of(name, [*told, last[name]]) for name, told in cells.items()})


def plan_of(name: str, fmt: str) -> kohort.Plan:
    columns: dict[str, Any] = {
        "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20, 40]}},
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
        "born": {"role": "quasi", "hierarchy": {"kind": "dates", "levels": ["month", "year", "decade"]}},
        "sex": {"role": "quasi", "weight": 50.0} | ({"max_level": 0} if name in CUTS else {}),
        "dose": "sensitive",
        "since": {"role": "insensitive", "allow_unique": True},
        "fee": {"role": "insensitive", "allow_unique": True},
    }
    recode = {"algorithm": name, "max_suppression": 1, "seed": 2, "time_limit": 20.0}
    if name in CUTS:
        recode["objective"] = "discernibility"
    return kohort.Plan.from_dict(
        {
            "columns": columns,
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": recode,
            "output": {"format": fmt, "shuffle": False},
        }
    )


@cache
def leaves_out(name: str) -> bool:
    """Whether an algorithm takes the plan and leaves the one person out."""
    try:
        release = kohort.anonymize(people({}), plan_of(name, "csv"))
    except (InputError, InfeasibleError):
        return False
    return release.suppressed == 1 and "x" not in release.tables["table"]["sex"].texts


def written(folder: Path, name: str, odd: dict[str, Any], fmt: str, engine: str = "memory") -> Any:
    """Return the bytes of the released table; of databases, which hold more than that, its cells and types."""
    source: Any = people(odd)
    folder.mkdir()
    if engine == "duckdb":
        pyarrow.parquet.write_table(source, folder / "people.parquet")
        source = folder / "people.parquet"
    make_release(source, plan_of(name, fmt), Silent(), engine).save(folder / "out")
    path = folder / "out" / f"table.{fmt}"
    return _contents(path) if fmt in ("duckdb", "sqlite") else path.read_bytes()


def _contents(path: Path) -> pa.Table:
    import duckdb

    with duckdb.connect() as connection:
        kind = "sqlite" if path.suffix == ".sqlite" else "duckdb"
        if kind == "sqlite":
            import sqlite3
            from contextlib import closing

            with closing(sqlite3.connect(path)) as lite:
                rows = lite.execute("SELECT * FROM release").fetchall()
                return [lite.execute("SELECT sql FROM sqlite_master").fetchall(), rows]
        connection.execute(f"ATTACH '{path}' AS told (READ_ONLY)")
        return connection.execute("SELECT * FROM told.release").to_arrow_table()


PAIRS = list(zip(NAMES, cycle(FORMATS), strict=False))


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(("name", "fmt"), PAIRS)
def test_no_byte_follows_the_odd_cells_of_somebody_who_was_left_out(
    name: str, fmt: str, odd: str, tmp_path: Path
) -> None:
    if not leaves_out(name):
        pytest.skip("it leaves nobody out")
    usual = written(tmp_path / "usual", name, {}, fmt)
    assert written(tmp_path / "odd", name, ODD[odd], fmt) == usual


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("fmt", FORMATS)
def test_nor_in_any_format(fmt: str, odd: str, tmp_path: Path) -> None:
    usual = written(tmp_path / "usual", "optimal", {}, fmt)
    assert written(tmp_path / "odd", "optimal", ODD[odd], fmt) == usual


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("fmt", ["csv", "parquet"])
def test_nor_where_rows_are_on_disk(fmt: str, odd: str, tmp_path: Path) -> None:
    usual = written(tmp_path / "usual", "optimal", {}, fmt)
    assert written(tmp_path / "odd", "optimal", ODD[odd], fmt, "duckdb") == usual


def test_the_attack_would_be_seen() -> None:
    """Algorithms of every family do leave the one person out."""
    assert {"optimal", "k-optimize", "samarati"} <= {name for name in NAMES if leaves_out(name)}
