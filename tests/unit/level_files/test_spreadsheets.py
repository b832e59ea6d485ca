"""Whatever a spreadsheet makes of a level file of any kind of hierarchy is found, by level and row, and told without a cell."""

from __future__ import annotations

import csv
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kohort.hierarchy.build import BUILDERS, build_hierarchy
from kohort.level_files import ColumnLevels, check_levels, export_levels

DAYS = ["2024-05-17", "2024-05-18", "2023-01-02", "2023-11-30"]
KINDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "intervals": ({"widths": [5, 10], "origin": 1}, ["1", "2", "7", "8", "14", "23"]),
    "bands": ({"ends": [[1, 5, 10, 20], [5]]}, ["1", "3", "7", "12", "25"]),
    "dates": ({"levels": ["month", "year"]}, DAYS),
    "mask": ({}, ["0123", "0129", "2345"]),
    "prefix": ({"lengths": [2], "separator": "-"}, ["1-5-7", "1-5-8", "2-5-1", "0-1-9"]),
    "icd10": ({}, ["I25.1", "I21.0", "J45"]),
    "ip": ({}, ["10.0.0.1", "10.0.3.1", "192.168.0.1"]),
    "tree": (
        {"tree": {"01": ["a", "b"], "1/2": ["c"], "2-3": ["d"], "00012345678901234567": ["e"]}},
        list("abcde"),
    ),
    "order": ({"values": ["0", "1-2", "3-4", "05", "6+"], "keep": [3, 1]}, ["0", "1-2", "3-4", "05", "6+"]),
    "file": ({"path": "levels.csv"}, ["a", "b", "c", "d"]),
    "suppress": ({}, ["007", "1-5", "x"]),
}
LEVELS = "a;1-5;0-9;*\nb;1-5;0-9;*\nc;6-10;0-9;*\nd;012;10-19;*\n"


def test_every_kind_is_here() -> None:
    assert set(KINDS) == set(BUILDERS)


def rows_of(file: Path) -> list[list[str]]:
    return list(csv.reader(file.read_text(encoding="utf-8").splitlines(), delimiter=";"))


def as_number(cell: str) -> str:
    """Return a cell as a spreadsheet saves it that takes what it can for numbers: days by their number."""
    parts = (
        [int(part) for part in re.split("[-/.]", cell)] if re.fullmatch(r"\d+(?:[-/.]\d+){1,2}", cell) else []
    )
    for days in ((2026, *parts), (2026, *parts[::-1]), (*parts, 1), (*parts[::-1], 1), parts, parts[::-1]):
        try:
            day = date(*(part + 2000 if i == 0 and part < 100 else part for i, part in enumerate(days)))
        except (ValueError, TypeError):
            continue
        return str((day - date(1899, 12, 30)).days)
    if re.fullmatch(r"\d+", cell):
        return str(int(float(cell))) if len(cell.lstrip("0")) <= 15 else f"{float(cell):.5E}"
    return cell


def as_date(cell: str) -> str:
    """Return a cell as a spreadsheet shows it: days as days."""
    number = as_number(cell)
    is_day = number != cell and len(number) == 5 and not cell.isdecimal()
    return str(date.fromordinal(date(1899, 12, 30).toordinal() + int(number))) if is_day else number


MONTHS = {  # how spreadsheets of some countries shorten them
    "German": "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "English": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "French": "janv févr mars avr mai juin juil août sept oct nov déc",
    "Spanish": "ene feb mar abr may jun jul ago sep oct nov dic",
    "Italian": "gen feb mar apr mag giu lug ago set ott nov dic",
    "Dutch": "jan feb mrt apr mei jun jul aug sep okt nov dec",
}


def as_shown(language: str, form: str) -> Any:
    """Return a cell as the spreadsheets of a country show it that take it for the first of a month, or for a day."""

    def shown(cell: str) -> str:
        told = as_date(cell)
        if told == cell or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", told):
            return cell
        day = date.fromisoformat(told)
        return form.format(month=MONTHS[language].split()[day.month - 1], year=day.year % 100, day=day.day)

    return shown


@pytest.mark.parametrize("form", ["{month} {year:02}", "{month}-{year:02}", "{month}. {year:02}"])
@pytest.mark.parametrize("language", MONTHS)
def test_months_are_known_in_the_words_of_several_countries(language: str, form: str, tmp_path: Path) -> None:
    test_what_a_spreadsheet_makes_of_it_is_found("dates", as_shown(language, form), tmp_path)


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%y"])
def test_days_of_the_table_that_are_written_otherwise_are_told_as_such(form: str, tmp_path: Path) -> None:
    texts = ("13.03.1930", "25.03.1930", "10.04.1931")
    built = build_hierarchy(
        "born", {"kind": "dates", "levels": ["year"], "format": "%d.%m.%Y"}, texts, [1] * 3
    )
    found = ColumnLevels(built, texts, np.array([1] * 3))
    assert any("as text" in warning for warning in export_levels(found, tmp_path / "out.csv"))
    rows = rows_of(tmp_path / "out.csv")
    rows[1][0] = datetime.strptime(rows[1][0], "%d.%m.%Y").strftime(form)
    with (tmp_path / "edited.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    told = " ".join(f"{fault.what}: {fault.advice}" for fault in check_levels(found, tmp_path / "edited.csv"))
    assert "date" in told
    assert "as text" in told
    assert rows[1][0] not in told


@pytest.mark.parametrize("taken", [as_number, as_date])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_spreadsheet_makes_of_it_is_found(kind: str, taken: Any, tmp_path: Path) -> None:
    (tmp_path / "levels.csv").write_text(LEVELS)
    options, texts = KINDS[kind]
    counts = [2] * len(texts)
    built = build_hierarchy("code", {"kind": kind, **options}, texts, counts, tmp_path)
    found = ColumnLevels(built, tuple(texts), np.array(counts))
    export_levels(found, tmp_path / "out.csv")
    assert check_levels(found, tmp_path / "out.csv") == []
    rows = rows_of(tmp_path / "out.csv")
    for level in range(1, len(rows[0])):
        spoilt = [[*row[:level], taken(row[level]), *row[level + 1 :]] for row in rows]
        changed = [i for i, (row, was) in enumerate(zip(spoilt, rows, strict=True), 1) if row != was]
        if not changed:
            continue
        with (tmp_path / "edited.csv").open("w", newline="") as file:
            csv.writer(file, delimiter=";").writerows(spoilt)
        faults = check_levels(found, tmp_path / "edited.csv")
        told = [row for fault in faults if f"at level {level} " in fault.what for row in fault.rows]
        assert sorted(set(told)) == changed, (level, [row[level] for row in spoilt])
        labels = {cell for row in (*rows, *spoilt) for cell in row if len(cell) > 1}
        assert not [label for fault in faults for label in labels if label in f"{fault.what}{fault.advice}"]


@pytest.mark.parametrize("kind", ["dates", "suppress", "prefix"])
def test_so_it_is_with_values_that_became_days(kind: str, tmp_path: Path) -> None:
    options, texts = KINDS[kind]
    built = build_hierarchy("code", {"kind": kind, **options}, texts, [2] * len(texts))
    found = ColumnLevels(built, tuple(texts), np.array([2] * len(texts)))
    export_levels(found, tmp_path / "out.csv")
    rows = [[as_number(row[0]), *row[1:]] for row in rows_of(tmp_path / "out.csv")]
    days = [i for i, row in enumerate(rows, 1) if len(row[0]) == 5]
    with (tmp_path / "edited.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    faults = check_levels(found, tmp_path / "edited.csv")
    assert [
        fault.rows
        for fault in faults
        if "the number of a day" in fault.what or "numbers of days" in fault.what
    ] == [tuple(days)]


def test_without_a_plan_labels_are_compared_with_each_other(tmp_path: Path) -> None:
    (tmp_path / "edited.csv").write_text("01234;12;46143;*\n01300;013;46143;*\n94138;941;16-20;*\n")
    texts = ("01234", "01300", "94138")
    found = ColumnLevels(
        build_hierarchy("zip", {"kind": "suppress"}, texts, [1] * 3), texts, np.array([1, 1, 1])
    )
    told = {
        fault.what.partition(",")[0]: fault.rows for fault in check_levels(found, tmp_path / "edited.csv")
    }
    assert told == {
        "1 cell at level 1 is a number without the zeros or the last digits that the label has": (1,),
        "2 cells at level 2 are numbers of days": (1, 2),
    }
