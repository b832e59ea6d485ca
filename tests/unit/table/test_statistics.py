"""SPSS, Stata and SAS files."""

from datetime import date

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from kohort.errors import InputError
from kohort.table.formats.statistics import variable_labels
from kohort.table.reading import read_table
from kohort.table.writing import write_table


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.mark.parametrize(
    ("suffix", "write"), [(".sav", pyreadstat.write_sav), (".dta", pyreadstat.write_dta)]
)
def test_labels_are_the_values(tmp_path, suffix, write):
    path = tmp_path / f"people{suffix}"
    frame = pd.DataFrame(
        {
            "sex": [1.0, 2.0, None, 9.0],
            "zip": ["01234", "", "x", "é"],
            "born": [date(1980, 2, 3), None, None, date(1900, 1, 1)],
            "n": pd.array([1, 2, None, 3], dtype="Int64"),
        }
    )
    labels = {"sex": {1: "male", 2: "female", 3: "Xanthippe"}}
    write(frame, str(path), variable_value_labels=labels, column_labels={"sex": "Sex of the person"})
    table = read_table(path)
    assert cells(table) == {
        "sex": ["male", "female", None, "9"],
        "zip": ["01234", None, "x", "é"],
        "born": ["1980-02-03", None, None, "1900-01-01"],
        "n": ["1", "2", None, "3"],
    }
    assert variable_labels(path) == {"sex": "Sex of the person"}
    assert read_table(path, columns=["n"]).names == ("n",)


def test_sas_transport_files_are_read(tmp_path):
    path = tmp_path / "people.xpt"
    pyreadstat.write_xport(pd.DataFrame({"zip": ["01234", "x"], "n": [1.0, None]}), str(path))
    assert cells(read_table(path)) == {"zip": ["01234", "x"], "n": ["1", None]}


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".sas7bdat", ".xpt", ".por"])
def test_damaged_files(tmp_path, suffix):
    path = tmp_path / f"people{suffix}"
    path.write_bytes(b"Xanthippe" * 100)
    with pytest.raises(InputError, match="is not a readable") as caught:
        read_table(path)
    assert "Xanthippe" not in str(caught.value)


def test_names_that_the_format_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="column names must be short words"):
        write_table(pa.table({"marital status": ["x"]}), tmp_path / "release.sav")
    assert list(tmp_path.iterdir()) == []


def test_a_column_named_twice_is_refused(tmp_path):
    path = tmp_path / "people.dta"
    pyreadstat.write_dta(pd.DataFrame({"agea": [1, 2], "ageb": [3, 4]}), str(path))
    path.write_bytes(path.read_bytes().replace(b"ageb", b"agea"))
    with pytest.raises(InputError, match="names a column twice") as refused:
        read_table(path)
    assert refused.value.code == "table.header"
