"""Cells that look like formulas: harmless in the file, whole again when read back."""

import csv
import io
import re

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kohort.table.formats.formulas import escaped, unescaped
from kohort.table.reading import read_table
from kohort.table.writing import write_table

RISKY = [
    "=1+1",
    "+cmd",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "-",
    "＝1",
    "'=1",
    "''+x",
    "-5-5",
    " =1",
    '"@x',
    " ' =1",
]
HARMLESS = [
    "-5",
    "+41.5",
    "-1e-3",
    "-0,5",
    "a=b",
    "'quoted'",
    "",
    "'",
    "1-2",
    "*",
    "[0-5)",
    " -5 ",
    "[-10, -5)",
    "[-10, -5) or missing",
    "{-3, -2.5}",
    "a;-5",
    "{-3, -2, 1e5}",
]


@pytest.mark.parametrize("text", RISKY)
def test_formulas_get_an_apostrophe(text):
    assert escaped(pa.array([text])).to_pylist() == ["'" + text]


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_stay(text):
    assert escaped(pa.array([text])).to_pylist() == [text]


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("1;=2", "1;'=2"),
        ("a, -b", "a, '-b"),
        ("x\n+1+cmd", "x\n'+1+cmd"),
        ("x\t'@y", "x\t''@y"),
        ("=1;＝2", "'=1;'＝2"),
        ('a;"=1', "a;\"'=1"),
        ("\t=1", "'\t'=1"),
        ("a;-5-5,=", "a;'-5-5,'="),
        ("a;-5 +cmd", "a;'-5 +cmd"),
    ],
)
def test_what_a_program_would_cut_off_gets_one_too(text, harmless):
    assert escaped(pa.array([text])).to_pylist() == [harmless]


SEPARATORS = (",", ";", "|", "\t")
CELLS = st.lists(st.text("'=+-@\t\r\n|;, \"5)x＝", max_size=7), min_size=2, max_size=3)
DIGITS = r"(\d+([.,]\d*)?|\.\d+)([eE][+-]?\d+)?"
NUMBER = re.compile(rf"""[+-]{DIGITS}([,;]\s*[+-]?{DIGITS})*[\])}}"\s]*[a-z\s]*""")


def cut(content, separator):
    """The cells that a program finds which cuts at a separator, heeding quotes as most do, or not at all."""
    lines = content.replace("\r", "\n").split("\n")
    return [cell for line in lines for cell in line.split(separator)] + [
        cell for row in csv.reader(io.StringIO(content, newline=""), delimiter=separator) for cell in row
    ]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=CELLS, name=st.text("'=+-@; ,x", max_size=5))
def test_no_program_cuts_a_formula_out_of_a_written_file(tmp_path, suffix, cells, name):
    """Whatever it cuts at: a piece of a line after a comma, semicolon, bar or tab never begins as a formula does."""
    path = tmp_path / f"release{suffix}"
    table = pa.table({name + "x": cells[:1], "second": cells[1:2]})
    write_table(table, path)
    content = path.read_bytes().decode()
    for separator in SEPARATORS:
        for cell in cut(content, separator):
            found = cell.strip().lstrip('" ')
            first = (
                found.split(",", 1)[0] if separator != "," else found
            )  # a line that begins with a number goes on
            assert found[:1] not in tuple("=+-@＝") or NUMBER.fullmatch(found) or NUMBER.fullmatch(first), (
                content
            )
    back = read_table(
        path, delimiter="\t" if suffix == ".tsv" else ",", quote='"', header=True, unescape_formulas=True
    )
    assert back.names == (name + "x", "second")
    told = [column.texts[column.codes[0]] for column in back]
    assert told == [None if not cell.strip() else cell for cell in cells[:2]]


@given(
    st.lists(
        st.one_of(
            st.none(), st.text("'=+-@\t\r\n5.ex;, )\"\x1c\x0b\x85\u2003", max_size=8), st.text(max_size=5)
        )
    )
)
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
