"""Parquet files: types in, types out."""

import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.errors import InputError
from kohort.table.reading import read_table
from kohort.table.writing import write_table


def test_types_are_kept(tmp_path):
    source, target = tmp_path / "people.parquet", tmp_path / "release.parquet"
    table = pa.table(
        {
            "zip": ["01234", None],
            "n": pa.array([2**64 - 1, None], pa.uint64()),
            "seen": pa.array([0, None], pa.timestamp("ms", "Europe/Zurich")),
        }
    )
    pyarrow.parquet.write_table(table, source)
    read = read_table(source)
    assert read.to_arrow() == table
    write_table(read, target)
    assert pyarrow.parquet.read_table(target).equals(table, check_metadata=True)


def test_columns_and_markers(tmp_path):
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table({"a": ["", "NA", "x"], "b": [1, 2, 3]}), path)
    assert read_table(path)["a"].texts == (None, "NA", "x")
    assert read_table(path, missing=["NA"], columns=["a"])["a"].texts == (None, "x")
    assert read_table(path, missing=["2"], columns=["b"])["b"].texts == ("1", None, "3")
    with pytest.raises(InputError, match="has no column 'c'; it has: a, b"):
        read_table(path, columns=["c"])


def test_damaged_files_and_nested_columns(tmp_path):
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table({"a": ["Xanthippe"] * 1000, "visits": [[1, 2]] * 1000}), path)
    with pytest.raises(InputError, match="column 'visits' has the type list"):
        read_table(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="is not a readable Parquet file") as caught:
        read_table(path)
    assert "Xanthippe" not in str(caught.value)
    pyarrow.parquet.write_table(pa.table({"a": pa.array([], pa.string())}), path)
    with pytest.raises(InputError, match="has columns but no rows"):
        read_table(path)


def test_a_file_whose_names_are_no_text_is_damaged(tmp_path):
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table({"illness": ["a"]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"illness", b"i\xeclness"))
    with pytest.raises(InputError, match="is not a readable Parquet file"):
        read_table(path)
