"""Hierarchies shown, written as level files, and checked after a spreadsheet had them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from tests.unit.hierarchy.test_builders import COUNTS, SPECS, TEXTS

from kohort.errors import InputError
from kohort.hierarchy import build_hierarchy
from kohort.level_files import ColumnLevels, check_levels, column_levels, export_levels
from kohort.plan import Plan

ZIPS = ["01234", "01239", "01300", "94138", "94141", None]


def plan(**hierarchy: object) -> Plan:
    columns = {"zip": {"role": "quasi", "hierarchy": hierarchy or {"kind": "prefix", "lengths": [3, 1]}}}
    return Plan.from_dict({"columns": columns, "require": [{"model": "k-anonymity", "k": 2}]})


def levels(texts: list[str | None] = ZIPS, **hierarchy: object) -> ColumnLevels:
    return column_levels(plan(**hierarchy), "zip", pa.table({"zip": pa.array(texts * 2, pa.string())}))


def test_rows_are_counted_by_label() -> None:
    told = levels().told()
    assert [(level["name"], len(level["labels"])) for level in told] == [
        ("exact", 6),
        ("first 3", 4),
        ("first 1", 3),
        ("any value", 1),
    ]
    assert told[1]["labels"][0] == {"label": "012*", "rows": 4, "values": 2}
    assert told[3]["labels"] == [{"label": "*", "rows": 12, "values": 6}]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["kind"])
def test_a_hierarchy_of_any_kind_is_read_back_as_it_was(spec: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "levels.csv").write_text("19840517;low;*\n19840519;low;*\n20030101;low;*\n20031231;high;*\n")
    texts = tuple(TEXTS)
    built = build_hierarchy("code", spec, texts, COUNTS, tmp_path)
    export_levels(ColumnLevels(built, texts, pa.array(COUNTS).to_numpy()), tmp_path / "out.csv")
    again = build_hierarchy("code", {"kind": "file", "path": "out.csv"}, texts, COUNTS, tmp_path)
    for text in texts:
        assert [level.labels[level.of_ground[again.encode([text])[0]]] for level in again.levels] == [
            level.labels[level.of_ground[built.encode([text])[0]]] for level in built.levels
        ]
    assert check_levels(ColumnLevels(built, texts, pa.array(COUNTS).to_numpy()), tmp_path / "out.csv") == []


def test_numbers_beyond_an_open_end_are_listed_and_that_is_said(tmp_path: Path) -> None:
    found = levels(["3", "95", "97"], kind="intervals", widths=[10], high=90)
    warning, as_text = export_levels(found, tmp_path / "zip.csv")
    assert "min_level = 1" in warning
    assert "import all columns as text" in as_text
    assert (tmp_path / "zip.csv").read_text() == "3;0-9;*\n95;>=90;*\n97;>=90;*\n"
    assert check_levels(found, tmp_path / "zip.csv") == []


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    export_levels(levels(), tmp_path / "zip.csv")
    with pytest.raises(InputError, match="cannot be written"):
        export_levels(levels(), tmp_path / "zip.csv")


def edited(tmp_path: Path, change: object) -> list[str]:
    """Return the faults of the exported file after a change to its rows."""
    found = levels()
    export_levels(found, tmp_path / "zip.csv")
    rows = [line.split(";") for line in (tmp_path / "zip.csv").read_text().splitlines()]
    rows = change(rows)  # type: ignore[operator]
    (tmp_path / "zip.csv").write_text("".join(";".join(row) + "\n" for row in rows))
    faults = check_levels(found, tmp_path / "zip.csv")
    said = [str(fault) for fault in faults]
    assert not any(text in line for line in said for text in ("01234", "012*", "94138", "1234"))
    return said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[1:], "1 value of the table is not there, in 2 rows"),
        (lambda rows: [[row[0].lstrip("0"), *row[1:]] for row in rows], "3 values of the table stand there without the zeros in front, and not as they are"),
        (lambda rows: [*rows, rows[0]], "1 ground value stands there more than once (row 7)"),
        (lambda rows: [[*rows[0][:2], "9*", "*"], *rows[1:]], "1 label at level 1 has more than one parent (row 2)"),
        (lambda rows: [[*row[:-1], str(i)] for i, row in enumerate(rows)], "the last column holds 6 labels"),
        (lambda rows: [rows[0][:-1], *rows[1:]], "1 row has more or fewer cells than the others (row 1)"),
        (lambda rows: [[rows[0][0], "", *rows[0][2:]], *rows[1:]], "1 row has a blank label (row 1)"),
        (lambda rows: [[rows[0][0], " 012*", *rows[0][2:]], *rows[1:]], "1 row has cells with blanks at an end (row 1)"),
        (lambda rows: [[row[0], "12-Jan" if row[1] == "012*" else row[1], *row[2:]] for row in rows],
         "2 cells at level 1 are dates, as a spreadsheet makes them of ranges and codes (rows 1, 2)"),
        (lambda rows: [[row[0], "1.2E+03" if row[1] == "012*" else row[1], *row[2:]] for row in rows], "2 cells at level 1 are powers of ten"),
        (lambda rows: [[row[0], "#REF!" if row[1] == "012*" else row[1], *row[2:]] for row in rows], "2 cells at level 1 are errors of formulas"),
        (lambda rows: rows[:0], "the file holds no row"),
    ],
)  # fmt: skip
def test_what_an_edit_spoils_is_said_without_a_cell(tmp_path: Path, change: object, words: str) -> None:
    assert [line for line in edited(tmp_path, change) if words in line]


def test_a_ragged_row_hides_no_other_fault(tmp_path: Path) -> None:
    """Rows are told by their numbers in the file, those of other widths among them."""
    said = edited(
        tmp_path,
        lambda rows: [rows[0][:-1], [f"{rows[1][0]} ", *rows[1][1:]], *rows[2:], rows[2]],
    )
    for words in (
        "fewer cells than the others (row 1)",
        "more than once (row 7)",
        "blanks at an end (row 2)",
        "of the table stands",
    ):
        assert [line for line in said if words in line], words


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_workbook_is_called_one(start: bytes, tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_bytes(start + bytes(range(256)))
    with pytest.raises(InputError, match=r"workbook .* save the sheet as CSV"):
        check_levels(levels(), tmp_path / "zip.csv")


def test_a_label_that_is_another_value_is_told(tmp_path: Path) -> None:
    """Readers would take one for the other; a label that covers the value of its name is as good as any."""

    def renamed(rows: list[list[str]]) -> list[list[str]]:
        return [[row[0], rows[3][0] if i == 0 else row[1], *row[2:]] for i, row in enumerate(rows)]

    faults = edited(tmp_path, renamed)
    assert len([fault for fault in faults if "readers take one for the other" in fault]) == 1
    (tmp_path / "zip.csv").unlink()
    assert not edited(tmp_path, lambda rows: [[row[0], row[0], row[2], *row[2:]] for row in rows])


def test_other_labels_are_no_fault(tmp_path: Path) -> None:
    assert (
        edited(tmp_path, lambda rows: [[row[0], row[1].replace("012*", "north"), *row[2:]] for row in rows])
        == []
    )


def test_dates_are_no_fault_where_the_column_has_dates(tmp_path: Path) -> None:
    days = ["2024-05-17", "2024-05-18", "2023-01-02"]
    found = levels(days, kind="dates", levels=["day", "month"])
    export_levels(found, tmp_path / "zip.csv")
    assert check_levels(found, tmp_path / "zip.csv") == []
