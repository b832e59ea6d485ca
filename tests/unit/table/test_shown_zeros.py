"""Codes that a workbook holds as numbers and shows with their zeros are read with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from kohort.table.reading import read_table


def book(path: Path, fill: Any) -> Path:
    with xlsxwriter.Workbook(path) as made:
        fill(made)
    return path


def texts(path: Path, name: str, **told: Any) -> list[str | None]:
    column = read_table(path, **told)[name]
    return [column.texts[code] for code in column.codes]


@pytest.mark.parametrize("corner", [(0, 0), (3, 2)])
def test_zeros_that_are_shown_are_read(corner: tuple[int, int], tmp_path: Path) -> None:
    def fill(made: Any) -> None:
        made.add_worksheet("first").write_row(0, 0, ["other", "sheet"])
        sheet = made.add_worksheet("second")
        zeros, three, plain = (made.add_format({"num_format": told}) for told in ("00000", "000;@", "0.00"))
        row, column = corner
        sheet.write_row(row, column, ["zip", "part", "cost"])
        for i, number in enumerate([42, 1067, 12345, -3, 0.5]):
            sheet.write_number(row + 1 + i, column, number, zeros)
            sheet.write_number(row + 1 + i, column + 1, 7, three)
            sheet.write_number(row + 1 + i, column + 2, 7, plain)

    path = book(tmp_path / "people.xlsx", fill)
    told = {"table": "second", "header": True}
    assert texts(path, "zip", **told) == ["00042", "01067", "12345", "-00003", "0.5"]
    assert texts(path, "part", **told) == ["007"] * 5
    assert texts(path, "cost", **told) == ["7"] * 5


def test_texts_dates_and_gaps_stay(tmp_path: Path) -> None:
    def fill(made: Any) -> None:
        sheet, zeros = made.add_worksheet(), made.add_format({"num_format": "00000"})
        sheet.write_row(0, 0, ["zip", "other"])
        for i, cell in enumerate(["abc", "007", "", True]):
            sheet.write(1 + i, 0, cell, zeros)
            sheet.write(1 + i, 1, f"x{i}")

    assert texts(book(tmp_path / "people.xlsx", fill), "zip", header=True) == ["abc", "007", None, "true"]
