"""CSV and TSV: what a cell says is what a column holds; what is wrong is said with its line, never with the cell."""

from encodings.aliases import aliases

import pyarrow as pa
import pytest
from tests.thinned import thinned

from kohort.errors import InputError
from kohort.table.formats.delimited import read_csv
from kohort.table.formats.delimited_stream import stream_csv
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import read_released, read_table
from kohort.table.writing import write_table


def write(folder, content, name="people.csv"):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    content = "zip,age,town\n01234,41,Bern\n00001,,Zürich\n".replace(",", delimiter)
    table = read_table(write(tmp_path, content))
    assert cells(table) == {"zip": ["01234", "00001"], "age": ["41", None], "town": ["Bern", "Zürich"]}


def test_a_decimal_comma_is_no_delimiter(tmp_path):
    table = read_table(write(tmp_path, "height;weight\n1,80;75,5\n1,65;60,1\n"))
    assert cells(table) == {"height": ["1,80", "1,65"], "weight": ["75,5", "60,1"]}


def test_tsv_is_cut_at_tabs_only(tmp_path):
    table = read_table(write(tmp_path, "name\tnote\nAda\ta, b, c\n", "people.tsv"), header=True)
    assert cells(table) == {"name": ["Ada"], "note": ["a, b, c"]}


def test_a_stated_delimiter_wins(tmp_path):
    table = read_table(write(tmp_path, "a,b\n1,2\n"), delimiter=";")
    assert cells(table) == {"a,b": ["1,2"]}


def test_cells_stay_as_written(tmp_path):
    content = "id,amount,day\n99999999999999999999999,1.50,2020-03-01\n007,1e3,01/02/2020\n"
    assert cells(read_table(write(tmp_path, content))) == {
        "id": ["99999999999999999999999", "007"],
        "amount": ["1.50", "1e3"],
        "day": ["2020-03-01", "01/02/2020"],
    }


def test_quotes_line_breaks_and_stray_quotes(tmp_path):
    content = 'a,b\n"x, ""y""","two\nlines"\n5" pipe,z\n'
    assert cells(read_table(write(tmp_path, content), header=True)) == {
        "a": ['x, "y"', '5" pipe'],
        "b": ["two\nlines", "z"],
    }


def test_apostrophes_may_be_the_quotes(tmp_path):
    table = read_table(write(tmp_path, "'a','b'\n'x, y','z'\n"), header=True)
    assert cells(table) == {"a": ["x, y"], "b": ["z"]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(tmp_path, line_end):
    table = read_table(write(tmp_path, "\n\na,b\n1,2\n\n3,4\n\n".replace("\n", line_end)))
    assert cells(table) == {"a": ["1", "3"], "b": ["2", "4"]}


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("names", ["a,b", "a", '"a","b, c"', '"a\nb",c'])
def test_a_text_of_names_alone_has_no_rows_however_it_ends(tmp_path, names, encoding, end):
    path = write(tmp_path, (names + end).encode(encoding))
    options = ReadingOptions(encoding=encoding, header=True)
    table = read_csv(path, options)
    assert (table.num_rows, table.num_columns) == (0, 1 + (names != "a"))
    assert [piece.num_rows for piece in stream_csv(path, options) if piece.num_rows] == []


@pytest.mark.parametrize("text", ['"a,b', 'a,"b', '"a"x",b'])
def test_names_that_are_cut_off_are_no_table(tmp_path, text):
    path = write(tmp_path, text)
    for read in (read_csv, lambda *how: list(stream_csv(*how))):
        with pytest.raises(InputError, match=r"is not closed|must have the same number"):
            read(path, ReadingOptions(header=True))


def test_a_blank_line_of_a_single_column_is_a_missing_value(tmp_path):
    table = read_table(write(tmp_path, "town\nBern\n\nBasel\n"), header=True)
    assert cells(table) == {"town": ["Bern", None, "Basel"]}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_the_encoding_is_found(tmp_path, encoding):
    table = read_table(write(tmp_path, "größe,name\n180,Zoë\n170,Bob\n".encode(encoding)))
    assert cells(table) == {"größe": ["180", "170"], "name": ["Zoë", "Bob"]}


def test_cp1252_is_found_late_in_the_file(tmp_path):
    content = "a,b\n" + "1,2\n" * 100_000
    table = read_table(write(tmp_path, content.encode() + "é,2\n".encode("cp1252")))
    assert cells(table)["a"][-1] == "é"


def test_missing_is_the_empty_field_and_what_is_stated(tmp_path):
    path = write(tmp_path, 'a,b\n,NA\n"",x\n')
    assert cells(read_table(path, header=True)) == {"a": [None, None], "b": ["NA", "x"]}
    assert cells(read_table(path, header=True, missing=["", "NA"]))["b"] == [None, "x"]
    assert cells(read_table(path, header=True, missing=["NA"])) == {"a": [None, None], "b": [None, "x"]}


def test_some_columns_only(tmp_path):
    path = write(tmp_path, "a,b,c\n1,2,3\n")
    assert read_table(path, columns=["c", "a"]).names == ("c", "a")


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("Male,41\nFemale,22\nMale,33\n", ("column1", "column2")),
        ("1,2\n3,4\n", ("column1", "column2")),
        ("sex,age\nMale,41\nFemale,22\n", ("sex", "age")),
        ("sex,town\n" + 3 * "Male,Bern\nFemale,Basel\n", ("sex", "town")),
    ],
)
def test_the_header_is_found(tmp_path, content, names):
    assert read_table(write(tmp_path, content)).names == names


@pytest.mark.parametrize(
    "content",
    [
        "Anna,Berlin,flu\nBob,Hamburg,cold\nCarl,Bremen,asthma\n",
        "".join(f"Anna{i},Berlin{i},flu{i}\n" for i in range(50)),
        "sex,town\nMale,Bern\nFemale,Basel\n",
        "country,2019,2020\n" + 20 * "CH,1,2\nDE,3,4\n",
        "93417,Oslo,Kuru\n" + 30 * "22,Bergen,flu\n",
        "Ann-Marie;12 High Street\n" + "".join(f"Bob-Lee;{i} Low Street\n" for i in range(9)),
    ],
)
def test_a_first_row_that_may_be_somebodys_is_asked_about_and_not_told(tmp_path, content):
    path = write(tmp_path, content)
    with pytest.raises(InputError, match="header = true or header = false") as asked:
        read_table(path)
    assert not any(cell in str(asked.value) for cell in ("Anna", "Berlin", "Ann-Marie", "High Street"))
    names = content.splitlines()[0].split(";" if ";" in content else ",")
    assert read_table(path, header=True).names == tuple(names)
    assert read_table(path, header=False).names[0] == "column1"
    assert read_table(path, expected=names[:1]).names == tuple(names)


def test_stated_utf8_may_have_a_byte_order_mark(tmp_path):
    table = read_table(write(tmp_path, "größe,b\n1,2\n".encode("utf-8-sig")), encoding="UTF8")
    assert cells(table) == {"größe": ["1"], "b": ["2"]}


def test_a_stated_header_wins(tmp_path):
    assert read_table(write(tmp_path, "1,2\n3,4\n"), header=True).names == ("1", "2")
    assert read_table(write(tmp_path, "sex,age\nm,4\n"), header=False).n_rows == 2


def test_quoted_line_breaks_at_block_borders(tmp_path):
    table = read_table(write(tmp_path, "a,b\n" + '"x\ny",2\n' * 2_500_000))
    assert (table.n_rows, table["a"].texts, table["b"].texts) == (2_500_000, ("x\ny",), ("2",))


CANARY = "Xanthippe"
FAULTS = {
    "ragged row": (f"a,b\n1,2\n{CANARY}\n", "line 3: found 1 field where the first row has 2"),
    "long row": (f'a,b\n"1\n2",2\n1,2,{CANARY}\n', "line 4: found 3 fields where the first row has 2"),
    "unclosed quote": (
        f'a,b\n1,2\n1,"{CANARY}\n3,4\n',
        "line 3: a quoted cell that begins here is not closed",
    ),
    "unclosed quote early": (f'a,b,c\n1,"{CANARY},3\n3,4,5\n', "line 2: a quoted cell that begins here"),
    "doubled name": ("a,b,a\n1,2,3\n", "line 1: more than one column has the same name"),
    "empty name": ("a,,c\n1,2,3\n", "line 1: field 2 of the header is empty"),
    "header only": ("a,b\n", "has columns but no rows"),
    "empty": ("", "is empty"),
    "blank lines only": ("\n\n\n", "is empty"),
    "damaged utf-8": (f"a,b\né,{CANARY}\n".encode() + b"x,\xe9\n", "line 3: the bytes are not utf-8"),
    "no text": (b"a,b\n\x81" + f"{CANARY},1\n".encode(), "line 2: the bytes are not cp1252"),
    "binary": (
        b"\x00\x00\x01\x02" * 100 + CANARY.encode(),
        "is not a text file, for it has bytes that no text has",
    ),
    "half a utf-16 file": (f"a,b\n1,{CANARY}\n".encode("utf-16")[:-1], "the bytes are not utf-16"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_without_a_cell(tmp_path, name):
    content, message = FAULTS[name]
    with pytest.raises(InputError) as caught:
        read_table(write(tmp_path, content))
    assert message in str(caught.value)
    assert "people.csv" in str(caught.value)
    assert CANARY not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_stated_encoding_is_not_replaced(tmp_path):
    path = write(tmp_path, "a,b\né,2\n".encode("cp1252"))
    with pytest.raises(InputError, match="line 2: the bytes are not utf-8"):
        read_table(path, encoding="utf-8")
    assert cells(read_table(path, encoding="Latin-1"))["a"] == ["é"]


@pytest.mark.parametrize("encoding", ["klingon", "base64"])
def test_an_unknown_encoding_is_named(tmp_path, encoding):
    with pytest.raises(InputError, match=f"there is no encoding '{encoding}'"):
        read_table(write(tmp_path, "a,b\n1,2\n"), encoding=encoding)


@pytest.mark.parametrize("sign", ["::", "", "§", "\n"])
def test_a_delimiter_is_one_ascii_sign(tmp_path, sign):
    with pytest.raises(InputError, match="cannot be the delimiter; it must be one ASCII sign"):
        read_table(write(tmp_path, "a,b\n1,2\n"), delimiter=sign)


def test_an_unknown_column_is_named(tmp_path):
    with pytest.raises(InputError, match="has no column 'c'; it has: a, b"):
        read_table(write(tmp_path, "a,b\n1,2\n"), columns=["c"])


def test_files_that_are_none(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="is a directory"):
        read_table(tmp_path)
    with pytest.raises(InputError, match=r"unknown suffix '\.docx'; Kohort reads \.csv"):
        read_table(write(tmp_path, "x", "people.docx"))


def test_written_cells_are_quoted_only_where_needed(tmp_path):
    path = tmp_path / "release.csv"
    write_table(pa.table({"a": ["x", 'y "z"', None, " z"], "b": ["1,5", "two\nlines", "*", None]}), path)
    assert path.read_text() == 'a,b\nx,"1,5"\n"y ""z""","two\nlines"\n,*\n z,\n'


def test_a_released_file_explains_itself(tmp_path):
    released = {"'a'": ["Male", "Male", None], "1": ["1", "2", None]}
    path = tmp_path / "release.csv"
    write_table(pa.table(released), path)
    assert cells(read_released(path)) == released


def test_a_long_table_is_written_in_order(tmp_path):
    numbers = [str(number) for number in range(300_000)]
    path = tmp_path / "release.csv"
    write_table(pa.table({"n": numbers, "s": ["a", "b", None] * 100_000}), path)
    assert path.read_text().splitlines()[1:] == [
        f"{number},{'' if s is None else s}"
        for number, s in zip(numbers, ["a", "b", None] * 100_000, strict=True)
    ]


ENCODINGS = sorted({*aliases.values(), "utf_8_sig", "idna", "punycode", "undefined", "unicode_escape"})
BODIES = {
    "plain": b"a,b\n1,2\n3,4\n",
    "utf-8": "größe,name\n180,Zoë\n170,Bob\n".encode(),
    "odd": b"a,b\n1,2\n3,45",
    "unclosed": b'a,b\n1,"2\n3,4',
    "late": b"a,b\n" + b"1,2\n" * (1 << 17) + b"\xff\xfe\x81,\xd8\n",  # beyond what is sniffed
}


# each encoding with one of the bodies in `make test`
PAIRS = [(encoding, body) for encoding in ENCODINGS for body in BODIES]


@pytest.mark.parametrize(
    ("encoding", "named"), thinned(PAIRS, lambda i, _: i // len(BODIES) % len(BODIES) == i % len(BODIES))
)
def test_whatever_encoding_is_stated_the_file_is_read_or_refused(tmp_path, encoding, named):
    body = BODIES[named]
    path = write(tmp_path, body)

    def read():
        return list(read_table(path, encoding=encoding).names)

    def streamed():
        pieces = list(stream_csv(path, ReadingOptions(encoding=encoding)))  # to the end of the file
        return pieces[0].column_names if pieces else "table.empty"  # as who reads a text of names alone says

    told = []
    for reading in (read, streamed):
        try:
            told.append(reading())
        except InputError as refused:
            told.append(refused.code)
    assert told[0] == told[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_missing_byte_order_mark_is_told_as_another_encoding(tmp_path, encoding):
    with pytest.raises(InputError, match=f"the bytes are not {encoding} text; state the encoding") as refused:
        read_table(write(tmp_path, "a,b\n1,2\n"), encoding=encoding)
    assert refused.value.code == "table.encoding"


@pytest.mark.parametrize(
    "marks", [200_000 * ("{}",), 3 * ("{:x>4000}",), 200 * ("{:x>4000}",), 1000 * ("{:ä>99}",)]
)
@pytest.mark.parametrize(
    "content", ["a,b\n1,no\n,2\n \t,no\n", "a\nno\n\n2\n", "a,b\n" + "1,no\n2,\n3,x\n" * 400]
)
def test_any_number_of_texts_may_mean_missing(tmp_path, marks, content):
    """Arrow's own search for them ended the process."""
    path = write(tmp_path, content)
    missing = ("no", *(form.format(f"-{i}") for i, form in enumerate(marks)))
    expected = cells(read_table(path, missing=("no",), header=True))
    assert cells(read_table(path, missing=missing, header=True)) == expected
