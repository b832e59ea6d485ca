"""A text in parts stands in a release part by part, each as the one file would be: whatever is done to one is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import people, plan_of

import kohort
from kohort import InputError, Plan
from kohort.folders.parts import part_name, parts_of
from kohort.release import saving
from kohort.table import Table
from kohort.table.reading import read_table
from kohort.table.writing import write_table
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.loose import SPELLED

FOLDER, SAME = "nothing else in the folder", "the files are those that were released"
FEW: dict[str, Any] = {
    "columns": {"cell": {"role": "quasi"}, "ill": {"role": "sensitive"}},
    "require": [{"model": "k-anonymity", "k": 2}],
}


def in_parts(table: Table | pa.Table, path: Path, rows_of_a_part: int = 100) -> None:
    """Write a table as those do who write with many hands: a header in every part."""
    rows = table.to_arrow() if isinstance(table, Table) else table
    if path.suffix == ".parquet":
        return write_table(table, path)
    path.mkdir()
    for number, start in enumerate(range(0, len(rows), rows_of_a_part)):
        write_table(rows.slice(start, rows_of_a_part), path / part_name(number, path.suffix))
    return None


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Plan, Path, Path]:
    """Return a plan, a source, and a release of it in parts."""
    source, plan = tmp_path / "source.parquet", plan_of(output__format="csv")
    write_table(people(9), source)
    with monkeypatch.context() as patched:
        patched.setattr(saving, "write_table", in_parts)
        kohort.anonymize(source, plan).save(tmp_path / "out")
    return plan, source, tmp_path / "out"


@pytest.mark.parametrize("engine", AT_HAND)
def test_a_release_in_parts_of_text_is_judged_as_one(made: tuple[Plan, Path, Path], engine: str) -> None:
    plan, source, out = made
    listed = json.loads((out / "manifest.json").read_text())["files"]
    assert list(listed) == [f"table.csv/part-0000{i}.csv" for i in range(4)]
    assert {v.holds for v in kohort.verify(out, plan, source, engine=engine)} == {True}
    without = out.with_name("without")
    out.rename(without)  # from its audit
    told = {v.promise: v.holds for v in kohort.verify(without, engine=engine)}
    assert False not in told.values()
    assert told[BESIDE] is True


def changed(sign: bytes, other: bytes, number: int = 1) -> Callable[[Path], object]:
    """Return what puts one sign, where it stands first below the header, in place of another."""

    def change(parts: Path) -> None:
        part = parts / part_name(number, ".csv")
        header, end, rows = part.read_bytes().partition(b"\n")
        assert sign in rows
        part.write_bytes(header + end + rows.replace(sign, other, 1))

    return change


def whole(change: Callable[[bytes], bytes], number: int = 1) -> Callable[[Path], object]:
    def done(parts: Path) -> None:
        part = parts / part_name(number, ".csv")
        part.write_bytes(change(part.read_bytes()))

    return done


# what nobody reads, and can mark a row
MARKS: dict[str, Callable[[Path], object]] = {
    "a line end": whole(lambda text: text.removesuffix(b"\n") + b"\r\n"),
    "the line ends of a part": whole(lambda text: text.replace(b"\n", b"\r\n")),
    "quotes around a cell": changed(b",F,", b',"F",'),
    "quotes around a name": whole(lambda text: text.replace(b"sex", b'"sex"', 1)),
    "a blank line": whole(lambda text: text + b"\n"),
    "no last line end": whole(lambda text: text.removesuffix(b"\n")),
    "a byte-order mark": whole(lambda text: b"\xef\xbb\xbf" + text),
    "a hidden file": lambda parts: (parts / ".notes").write_text("who"),
    "a mark of success": lambda parts: (parts / "_SUCCESS").write_text(""),
}
LIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "added": (lambda parts: (parts / part_name(4, ".csv")).write_bytes((parts / part_name(0, ".csv")).read_bytes()), FOLDER),
    "taken away": (lambda parts: (parts / part_name(2, ".csv")).unlink(), FOLDER),
    "renamed": (lambda parts: (parts / part_name(2, ".csv")).rename(parts / "part-2.csv"), FOLDER),
    "a folder": (lambda parts: (parts / "more").mkdir(), FOLDER),
    "another format": (lambda parts: (parts / "part-9.txt").write_text("who"), FOLDER),
    "a cell": (changed(b",F,", b",M,"), SAME),
    "swapped": (lambda parts: [(parts / part_name(0, ".csv")).rename(parts / "x"),
                               (parts / part_name(1, ".csv")).rename(parts / part_name(0, ".csv")),
                               (parts / "x").rename(parts / part_name(1, ".csv"))], SAME),
    **{mark: (change, FOLDER if "file" in mark or "success" in mark else SAME) for mark, change in MARKS.items()},
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_what_is_done_to_parts_of_text_is_found(made: tuple[Plan, Path, Path], lie: str) -> None:
    _, _, out = made
    change, promise = LIES[lie]
    change(out / "table.csv")
    assert {v.promise: v.holds for v in kohort.verify(out)}[promise] is False
    (out.parent / "out.private").rename(out.parent / "elsewhere")
    assert [v.promise for v in kohort.verify(out) if v.holds is False]


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_found_where_the_manifest_was_written_for_it(
    made: tuple[Plan, Path, Path], mark: str, engine: str
) -> None:
    """By whoever passes a release on: the digests are right, and nobody has the audit."""
    _, _, out = made
    MARKS[mark](out / "table.csv")
    told = json.loads((out / "manifest.json").read_text())
    told["files"] = {
        f"table.csv/{p.name}": sha256(p.read_bytes()).hexdigest()
        for p in sorted((out / "table.csv").iterdir())
    }
    (out / "manifest.json").write_text(json.dumps(told))
    (out.parent / "out.private").rename(out.parent / "elsewhere")
    held = {v.promise: v.holds for v in kohort.verify(out, engine=engine)}
    assert held["the manifest lists these tables by digest"] is True
    assert held[BESIDE] is False


def loose(folder: Path, engine: str) -> dict[str, bool | None]:
    """Return whether the values of a table that stands by itself are spelled in one way, and nothing is beside them."""
    verdicts = kohort.verify(folder, FEW, engine=engine)
    return {v.promise: v.holds for v in verdicts if v.promise in (SPELLED, BESIDE)}


def few_in_parts(path: Path) -> Path:
    cells = ["a", "b", "a", "b", "=x", "=x", None, None]
    in_parts(pa.table({"cell": cells, "ill": ["F", "G"] * 4}), path, 4)
    return path


@pytest.mark.parametrize("engine", AT_HAND)
def test_a_table_that_stands_by_itself_in_parts_is_judged_as_one(tmp_path: Path, engine: str) -> None:
    folder = few_in_parts(tmp_path / "table.csv")
    assert loose(folder, engine) == {SPELLED: True, BESIDE: True}
    assert {v.holds for v in kohort.verify(folder, FEW, engine=engine) if "anonymity" in v.promise} == {True}
    with pytest.raises(InputError, match="give the plan"):
        kohort.verify(folder, engine=engine)


# between parts: in each by itself all is alike
BETWEEN: dict[str, Callable[[Path], object]] = {
    "line ends": whole(lambda text: text.replace(b"\n", b"\r\n")),
    "quotes": whole(lambda text: text.replace(b"F", b'"F"').replace(b"G", b'"G"')),
    "a byte-order mark": whole(lambda text: b"\xef\xbb\xbf" + text),
    "blank lines": whole(lambda text: text + b"\n\n", 0),
    "an escaped formula": whole(lambda text: text.replace(b"\na,", b"\n'=x,", 1).replace(b"'=x", b"=x"), 0),
    "something else": lambda parts: (parts / "_SUCCESS").write_text(""),
}


@pytest.mark.parametrize("mark", BETWEEN)
@pytest.mark.parametrize("engine", AT_HAND)
def test_marks_between_the_parts_of_a_table_by_itself_are_found(
    tmp_path: Path, engine: str, mark: str
) -> None:
    folder = few_in_parts(tmp_path / "table.csv")
    BETWEEN[mark](folder)
    assert {*loose(folder, engine).values()} != {True}


def test_a_folder_of_text_is_a_source(tmp_path: Path) -> None:
    """Of parts with many and with few different texts, and of one without rows, with a header in each."""
    folder, plan, table = tmp_path / "source.csv", plan_of(), people(9)
    in_parts(table, folder, 150)
    write_table(table.slice(0, 0), folder / "part-00007.csv")
    assert read_table(folder, unescape_formulas=True).to_arrow().to_pylist() == table.to_pylist()
    write_table(table, tmp_path / "whole.csv")
    levels = [
        kohort.anonymize(source, plan, engine=engine).levels
        for engine in AT_HAND
        for source in (folder, tmp_path / "whole.csv")
    ]
    assert all(one == levels[0] for one in levels)


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_part_of_names_alone_has_no_rows_however_it_ends(tmp_path: Path, engine: str, end: str) -> None:
    folder, plan, table = tmp_path / "source.csv", plan_of(), people(9)
    in_parts(table, folder, 150)
    without = kohort.anonymize(folder, plan, engine=engine).levels
    names = (folder / part_name(0, ".csv")).read_text().partition("\n")[0]
    for number in (-1, 7):  # the first and the last of them
        (folder / f"part{number:+}.csv").write_text(names + end, newline="")
    assert read_table(folder, unescape_formulas=True).to_arrow().to_pylist() == table.to_pylist()
    assert kohort.anonymize(folder, plan, engine=engine).levels == without


@pytest.mark.parametrize("engine", AT_HAND)
def test_parts_of_text_that_are_no_table_are_refused_alike(tmp_path: Path, engine: str) -> None:
    folder = few_in_parts(tmp_path / "table.csv")

    def refused(told: str, **changes: Any) -> None:
        plan = Plan(**FEW, **changes)
        with pytest.raises(InputError, match=told):
            kohort.anonymize(folder, plan, engine=engine)

    refused("nobody can say which rows are the last", input={"footer": 1})
    (folder / "part-3.csv").write_text("ill,cell\nF,a\n")
    refused("has other columns than part-00000.csv")
    (folder / "part-3.csv").rename(folder / "part-3.txt")
    refused(r"holds 'part-3.txt' beside what ends with \.csv")
    (folder / "part-3.txt").unlink()
    for part in parts_of(folder):
        part.unlink()
    refused(r"a folder without a file of the suffix \.csv")


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("names", "tail", "holds"),
    [
        (("part-00000.csv", "part-00001.csv"), b"", True),
        (("part-00000.csv", "part-00001.csv"), b"\n", False),
        (("part-00000.csv", "part-31415.csv"), b"", None),
        (("John Smith.csv", "part-00000.csv"), b"", None),
        (("part-00000.csv", "part-00001.csv"), None, None),
    ],
)
def test_names_and_ends_of_parts_tell_nothing(
    names: tuple[str, str], tail: bytes | None, holds: bool | None, engine: str, tmp_path: Path
) -> None:
    """A part more or less blank at its end, without its last line end, or called otherwise than by its number."""
    folder, text = tmp_path / "table.csv", b"cell,ill\na,F\nb,G\na,G\nb,F\n"
    folder.mkdir()
    (folder / names[0]).write_bytes(text)
    (folder / names[1]).write_bytes(text[:-1] if tail is None else text + tail)
    plan = kohort.Plan.from_dict(
        {
            "columns": {"cell": {"role": "quasi"}, "ill": {"role": "sensitive"}},
            "require": [{"model": "k-anonymity", "k": 2}],
        }
    )
    held = {verdict.promise: verdict.holds for verdict in kohort.verify(folder, plan, engine=engine)}
    assert held[BESIDE] is holds
