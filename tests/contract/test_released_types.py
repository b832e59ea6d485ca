"""The type of a released column follows from what is released: tables that are released as the same texts have the same types and bytes.

Random tables in which the same labels come about in several ways: people have the value that is told, or one beside it that
climbs to it (`10.5` to `10`, a time of day to its day), and others are left out, whose cells are of any kind. Before, a column had its
own type where level 0 was chosen and was text where level 1 was, of the same labels: so it told for whose sake a search climbed.
"""

from __future__ import annotations

import csv
import datetime as dt
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.contract.written_files import written
from tests.thinned import dealt

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.errors import InfeasibleError, InputError
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table import Table
from kohort.table.formats import WRITERS
from kohort.table.formats.cells import column_of
from kohort.table.texts import text_of

DAY, CLOCK = dt.date(2020, 1, 30), dt.datetime(2020, 1, 30, 5, 6)
# Of every kind: values that are told, one beside each that climbs to it, and what only people left out have.
KINDS: dict[str, tuple[list[Any], list[Any], list[Any]]] = {
    "numbers": ([10, 11, 20, 21], [10.5, 11.25, 20.5, 21.125], [77.5, 2**40, "pope"]),
    "fractions": ([0.5, 1.5, 20.0, 21.5], [0.25, 1.75, 20.25, 21.75], [1e300, 7.0, "pope"]),
    "decimals": (
        [Decimal("1.5"), Decimal(2), Decimal(20), Decimal("21.25")],
        [Decimal("1.625"), Decimal("2.0005"), Decimal("20.125"), Decimal("21.375")],
        [Decimal("1e-9"), 7, Decimal(10) ** 45],
    ),
    "days": (
        [DAY + dt.timedelta(i) for i in (0, 1, 7, 8)],
        [CLOCK + dt.timedelta(i) for i in (0, 1, 7, 8)],
        [dt.datetime(1811, 2, 3, 4, 5, 6, 7), dt.date(9999, 1, 1), 7],
    ),
    "moments": (
        [CLOCK + dt.timedelta(i) for i in (0, 1, 7, 8)],
        [CLOCK + dt.timedelta(i, microseconds=7) for i in (0, 1, 7, 8)],
        [DAY, dt.datetime(1811, 2, 3), "pope"],
    ),
    "times": (
        [dt.time(hour) for hour in (1, 2, 10, 11)],
        [dt.time(hour, 0, 0, 7) for hour in (1, 2, 10, 11)],
        [dt.time(23, 59, 59), "pope", 7],
    ),
    "durations": (
        [dt.timedelta(hours=hours) for hours in (1, 30, 100, -7)],
        [dt.timedelta(hours=hours, microseconds=7) for hours in (1, 30, 100, -7)],
        [dt.timedelta(10**6), "pope"],
    ),
    "words": (["a", "b", "c", "7"], ["a1", "b1", "c1", "71"], [8, 7.5, DAY]),
}  # fmt: skip
NAMES = [name for name in ALGORITHMS if not algorithm(name).card.covers_all]
FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]
CUTS = {"objective": "discernibility", "options": {}}
SETTINGS: dict[str, dict[str, Any]] = {
    "k-optimize": CUTS,
    "hill-climbing": CUTS | {"options": {"rounds": 2}},
    "genetic": CUTS | {"options": {"children": 20, "population": 4}},
    "annealing": CUTS | {"options": {"coolings": 1, "steps": 20}},
}


@cache
def level_file(kind: str) -> Path:
    """Return a level file: at level 1 a value is told as itself, and the one beside it as the same."""
    told, beside, strange = KINDS[kind]
    rows = [
        (text_of(cell), text_of(told[i % 4]), f"group {i % 4 // 2}", "*")
        for i, cell in enumerate(told + beside)
    ]
    rows += [(text_of(cell), f"strange {i}", "group 2", "*") for i, cell in enumerate(strange)]
    path = Path(mkdtemp()) / "levels.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    return path


def plan_of(name: str, kind: str, format: str = "parquet") -> kohort.Plan:
    card = algorithm(name).card
    quasi: dict[str, Any] = {"role": "quasi", "hierarchy": {"kind": "file", "path": str(level_file(kind))}}
    sex: dict[str, Any] = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
    if "max_level" in card.bounds and card.taxonomy != "_AS":
        sex["max_level"] = 0
    columns = {"it": quasi} | ({} if name == "univariate" else {"sex": sex}) | {"ill": {"role": "sensitive"}}
    promise: dict[str, Any] = {"model": "k-anonymity", "k": 2}
    if card.layout != "one-table":
        promise = {"model": "l-diversity", "l": 2, "column": "ill"}
    return kohort.Plan.from_dict(
        {
            "columns": columns,
            "require": [promise],
            "recode": {"algorithm": name, "max_suppression": 0.15, "seed": 3} | SETTINGS.get(name, {}),
            "output": {"format": format, "shuffle": card.layout != "one-table", "ledger": ""},
        }
    )


def people(kind: str, variant: int, mixed: bool = True) -> dict[str, list[Any]]:
    """Return sixteen people, the same in all variants up to what climbs to the same, and up to two who are alone with their sex."""
    told, beside, strange = KINDS[kind]
    rng = np.random.default_rng(variant)
    climbing = {0: 0, 1: 0}.get(variant, int(rng.integers(0, 4)))
    cells: list[Any] = [told[i // 2 % 4] for i in range(16)]
    for row in rng.choice(16, climbing, replace=False).tolist():
        cells[row] = beside[row // 2 % 4]
    kinds = {type(cell) for cell in told + beside}
    others = [*told, *beside, None, *(cell for cell in strange if mixed or type(cell) in kinds)]
    alone = variant % 3 if variant else 0
    left_out = [others[i] for i in rng.integers(0, len(others), alone)]
    return {
        "it": cells + left_out,
        "sex": ["f"] * 8 + ["m"] * 8 + ["x", "y"][:alone],
        "ill": ["u", "v"] * 8 + ["w"] * alone,
    }


def source_of(rows: Mapping[str, Sequence[Any]]) -> Table:
    return Table.from_arrow(pa.table({name: column_of(name, cells) for name, cells in rows.items()}))


def released(name: str, kind: str, variant: int) -> Table | None:
    """Return what is released; None where a plan is refused or cannot be kept."""
    try:
        return kohort.anonymize(source_of(people(kind, variant)), plan_of(name, kind)).tables["table"]
    except (InputError, InfeasibleError):
        return None


def alike(name: str, kind: str, variants: Sequence[int]) -> list[list[Table]]:
    """Return the releases of variants, those together that tell the same texts, row by row."""
    found: dict[Any, list[Table]] = {}
    for variant in variants:
        table = released(name, kind, variant)
        if table is not None:
            texts = tuple(tuple(column.texts[code] for code in column.codes.tolist()) for column in table)
            found.setdefault(texts, []).append(table)
    return list(found.values())


def demand_one_type(together: Sequence[Table]) -> None:
    first, *others = (table.to_arrow() for table in together)
    for other in others:
        assert other.schema.equals(first.schema, check_metadata=True)
        assert other.equals(first)


@pytest.mark.parametrize(("name", "kind"), dealt(NAMES, KINDS, every=4))
def test_equal_texts_have_one_type(name: str, kind: str) -> None:
    for together in alike(name, kind, range(3)):
        demand_one_type(together)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_nor_has_any_other_table(name: str, kind: str) -> None:
    for together in alike(name, kind, range(40)):
        demand_one_type(together)


@pytest.mark.parametrize("kind", KINDS)
def test_the_attack_would_be_seen(kind: str) -> None:
    """The same texts come about at level 0 and at level 1, and are no texts where all values are of another type."""
    levels: dict[Any, set[int]] = {}
    for variant in range(6):
        try:
            release = kohort.anonymize(source_of(people(kind, variant)), plan_of("datafly", kind))
        except InfeasibleError:
            continue
        told = tuple(map(str, release.table["it"].to_pylist()))
        levels.setdefault(told, set()).add(release.facts.decision["levels"]["it"])
    assert {0, 1} in levels.values()


@cache
def releases_by_levels(kind: str) -> list[list[Table]]:
    return [together for together in alike("datafly", kind, range(6)) if len(together) > 1]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_and_the_same_bytes_in_every_format(kind: str, format: str, tmp_path: Path) -> None:
    assert releases_by_levels(kind)
    for together in releases_by_levels(kind):
        bytes_of = [written(table, tmp_path / f"{i}.{format}") for i, table in enumerate(together)]
        assert all(told == bytes_of[0] for told in bytes_of)


def public_files(source: Path, plan: kohort.Plan, engine: str, folder: Path) -> dict[str, bytes] | None:
    """Return every public file of a release; None where a plan is refused or cannot be kept."""
    try:
        Release.written(make_release(source, plan, Silent(), engine), folder)
    except (InputError, InfeasibleError):
        return None
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def texts_in(path: Path) -> Any:
    """Return what a reader sees in a written table."""
    if path.suffix == ".csv":
        return path.read_bytes()
    table = Table.from_arrow(pyarrow.parquet.read_table(path))
    return tuple(tuple(column.texts[code] for code in column.codes.tolist()) for column in table)


def parquet(kind: str, variant: int, path: Path) -> Path:
    """Write a file that has one type for a column: for somebody left out, a wider one."""
    rows = source_of(people(kind, variant, mixed=False)).to_arrow()
    pyarrow.parquet.write_table(rows, path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def sqlite(kind: str, variant: int, path: Path) -> Path:
    """Write a database that has a type for every cell."""
    rows = people(kind, variant)
    cells = [
        [cell if isinstance(cell, int | float | None) else str(cell) for cell in told]
        for told in rows.values()
    ]
    with closing(sqlite3.connect(path.with_suffix(".sqlite"))) as connection, connection:
        connection.execute(f"CREATE TABLE people ({', '.join(rows)})")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", zip(*cells, strict=True))
    return path.with_suffix(".sqlite")


Writer: TypeAlias = Callable[[str, int, Path], Path]
ENGINES = ["memory", "duckdb"]  # Spark: tests/engines/in_spark/test_released_types.py
IN_EVERY_WAY = ["datafly", "k-optimize", "mondrian"]  # by levels, by cuts, by boxes
SOURCES: list[tuple[Writer, str]] = [
    *((parquet, kind) for kind in KINDS),
    *((sqlite, kind) for kind in ("numbers", "fractions", "words")),
]


def demand_one_folder(
    name: str, source: tuple[Writer, str], engine: str, format: str, variants: Sequence[int], folder: Path
) -> None:
    """Compare all public files of variants that tell the same; some do."""
    write, kind = source
    plan, found, agreed = plan_of(name, kind, format), dict[Any, dict[str, bytes]](), 0
    for variant in variants:
        out = folder / f"{variant} {format}"
        files = public_files(write(kind, variant, folder / f"{variant} of {format}"), plan, engine, out)
        if files is not None:
            texts = texts_in(out / f"table.{format}")
            agreed += texts in found
            assert files == found.setdefault(texts, files)
    assert agreed


# every way with every engine and every source with some of both in `make test`
PLACES = [(name, source, engine) for engine in ENGINES for source in SOURCES for name in IN_EVERY_WAY]


@pytest.mark.parametrize(
    ("name", "source", "engine"),
    PLACES,
    ids=lambda told: told if isinstance(told, str) else f"{told[0].__name__}-{told[1]}",
)
def test_and_the_same_public_files_wherever_the_rows_are(
    name: str, source: tuple[Writer, str], engine: str, tmp_path: Path
) -> None:
    demand_one_folder(name, source, engine, "parquet", (0, 1, 2), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: f"{source[0].__name__}-{source[1]}")
@pytest.mark.parametrize("name", IN_EVERY_WAY)
def test_and_of_any_other_table(name: str, source: tuple[Writer, str], engine: str, tmp_path: Path) -> None:
    for format in ("parquet", "csv"):
        demand_one_folder(name, source, engine, format, range(12), tmp_path)
