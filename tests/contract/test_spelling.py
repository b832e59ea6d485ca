"""What is released is spelled from the plan and the released rows: a left-out person's odd cells change no byte of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.errors import InfeasibleError, InputError
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.formats import WRITERS
from kohort.table.formats.cells import column_of

CUTS: dict[str, dict[str, Any]] = {
    "k-optimize": {"objective": "discernibility"},
    "hill-climbing": {"objective": "discernibility", "options": {"rounds": 2}},
    "genetic": {"objective": "discernibility", "options": {"children": 20, "population": 4}},
    "annealing": {"objective": "discernibility", "options": {"coolings": 1, "steps": 20}},
}
FORMATS = [suffix.removeprefix(".") for suffix in sorted(WRITERS)]
NAMES = [name for name in ALGORITHMS if not algorithm(name).card.covers_all]
USUAL: dict[str, Any] = {
    "age": 25,
    "zip": "53711",
    "born": dt.date(1983, 3, 17),
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
    "a time of day": {"born": dt.datetime(1983, 3, 17, 23, 59, 1), "since": dt.datetime(2020, 1, 1, 1, 2, 3, 4)},
    "nothing": dict.fromkeys(USUAL),
}  # fmt: skip


def people(odd: dict[str, Any]) -> pa.Table:
    """Return 24 people whose values are shared, and one whose sex nobody has, with the odd cells."""
    rows = range(24)
    cells: dict[str, list[Any]] = {
        "age": [20 + i % 12 for i in rows],
        "zip": [f"537{i % 3}{i % 6}" for i in rows],
        "born": [dt.date(1980 + i % 4, 3, 1 + i % 12) for i in rows],
        "sex": ["f" if i < 12 else "m" for i in rows],
        "dose": [i % 3 for i in rows],
        "since": [dt.date(2021, 1, 1 + i % 3) for i in rows],
        "fee": [Decimal(i % 3) for i in rows],
    }
    last = USUAL | {"sex": "x"} | odd
    return pa.table({name: column_of(name, [*told, last[name]]) for name, told in cells.items()})


K = {"factor-2": 2, "factor-3": 3}
DECLARED_SPELLING = {"age": {"decimals": 3}, "zip": {"length": 12}}


def leaves_out(name: str) -> bool:
    """Whether a plan can make it leave the one person out: by forbidding to generalize what only that one has."""
    card = algorithm(name).card
    return "max_level" in card.bounds and card.layout == "one-table" and card.taxonomy != "_AS"


def plan_of(name: str, fmt: str, declared: bool = False) -> kohort.Plan:
    """A plan that the algorithm takes, as far as its card tells what it takes."""
    card = algorithm(name).card
    quasi: dict[str, dict[str, Any]] = {
        "age": {"kind": "intervals", "widths": [10, 20, 40]},
        "zip": {"kind": "mask"},
        "born": {"kind": "dates", "levels": ["month", "year", "decade"]},
        "sex": {"kind": "suppress"},
    }
    if declared:
        quasi |= {column: quasi[column] | told for column, told in DECLARED_SPELLING.items()}
    if card.taxonomy == "_TS":  # it generalizes nothing: what nobody shares would leave everybody out
        quasi = {column: quasi[column] for column in ("zip", "sex")}
    if name == "univariate":
        quasi = {"age": quasi["age"]}
    columns: dict[str, Any] = {
        column: {"role": "quasi", "hierarchy": told} if column in quasi else {"role": "identifier"}
        for column, told in (quasi | {key: {} for key in {"age", "zip", "born", "sex"} - set(quasi)}).items()
    } | {
        "dose": "sensitive",
        "since": {"role": "insensitive", "allow_unique": True},
        "fee": {"role": "insensitive", "allow_unique": True},
    }
    if "sex" in quasi:
        columns["sex"] |= {"weight": 50.0} | ({"max_level": 0} if leaves_out(name) else {})
    promise = {"model": "k-anonymity", "k": 2 if card.taxonomy == "_TS" else K.get(name, 3)}
    if card.layout != "one-table":
        promise = {"model": "l-diversity", "l": 2, "column": "dose"}
    recode = {"algorithm": name, "max_suppression": 1, "seed": 2} | CUTS.get(name, {})
    shuffled = card.layout != "one-table"
    return kohort.Plan.from_dict(
        {
            "columns": columns,
            "require": [promise],
            "recode": recode,
            "output": {"format": fmt, "shuffle": shuffled},
        }
    )


@cache
def released(name: str, odd: str | None, declared: bool = False) -> tuple[pa.Table, int] | None:
    """Return the released table and how many were left out; None where the odd cells do not fit the plan."""
    try:
        release = kohort.anonymize(people(ODD[odd] if odd else {}), plan_of(name, "csv", declared))
    except (InputError, InfeasibleError):
        assert odd is not None, "the battery's plan must be one that every algorithm takes"
        return None
    return release.tables["table"].to_arrow(), release.suppressed


def parted(table: pa.Table) -> list[list[int]]:
    """Return which rows are alike in each column: what was decided, whatever the words."""
    return [
        table[name].combine_chunks().dictionary_encode().indices.to_pylist() for name in table.column_names
    ]


def alike(name: str, one: pa.Table, other: pa.Table) -> bool:
    """Whether two releases are the same, cell by cell.

    Boxes that cover all kept values are told as `*` where there are no others, so that one who was left out may turn
    a `*` into an interval (0016 lists it): that much is granted to them.
    """
    if algorithm(name).card.taxonomy != "CG_":
        return bool(one == other)
    pairs = zip(one.to_pylist(), other.to_pylist(), strict=True)
    return all(a[c] == b[c] or "*" in (a[c], b[c]) for a, b in pairs for c in one.column_names)


def compared(name: str, odds: Sequence[str], declared: bool = False) -> int:
    """Compare what is released with and without each of the odd cells; return how often the same was decided."""
    found = released(name, None, declared)
    assert found is not None
    usual, agreed = found[0], 0
    for odd in odds:
        other = released(name, odd, declared)
        if other is None or other[1] != 1 or parted(other[0]) != parted(usual):
            continue  # it is refused, or the decision is another
        assert other[0].schema == usual.schema, odd
        assert alike(name, other[0], usual), odd
        agreed += 1
    return agreed


@pytest.mark.parametrize("name", [name for name in NAMES if leaves_out(name)])
def test_no_label_and_no_type_follows_the_odd_cells_of_somebody_who_was_left_out(name: str) -> None:
    found = released(name, None)
    assert found is not None
    table, suppressed = found
    assert suppressed == 1
    assert "x" not in table["sex"].to_pylist()
    by_chance = (
        "seed" in algorithm(name).card.heeds
    )  # then another table may be searched otherwise throughout
    assert compared(name, list(ODD)) >= 2 or by_chance


@pytest.mark.parametrize("name", [name for name in NAMES if not leaves_out(name)])
def test_all_others_leave_nobody_out(name: str) -> None:
    """So that there is nobody whose odd cells could show without being released."""
    found = released(name, None)
    assert found is not None
    assert found[1] == 0


@pytest.mark.parametrize("name", ["optimal", "k-optimize", "mondrian"])  # by levels, by cuts, by boxes
def test_nor_where_the_plan_declares_decimals_and_length(name: str) -> None:
    assert compared(name, ["a fraction", "a long code"], declared=True) >= 1
    if "age" in plan_of(name, "csv").quasi:
        table = released(name, None, declared=True)
        assert table is not None
        whole = {"*", *(str(age) for age in range(20, 32))}
        assert all(
            str(age) in whole or "." in str(age) or "[" in str(age) for age in table[0]["age"].to_pylist()
        )


@pytest.mark.parametrize("odd", ["a fraction", "a long code"])
def test_what_does_not_fit_the_declared_spelling_is_refused(odd: str) -> None:
    plan = plan_of("optimal", "csv", declared=True)
    narrow = plan.with_settings({"columns.age.hierarchy.decimals": 0, "columns.zip.hierarchy.length": 5})
    assert kohort.anonymize(people({}), narrow).suppressed == 1
    with pytest.raises(InputError, match="do not fit its hierarchy") as refused:
        kohort.anonymize(people(ODD[odd]), narrow)
    assert "77.5" not in str(refused.value)
    assert "ABCDEF" not in str(refused.value)


@pytest.mark.parametrize("name", ["optimal", "incognito", "k-optimize"])
def test_the_same_is_decided(name: str) -> None:
    """So that the test above is one of words, for searches by loss and by cuts."""
    usual = released(name, None)
    assert usual is not None
    for odd in ODD:
        told = released(name, odd)
        assert told is not None
        assert parted(told[0]) == parted(usual[0])


# What a column was declared as for the left-out person's sake, and the cell that needed it.
DECLARED: dict[str, list[tuple[pa.DataType, Any]]] = {
    "time": [(pa.time32("s"), 5), (pa.time32("ms"), 5), (pa.time64("us"), 5), (pa.time64("ns"), 5)],
    "duration": [(pa.duration("s"), 10**12), (pa.duration("ms"), 5), (pa.duration("us"), 5), (pa.duration("ns"), 5)],
    "decimal": [
        (pa.decimal128(19, 0), Decimal(5)),
        (pa.decimal128(38, 9), Decimal("0.000000005")),
        (pa.decimal256(60, 0), Decimal(10) ** 45),
        (pa.decimal256(76, 40), Decimal("1e-40")),
    ],
}  # fmt: skip


@pytest.mark.parametrize("what", DECLARED)
@pytest.mark.parametrize("role", ["sensitive", "insensitive", "quasi"])
def test_no_unit_and_no_number_of_digits_follows_them(what: str, role: str) -> None:
    (narrow, _), *_ = DECLARED[what]
    shared = pa.array([i % 3 for i in range(24)], pa.int32() if what == "time" else pa.int64()).cast(narrow)
    tables = []
    for kind, cell in DECLARED[what]:
        odd = pa.array([cell]).cast(kind) if what == "decimal" else pa.array([cell], kind)
        column = pa.concat_arrays([shared.cast(kind), odd])
        source = people({}).append_column("odd", column)
        plan = plan_of("optimal", "csv").to_dict()
        extra = {"hierarchy": {"kind": "suppress"}} if role == "quasi" else {"allow_unique": True}
        plan["columns"]["odd"] = {"role": role} | ({} if role == "sensitive" else extra)
        release = kohort.anonymize(source, kohort.Plan.from_dict(plan))
        assert release.suppressed == 1
        tables.append(release.tables["table"].to_arrow())
    assert all(table.schema == tables[0].schema and table == tables[0] for table in tables)


@cache
def written(odd: str | None, fmt: str, engine: str = "memory") -> Any:
    """Return the bytes of a released table; of databases, which hold more than that, its cells and types."""
    source: Any = people(ODD[odd] if odd else {})
    with TemporaryDirectory() as place:
        folder = Path(place)
        if engine == "duckdb":
            pyarrow.parquet.write_table(source, folder / "people.parquet")
            source = folder / "people.parquet"
        Release.written(make_release(source, plan_of("optimal", fmt), Silent(), engine), folder / "out")
        path = folder / "out" / f"table.{fmt}"
        if fmt == "duckdb":
            with duckdb.connect(str(path), read_only=True) as connection:
                return connection.sql("SELECT * FROM release").to_arrow_table()
        return path.read_bytes()


@pytest.mark.parametrize("fmt", FORMATS)
def test_no_byte_of_any_format_follows_them(fmt: str) -> None:
    """Text for every odd cell, in haste every other format for some: what is written is the same table."""
    for odd in ODD if fmt == "csv" else [*ODD][FORMATS.index(fmt) % 3 :: 3]:
        assert written(odd, fmt) == written(None, fmt), odd


@pytest.mark.long
@pytest.mark.parametrize("fmt", FORMATS)
def test_nor_for_any_of_them(fmt: str) -> None:
    for odd in ODD:
        assert written(odd, fmt) == written(None, fmt), odd


@pytest.mark.parametrize("fmt", ["csv", "parquet"])
def test_nor_where_rows_are_on_disk(fmt: str) -> None:
    for odd in ODD:
        assert written(odd, fmt, "duckdb") == written(None, fmt, "duckdb"), odd
