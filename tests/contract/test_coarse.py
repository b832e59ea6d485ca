"""Numbers and dates that are told coarsely: by every algorithm, engine and format, judged apart from who made them."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.test_open_ends import NAMES, ROWS, SPECIAL
from tests.engines.at_hand import AT_HAND

import kohort
from kohort.engines import Need
from kohort.engines.memory.engine import InMemory
from kohort.errors import InputError, VerificationError
from kohort.hierarchy.calendar import PERIODS
from kohort.hierarchy.coarse import Coarse, coarsened, coarsened_table
from kohort.table import Column, Table
from kohort.verification.judges import judge_coarse, told_again

PAY = {"round": 500, "bottom": 1000, "top": 4000}
DAYS = st.dates(datetime.date(1890, 1, 1), datetime.date(2090, 12, 31))
NUMBERS = st.decimals(-10_000, 10_000, places=2, allow_nan=False, allow_infinity=False)


def both(column: Column, coarse: Coarse) -> None:
    """Whoever makes a release and whoever judges it tell every value alike, and it is what was declared."""
    made = coarsened(column, coarse)
    judged = told_again(Table.of([column], len(column.codes)), {column.name: coarse})[column.name]
    assert [made.texts[code] for code in made.codes] == [judged.texts[code] for code in judged.codes]
    assert judge_coarse({"table": Table.of([made], len(made.codes))}, {column.name: coarse})[0].holds


@settings(deadline=None, max_examples=40)
@given(
    st.lists(NUMBERS | st.none(), min_size=1, max_size=12),
    st.sampled_from(["0.05", "0.3", "1", "7", "250"]),
    st.integers(-9, 9),
    st.integers(1, 20),
)
def test_numbers_are_told_alike_by_maker_and_judge(
    numbers: list[Decimal | None], width: str, first: int, steps: int
) -> None:
    step = Decimal(width)
    coarse = Coarse(round=step, bottom=first * step, top=(first + steps) * step)
    both(Column.from_arrow("pay", pa.array([None if n is None else str(n) for n in numbers])), coarse)
    both(Column.from_arrow("pay", pa.array([None if n is None else float(n) for n in numbers])), coarse)
    both(Column.from_arrow("pay", pa.array(numbers, pa.decimal128(12, 2))), coarse)
    both(Column.from_arrow("pay", pa.array([None if n is None else int(n) for n in numbers])), coarse)


@settings(deadline=None, max_examples=40)
@given(st.lists(DAYS, min_size=1, max_size=12), st.sampled_from(list(PERIODS)))
def test_dates_are_told_alike_by_maker_and_judge(days: list[datetime.date], unit: str) -> None:
    both(Column.from_arrow("day", pa.array(days)), Coarse(unit=unit))
    both(Column.from_arrow("day", pa.array([f"{day} 12:30:00" for day in days])), Coarse(unit=unit))
    spelled = [day.strftime("%d.%m.%Y") for day in days]
    both(Column.from_arrow("day", pa.array(spelled)), Coarse(unit=unit, format="%d.%m.%Y"))
    named = pa.array([day.strftime("%d-%b-%Y") for day in days])
    both(Column.from_arrow("day", named), Coarse(unit=unit, format="%d-%b-%Y"))
    for last in (1999, 2026, 2068, 2090):
        within = [day for day in days if last - 100 < day.year <= last]
        short = Column.from_arrow("day", pa.array([day.strftime("%d.%m.%y") for day in within], pa.string()))
        coarse = Coarse(unit=unit, format="%d.%m.%y", last_year=last)
        both(short, coarse)
        told, meant = (
            coarsened(short, coarse),
            coarsened(Column.from_arrow("day", pa.array(within, pa.date32())), Coarse(unit=unit)),
        )
        assert [told.texts[c] for c in told.codes] == [meant.texts[c] for c in meant.codes]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("1249.99", "1000"),
        ("1250", "1500"),
        ("-250", "0"),
        ("-250.01", "-500"),
        ("1e9", "4000"),
        ("0.0", "0"),
    ],
)
def test_halves_are_rounded_upwards_and_ends_cut_off(number: str, told: str) -> None:
    coarse = Coarse(round=Decimal(500), top=Decimal(4000))
    assert coarsened(Column.from_arrow("pay", pa.array([number])), coarse).texts == (told,)


CLOCKS = {
    "%d.%m.%Y %H:%M:%S": ["31.12.2020 24:00:00", "31.12.2020 23:59:60", "1.2.0003 1:2:3"],
    "%m/%d/%y %I:%M %p": ["12/31/69 1:02 a.m.", "2/29/68 12:00 PM"],
    "%Y-%m-%d %H.%M.%S.%f": ["2020-02-29 10.00.00.1234567"],
    "%H%d%m%Y": ["1204102020"],
    "%d%%%m%%%Y": ["4%5%2020"],
}


@pytest.mark.parametrize("unit", PERIODS)
def test_no_time_of_day_and_no_early_year_parts_maker_and_judge(unit: str) -> None:
    """Midnight as 24:00, a leap second, seven digits of a second: what programs write, and what `strptime` refuses."""
    for date_format, texts in CLOCKS.items():
        both(Column.from_arrow("day", pa.array(texts)), Coarse(unit=unit, format=date_format))
    both(Column.from_arrow("day", pa.array(["0001-01-01", "0004-12-31", "9999-12-31"])), Coarse(unit=unit))


ENDS = {
    pa.int64(): [2**63 - 1, -(2**63), 0],
    pa.uint64(): [2**64 - 1, 2**63, 0],
    pa.float64(): [1e22, 5e-324, 1.7e308, 2.0**53 + 2],
    pa.string(): ["1e308", "9" * 40 + ".5", "-0.0", "1e-300"],
}


@pytest.mark.parametrize("kind", ENDS, ids=str)
@pytest.mark.parametrize("width", ["0.3", "1", "5", "1e20", "1e-7"])
def test_numbers_at_the_ends_of_their_type_are_told_exactly_or_refused(kind: pa.DataType, width: str) -> None:
    """A float tells no other number than the one that was rounded, and none too great crashes."""
    coarse, told = Coarse(round=Decimal(width)), 0
    for number in ENDS[kind]:
        column = Column.from_arrow("pay", pa.array([number, None], kind))
        try:
            both(column, coarse)
            told += 1
        except InputError:
            with pytest.raises(InputError, match="more digits than a column of numbers holds") as refused:
                coarsened(column, coarse)
            assert str(number) not in str(refused.value)
    assert told >= 1


def test_a_finer_copy_in_another_table_is_found() -> None:
    fine, told = (Table.of([Column.from_arrow("day", pa.array([d]))], 1) for d in ("2020-01-07", "2020-Q1"))
    for tables in ({"a": fine, "b": told}, {"a": told, "b": fine}):
        assert not judge_coarse(tables, {"day": Coarse(unit="quarter")})[0].holds


def people(rows: int = 36) -> pa.Table:
    rng = np.random.default_rng(5)
    return pa.table(
        {
            "age": rng.integers(20, 60, rows),
            "sex": rng.choice(["f", "m"], rows).tolist(),
            "pay": np.round(rng.lognormal(7.6, 0.6, rows), 2),
            "day": [str(np.datetime64("2020-01-01") + int(i)) for i in rng.integers(0, 360, rows)],
        }
    )


def plan_of(name: str = "optimal", **changed: Any) -> kohort.Plan:
    columns: dict[str, Any] = {
        "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "origin": 0}},
        "sex": "quasi",
        "pay": {"role": "sensitive", **PAY},
        "day": {"role": "insensitive", "unit": "quarter"},
    }
    columns = {n: c for n, c in (columns | changed).items() if name != "univariate" or n != "sex"}
    k = {"model": "k-anonymity", "k": 3 if name == "factor-3" else 2}
    diverse = {"model": "l-diversity", "column": "pay", "l": 2}
    recode = {"algorithm": name, "max_suppression": 0.9, "seed": 1} | SPECIAL.get(name, {})
    return kohort.Plan.from_dict(
        {
            "columns": columns,
            "require": [diverse] if name == "anatomy" else [k],
            "recode": recode,
            "output": {"ledger": ""},
        }
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_releases_what_is_declared(name: str) -> None:
    release = kohort.anonymize(people(ROWS.get(name, 36)), plan_of(name))
    told = [column for table in release.tables.values() for column in table if column.name in ("pay", "day")]
    assert {column.name for column in told} == {"pay", "day"}
    for column in told:
        if column.name == "pay":
            assert all(
                1000 <= float(text) <= 4000 and float(text) % 500 == 0 for text in column.texts if text
            )
        else:
            assert set(column.texts) <= {f"2020-Q{i}" for i in range(1, 5)}
    held = {verdict.promise: verdict.holds for verdict in release.verdicts}
    assert held["pay told to the nearest 500, at least 1000, at most 4000"]
    assert held["day told by quarter"]
    assert all(held.values())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_engine_tells_and_judges_alike(suffix: str, tmp_path: Path) -> None:
    source, plan = tmp_path / f"people{suffix}", plan_of()
    if suffix == ".csv":
        pa.csv.write_csv(people(), source)
    else:
        pa.parquet.write_table(people(), source)
    seen = []
    for engine in AT_HAND:
        out = kohort.anonymize(source, plan, engine=engine).save(tmp_path / engine)
        assert all(verdict.holds for verdict in kohort.verify(out, plan, source, engine=engine))
        rows = pa.csv.read_csv(out / "table.csv").to_pylist()
        seen.append((sorted(map(str, rows)), (out / "manifest.json").read_text().partition('"files"')[0]))
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize(
    ("column", "value", "promise"),
    [
        ("pay", "1234", "pay told to the nearest 500, at least 1000, at most 4000"),
        ("pay", "4500", "pay told to the nearest 500, at least 1000, at most 4000"),
        ("day", "2020-03-01", "day told by quarter"),
        ("day", "2020-Q1", "truthful"),  # coarse, and not true of the row
    ],
)
def test_what_tells_more_or_is_not_true_is_found(
    engine: str, column: str, value: str, promise: str, tmp_path: Path
) -> None:
    source, plan = tmp_path / "people.csv", plan_of()
    pa.csv.write_csv(people(), source)
    table = kohort.anonymize(source, plan).tables["table"].to_arrow()
    cells = [str(cell) for cell in table[column].to_pylist()]
    place = cells.index(max(cells))
    changed = [value if i == place else cell for i, cell in enumerate(cells)]
    table = table.set_column(table.column_names.index(column), column, pa.array(changed))
    released = tmp_path / "released.csv"
    pa.csv.write_csv(table, released)
    verdicts = kohort.verify(released, plan, source if promise == "truthful" else None, engine=engine)
    assert {v.promise: v.holds for v in verdicts}[promise] is False


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
def test_values_that_nobody_else_has_are_refused_unless_told_coarsely_or_insisted_on(
    engine: str, role: str, tmp_path: Path
) -> None:
    source = tmp_path / "people.csv"
    pa.csv.write_csv(people(), source)
    with pytest.raises(InputError, match=f"pay: declared {role}, but .* nobody else has") as refused:
        kohort.anonymize(source, plan_of(pay=role), engine=engine)
    assert refused.value.code == "plan.identifying"
    for more in (PAY, {"allow_unique": True}):
        plan = plan_of(pay={"role": role, **more})
        assert all(v.holds for v in kohort.anonymize(source, plan, engine=engine).verdicts)


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("usual", ["0", ""])
def test_values_of_a_few_are_refused_too_where_all_others_share_one(
    engine: str, usual: str, tmp_path: Path
) -> None:
    source, table = tmp_path / "people.csv", people()
    told = table["pay"].to_pylist()
    few = [str(pay) if i < len(told) // 3 else usual for i, pay in enumerate(told)]
    pa.csv.write_csv(table.set_column(table.column_names.index("pay"), "pay", pa.array(few)), source)
    with pytest.raises(InputError, match="rows without its most frequent value hold a value that nobody"):
        kohort.anonymize(source, plan_of(pay="sensitive"), engine=engine)
    plan = plan_of(pay={"role": "sensitive", "allow_unique": True})
    assert all(v.holds for v in kohort.anonymize(source, plan, engine=engine).verdicts)


@pytest.mark.parametrize("engine", AT_HAND)
def test_what_is_no_number_or_no_date_is_refused_and_not_quoted(engine: str, tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    table = people()
    odd = [*map(str, table["pay"].to_pylist()[1:]), "quixote"]
    pa.csv.write_csv(table.set_column(2, "pay", pa.array(odd)), source)
    for changed in ({}, {"pay": {"role": "sensitive", "unit": "year"}}):
        with pytest.raises(InputError, match=r"\[columns\] pay: ") as refused:
            kohort.anonymize(source, plan_of(**changed), engine=engine)
        assert refused.value.code == "table.column-type"
        assert "quixote" not in str(refused.value)


@pytest.mark.parametrize(
    ("told", "option"),
    [
        ({"round": 0}, "round"),
        ({"round": -5}, "round"),
        ({"bottom": 5, "top": 5}, "bottom"),
        ({"round": 10, "top": 95}, "top"),
        ({"round": 0.3, "bottom": 0.5}, "bottom"),
        ({"round": 10, "unit": "month"}, "round"),
        ({"unit": "fortnight"}, "unit"),
        ({"format": "%d.%m.%Y"}, "format"),
        ({"unit": "month", "format": "%d"}, "format"),
        ({"unit": "month", "format": "%d.%m.%y"}, "last_year"),
        ({"unit": "month", "format": "%d.%m.%Y", "last_year": 2026}, "last_year"),
        ({"unit": "month", "last_year": 2026}, "last_year"),
    ],
)
def test_what_nothing_can_be_told_by_is_refused(told: dict[str, Any], option: str) -> None:
    with pytest.raises(InputError, match=rf"\[columns\] pay: {option}: ") as refused:
        plan_of(pay={"role": "sensitive", **told})
    assert refused.value.fields["option"] == option


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("column", ["pay", "day"])
def test_whoever_tells_values_wrongly_is_found_and_nothing_is_released(
    engine: str, column: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The form is right and the value is not: the next multiple, the next quarter."""
    pa.csv.write_csv(people(), tmp_path / "people.csv")
    other = {"pay": Coarse(Decimal(1000), Decimal(1000), Decimal(4000)), "day": Coarse(unit="quarter")}[
        column
    ]

    def wrongly(table: Table, coarse: dict[str, Coarse]) -> Table:
        told = coarsened_table(table, coarse | {column: other} if coarse else coarse)
        if column == "pay" or not coarse:
            return told
        texts = ["2020-Q4" if text == "2020-Q1" else text for text in told["day"].texts]
        arrays = pa.DictionaryArray.from_arrays(pa.array(told["day"].codes), pa.array(texts))
        return Table.of(
            (Column.from_arrow("day", arrays) if c.name == "day" else c for c in told), told.n_rows
        )

    module = {"memory": "kohort.engines.memory.engine", "duckdb": "kohort.engines.duckdb.engine"}[engine]
    monkeypatch.setattr(f"{module}.coarsened_table", wrongly)
    with pytest.raises(VerificationError):
        kohort.anonymize(tmp_path / "people.csv", plan_of(), engine=engine)


def test_an_engine_that_tells_columns_as_they_are_read_is_refused_such_a_plan(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pa.csv.write_csv(people(), tmp_path / "people.csv")
    monkeypatch.setattr(InMemory, "lacks", frozenset({Need.COARSE}))
    with pytest.raises(
        InputError, match=r"\[columns\] pay: the memory engine tells columns as they are read"
    ):
        kohort.anonymize(tmp_path / "people.csv", plan_of())


def test_a_frontier_does_not_vary_how_columns_are_told() -> None:
    with pytest.raises(InputError, match="cannot be varied"):
        kohort.frontier(people(), plan_of(), "columns.pay.round", [500, 1000])
