"""`Column` and `Table`: distinct values, each used, missing coded once."""

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table import Column, Table


def rows(column):
    return [column.texts[code] for code in column.codes]


def test_missing_is_a_value():
    column = Column.from_arrow("a", pa.array(["x", None, "x"]))
    assert (column.texts, column.codes.tolist(), column.codes.dtype) == (("x", None), [0, 1, 0], np.int32)


def test_unused_and_repeated_entries_of_a_dictionary_vanish():
    array = pa.DictionaryArray.from_arrays(
        pa.array([3, 1, None, 4]), pa.array(["a", "b", "unused", "b", None])
    )
    column = Column.from_arrow("a", array)
    assert sorted(column.texts, key=str) == [None, "b"]
    assert rows(column) == ["b", "b", None, None]


def test_dictionaries_of_several_chunks_are_joined():
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c", None]).dictionary_encode()]
    column = Column.from_arrow("a", pa.chunked_array(chunks))
    assert rows(column) == ["a", "b", "b", "c", None]
    assert len(column.values) == 4


def test_not_a_number_is_missing_and_negative_zero_is_zero():
    column = Column.from_arrow("a", pa.array([1.5, float("nan"), None, 0.0, -0.0]))
    assert column.texts == ("1.5", None, "0")
    assert column.codes.tolist() == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.large_string())]
)
def test_the_kind_of_text_makes_no_difference(kind):
    column = Column.from_arrow("a", pa.array(["x", None, "é"]).cast(kind))
    assert column.values.type == pa.string()
    assert rows(column) == ["x", None, "é"]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}]),
        pa.array([b"x"]),
        pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
        pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([b"x"])),
    ],
    ids=lambda array: str(array.type),
)
def test_cells_that_are_no_single_value_are_refused(array):
    with pytest.raises(InputError, match=r"column 'visits' has the type .* which Kohort cannot recode"):
        Table.from_arrow(pa.table({"visits": array}))


def test_doubled_names_are_refused():
    with pytest.raises(InputError, match="more than one column named 'a'"):
        Table.from_arrow(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_empty_arrays_and_columns_of_nothing():
    assert Column.from_arrow("a", pa.chunked_array([], pa.string())).codes.size == 0
    assert Column.from_arrow("a", pa.nulls(3)).texts == (None,)


def test_a_table_decodes_to_what_it_was():
    table = pa.table({"n": [3, None, 3], "s": ["x", "y", None]})
    assert Table.from_arrow(table).to_arrow() == table
