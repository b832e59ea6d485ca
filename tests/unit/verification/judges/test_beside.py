"""Nothing stands beside a table where its file is what Kohort writes of its cells, in memory and piece by piece."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from kohort.folders.parts import part_name
from kohort.table import Table
from kohort.table.reading import read_table
from kohort.table.streaming import open_released
from kohort.table.writing import write_table
from kohort.verification.judges.beside import BESIDE, CHANGED, UNKNOWN, judge_beside
from kohort.verification.judges.beside_on_disk import IN_MEMORY, judge_beside_streamed
from kohort.verification.judges.verdict import Verdict

TABLE = Table.from_arrow(pa.table({"town": ["=1+1", "b, c"], "dose": ["1", "2.50"]}))
FINE = Verdict(BESIDE, True)


def written(path: Path, parts: int = 0) -> Path:
    """Write a table as Kohort does, in parts if these are asked for."""
    if parts:
        path.mkdir()
    for part in [path / part_name(number, path.suffix) for number in range(parts)] or [path]:
        write_table(TABLE, part)
    return path


def changed(name: str) -> Verdict:
    return Verdict(BESIDE, False, note=CHANGED.format(repr(name)))


def streamed(path: Path, folder: Path) -> Verdict:
    return judge_beside_streamed(open_released(path), folder)


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("parts", [0, 2])
def test_the_same_bytes_come_out_of_the_same_text(suffix: str, parts: int, tmp_path: Path) -> None:
    path = written(tmp_path / f"table{suffix}", parts)
    (tmp_path / "room").mkdir()
    assert judge_beside({path: TABLE}) == streamed(path, tmp_path / "room") == FINE


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("parts", [0, 2])
@pytest.mark.parametrize("mark", [(b"\n", b"\r\n"), (b"2.50", b'"2.50"'), (b"'=1+1", b'"\'=1+1"')])
def test_a_mark_in_a_text_is_found_wherever_it_stands(
    mark: tuple[bytes, bytes], suffix: str, parts: int, tmp_path: Path
) -> None:
    path = written(tmp_path / f"table{suffix}", parts)
    (tmp_path / "room").mkdir()
    last = path / part_name(parts - 1, suffix) if parts else path
    last.write_bytes(last.read_bytes().replace(*mark, 1))
    assert judge_beside({path: TABLE}) == streamed(path, tmp_path / "room") == changed(path.name)


@pytest.mark.parametrize("name", ["_SUCCESS", "part-00007.csv"])
def test_nothing_stands_among_the_parts_of_a_text(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv", 2)
    (tmp_path / "room").mkdir()
    (path / "part-00001.csv").rename(path / name)
    assert judge_beside({path: TABLE}) == streamed(path, tmp_path / "room") == changed("table.csv")


def test_of_other_formats_it_is_known_where_the_bytes_are_the_same(tmp_path: Path) -> None:
    path, other = written(tmp_path / "table.parquet"), tmp_path / "other.parquet"
    text = written(tmp_path / "table.csv")
    write_table(Table.from_arrow(pa.table({"town": ["x"]})), other)
    tables = {path: TABLE, other: TABLE, text: TABLE}
    assert judge_beside({path: TABLE, text: TABLE}) == FINE
    assert judge_beside(tables) == Verdict(BESIDE, None, note=UNKNOWN.format("'other.parquet'"))
    text.write_bytes(text.read_bytes() + b"\n")
    assert judge_beside(tables) == Verdict(BESIDE, False, note=CHANGED.format("'other.parquet', 'table.csv'"))
    assert streamed(path, tmp_path) == Verdict(BESIDE, None, note=IN_MEMORY.format("'table.parquet'"))


def test_parts_of_other_formats_and_what_is_not_written_here_are_not_judged(tmp_path: Path) -> None:
    parts, stata = written(tmp_path / "parts.parquet", 1), tmp_path / "table.xpt"
    stata.write_bytes(b"")
    for path in (parts, stata):
        note = UNKNOWN.format(repr(path.name))
        assert judge_beside({path: read_table(parts)}) == Verdict(BESIDE, None, note=note)


def test_a_text_that_cannot_be_read_again_is_not_as_it_is_written(tmp_path: Path) -> None:
    path = written(tmp_path / "table.csv")
    (tmp_path / "room").mkdir()
    stream = open_released(path)
    path.write_bytes(b"town,dose\n\xff,1\n")
    assert judge_beside({path: TABLE}) == changed("table.csv")
    assert judge_beside_streamed(stream, tmp_path / "room") == changed("table.csv")
