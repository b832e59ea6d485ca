"""Every format and every frame gives back the cells it was given."""

from datetime import date, datetime
from decimal import Decimal

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.table import Table
from kohort.table.formats import READERS, WRITERS
from kohort.table.formats.excel import read_excel
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.statistics import read_statistics
from kohort.table.frames import from_frame
from kohort.table.reading import read_released, read_table
from kohort.table.writing import write_table

# Statistics packages pad texts with spaces and cut them at a zero byte; Excel ends cells there, too.
PADDING = {".sav", ".dta"}
EMPTY_IS_MISSING = {".sav", ".dta", ".xlsx"}

AWKWARD = [
    "01234",
    "00",
    "9" * 30,
    "1.50",
    "1e5",
    "2020-03-01",
    "true",
    "NA",
    "null",
    "*",
    "[0-5)",
    "a,b;c|d",
]
NASTY = [
    'say "hi"',
    "two\nlines",
    "tab\there",
    "=1+1",
    "-5",
    "+x",
    "@y",
    "'",
    "'=z",
    "Zoë",
    "Ω≈ç",
    "🙂",
    " a",
    '"',
]


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch, request):
    """Hundreds of small files: what is read apart otherwise is read here, but for the test of that."""
    if "apart" not in request.node.name:
        for suffix, reader in ((".xlsx", read_excel), (".sav", read_statistics), (".dta", read_statistics)):
            monkeypatch.setitem(READERS, suffix, reader)


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("suffix", [".xlsx", ".sav", ".dta"])
def test_what_is_read_apart_is_the_same(suffix, tmp_path):
    table = pa.table({"a": AWKWARD, "b": range(12), "c": [date(2020, 3, i + 1) for i in range(12)]})
    write_table(table, tmp_path / f"t{suffix}")
    direct = read_excel if suffix == ".xlsx" else read_statistics
    assert READERS[suffix] is not direct
    expected = direct(tmp_path / f"t{suffix}", ReadingOptions())
    assert READERS[suffix](tmp_path / f"t{suffix}", ReadingOptions()).equals(expected)


signs = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"])
texts = st.one_of(st.sampled_from(AWKWARD + NASTY), st.text(signs, max_size=8))


def columns_of(values):
    return st.lists(st.one_of(st.none(), values), min_size=3, max_size=3)


typed_columns = st.one_of(
    columns_of(texts).map(lambda cells: pa.array(cells, pa.string())),
    columns_of(st.integers(-(2**63), 2**63 - 1)).map(lambda cells: pa.array(cells, pa.int64())),
    columns_of(st.integers(0, 2**64 - 1)).map(lambda cells: pa.array(cells, pa.uint64())),
    columns_of(st.floats()).map(lambda cells: pa.array(cells, pa.float64())),
    columns_of(st.booleans()).map(lambda cells: pa.array(cells, pa.bool_())),
    columns_of(st.dates(date(1800, 1, 1), date(2200, 1, 1))).map(lambda cells: pa.array(cells, pa.date32())),
    columns_of(st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1))).map(
        lambda cells: pa.array(cells, pa.timestamp("us"))
    ),
    columns_of(st.decimals(-(10**20), 10**20, places=3)).map(
        lambda cells: pa.array(cells, pa.decimal128(30, 3))
    ),
)
tables = st.lists(typed_columns, min_size=1, max_size=4).map(
    lambda columns: pa.table(
        [pa.array(["k"] * 3), *columns], names=["key", *map("v{}".format, range(len(columns)))]
    )
)


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


def expected(table, suffix):
    def told(text):
        if text is not None and suffix in PADDING:
            text = text.rstrip(" ")
        return None if text == "" and suffix in EMPTY_IS_MISSING else text

    return {name: [told(text) for text in column] for name, column in cells(Table.from_arrow(table)).items()}


def _refused(table, path):
    """Return why a table with texts that the format does not keep was refused, None where it was written."""
    try:
        write_table(table, path)
    except InputError as refusal:
        return refusal
    return None


@pytest.mark.parametrize("suffix", WRITERS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables)
def test_a_written_table_reads_back_cell_by_cell(tmp_path, suffix, table):
    path = tmp_path / f"release{suffix}"
    held = expected(table, suffix)
    if held != cells(Table.from_arrow(table)) and (refused := _refused(table, path)):
        assert refused.code == "table.beyond-format"
        return
    write_table(table, path)
    assert cells(read_released(path)) == held


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=5), min_size=1, max_size=3, unique=True
    ),
    rows=st.data(),
)
def test_delimited_text_holds_any_text(tmp_path, suffix, names, rows):
    assume(all(name.strip() and "\0" not in name for name in names))
    anything = st.one_of(st.none(), texts, st.text(st.characters(codec="utf-8"), max_size=6))
    columns = [rows.draw(st.lists(anything, min_size=2, max_size=2)) for _ in names]
    table = pa.table([pa.array(column, pa.string()) for column in columns], names=names)
    path = tmp_path / f"release{suffix}"
    write_table(table, path)
    assert cells(read_released(path)) == cells(Table.from_arrow(table))


@pytest.mark.parametrize("suffix", WRITERS)
def test_what_can_be_written_can_be_read(tmp_path, suffix):
    assert suffix in READERS
    path = tmp_path / f"release{suffix}"
    table = pa.table({"zip": ["01234", None], "n": [1, None], "x": [0.5, 1.0], "key": ["a", "b"]})
    write_table(table, path)
    assert cells(read_table(path)) == cells(Table.from_arrow(table))


FRAMES = {
    "pandas": lambda table: table.to_pandas(),
    "pandas with nullable types": lambda table: table.to_pandas().convert_dtypes(),
    "pandas with an index": lambda table: table.to_pandas().set_axis(["z", "a", "m", "a"], axis="index"),
    "pandas objects": lambda table: table.to_pandas().astype(object),
    "pandas over arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars lazily": lambda table: pl.from_arrow(table).lazy(),
    "arrow": lambda table: table,
    "arrow batch": lambda table: table.combine_chunks().to_batches()[0],
    "duckdb": lambda table: duckdb.connect().from_arrow(table),
}
PEOPLE = pa.table(
    {
        "zip": ["01234", None, "Zoë", "=1"],
        "age": [41, 22, 22, 7],
        "visits": pa.array([3, None, 2, 1], pa.int64()),
        "height": [1.5, None, 2.0, 1.75],
        "born": [date(1980, 2, 3), None, date(1999, 12, 31), date(1980, 2, 3)],
        "smoker": [True, None, False, True],
        "fee": [Decimal("1.50"), None, Decimal("0.25"), Decimal("1.50")],
    }
)


@pytest.mark.parametrize("kind", FRAMES)
def test_neither_library_nor_index_nor_dtype_matters(kind):
    frame = FRAMES[kind](PEOPLE)
    table, back = from_frame(frame)
    assert cells(table) == cells(Table.from_arrow(PEOPLE))
    released = back(table.to_arrow())
    assert type(released) is type(frame)
    assert cells(from_frame(released)[0]) == cells(table)


@pytest.mark.parametrize("kind", ["pandas", "polars", "polars lazily", "arrow batch", "duckdb"])
@settings(max_examples=25, deadline=None)
@given(table=tables)
def test_released_columns_of_any_type_go_back_exactly(kind, table):
    _, back = from_frame(FRAMES[kind](PEOPLE))
    released, _ = from_frame(back(table))
    assert cells(released) == cells(Table.from_arrow(table))
