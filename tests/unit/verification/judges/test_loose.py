"""What is said of a loose table by itself, where its file cannot be read, listed or written anew."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions
from kohort.verification.judges import loose
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.verdict import Verdict

TABLE = pa.table({"town": ["a", "b"], "dose": [1, 2]})
PLAIN = ReadingOptions(header=True)
OTHERWISE = ReadingOptions(header=True, delimiter=";", expected=("dose",))


def judged(path: Path, *options: ReadingOptions, rewritten: bool | None = True) -> list[bool | None]:
    told = loose.judge_loose(path, lambda _: options, lambda: Verdict(BESIDE, rewritten))
    return [verdict.holds for verdict in told]


def test_frames_and_tables_of_a_catalog_have_no_file() -> None:
    assert judged(Path("table:health.people"), PLAIN) == []
    assert loose.judge_loose(TABLE, lambda _: [PLAIN], lambda: Verdict(BESIDE, True)) == []


def test_a_file_is_read_by_the_first_options_that_serve(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("town;dose\nä;1\nb;2\n".encode("cp1252"))
    strict = ReadingOptions(header=True, encoding="utf-8", delimiter=";")
    assert judged(path, strict, OTHERWISE) == [True, True]
    assert judged(path, OTHERWISE, strict) == [True, True]
    assert judged(path, strict) == [None, None]


def test_what_cannot_be_read_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loose, "LOOKS", {})
        assert judged(path, PLAIN) == [None, True]
    pyarrow.parquet.write_table(TABLE, path)
    assert judged(path, PLAIN, rewritten=None) == [True, None]


def test_what_cannot_be_listed_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.parquet"
    pyarrow.parquet.write_table(TABLE, path)

    def refused(_: Path) -> list[str]:
        raise InputError("its parts cannot be listed", code="table.damaged")

    monkeypatch.setattr(loose, "LOOKS", {".parquet": refused})
    assert judged(path, PLAIN) == [True, None]


def test_cells_of_many_kinds_are_in_one_spelling_where_the_file_is_as_it_is_written_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.ods"
    path.write_bytes(b"")
    found: list[str] = []
    monkeypatch.setattr(loose, "several_spellings", lambda *_: found)
    assert judged(path, PLAIN, rewritten=True) == [True, True]
    assert judged(path, PLAIN, rewritten=None) == [None, None]
    found.append("town")
    assert judged(path, PLAIN, rewritten=True) == [False, True]
