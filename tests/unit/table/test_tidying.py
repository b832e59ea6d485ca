"""What is said of cells is done to each cell by itself, of texts and of typed values alike."""

from datetime import date, datetime

import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table import Table
from kohort.table.formats.cells import column_of, texts_of_nothing
from kohort.table.formats.options import ReadingOptions
from kohort.table.markers import without_marked
from kohort.table.mixed import KINDS
from kohort.table.national import plain_numbers
from kohort.table.reading import read_table
from kohort.table.tidying import tidied

NUMBERS = {
    ",": {
        "1.234,50": "1234.50", "12,5": "12.5", "-0,5": "-0.5", ",5": "0.5", "\u22123,0": "-3.0", "1.234.567": "1234567",
        "1\u202f234,5": "1234.5", "1'234": "1234", "12.5": "12.5", "1,2,3": "1,2,3", "01,5": "01,5", "1.23": "1.23",
        "1 234.567,8": "1 234.567,8", "01234": "01234", "1.2.2020": "1.2.2020", "12,5 kg": "12,5 kg", "": "", "x": "x",
    },
    ".": {
        "1,234.50": "1234.50", "12.5": "12.5", "1,234,567": "1234567", "12,5": "12,5", "1,23": "1,23", "0,123": "0,123",
        "+1 234.5": "+1234.5", "1,2345": "1,2345", "1.234": "1.234",
    },
}  # fmt: skip


@pytest.mark.parametrize("decimal", NUMBERS)
def test_numbers_of_a_style_become_plain_ones_and_nothing_else_changes(decimal):
    told = NUMBERS[decimal]
    read = plain_numbers(pa.array([*told, None]), decimal)
    assert read.to_pylist() == [*told.values(), None]
    again = plain_numbers(read, ".") if decimal == "." else read
    assert again.equals(read)


def table_of(**columns):
    return Table.from_arrow(pa.table(columns))


def cells(table):
    return {
        name: column.to_pylist() for name, column in zip(table.names, table.to_arrow().columns, strict=True)
    }


def test_markers_mean_missing_whatever_the_type():
    table = table_of(
        age=[34, 999, 51], pay=[1.5, 999.0, 2.0], note=["999", "x", "NA"], zip=["999", "01", "NA"]
    )
    read = tidied(table, ReadingOptions(missing=("", "999"), missing_in={"note": ("NA",)}))
    assert cells(read) == {
        "age": [34, None, 51],
        "pay": [1.5, None, 2.0],
        "note": [None, "x", None],
        "zip": [None, "01", "NA"],
    }
    assert read["age"].values.type == pa.int64()


def test_blanks_go_before_markers_are_looked_for():
    table = table_of(a=[" NA", "x\u00a0", "  ", "y z"])
    assert cells(tidied(table, ReadingOptions(missing=("", "NA"), trim=True)))["a"] == [
        None,
        "x",
        None,
        "y z",
    ]


@pytest.mark.parametrize(
    ("mark", "missing", "told"),
    [
        (
            "9",
            {"9", "9,0", "+9", "9.0"},
            {"9.000": "9000", "9 000": "9000"},
        ),  # nine thousand is another number
        ("9.999", {"9.999", "9999", "9.999,0", "9 999"}, {"9,999": "9.999"}),
        ("-99,5", {"-99,5", "-99,50", "-99.5"}, {"99,5": "99.5"}),
    ],
)
def test_a_marker_is_the_number_that_its_column_spells_so(mark, missing, told):
    options = ReadingOptions(missing=(mark,), decimal=",")
    read = tidied(table_of(a=[*sorted(missing), *told]), options)
    assert cells(read)["a"] == [None] * len(missing) + [*told.values()]
    assert texts_of_nothing({*missing, *told}, "a", options) == missing


def test_markers_of_a_folded_column_are_folded_too():
    table = table_of(a=["N/A", "n/a ", "NA", "x"], b=["N/A", "n/a ", "NA", "x"])
    read = tidied(table, ReadingOptions(missing=("N/A",), fold=("a",)))
    assert cells(read) == {"a": [None, None, "na", "x"], "b": [None, "n/a ", "NA", "x"]}


def test_a_folded_column_holds_each_word_once():
    table = table_of(
        town=["Berlin", "BERLIN ", "New  York", "new york", None], name=["Ada", "ADA", "x", "y", "z"]
    )
    read = tidied(table, ReadingOptions(missing=(), fold=("town",)))
    assert cells(read)["town"] == ["berlin", "berlin", "new york", "new york", None]
    assert len(read["town"].values) == 3
    assert read["name"].values.to_pylist() == ["Ada", "ADA", "x", "y", "z"]


def test_what_changes_nothing_keeps_the_column():
    table = table_of(a=["x", "y"], n=[1, 2])
    read = tidied(table, ReadingOptions(missing=("", "NA"), decimal=",", fold=("n",)))
    assert all(read[name] is table[name] for name in table.names)


def test_a_piece_is_read_as_the_whole_is():
    texts = ["1,5", "NA", " Ab", "ab", "1.234", "999", ""]
    options = ReadingOptions(
        missing=("", "NA"), missing_in={"a": ("999",)}, decimal=",", trim=True, fold=("a",)
    )
    whole = cells(tidied(table_of(a=texts), options))["a"]
    assert whole == [cells(tidied(table_of(a=[text]), options))["a"][0] for text in texts]


HEADERS = {
    "counted from 1": (',a,b\n1,x,5\n2,y,6\n', ("unnamed1", "a", "b")),
    "counted from 0": (',a,b\n0,x,5\n1,y,6\n', ("unnamed1", "a", "b")),
    "labelled": (',a,b\nMazda,1,5\nFiat,2,6\n', ("unnamed1", "a", "b")),
    "one name short": ('a,b\n1,x,5\n2,y,6\n3,z,7\n', ("unnamed1", "a", "b")),
    "ended by a delimiter": ('a,b,\n3,5,\n4,6,\n', ("a", "b", "unnamed3")),
}  # fmt: skip


@pytest.mark.parametrize("case", HEADERS)
def test_a_column_without_a_name_is_called_by_its_place(tmp_path, case):
    text, names = HEADERS[case]
    (tmp_path / "people.csv").write_text(text)
    assert read_table(tmp_path / "people.csv").names == names


REFUSED = {
    "in the middle": ("a,,b\n1,2,3\n4,5,6\n", "table.header"),
    "last, above values": ("a,b,\n1,2,3\n4,5,6\n", "table.header"),
    "one name short, above labels": ("a,b\nAda,1,5\nBob,2,6\n", "table.uneven-rows"),
    "one name short, above too few rows": ("a,b\n1,x,5\n2,y,6\n", "table.uneven-rows"),
    "a name like it": (",unnamed1,b\n1,2,3\n2,5,6\n", "table.repeated-name"),
    "somebody's row": (",Berlin\n1,Bonn\n3,Köln\n", "table.header-unclear"),
    "a title": ("People\na,b,c\n1,2,3\n4,5,6\n", "table.title"),
    "a title with delimiters": ("People,,\na,b,c\n1,2,3\n4,5,6\n", "table.title"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_unclear_is_refused(tmp_path, case):
    text, code = REFUSED[case]
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_table(tmp_path / "people.csv")
    assert refused.value.code == code


def test_a_header_that_lacks_the_name_of_labels_is_told_how_to_get_one(tmp_path):
    (tmp_path / "people.csv").write_text("a,b\nAda,1,5\nBob,2,6\n")
    with pytest.raises(InputError, match=r"line 2: found 3 fields.* with col\.names = NA") as refused:
        read_table(tmp_path / "people.csv")
    assert "Ada" not in str(refused.value)


def test_a_fault_below_a_title_is_told_by_its_line(tmp_path):
    (tmp_path / "people.csv").write_text("People\n\nof 2024\na,b\n1,2\n3\n")
    with pytest.raises(InputError, match="line 6: found 1 field where"):
        read_table(tmp_path / "people.csv", skip=3)


@pytest.mark.parametrize("skip", [4, 5, 2**62, 2**70])
def test_a_title_leaves_something(tmp_path, skip):
    (tmp_path / "people.csv").write_text("People\n\na,b\n1,2\n")
    with pytest.raises(InputError, match=f"skip = {skip} passes over all"):
        read_table(tmp_path / "people.csv", skip=skip)


@pytest.mark.parametrize(
    ("kind", "value", "markers"),
    [
        (pa.float64(), -99.0, ["-99", "-99.0", "-99.", "-9.9e1"]),
        (pa.float32(), 0.1, ["0.1", "0.10"]),
        (pa.int64(), 999, ["999", "999.0", "+999"]),
        (pa.bool_(), True, ["true", "True"]),
        (pa.timestamp("us"), datetime(1900, 1, 1), ["1900-01-01 00:00:00", "1900-01-01"]),
        (pa.date32(), date(1900, 1, 1), ["1900-01-01"]),
        (pa.string(), "-99.0", ["-99", "-99.0", "-99.00"]),
        (pa.string(), "-99", ["-99.0"]),
    ],
)
def test_a_marker_means_a_number_however_it_is_spelled(kind, value, markers):
    for marker in markers:
        assert without_marked(pa.array([value], kind), [marker]).to_pylist() == [None], marker
    for other in ("99", "-990", "9", "1899-01-01", "false", "x", "nan", "1e400"):
        assert without_marked(pa.array([value], kind), [other]).null_count == 0, other


def test_a_marker_in_digits_is_no_code_with_zeros():
    assert without_marked(pa.array(["099", "99x", "x99", "9 9"]), ["99"]).null_count == 0


def test_what_is_said_of_texts_is_done_to_the_texts_of_a_mixed_column():
    cells_read = [1.234, "1.234", " 5,5 ", -99, "-99", True, "TRUE", date(2020, 1, 1), None]
    mixed = Table.from_arrow(pa.table({"a": column_of("a", cells_read)}))
    read = tidied(mixed, ReadingOptions(decimal=",", trim=True, missing=("-99", "2020-01-01", "TRUE")))
    assert cells(read) == {"a": ["1.234", "1234", "5.5", None, None, None, None, None, None]}
    kinds = [KINDS[kind] for kind in read["a"].kinds[:3]]
    assert kinds == ["float", "text", "text"]
