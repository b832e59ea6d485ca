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
from kohort.verification.judges.label_forms import LabelForms
from kohort.verification.judges.verdict import Verdict

TABLE = pa.table({"town": ["a", "b"], "dose": [1, 2]})
PLAIN = ReadingOptions(header=True)
OTHERWISE = ReadingOptions(header=True, delimiter=";", expected=("dose",))


def judged(path: Path, *options: ReadingOptions, rewritten: bool | None = True) -> list[bool | None]:
    told = loose.judge_loose(path, lambda _: options, lambda: Verdict(BESIDE, rewritten))
    return [verdict.holds for verdict in told]


def test_of_frames_and_tables_of_a_catalog_labels_are_judged_and_the_rest_is_not() -> None:
    for released in (TABLE, "table:health.people"):
        for forms, holds, said in (
            (LabelForms(), None, loose.NO_FILE),
            (LabelForms(wrong=("age",)), False, loose.IN_OTHER_WORDS.format("'age'")),
        ):
            told = loose.judge_loose(released, lambda _: [PLAIN], lambda: Verdict(BESIDE, True), forms)
            assert told == [Verdict(loose.SPELLED, holds, note=said)]


def test_a_file_is_read_by_the_first_options_that_serve(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("town;dose\nä;1\nb;2\n".encode("cp1252"))
    strict = ReadingOptions(header=True, encoding="utf-8", delimiter=";")
    assert judged(path, strict, OTHERWISE) == [True, True]
    assert judged(path, OTHERWISE, strict) == [True, True]
    assert judged(path, strict, OTHERWISE, strict) == [True, True]
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


def told(path: Path, forms: LabelForms = loose.UNASKED, rewritten: bool | None = True) -> list[Verdict]:
    return loose.judge_loose(path, lambda _: [PLAIN], lambda: Verdict(BESIDE, rewritten, note="anew"), forms)


def text(path: Path, cells: str = "town,dose\na,1\nb,2\n") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(cells.encode())
    return path


def parts(folder: Path, *cells: str) -> Path:
    for number, rows in enumerate(cells):
        text(folder / f"part-{number:05d}.csv", rows)
    return folder


def test_whatever_names_a_file_is_judged_and_what_is_not_called_like_a_table_is_not(tmp_path: Path) -> None:
    path = text(tmp_path / "table.csv")
    assert told(path) == [Verdict(loose.SPELLED, True), Verdict(BESIDE, True, note=loose.AS_TEXT)]
    assert loose.judge_loose(str(path), lambda _: [PLAIN], lambda: Verdict(BESIDE, None)) == told(path)
    (tmp_path / "link.csv").symlink_to(parts(tmp_path / "in parts.csv", "town,dose\na,1\n"))
    for name in ("table.md", "people", "link.csv"):
        (tmp_path / "people").mkdir(exist_ok=True)
        for forms, holds in ((loose.UNASKED, None), (LabelForms(wrong=("town",)), False)):
            spelled, beside = told(tmp_path / name, forms)
            assert (spelled.holds, beside) == (holds, Verdict(BESIDE, None, note=loose.FOLDER)), name
        assert told(tmp_path / name)[0].note == loose.FOLDER


def test_labels_in_words_of_their_own_are_told_beside_what_cells_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, words = text(tmp_path / "table.csv"), loose.IN_OTHER_WORDS.format("'town', 'dose'")
    wrong, unknown = LabelForms(wrong=("town", "dose")), LabelForms(unknown=("town",))
    assert told(path, wrong)[0] == Verdict(loose.SPELLED, False, note=words)
    assert told(path, unknown)[0] == Verdict(loose.SPELLED, None, note=loose.MEANT.format("'town'"))
    monkeypatch.setattr(loose, "several_spellings", lambda *_: ["dose"])
    twice = Verdict(loose.SPELLED, False, note=loose.TWO_WAYS.format("'dose'"))
    assert told(path)[0] == told(path, unknown)[0] == twice
    assert told(path, wrong)[0] == Verdict(loose.SPELLED, False, note=f"{twice.note}; {words}")


def test_what_cannot_be_read_is_wrong_where_its_labels_are(tmp_path: Path) -> None:
    spelled, beside = told(text(tmp_path / "table.csv", ""), LabelForms(wrong=("town",)))
    assert spelled == Verdict(loose.SPELLED, False, note=loose.IN_OTHER_WORDS.format("'town'"))
    assert beside.holds is None
    assert beside.note.startswith("not judged: ")


@pytest.mark.parametrize(
    ("kind", "spelled", "note"),
    [
        (pa.int64(), True, ""),
        (pa.int8(), None, loose.FORMS.format("'dose'")),
    ],
)
def test_a_type_that_has_several_forms_of_one_value_is_not_judged(
    kind: pa.DataType, spelled: bool | None, note: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.PARQUET"
    pyarrow.parquet.write_table(TABLE.set_column(1, "dose", TABLE["dose"].cast(kind)), path)
    assert told(path, rewritten=None)[0] == Verdict(loose.SPELLED, spelled, note=note)
    assert told(path, rewritten=True)[0] == Verdict(loose.SPELLED, True)


def test_files_of_which_a_reader_sees_not_all_are_judged_by_what_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = text(tmp_path / "table.ODS", "")
    monkeypatch.setattr(loose, "several_spellings", lambda *_: [])
    anew = Verdict(BESIDE, None, note="anew")
    assert told(path, rewritten=None) == [Verdict(loose.SPELLED, None, note=loose.UNSEEN), anew]


def test_what_is_found_beside_a_table_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.PARQUET"
    pyarrow.parquet.write_table(TABLE, path)
    monkeypatch.setattr(loose, "LOOKS", {".parquet": lambda _: ["a view", "a label"]})
    found = loose.FOUND.format("'table.PARQUET'", "a view; a label")
    assert told(path) == [Verdict(loose.SPELLED, True), Verdict(BESIDE, False, note=found)]


HEAD, ROWS = "town,dose\n", ("a,1\nb,2\n", "a,3\nb,4\n")


@pytest.mark.parametrize(
    ("rows", "spelled", "beside", "note"),
    [
        ((HEAD + ROWS[0] + "\n\nc,3\n",), None, False, "blank lines"),
        ((HEAD + ROWS[0], HEAD + ROWS[1] + "\n\nc,3\n"), None, False, "blank lines"),
        ((HEAD + 'a,1\n"b",2\n',), None, None, loose.UNRULED.format("'table.CSV'")),
    ],
)
def test_lines_that_are_not_all_alike_mark_rows(
    rows: tuple[str, ...], spelled: bool | None, beside: bool | None, note: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.CSV"
    if len(rows) == 1:
        text(path, *rows)
    else:
        path.mkdir()
        for number, cells in enumerate(rows):
            text(path / f"part-{number:05d}.CSV", cells)
    first, second = told(path)
    assert [first.holds, second.holds] == [spelled, beside]
    assert note in second.note
    assert first.note == (second.note if beside is None else loose.NOT_ALIKE)


def test_parts_are_called_by_their_numbers_and_nothing_stands_among_them(tmp_path: Path) -> None:
    folder = parts(tmp_path / "table.csv", HEAD + ROWS[0], HEAD + ROWS[1])
    fine = Verdict(BESIDE, True, note=loose.AS_TEXT)
    assert told(folder)[1] == fine
    for name in ("_SUCCESS", ".notes"):
        (folder / name).write_text("")
    assert told(folder)[1].note == loose.FOUND.format("'table.csv'", "'.notes'; '_SUCCESS'")
    for name in ("_SUCCESS", ".notes"):
        (folder / name).unlink()
    last = folder / "part-00001.csv"
    unnumbered = Verdict(BESIDE, None, note=loose.UNNUMBERED)
    last.rename(folder / "part-00002.csv")
    assert told(folder)[1] == unnumbered
    last.symlink_to((folder / "part-00002.csv").rename(tmp_path / "elsewhere.csv"))
    assert told(folder)[1] == unnumbered
    last.unlink()
    assert told(folder)[1] == fine


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_parts_end_alike(encoding: str, end: str, tmp_path: Path) -> None:
    """Whether a last line has an end is one bit of a part."""
    one, other = tmp_path / "part-00000.csv", tmp_path / "part-00001.csv"
    for rows, ended in (("a,1" + end, True), ("a,1", False), (end, True), ("", False)):
        one.write_bytes(rows.encode(encoding))
        other.write_bytes(("b,2" + end).encode(encoding))
        folder = tmp_path / "table.csv"
        folder.mkdir()
        one.rename(folder / one.name)
        other.rename(folder / other.name)
        assert loose._numbered_alike(folder) is ended, rows
        for part in folder.iterdir():
            part.unlink()
        folder.rmdir()
