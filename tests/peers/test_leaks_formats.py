"""What other tools let slip into a release: canaries are planted everywhere in the input, then searched for.

The written bytes are searched raw, decompressed and decoded, in UTF-8 and UTF-16 and with the columns'
buffers laid bare.
"""

import sqlite3
import zipfile
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.table import Column, Table
from kohort.table.formats import WRITERS
from kohort.table.frames import from_frame
from kohort.table.rebuilding import rebuilt
from kohort.table.writing import write_table

CANARY = "Xanthippe"
CANARY_NUMBER = 0x58616E7468697070  # spells `Xanthipp` in memory, big-endian
MARKS = [
    CANARY.encode(),
    CANARY.encode("utf-16-le"),
    CANARY_NUMBER.to_bytes(8, "big"),
    CANARY_NUMBER.to_bytes(8, "little"),
    str(CANARY_NUMBER).encode(),
]
ROWS = 2000


def masked_numbers():
    """Whole numbers whose null is a canary with its validity bit off."""
    numbers = np.arange(ROWS)
    numbers[7::10] = CANARY_NUMBER
    valid = np.packbits(np.arange(ROWS) % 10 != 7, bitorder="little")
    return pa.Array.from_buffers(pa.int64(), ROWS, [pa.py_buffer(valid), pa.py_buffer(numbers)])


def masked_texts():
    """Texts whose null spans the bytes of a canary."""
    spans = np.array([1 if row % 10 != 7 else len(CANARY) for row in range(ROWS)], np.int32)
    offsets = np.concatenate([[0], np.cumsum(spans)]).astype(np.int32)
    letters = "".join("x" if row % 10 != 7 else CANARY for row in range(ROWS)).encode()
    valid = np.packbits(np.arange(ROWS) % 10 != 7, bitorder="little")
    buffers = [pa.py_buffer(valid), pa.py_buffer(offsets), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.string(), ROWS, buffers)


def coded_texts():
    """A dictionary with an unused entry, and a null in it that masks a canary."""
    letters = b"ab" + CANARY.encode() + CANARY.encode()
    offsets = np.array([0, 1, 2, 2 + len(CANARY), 2 + 2 * len(CANARY)], np.int32)
    valid = pa.py_buffer(np.packbits([1, 1, 1, 0], bitorder="little"))
    entries = pa.Array.from_buffers(pa.string(), 4, [valid, pa.py_buffer(offsets), pa.py_buffer(letters)])
    return pa.DictionaryArray.from_arrays(np.tile([0, 1, 3, 1], ROWS // 4).astype(np.int32), entries)


def sliced():
    """A slice of a longer array: the canaries lie before and behind it."""
    return pa.array([CANARY] * 10 + ["in"] * ROWS + [CANARY] * 10).slice(10, ROWS)


def planted():
    fields = [
        pa.field("numbers", pa.int64(), metadata={"note": CANARY}),
        pa.field("texts", pa.string(), metadata={"PARQUET:field_id": "7", "note": CANARY}),
        pa.field("coded", pa.dictionary(pa.int32(), pa.string())),
        pa.field("sliced", pa.string()),
    ]
    schema = pa.schema(fields, metadata={"pandas": CANARY, CANARY: "note"})
    return pa.Table.from_arrays([masked_numbers(), masked_texts(), coded_texts(), sliced()], schema=schema)


def laid_bare(path):
    """Yield everything a curious reader finds in the file."""
    yield path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            yield from map(archive.read, archive.namelist())
    if path.suffix == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        yield repr((file.metadata.to_dict(), file.metadata.metadata, file.schema_arrow.metadata)).encode()
        yield from (field.metadata or b"" for field in file.schema_arrow)
        table = file.read()
        yield from buffers(table)
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection:
            yield "\n".join(connection.iterdump()).encode()
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as connection:
            yield repr(connection.execute("SELECT * FROM release").fetchall()).encode()
            yield repr(connection.execute("SELECT * FROM pragma_storage_info('release')").fetchall()).encode()


def buffers(table):
    for column in table.columns:
        for chunk in column.chunks:
            arrays = [chunk, chunk.dictionary] if isinstance(chunk, pa.DictionaryArray) else [chunk]
            for array in arrays:
                yield from (buffer.to_pybytes() for buffer in array.buffers() if buffer is not None)


def found(pieces):
    return [mark for piece in pieces for mark in MARKS if mark in piece]


def test_the_canaries_are_there_before():
    table = planted()
    assert set(MARKS[:1] + MARKS[3:4]) <= set(found(buffers(table)))
    assert CANARY not in str(table.to_pydict())
    assert CANARY_NUMBER not in table["numbers"].to_pylist()


def test_a_plain_parquet_writer_leaks(tmp_path):
    """The control: without rebuilding, the search below does find canaries."""
    path = tmp_path / "leaky.parquet"
    pyarrow.parquet.write_table(planted().drop_columns("coded"), path)
    assert found(laid_bare(path))


@pytest.mark.parametrize("suffix", WRITERS)
def test_no_canary_reaches_a_file(tmp_path, suffix):
    path = tmp_path / f"release{suffix}"
    write_table(planted(), path)
    assert found(laid_bare(path)) == []


@pytest.mark.parametrize("suffix", WRITERS)
def test_no_canary_reaches_a_file_from_a_table_of_codes(tmp_path, suffix):
    values = pa.concat_arrays([pa.array(["a", "b"]), pa.array([CANARY])])
    column = Column("a", np.zeros(10, np.int32), values)
    path = tmp_path / f"release{suffix}"
    write_table(Table.of([column], 10), path)
    assert found(laid_bare(path)) == []


def test_uncompressed_pages_hold_no_canary(tmp_path):
    path = tmp_path / "release.parquet"
    pyarrow.parquet.write_table(rebuilt(planted()).to_arrow(), path, compression="none", use_dictionary=False)
    assert found(laid_bare(path)) == []


def test_parquet_tells_names_types_and_released_values_only(tmp_path):
    path = tmp_path / "release.parquet"
    frame = pd.DataFrame({"a": ["x", "y"]}, index=[CANARY, "b"])
    frame.attrs["note"] = CANARY
    table, _ = from_frame(frame)
    write_table(table, path)
    file = pyarrow.parquet.ParquetFile(path)
    assert set(file.metadata.metadata) == {b"ARROW:schema"}
    assert file.schema_arrow.metadata is None
    assert file.schema_arrow.names == ["a"]
    statistics = file.metadata.row_group(0).column(0).statistics
    assert (statistics.min, statistics.max) == ("x", "y")


def test_rebuilt_columns_have_zeros_under_nulls():
    table = rebuilt(planted()).to_arrow()
    assert table.schema.metadata is None
    assert found(buffers(table)) == []
    numbers = np.frombuffer(table["numbers"].chunk(0).buffers()[1], np.int64)
    assert not numbers[7:ROWS:10].any()
    assert table["numbers"].to_pylist() == planted()["numbers"].to_pylist()
    assert table["coded"].to_pylist() == planted()["coded"].to_pylist()


def test_values_that_mask_or_hide_canaries_are_copied_clean():
    numbers = np.array([CANARY_NUMBER, 1, CANARY_NUMBER, 2, CANARY_NUMBER])
    masking = pa.Array.from_buffers(pa.int64(), 5, [pa.py_buffer(b"\x1b"), pa.py_buffer(numbers)]).slice(1, 3)
    table = Table.of([Column("n", np.array([0, 1, 2, 1], np.int32), masking)], 4)
    again = rebuilt(table)
    assert again.to_arrow().to_pydict() == {"n": [1, None, 2, None]}
    assert found(buffers(again.to_arrow())) == []
    assert found(buffer.to_pybytes() for buffer in again["n"].values.buffers() if buffer) == []


def frames_with_canaries():
    categories = pd.Categorical(["a", "b", None], categories=["a", "b", CANARY])
    pandas = pd.DataFrame({"kind": categories, "n": [1, 2, 3]}, index=[CANARY, "x", "y"])
    pandas.index.name = CANARY
    pandas.attrs[CANARY] = CANARY
    polars = pl.DataFrame(
        {"kind": pl.Series(["a", "b", None], dtype=pl.Enum(["a", "b", CANARY])), "n": [1, 2, 3]}
    )
    arrow = pa.table({"kind": pa.array(["a", "b", None]), "n": [1, 2, 3]})
    relation = duckdb.connect().sql(
        f"SELECT unnest(['a', 'b', NULL])::ENUM ('a', 'b', '{CANARY}') AS kind, 1 AS n"
    )
    return {
        "pandas": pandas,
        "polars": polars,
        "polars lazily": polars.lazy(),
        "arrow": arrow.replace_schema_metadata({CANARY: CANARY}),
        "arrow batch": arrow.replace_schema_metadata({CANARY: CANARY}).to_batches()[0],
        "duckdb": relation,
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "polars lazily", "arrow", "arrow batch", "duckdb"])
def test_no_canary_passes_through_a_frame(kind):
    table, back = from_frame(frames_with_canaries()[kind])
    released = back(table.to_arrow().replace_schema_metadata({CANARY: CANARY}))
    assert found(buffers(table.to_arrow())) == []
    assert CANARY not in str(table["kind"].values)
    if kind == "pandas":
        assert (released.attrs, released.index.tolist(), released.index.name) == ({}, [0, 1, 2], None)
        again = pa.Table.from_pandas(released)
        assert CANARY.encode() not in repr(again.schema.metadata).encode()
    else:
        eager = released.collect() if kind == "polars lazily" else released
        again = eager if isinstance(eager, pa.Table | pa.RecordBatch) else None
        again = (
            again
            if again is not None
            else eager.to_arrow()
            if kind.startswith("polars")
            else eager.to_arrow_table()
        )
        assert not again.schema.metadata
    assert found(buffers(pa.table(again))) == []


def test_row_numbers_and_index_columns_do_not_appear(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y"]}, index=pd.Index([10, 20], name="id")).reset_index().set_index("id")
    table, back = from_frame(frame)
    assert table.names == ("a",)
    assert list(back(table.to_arrow()).columns) == ["a"]


def test_whole_numbers_with_nulls_stay_whole_on_the_way_through():
    frame = pd.DataFrame({"id": pd.array([2**53 + 1, None], dtype="Int64")})
    table, back = from_frame(frame)
    assert table["id"].texts == ("9007199254740993", None)
    assert back(table.to_arrow())["id"].iloc[0] == 2**53 + 1
