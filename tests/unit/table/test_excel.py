"""Excel workbooks."""

from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest
import xlsxwriter

from kohort.errors import InputError
from kohort.table import Column, Table
from kohort.table.formats import extras
from kohort.table.formats.excel import read_excel
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import read_released, read_table
from kohort.table.writing import write_table


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "people.xlsx"
    with xlsxwriter.Workbook(path) as workbook:
        day = workbook.add_format({"num_format": "yyyy-mm-dd"})
        sheet = workbook.add_worksheet("people")
        sheet.write_row(1, 0, ["zip", "age", 2019, "", "born"])
        sheet.write_row(2, 0, ["01234", 41, 1.5])
        sheet.write_datetime(2, 4, datetime(1980, 2, 3), day)
        sheet.write_row(4, 0, [5678, "", 2])
    return path


def test_blank_rows_and_columns_are_passed_over(book):
    table = read_table(book, header=True)
    assert cells(table) == {
        "zip": ["01234", "5678"],
        "age": ["41", None],
        "2019": ["1.5", "2"],
        "born": ["1980-02-03", None],
    }
    assert table["born"].values.type == pa.date32()
    assert read_table(book, header=True, columns=["born", "zip"]).names == ("born", "zip")


def sheets(path, **contents):
    with xlsxwriter.Workbook(path) as workbook:
        for name, rows in contents.items():
            sheet = workbook.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


def test_sheets_are_chosen_by_name(tmp_path):
    path = sheets(tmp_path / "people.xlsx", one=[["a"], [1]], two=[["b"], [2]])
    assert cells(read_table(path, table="two")) == {"b": ["2"]}
    with pytest.raises(InputError, match=r"holds several sheets; state one of them .*: one, two"):
        read_table(path)
    with pytest.raises(InputError, match=r"has no sheet 'three'; state one of them .*: one, two"):
        read_table(path, table="three")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the sheet is empty"),
        ([["a", "b"]], "has columns but no rows"),
        ([["a", "a"], [1, 2]], "more than one column has the same name"),
        ([["a", ""], [1, "Xanthippe"]], "field 2 of the header is empty"),
    ],
)
def test_sheets_that_are_no_table(tmp_path, rows, message):
    with pytest.raises(InputError, match=message) as caught:
        read_table(sheets(tmp_path / "people.xlsx", people=rows))
    assert "Xanthippe" not in str(caught.value)


def test_a_blank_cell_of_a_single_column_is_somebody_without_a_value(tmp_path):
    rows = [[], ["age"], [41], [], [52], [], [], [63]]
    read = read_table(sheets(tmp_path / "people.xlsx", people=rows))
    assert cells(read) == {"age": ["41", None, "52", None, None, "63"]}
    beside = [[*row, "", 7] if row else [] for row in rows]
    assert read_table(sheets(tmp_path / "two.xlsx", people=beside), header=False).n_rows == 4


def test_a_title_of_several_cells_is_found_above_a_wider_table(tmp_path):
    table = [
        ["age", "sex", "zip", "note"],
        *([40 + i, "fm"[i % 2], 94138 + i, "" if i else "x"] for i in range(9)),
    ]
    for title in (
        [["Patients"]],
        [["Patients", "2024"]],
        [["Patients"], ["printed", "3 May"], [], []],
    ):
        path = sheets(tmp_path / "people.xlsx", people=[*title, *table])
        with pytest.raises(InputError, match=rf"like a title above the table; say skip = {len(title)} "):
            read_table(path)
        assert read_table(path, skip=len(title)).names == ("age", "sex", "zip", "note")
    assert read_table(sheets(tmp_path / "people.xlsx", people=table)).names == ("age", "sex", "zip", "note")


def test_protected_and_damaged_workbooks(tmp_path):
    path = tmp_path / "people.xlsx"
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 1000)
    with pytest.raises(InputError, match="protected by a password"):
        read_table(path)
    path.write_bytes(b"PK\3\4 people")
    with pytest.raises(InputError, match="is not a readable Excel workbook"):
        read_table(path)


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
@pytest.mark.parametrize(
    "text", ["age\tsex\n31\tf\n", "<html><table><tr><td>age</td></tr></table></html>", "Jahr;Größe\n"]
)
def test_text_under_the_suffix_of_a_workbook_is_called_text(text: str, suffix: str, tmp_path):
    path = tmp_path / f"people{suffix}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="is no workbook but text"):
        read_table(path)


def test_numbers_and_dates_are_cells_of_their_kind_where_excel_is_exact(tmp_path):
    path = tmp_path / "release.xlsx"
    table = pa.table(
        {
            "n": [1, None],
            "long": [2**60, 1],
            "day": [date(2020, 3, 1), None],
            "old": [date(1850, 1, 1), date(2020, 3, 1)],
            "=text": ["=1+1", "http://example.org"],
        }
    )
    write_table(table, path)
    read = read_released(path)
    assert cells(read) == cells(Table.from_arrow(table))
    assert [column.values.type for column in read] == [
        pa.float64(),
        pa.string(),
        pa.date32(),
        pa.string(),
        pa.string(),
    ]
    assert cells(read_table(path))["'=text"] == ["'=1+1", "http://example.org"]


def test_what_a_sheet_cannot_hold(tmp_path):
    path = tmp_path / "release.xlsx"
    with pytest.raises(InputError, match="1 row has no value in any column"):
        write_table(pa.table({"a": ["x", None], "b": ["y", None]}), path)
    with pytest.raises(InputError, match="column 'a' has texts beyond Excel's 32,767 signs"):
        write_table(pa.table({"a": ["x" * 40_000]}), path)
    many = Column("a", np.zeros(1_100_000, np.int32), pa.array(["x"]))
    with pytest.raises(InputError, match="at most 1,048,575 rows"):
        write_table(Table.of([many], 1_100_000), path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(monkeypatch, book):
    def absent(module):
        raise ModuleNotFoundError(module)

    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(InputError, match=r"pip install 'kohort\[excel\]'"):
        read_excel(book, ReadingOptions())
