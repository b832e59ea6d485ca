"""`write_table`: complete or not at all, and for the owner only."""

import os
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table import Column, Table
from kohort.table.appending import APPENDABLE, TableWriter, WriterBehind
from kohort.table.formats import WRITERS
from kohort.table.writing import write_table

TABLE = pa.table({"a": ["x", "y"], "n": [1, 2]})


@pytest.mark.parametrize("suffix", WRITERS)
def test_only_the_owner_can_read_and_nothing_else_is_left(tmp_path, suffix):
    path = tmp_path / f"release{suffix}"
    write_table(TABLE, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_that_was_there_is_replaced_whole(tmp_path, suffix):
    path = tmp_path / f"release{suffix}"
    path.write_text("Xanthippe" * 1000)
    write_table(TABLE, path)
    assert b"Xanthippe" not in path.read_bytes()


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def failing(table, path, options):
        path.write_text("half")
        raise RuntimeError

    monkeypatch.setitem(WRITERS, ".csv", failing)
    with pytest.raises(RuntimeError):
        write_table(TABLE, tmp_path / "release.csv")
    assert list(tmp_path.iterdir()) == []


def test_while_writing_no_one_else_can_look(tmp_path, monkeypatch):
    modes = []

    def watching(table, path, options):
        path.write_text("draft")
        modes.append(stat.S_IMODE(path.parent.stat().st_mode))

    monkeypatch.setitem(WRITERS, ".csv", watching)
    umask = os.umask(0)
    try:
        write_table(TABLE, tmp_path / "release.csv")
    finally:
        os.umask(umask)
    assert modes == [0o700]


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match=r"unknown suffix '\.docx'; Kohort writes \.csv"):
        write_table(TABLE, tmp_path / "release.docx")
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        write_table(TABLE, tmp_path / "nowhere" / "release.csv")
    for name in ("", " ", "a\0b"):
        with pytest.raises(InputError, match="field 2 of the header"):
            write_table(pa.table({"a": ["x"], name: ["y"]}), tmp_path / "release.csv")
    with pytest.raises(InputError, match="a table without columns"):
        write_table(pa.table({}), tmp_path / "release.csv")


@pytest.mark.parametrize("suffix", WRITERS)
def test_no_file_tells_when_it_was_made(tmp_path, suffix):
    path = tmp_path / f"release{suffix}"
    write_table(TABLE, path)
    pieces = [path.read_bytes()]
    if suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
            pieces = [re.sub(rb'"http://[^"]*"', b"", archive.read(entry)) for entry in archive.infolist()]
    today = date.today()
    marks = [
        today.isoformat().encode(),
        today.strftime("%d %b %Y").encode(),
        today.strftime("%d %b %y").encode(),
    ]
    assert not [mark for mark in marks for piece in pieces if mark in piece]


@pytest.mark.parametrize("suffix", APPENDABLE)
def test_a_table_that_is_written_piece_by_piece_is_the_same_bytes(tmp_path, suffix):
    rng = np.random.default_rng(3)
    values = pa.array(["left out", "x", None, "é", "=1", "later"])
    # no row has the first value, and codes do not stand in the order in which rows have them
    codes = rng.integers(1, 6, 200).astype(np.int32)
    table = Table.from_arrow(
        pa.table({"n": pa.array(rng.integers(0, 9, 200)), "void": pa.nulls(200, pa.string())})
    )
    columns = [Column("text", codes, values), *table]
    whole = Table.of(columns, 200)
    write_table(whole, tmp_path / f"whole{suffix}")
    with TableWriter(tmp_path / f"pieces{suffix}") as writer:
        writer.append(whole)
    assert (tmp_path / f"pieces{suffix}").read_bytes() == (tmp_path / f"whole{suffix}").read_bytes()
    assert b"left out" not in (tmp_path / f"pieces{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", APPENDABLE)
def test_pieces_that_are_written_behind_stand_in_their_order(tmp_path, suffix):
    pieces = [Table.from_arrow(pa.table({"n": pa.array(range(i, i + 3))})) for i in range(0, 30, 3)]
    with TableWriter(tmp_path / f"one{suffix}") as writer:
        for piece in pieces:
            writer.append(piece)
    written_behind(tmp_path / f"behind{suffix}", pieces)
    assert (tmp_path / f"behind{suffix}").read_bytes() == (tmp_path / f"one{suffix}").read_bytes()


def written_behind(path: Path, pieces: Iterable[Table]) -> None:
    with TableWriter(path) as writer, WriterBehind(writer) as behind:
        for piece in pieces:
            behind.append(piece)


@pytest.mark.parametrize("after", [0, 9])
def test_a_piece_that_cannot_be_written_behind_is_told(tmp_path, after):
    """By a later piece, or at the end where none comes."""
    good, bad = (Table.from_arrow(pa.table({name: [1, 2]})) for name in ("n", "m"))
    with pytest.raises(ValueError, match="schema"):
        written_behind(tmp_path / "t.parquet", [good, bad, *[good] * after])


def test_what_ends_the_making_of_pieces_is_what_is_told(tmp_path):
    def interrupted() -> Iterator[Table]:
        yield Table.from_arrow(pa.table({"n": [1, 2]}))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written_behind(tmp_path / "t.csv", interrupted())
