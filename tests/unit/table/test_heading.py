"""A first row names the columns, or is somebody's, or is asked about: in every format that may have none."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from tests.reference.workbooks import WORKBOOKS

from kohort import Plan, anonymize
from kohort.errors import InputError
from kohort.table import Table
from kohort.table.formats import HEADED, READERS, WRITERS
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS, open_stream
from kohort.table.writing import write_table

PEOPLE = [
    [f"{first} {last}", str(age), town, ill]
    for first, last, age, town, ill in (
        ("Bob", "Lee", 34, "Rome", "cold"),
        ("Carl", "Orff", 41, "Berlin", "hiv"),
        ("Dora", "Maar", 29, "Rome", "hiv"),
        ("Eve", "Ng", 77, "Berlin", "cold"),
    )
]
FOR_WANT = ["n/a", "N.A.", "unknown", "unbekannt", ">90", "< 18", "34y", "34 years", "thirty", "k.A.", "keine Angabe", "?", "-", "NULL", "ca. 30"]  # fmt: skip
HEADERS = [
    ["name", "age", "town", "illness"],
    ["Name", "Age", "Town", "Diagnosis"],
    ["full name", "age in years", "place of residence", "icd10"],
    ["Vor- und Nachname", "Alter (Jahre)", "Wohnort", "Diagnose"],
    ["PERSON_ID", "X1", "COL2", "VAR0003"],
    ["Unnamed: 0", "nkids", "native-country", "salary-class"],
    ["a", "b", "c", "d"],
]


def written(folder: Path, suffix: str, rows: list[list[str]]) -> Path:
    path = folder / f"people{suffix}"
    if suffix in WORKBOOKS:
        WORKBOOKS[suffix](path, [[int(cell) if cell.isdigit() else cell for cell in row] for row in rows])
    else:
        sign = "," if suffix == ".csv" else "\t"
        path.write_text("".join(sign.join(row) + "\n" for row in rows), encoding="utf-8")
    return path


CASES = [
    *(((".csv", ".tsv")[i % 2], age) for i, age in enumerate(FOR_WANT)),
    (".xlsx", "n/a"),
    (".xls", "thirty"),
    (".ods", "thirty"),
]


@pytest.mark.parametrize(("suffix", "age"), CASES)
def test_a_person_whose_number_is_a_word_is_not_taken_for_names(
    suffix: str, age: str, tmp_path: Path
) -> None:
    path = written(tmp_path, suffix, [["Ann Smith", age, "Berlin", "hiv"], *PEOPLE])
    with pytest.raises(InputError) as asked:
        read_table(path)
    assert asked.value.code == "table.header-unclear"
    assert "Ann" not in str(asked.value)
    assert read_table(path, header=False).n_rows == 5


IN_WORDS = ["thirty", "Forty-two", "over eighty", "zweiunddreißig", "achtzig", "trente-quatre", "cuarenta y dos", "ca. 30", "about 30", "March 1950", "über 80"]  # fmt: skip


@pytest.mark.parametrize("age", [*FOR_WANT, *IN_WORDS])
def test_a_tiny_file_in_which_nothing_occurs_again_is_asked_about(age: str, tmp_path: Path) -> None:
    path = written(tmp_path, ".csv", [["Zed Zork", age, "Paris", "asthma"], *PEOPLE[:3]])
    with pytest.raises(InputError) as asked:
        read_table(path)
    assert asked.value.code == "table.header-unclear"


def test_somebody_alone_above_one_other_is_asked_about(tmp_path: Path) -> None:
    for age in ("n/a", ">90", "k.A."):
        path = written(tmp_path, ".csv", [["Ann Smith", age, "Berlin", "hiv"], PEOPLE[0]])
        with pytest.raises(InputError, match="header = true or header = false"):
            read_table(path)


@pytest.mark.parametrize(
    "first",
    [
        ["Zed Zork", "withheld", "Paris", "asthma", "F"],
        ["Zed Zork", "#N/A", "Paris", "asthma", "X"],
        ["Zoë-Ann O'Neil III", "k.A.", "Sankt Pölten", "gout", "X"],
        ["Zoë-Ann O'Neil III", "thirty", "Sankt Pölten", "hiv", "X"],
    ],
)
def test_rare_values_do_not_outvote_one_that_occurs_again_or_a_word_for_nothing(
    first: list[str], tmp_path: Path
) -> None:
    people = [[*row, sex] for row, sex in zip(PEOPLE * 8, "MF" * 16, strict=True)]
    for suffix in (".csv", ".xlsx"):
        path = written(tmp_path, suffix, [first, *people])
        with pytest.raises(InputError, match="header = true or header = false"):
            read_table(path)


def test_what_a_question_asks_for_can_be_said_in_a_plan(tmp_path: Path) -> None:
    for suffix in (".csv", *WORKBOOKS):
        path = written(tmp_path, suffix, [["Ann Smith", "n/a", "Berlin", "hiv"], *PEOPLE])
        plan = Plan(
            input={"path": str(path), "header": False},
            columns={"column3": "quasi", "column4": "sensitive"},
            require=[{"model": "k-anonymity", "k": 2}],
        )
        assert anonymize(path, plan).table.num_rows == 5


@pytest.mark.parametrize("suffix", [".csv", *WORKBOOKS])
def test_names_of_columns_are_taken_without_a_question(suffix: str, tmp_path: Path) -> None:
    for header in HEADERS if suffix == ".csv" else HEADERS[3:4]:
        path = written(tmp_path, suffix, [header, *PEOPLE])
        assert read_table(path).names == tuple(header)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx"])
def test_a_file_without_names_is_read_without(suffix: str, tmp_path: Path) -> None:
    path = written(tmp_path, suffix, [["Ann Smith", "34", "Berlin", "hiv"], *PEOPLE])
    table = read_table(path, header=False)
    assert table.names == ("column1", "column2", "column3", "column4")
    assert table.n_rows == 5
    assert read_table(path, header=True).names == ("Ann Smith", "34", "Berlin", "hiv")


def test_formats_that_keep_names_apart_refuse_to_have_none(tmp_path: Path) -> None:
    """Every format that is written honours `header = false` or refuses it, in memory and piece by piece."""
    table = Table.from_arrow(pa.table({"town": ["Rome", "Bern"], "age": [1, 2]}))
    for suffix in WRITERS:
        path = tmp_path / f"people{suffix}"
        write_table(table, path)
        for read in (read_table, *([open_stream] if suffix in STREAMS else [])):
            if suffix in HEADED:
                assert read(path, header=False).names == ("column1", "column2")
                continue
            with pytest.raises(InputError, match="leave header out"):
                read(path, header=False)
    assert set(READERS) > HEADED


KINDS = {
    "an address": lambda i: f"p{i}@x.de",
    "a number with a letter": lambda i: f"P{i:04d}",
    "a code": lambda i: "B20" if i == 0 else ("J10", "J11", "I10")[i % 3],
    "a key": lambda i: f"{i * 0x9E3779B97F4A7C15 % 2**64:016x}",
    "a street": lambda i: f"Hauptstr. {i}",
    "a name": lambda i: (
        f"{('Zoe', 'Ann', 'Max')[i % 3]} {'AEIOU'[i % 5]}{'lmnr'[i // 5 % 4]}{'abdefg'[i // 20 % 6]}{'s' * (i // 120)}"
    ),
}


@pytest.mark.parametrize("rows", [20, 500])
@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_of_the_kind_of_those_below_is_asked_about(tmp_path, kind, rows):
    """A first person with a rare diagnosis is no header."""
    path = tmp_path / "people.csv"
    people = [
        f"{KINDS[kind](i)},{'lupus' if i == 0 else ('cold', 'flu', 'gout')[i % 3]}" for i in range(rows)
    ]
    path.write_text("\n".join(people) + "\n")
    with pytest.raises(InputError) as refused:
        read_table(path)
    assert refused.value.code == "table.header-unclear"
    path.write_text("\n".join(["patient,illness", *people]) + "\n")
    assert read_table(path).names == ("patient", "illness")


def test_rows_of_all_widths_are_said_to_be_uneven_and_no_title(tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("id,age,sex,dx\n1,34,m\n2,35,f,flu,extra\n", encoding="utf-8")
    with pytest.raises(InputError, match="found 3 fields where the first row has 4") as refused:
        read_table(path)
    assert refused.value.code == "table.uneven-rows"
