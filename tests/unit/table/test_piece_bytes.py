"""Pieces are as many rows as take so many bytes, whatever the file is; what cannot be one is refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.engines.duckdb.dealing import in_order
from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.parquet import stream_parquet
from kohort.table.formats.parquet_footer import largest_page, weights_of_groups
from kohort.table.piece_bytes import PIECE, pieces_within, rows_within
from kohort.table.scratch import Scratch
from kohort.table.streaming import open_stream
from kohort.table.text_room import TextRoom
from kohort.table.text_weight import TextWeight

ROWS = 10_000
LONG = [f"{i:05d}" + "y" * 4_000 for i in range(ROWS)]


@pytest.mark.parametrize("width", [0, 1, 64, 65, 3_000, PIECE, PIECE + 1])
def test_as_many_rows_are_a_piece_as_take_no_more_bytes(width: int) -> None:
    rows = rows_within(1 << 16, width)
    assert 1 <= rows <= 1 << 16
    assert rows == 1 or rows * width <= PIECE
    assert rows == 1 << 16 or 2 * rows * width > PIECE


def test_small_batches_stand_together_up_to_a_piece() -> None:
    batches = [pa.record_batch({"x": ["y" * (PIECE // 4)]})] * 9
    pieces = list(pieces_within(batches, 2))
    assert [piece.num_rows for piece in pieces] == [2, 2, 2, 2, 1]
    assert all(piece.nbytes <= PIECE for piece in pieces_within(batches, 100))
    assert sum(piece.num_rows for piece in pieces_within(batches, 100)) == 9


@pytest.mark.parametrize(
    "how", [{}, {"use_dictionary": False}, {"row_group_size": 3_000}, {"compression": "none"}], ids=str
)
@pytest.mark.parametrize("distinct", [10, ROWS])
def test_row_groups_of_long_texts_are_decoded_in_pieces(
    tmp_path: Path, how: dict[str, object], distinct: int
) -> None:
    texts = [LONG[i % distinct] for i in range(ROWS)]
    path = tmp_path / "long.parquet"
    pyarrow.parquet.write_table(pa.table({"n": range(ROWS), "note": texts}), path, **how)
    pieces = list(stream_parquet(path, ReadingOptions()))
    assert pa.concat_tables(pieces).column("note").to_pylist() == texts
    assert max(piece.nbytes for piece in pieces) <= PIECE
    assert max(piece.num_rows for piece in stream_parquet(path, ReadingOptions(columns=("n",)))) > 2_048


def test_a_file_that_does_not_tell_how_long_its_texts_are_is_read_by_what_they_were(tmp_path: Path) -> None:
    path = tmp_path / "coded.parquet"
    with Scratch() as scratch:
        scratch.run(
            "COPY (SELECT repeat(chr(97 + (i % 7)::INT), 20_000) AS note FROM range(60_000) AS t(i)) "
            f"TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 4096)"
        )
    assert not all(chunk.known for group in weights_of_groups(path) for chunk in group)
    sizes = [piece.nbytes for piece in stream_parquet(path, ReadingOptions())]
    assert len(sizes) > 100
    assert max(sizes[1:][4_096 // 419 :]) <= PIECE + 4 * 20_000


def test_databases_are_read_in_pieces_of_bytes(tmp_path: Path) -> None:
    import sqlite3

    import duckdb

    with duckdb.connect(str(tmp_path / "long.duckdb")) as connection:
        told = pa.table({"note": LONG})  # noqa: F841 - DuckDB finds it by its name
        connection.execute("CREATE TABLE t AS FROM told")
    with sqlite3.connect(tmp_path / "long.sqlite") as connection:
        connection.execute("CREATE TABLE t (note TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(text,) for text in LONG])
    for name in ("long.duckdb", "long.sqlite"):
        pieces = list(open_stream(tmp_path / name).pieces(["note"]))
        assert [text for piece in pieces for text in piece["note"].to_arrow().to_pylist()] == LONG
        assert max(piece["note"].values.nbytes for piece in pieces) <= PIECE + 2_048 * 4_100


@pytest.mark.parametrize("weight", [1, 10 * PIECE, 1000 * PIECE])
def test_rows_that_are_dealt_come_in_order_whatever_they_were_said_to_weigh(
    tmp_path: Path, weight: int
) -> None:
    rng = np.random.default_rng(3)
    at = rng.integers(0, 1 << 64, ROWS, np.uint64, endpoint=False)
    at[:50] = at[0]
    told = pa.table({"row": rng.permutation(ROWS), "at": at, "note": LONG})
    found = list(in_order(told.to_batches(700), "at", (0, 1 << 64), weight, tmp_path))
    assert pa.concat_tables(found).equals(told.sort_by([("at", "ascending"), ("row", "ascending")]))
    assert max(piece.nbytes for piece in found) <= 3 * PIECE
    assert not list(tmp_path.iterdir())


def test_the_weight_of_texts_is_that_of_where_they_stand_together() -> None:
    with Scratch() as scratch:
        lengths = "CASE WHEN i BETWEEN 4096 AND 6143 THEN 1000 ELSE 1 END"
        scratch.run(f"CREATE TABLE t AS SELECT i, repeat('x', {lengths}) AS x FROM range(10_000) AS t(i)")
        assert TextWeight.of(scratch, "t", ["x"], "i") == TextWeight(2_048_000 + 7_952, 1_000)
        assert TextWeight.of(scratch, "(SELECT i, i::VARCHAR AS x FROM t)", ["x"], "i").is_short


def test_a_page_that_does_not_fit_is_refused_by_name(tmp_path: Path) -> None:
    path, narrow = tmp_path / "page.parquet", TextRoom(40_000_000)
    with Scratch() as scratch:  # whose pages are as large as row groups
        scratch.run(
            "COPY (SELECT i, repeat('x', 1000) || i AS note FROM range(20_000) AS t(i)) "
            f"TO '{path}' (FORMAT parquet, COMPRESSION lz4)"
        )
    [[_, chunk]] = weights_of_groups(path)
    assert 20_000_000 < largest_page(path, chunk) < 21_000_000
    narrow.check_file(path, frozenset({"i"}))
    TextRoom(100_000_000).check_file(path, frozenset({"note"}))
    with pytest.raises(
        InputError, match=r"'note' stands in page.parquet with 20 MB in one page.*smaller"
    ) as told:
        narrow.check_file(path, frozenset({"i", "note"}))
    assert told.value.wants_room
    assert "allow at least 0.6GB of memory" in str(told.value)
    small = tmp_path / "pages.parquet"
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path), small)
    narrow.check_file(small, frozenset({"i", "note"}))


def test_texts_of_which_some_thousand_do_not_fit_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'note' has texts of 100,000 bytes.*allow at least 1.2GB") as told:
        TextRoom(250_000_000).check_width("note", 100_000)
    assert told.value.code == "engine.out-of-memory"
    TextRoom(250_000_000).check_width("note", 10_000)
    TextRoom(1).check_file(tmp_path / "other.csv", frozenset({"note"}))
