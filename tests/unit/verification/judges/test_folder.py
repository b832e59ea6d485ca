"""What stands in a folder, what in its files, and how many rows were left out."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table import Table
from kohort.table.reading import read_released
from kohort.table.writing import write_table
from kohort.verification.judges.beside import judge_beside
from kohort.verification.judges.folder import changed, entries, judge_folder
from kohort.verification.judges.suppression import judge_suppression


def test_only_plain_files_that_belong_there(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert judge_folder(entries(tmp_path), {"a"}).holds
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / ".c").mkdir()
    os.mkfifo(tmp_path / "d")
    told = judge_folder(entries(tmp_path), {"a", "b", "e"})
    assert not told.holds
    for fault in ("'e' is missing", "'b' is a link", "'.c' (folder)", "'d' (device)"):
        assert fault in told.note
    assert "'a'" not in told.note


def test_names_are_told_harmless(tmp_path: Path) -> None:
    (tmp_path / "\x1b[2J").touch()
    assert "\x1b" not in judge_folder(entries(tmp_path), ()).note


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="looked into"):
        entries(tmp_path / "none")


def test_a_link_is_changed_though_it_shows_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x", encoding="utf-8")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    assert changed(tmp_path, {"a": digest}) == []
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert changed(tmp_path, {"a": digest, "b": digest, "c": digest}) == ["b", "c"]


@pytest.mark.parametrize(
    ("released", "rows", "allowed", "holds"),
    [(10, 10, 0, True), (9, 10, 0, False), (9, 10, 1, True), (8, 10, 1, False), (11, 10, 5, False)],
)
def test_no_more_is_left_out_than_allowed(released: int, rows: int, allowed: int, holds: bool) -> None:
    told = judge_suppression(released, rows, allowed)
    assert told.holds is holds
    assert told.achieved is None  # how many is the holder's to know
    assert judge_suppression(released, None, None).holds is None


@pytest.mark.parametrize(
    ("released", "blank", "holds"),
    [(10, 0, True), (10, 2, True), (10, 3, False), (9, 0, False), (9, 1, False)],
)
def test_where_rows_are_left_blank_all_are_there_and_the_blank_ones_count(
    released: int, blank: int, holds: bool
) -> None:
    told = judge_suppression(released, 10, 2, blank)
    assert told.holds is holds
    assert told.note == ("3 rows are * in every quasi-identifier, and 2 may be" if blank == 3 else "")


def test_a_file_is_what_is_written_of_its_cells(tmp_path: Path) -> None:
    cells = pa.table({"a": ["-5", "=1", "'=1", "", None, 'x"y'], "n": [-1, 2, None, 4, 5, 6]})
    for name in ("t.csv", "t.tsv", "t.parquet", "t.sqlite"):
        write_table(cells, tmp_path / name)
        assert judge_beside(read(tmp_path / name)).holds, name
        with (tmp_path / name).open("ab") as file:
            file.write(b"\n")
        told = {tmp_path / name: Table.from_arrow(cells)} if name == "t.parquet" else read(tmp_path / name)
        assert not judge_beside(told).holds, name


def read(path: Path) -> dict[Path, Table]:
    return {path: read_released(path)}


def test_only_of_text_it_is_known_what_every_library_writes(tmp_path: Path) -> None:
    cells = pa.table({"a": ["x"]})
    for name, told in (("t.csv", False), ("t.tsv", False), ("t.parquet", None), ("t.sqlite", None)):
        (tmp_path / name).write_bytes(b'"a"\n"x"\n')  # quoted without need
        write = {tmp_path / name: Table.from_arrow(cells)}
        assert judge_beside(write).holds is told, name
        assert repr(name) in judge_beside(write).note
    both = {tmp_path / name: Table.from_arrow(cells) for name in ("t.csv", "t.parquet")}
    assert judge_beside(both).holds is False
    assert judge_beside({}).holds is True


def test_a_file_that_could_not_be_written_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "t.unknown").touch()
    told = judge_beside({tmp_path / "t.unknown": Table.from_arrow(pa.table({"a": ["x"]}))})
    assert told.holds is None
    assert "not judged: 't.unknown'" in told.note


def test_a_table_in_parts_is_not_judged(tmp_path: Path) -> None:
    """Others write the parts, so that the same cells may be other bytes."""
    table = Table.from_arrow(pa.table({"a": ["x"]}))
    (tmp_path / "t.parquet").mkdir()
    write_table(table, tmp_path / "t.parquet" / "part-00000.parquet")
    told = judge_beside({tmp_path / "t.parquet": table})
    assert told.holds is None
    assert "'t.parquet'" in told.note
