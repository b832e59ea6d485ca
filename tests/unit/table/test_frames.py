"""Frames in, frames out, in the caller's type."""

import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table.frames import from_frame


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


RELEASED = pa.table({"age": ["[0-5)", "*"], "n": pa.array([1, None], pa.int64())})
PANDAS = pd.DataFrame({"age": ["3", "4"], "n": [1, 2]}, index=["Xanthippe", "Plato"])


def test_pandas_comes_back_without_index_and_attrs():
    frame = PANDAS.copy()
    frame.attrs["source"] = "Xanthippe"
    table, back = from_frame(frame)
    released = back(RELEASED)
    assert cells(table) == {"age": ["3", "4"], "n": ["1", "2"]}
    assert isinstance(released, pd.DataFrame)
    assert isinstance(released.index, pd.RangeIndex)
    assert released.attrs == {}
    assert released["age"].tolist() == ["[0-5)", "*"]
    assert released["n"].dtype == pd.Int64Dtype()


def test_pandas_types():
    moments = pd.to_datetime(["2020-01-01", None]).to_series(index=[0, 1])
    frame = pd.DataFrame(
        {
            "zip": ["01234", None],
            "whole": pd.array([2**62 + 1, None], dtype="Int64"),
            "floated": [5, np.nan],
            "kind": pd.Categorical(["a", None], categories=["Xanthippe", "a"]),
            "day": moments,
            "zoned": pd.Series(["2020-01-01", "2020-07-01"])
            .astype("datetime64[ns]")
            .dt.tz_localize("Europe/Berlin"),
            "date": [date(2020, 3, 1), None],
            "long": pd.Series([2**70, None], dtype=object),
            "flag": pd.array([True, None], dtype="boolean"),
        }
    )
    table, back = from_frame(frame)
    assert cells(table) == {
        "zip": ["01234", None],
        "whole": [str(2**62 + 1), None],
        "floated": ["5", None],
        "kind": ["a", None],
        "day": ["2020-01-01", None],
        "zoned": ["2020-01-01 00:00:00+01:00", "2020-07-01 00:00:00+02:00"],
        "date": ["2020-03-01", None],
        "long": [str(2**70), None],
        "flag": ["true", None],
    }
    again, _ = from_frame(back(table.to_arrow()))
    assert cells(again) == cells(table)


CLUBS = ["West", "Ost", "Nord", "Xanthippe"]
HELD = ["Ost", "West", None, "Ost"]
WITH_CATEGORIES = {  # frames of every kind that has categories: plain ones, and in a declared order
    "pandas": (
        pd.DataFrame({"c": pd.Categorical(HELD, CLUBS)}),
        pd.DataFrame({"c": pd.Categorical(HELD, CLUBS, ordered=True)}),
    ),
    "polars": (
        pl.DataFrame({"c": pl.Series(HELD, dtype=pl.Categorical)}),
        pl.DataFrame({"c": pl.Series(HELD, dtype=pl.Enum(CLUBS))}),
    ),
    "arrow": tuple(
        pa.table({"c": pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1]), CLUBS, ordered=ordered)})
        for ordered in (False, True)
    ),
}


def held(frame):
    column = frame["c"]
    array = pa.array(column) if isinstance(frame, pd.DataFrame) else column
    array = column.to_arrow() if isinstance(frame, pl.DataFrame) else array
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    assert pa.types.is_dictionary(array.type)
    return array.dictionary.to_pylist(), array.type.ordered, array.to_pylist()


@pytest.mark.parametrize("kind", WITH_CATEGORIES)
def test_categories_come_back_as_categories_of_what_is_released(kind):
    plain, declared = WITH_CATEGORIES[kind]
    released = pa.table({"c": ["West", None, "Ost"]})
    assert held(from_frame(plain)[1](released))[1:] == (False, ["West", None, "Ost"])
    assert sorted(held(from_frame(plain)[1](released))[0]) == ["Ost", "West"]
    assert held(from_frame(declared)[1](released)) == (["West", "Ost"], True, ["West", None, "Ost"])


@pytest.mark.parametrize("kind", WITH_CATEGORIES)
def test_generalized_categories_have_no_order_and_nothing_of_the_original(kind):
    released = pa.table({"c": ["{Nord, West}", "*", "*"]})
    for frame in WITH_CATEGORIES[kind]:
        labels, ordered, told = held(from_frame(frame)[1](released))
        assert (sorted(labels), ordered, told) == (["*", "{Nord, West}"], False, ["{Nord, West}", "*", "*"])


def test_the_order_of_plain_categories_tells_nothing_of_the_rows():
    frame = pd.DataFrame({"c": pd.Categorical(HELD, CLUBS)})
    assert held(from_frame(frame)[1](pa.table({"c": ["West", "Ost"]})))[0] == ["Ost", "West"]


def test_polars_eager_and_lazy():
    frame = pl.DataFrame(
        {
            "zip": ["01234", None],
            "n": [2**62, None],
            "kind": pl.Series(["a", "a"], dtype=pl.Enum(["Xanthippe", "a"])),
            "group": pl.Series(["b", None], dtype=pl.Categorical),
        }
    )
    for given in (frame, frame.lazy()):
        table, back = from_frame(given)
        assert cells(table) == {
            "zip": ["01234", None],
            "n": [str(2**62), None],
            "kind": ["a", "a"],
            "group": ["b", None],
        }
        released = back(table.to_arrow())
        assert type(released) is type(given)
        schema = dict(released.lazy().collect().schema)
        assert isinstance(schema.pop("group"), pl.Categorical)
        assert schema == {"zip": pl.String, "n": pl.Int64, "kind": pl.Enum(["a"])}


def test_arrow_tables_and_batches():
    table = pa.table({"a": ["x", None]}).replace_schema_metadata({"note": "Xanthippe"})
    coded, back = from_frame(table)
    assert cells(coded) == {"a": ["x", None]}
    assert back(table).schema.metadata is None
    coded, back = from_frame(table.to_batches()[0])
    assert isinstance(back(RELEASED), pa.RecordBatch)
    assert back(RELEASED).to_pydict() == RELEASED.to_pydict()


def test_duckdb_relations_stay_in_their_connection():
    connection = duckdb.connect()
    relation = connection.sql(
        "SELECT '01234' AS zip, 340282366920938463463374607431768211455::UHUGEINT AS large"
    )
    table, back = from_frame(relation)
    assert cells(table) == {"zip": ["01234"], "large": ["340282366920938463463374607431768211455"]}
    released = back(RELEASED)
    assert isinstance(released, duckdb.DuckDBPyRelation)
    connection.execute("CREATE TABLE released AS SELECT * FROM released")
    assert connection.execute("SELECT * FROM released").fetchall() == [("[0-5)", 1), ("*", None)]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": [1, "Xanthippe"]}), "column 'a' holds values of several types"),
        (pd.DataFrame({"a": [2**70, "Xanthippe"]}), "column 'a' holds values of several types"),
        (pd.DataFrame({"a": [2**70, True]}), "column 'a' holds values of several types"),
        *(
            (pd.DataFrame({"a": pd.Series(told, dtype=object)}), "column 'a' holds values of several types")
            for told in (
                [0.5, True],
                [0.5, np.True_],
                [1, Decimal("Infinity")],
                [1, Decimal("sNaN")],
                [1, Decimal("1e400")],
                [1, 10**80],
                [1, Decimal("1e60"), Decimal("1e-60")],
            )
        ),
        (
            pd.DataFrame(
                {
                    "a": pd.Series(
                        [date(2020, 1, 1), pd.Timestamp("2020-01-01T00:00:00.000000001")], dtype=object
                    )
                }
            ),
            "column 'a' holds values of several types",
        ),
        (
            pd.DataFrame(
                {"a": pd.Series([date(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)], dtype=object)}
            ),
            "column 'a' holds values of several types",
        ),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column named 'a'"),
        (
            pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])),
            "which is a tuple",
        ),
        (pd.DataFrame([[1, 2]]), "a column is named 0, which is a int"),
        (pd.DataFrame({"a": [[1], [2]]}), "column 'a' has the type list"),
        (pd.DataFrame({"a": [b"x"]}), "column 'a' has the type binary"),
        (pd.DataFrame({"a": pd.cut([1, 2], [0, 5])}), "column 'a' has the type"),
        (pd.DataFrame({"a": []}), "the frame has no rows"),
        (pd.DataFrame(), "the frame has no columns"),
        (pl.DataFrame({"a": [[1]]}), "column 'a' has the type large_list"),
        (pl.DataFrame({"a": [object()]}), "column 'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "more than one column named 'a'"),
        ({"a": [1]}, "a builtins.dict is no frame Kohort knows"),
        ("people.csv", "a builtins.str is no frame Kohort knows"),
    ],
)
def test_frames_that_cannot_be_taken(frame, message):
    with pytest.raises(InputError) as caught:
        from_frame(frame)
    assert message in str(caught.value)
    assert "Xanthippe" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_no_dataframe_library_is_imported_for_another_one():
    # pandas is not asked after: pyarrow itself looks for it when it makes an array.
    code = (
        "import sys, pyarrow as pa; from kohort.table.frames import from_frame;"
        "table, back = from_frame(pa.table({'a': ['x']})); back(table.to_arrow());"
        "from kohort.table.reading import read_table; from kohort.table.writing import write_table;"
        "assert not {'polars', 'pyreadstat', 'python_calamine', 'xlsxwriter', 'duckdb'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_order_that_was_declared_is_kept_whatever_type_somebody_else_gave_its_values():
    for categories in ([3, 1], [3.0, 1.0, 2.5], [Decimal(3), Decimal(1)]):
        frame = pd.DataFrame({"a": pd.Categorical([1, 3, 1], categories, ordered=True)})
        back = from_frame(frame)[1](pa.table({"a": pa.array([1, 3], pa.int64())}))
        assert back["a"].cat.ordered
        assert back["a"].cat.categories.tolist() == [3, 1]


def test_dates_among_moments_keep_the_hours_of_the_others():
    moment = datetime(2020, 3, 1, 5)
    for cells_held in (
        [date(2020, 3, 1), moment],
        [moment, date(2020, 3, 1)],
        [date(2020, 3, 1), pd.Timestamp(moment)],
    ):
        table, _ = from_frame(pd.DataFrame({"a": pd.Series(cells_held, dtype=object)}))
        assert sorted(cells(table)["a"]) == ["2020-03-01", "2020-03-01 05:00:00"]
