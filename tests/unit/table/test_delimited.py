"""CSV and TSV: what a cell says is what a column holds."""

import pytest

from kohort.table.reading import read_table


def write(folder, content, name="people.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


def columns(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    content = "zip,age,town\n01234,41,Bern\n00001,,Zürich\n".replace(",", delimiter)
    table = read_table(write(tmp_path, content))
    assert columns(table) == {"zip": ["01234", "00001"], "age": ["41", None], "town": ["Bern", "Zürich"]}


def test_cells_stay_as_written(tmp_path):
    content = "id,amount,day\n99999999999999999999999,1.50,2020-03-01\n007,1e3,01/02/2020\n"
    assert columns(read_table(write(tmp_path, content))) == {
        "id": ["99999999999999999999999", "007"],
        "amount": ["1.50", "1e3"],
        "day": ["2020-03-01", "01/02/2020"],
    }
