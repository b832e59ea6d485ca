"""Cells that look like formulas: harmless in the file, whole again when read back."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.table.formats.formulas import escaped, unescaped
from kohort.table.reading import read_table
from kohort.table.writing import write_table

RISKY = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "＝1", "'=1", "''+x", "-5-5"]
HARMLESS = ["-5", "+41.5", "-1e-3", "-0,5", "a=b", "'quoted'", "", "'", "1-2", "*", "[0-5)"]


@pytest.mark.parametrize("text", RISKY)
def test_formulas_get_an_apostrophe(text):
    assert escaped(pa.array([text])).to_pylist() == ["'" + text]


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_stay(text):
    assert escaped(pa.array([text])).to_pylist() == [text]


@given(st.lists(st.one_of(st.none(), st.text("'=+-@\t\r\n5.ex", max_size=6), st.text(max_size=5))))
def test_escaping_is_undone_exactly(texts):
    array = pa.array(texts, pa.string())
    assert unescaped(escaped(array)).to_pylist() == texts


def test_numbers_are_never_escaped_and_the_rule_can_be_switched_off(tmp_path):
    table = pa.table({"=name": ["=1", "x"], "n": [-5, 5]})
    path = tmp_path / "release.csv"
    write_table(table, path)
    assert path.read_text() == "'=name,n\n'=1,-5\nx,5\n"
    assert read_table(path, unescape_formulas=True).names == ("=name", "n")
    write_table(table, path, escape_formulas=False)
    assert path.read_text() == "=name,n\n=1,-5\nx,5\n"
