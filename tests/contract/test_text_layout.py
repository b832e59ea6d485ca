"""A delimited text holds its cells and nothing beside them: whatever marks a line or a cell is told, whoever wrote the file."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pytest

import kohort
from kohort.table import Table
from kohort.table.formats import raw_rows
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.text_layout import BLANK, ENDS, TextLayout, text_layout
from kohort.table.writing import write_table
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.loose import SPELLED

ROWS = [
    ["a", "7", 'said "x"', "1,5"],
    ["a", "8", "two\nlines", ""],
    ["ä", "-9.5", "plain", "NA"],
    ["b b", "1e3", "plain", ""],
    [" c", "7", "carriage\r\nreturn", "1,5"],
    ["b b", "8", "plain", "text"],
] * 3
NAMES = ["town", "dose", "note", "rest"]
REGULAR = TextLayout((), by_rule=True)
OPTIONS = ReadingOptions(header=True, delimiter=",", quote='"')


def text_of(quoting: int = csv.QUOTE_MINIMAL, end: str = "\n", delimiter: str = ",") -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=quoting, lineterminator=end, delimiter=delimiter)  # type: ignore[arg-type]
    writer.writerow(NAMES)
    for town, dose, note, rest in ROWS:
        # Python does not quote an LF where lines end in CR
        told = note.replace("\n", " ") if end == "\r" else note
        writer.writerow([town, float(dose) if quoting == csv.QUOTE_NONNUMERIC else dose, told, rest])
    return file.getvalue()


def look(path: Path, text: str | bytes, options: ReadingOptions = OPTIONS) -> TextLayout:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return text_layout(path, options)


@pytest.fixture(params=[1 << 20, 64, 7])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is looked at in pieces of several lengths."""
    monkeypatch.setattr(raw_rows, "_PIECE_BYTES", request.param)
    return tmp_path / "table.csv"


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_is_written_by_one_rule_is_regular(quoting: int, end: str, path: Path) -> None:
    text = text_of(quoting, end)
    for told in (text, text.removesuffix(end), text + end, "\ufeff" + text):
        assert look(path, told) == REGULAR
    for encoding in ("cp1252", "latin-1", "utf-16", "utf-8"):
        for delimiter in ";|\t":
            options = ReadingOptions(header=True, delimiter=delimiter, quote='"', encoding=encoding)
            told = text_of(quoting, end, delimiter).encode(encoding)
            assert look(path, told, options) == REGULAR, (encoding, delimiter)


def test_programs_write_by_a_rule(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))
    columns["dose"] = [float(cell) for cell in columns["dose"]]
    table, path = pa.table(columns), tmp_path / "table.csv"
    writers: dict[str, Callable[[], Any]] = {
        "kohort": lambda: write_table(Table.from_arrow(table), path),
        "pandas": lambda: pandas.DataFrame(columns).to_csv(path, index=False),
        "polars": lambda: polars.DataFrame(columns).write_csv(path),
        "arrow": lambda: pyarrow.csv.write_csv(table, path),
        "duckdb": lambda: duckdb.from_arrow(table).write_csv(str(path)),
    }
    for name, write in writers.items():
        write()
        assert text_layout(path, OPTIONS) == REGULAR, name


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def marked(text: str, place: int, mark: Callable[[str], str]) -> str:
    lines = lines_of(text)
    lines[place] = mark(lines[place])
    return "".join(lines)


SIMPLE = "town,dose,ill\n" + "a,7,flu\nb,8,hiv\n,9,flu\n" * 6
# what marks a line, and whether it is seen as something that stands there
MARKS: dict[str, tuple[Callable[[str], str], str | None]] = {
    "another end": (lambda line: line.replace("\n", "\r\n"), ENDS),
    "an old end": (lambda line: line.replace("\n", "\r"), ENDS),
    "a blank line": (lambda line: line + "\n", BLANK),
    "blank lines": (lambda line: line + "\n\n\n", BLANK),
    "blank lines above": (lambda line: "\n\n" + line, BLANK),
    "a quoted text": (lambda line: line.replace("flu", '"flu"').replace("hiv", '"hiv"'), None),
    "a quoted number": (lambda line: line.replace(",7,", ',"7",').replace(",8,", ',"8",').replace(",9,", ',"9",'), None),
    "a quoted nothing": (lambda line: '""' + line if line.startswith(",") else f'"{line[0]}"{line[1:]}', None),
    "a quote within": (lambda line: line.replace("\n", '"\n'), None),
    "signs behind a quote": (lambda line: f'"{line[:1]}"x{line[1:]}', None),
}  # fmt: skip


@pytest.mark.parametrize("what", MARKS)
def test_whatever_marks_a_line_is_seen(what: str, path: Path) -> None:
    mark, told = MARKS[what]
    assert look(path, SIMPLE) == REGULAR
    for place in range(1, len(lines_of(SIMPLE)) - 1):
        found = look(path, marked(SIMPLE, place, mark))
        assert found.found == ((told,) if told else ())
        assert found.by_rule is (told is not None), place


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_no_engine_says_that_a_marked_text_holds_nothing_else(engine: str, tmp_path: Path) -> None:
    plan = {
        "columns": {"town": "quasi", "dose": "insensitive", "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    released, original = tmp_path / "r.csv", tmp_path / "o.csv"
    original.write_text(SIMPLE)
    for what, (mark, told) in ({"nothing": (str, "")} | MARKS).items():
        released.write_bytes(marked(SIMPLE, random.Random(what).randrange(1, 18), mark).encode())
        verdicts = {v.promise: v.holds for v in kohort.verify(released, plan, original, engine=engine)}
        beside = True if what == "nothing" else False if told else None
        assert (verdicts[SPELLED] is True, verdicts[BESIDE]) == (what == "nothing", beside), what
        # what stands behind a quote makes another text of a cell, which is no label
        assert verdicts[SPELLED] is not False or what == "signs behind a quote", what


def test_names_are_quoted_by_a_rule_too(path: Path) -> None:
    assert look(path, SIMPLE.replace("town,dose,ill", '"town","dose","ill"')) == REGULAR
    assert not look(path, SIMPLE.replace("town,dose,ill", '"town",dose,ill')).by_rule


def test_blank_lines_below_a_single_column_are_rows_and_those_above_are_not(path: Path) -> None:
    options = ReadingOptions(header=True, delimiter=",", quote='"')
    for text in ("town\na\n\nb\n\n\n", 'town\n"a"\n"b"\n'):
        assert look(path, text, options) == REGULAR
    assert look(path, "\ntown\na\n\nb\n", options).found == (BLANK,)
    assert not look(path, 'town\na\n\nb\n""\n', options).by_rule
    assert look(path, SIMPLE + "\n\n").found == (BLANK,)


def test_bytes_that_an_encoding_has_otherwise_are_not_regular(path: Path) -> None:
    options = ReadingOptions(header=True, delimiter=",", quote='"', encoding="utf-7")
    assert look(path, b"town,dose\na,1\nb,2\n", options) == REGULAR
    assert not look(path, b"town,dose\n+AGE-,1\nb,2\n", options).by_rule


def test_a_row_that_is_longer_than_readers_hold_is_not_judged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_rows, "_LONGEST", 40)
    monkeypatch.setattr(raw_rows, "_PIECE_BYTES", 16)
    assert not look(path, f'town,dose\n"{"x" * 100}",1\nb,2\n').by_rule


def test_a_quote_that_is_not_closed_and_rows_of_other_lengths_are_not_regular(path: Path) -> None:
    assert not look(path, 'town,dose\n"a",1\n"b,2\n').by_rule
    assert not look(path, 'town,dose\n"a",1\n"b",2,3\n').by_rule
