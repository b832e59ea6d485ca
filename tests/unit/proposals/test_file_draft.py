"""How a file seems to be written: what is proposed, of which columns, and what is left to a person."""

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from kohort.proposals import propose
from kohort.proposals.file_draft import draft_file
from kohort.proposals.file_reading import read_as_found
from kohort.proposals.nothing import codes_of_nothing, is_nothing
from kohort.table import Role, Table

AGES = [str(20 + i) for i in range(20)]


def draft_of(told=None, **columns):
    return draft_file(Table.from_arrow(pa.table(columns)), told or {})


def options_of(**columns):
    return draft_of(**columns).options


@pytest.mark.parametrize(
    "word", ["NA", ".", "-", "n/a", "N/A", "k.A.", "k. A.", "NULL", "?", "#N/A", "unbekannt", "s/d", "None"]
)
def test_a_word_for_nothing_among_numbers_or_dates_is_found_with_its_count(word):
    days = [f"{day:02d}.03.2021" for day in range(1, 20)]
    draft = draft_of(age=[*AGES, word, word], day=[*days, word, "20.03.2021", word])
    assert draft.options["missing"] == [word]
    assert f"{word} in 2 cells of 'age' and 2 of 'day'" in draft.findings[0].reason


@pytest.mark.parametrize("word", ["none", "negative", "Xanthippe", "90+", ">90"])
def test_a_word_that_may_say_something_is_left_and_never_quoted(word):
    draft = draft_of(age=[*AGES, word, word, "NA"])
    assert draft.options == {"missing": ["NA"]}
    assert "2 cells of 'age' are no numbers" in draft.doubts[0]
    assert word not in str(draft)


@pytest.mark.parametrize("sign", ["{} €", "${}", "{}%", "CHF {}", "{} kg"])
def test_numbers_with_a_sign_beside_them_are_named(sign):
    told = [sign.format(number) for number in ("1.234,50", "12,5", "300", "7")] * 5
    draft = draft_of(pay=told, room=["A12", "12b", "k7", "7 m"] * 5)
    assert draft.options == {}
    assert draft.doubts[0].startswith("20 cells of 'pay' are numbers with a sign")
    assert "room" not in str(draft.doubts)


def test_texts_with_some_numbers_among_them_are_texts():
    assert draft_of(ward=["A", "B", "C", "12", "13", "NA"] * 5).doubts == ()
    assert options_of(ward=["A", "B", "C", "12", "13", "NA"] * 5) == {}


def test_what_may_be_a_code_elsewhere_is_missing_in_its_own_columns_only():
    countries = ["DE", "FR", "NA", "US"] * 5 + ["DE"]
    assert options_of(age=[*AGES, "NA"], country=countries) == {"missing_in": {"age": ["NA"]}}
    towns = ["Berlin", "Bonn", "NA"] * 7
    assert options_of(age=[*AGES, "NA"], town=towns) == {"missing": ["NA"]}
    signs = ["+", "-", "+"] * 7
    assert options_of(age=[*AGES, "-"], test=signs) == {"missing_in": {"age": ["-"]}}


def test_what_is_said_stays():
    columns = {"age": [*AGES, "-"], "pay": [*(f"{i},5" for i in range(20)), "-"]}
    assert draft_of({"missing": ["x"], "decimal": "."}, **columns).options == {"missing": ["x", "-"]}


CODES = {
    "far above": (["23", "31", "44", "57", "68", "999", "999"], ["999"]),
    "several": (["23", "31", "44", "57", "68", "998", "999", "999"], ["998", "999"]),
    "below zero": (["0", "1", "2", "3", "4", "-99"], ["-99"]),
    "as floats": (["0.0", "1.0", "2.0", "3.5", "4.0", "-9.0", "-9.0", "99.0", "99.0"], ["-9.0", "99.0"]),
    "one row": (["23", "31", "44", "57", "68", "999"], []),
    "near the others": (["23", "31", "44", "57", "68", "99", "99"], []),
    "negative values": (["-3", "-99", "1", "2", "3", "4", "5"], []),
    "differences": (["-2", "-1", "0", "1", "2", "3", "4"], []),
    "few values": (["1", "2", "99", "99"], []),
    "piled up above ages": ([str(20 + i % 70) for i in range(140)] + ["99"] * 6, ["99"]),
    "piled up above amounts": ([str(17 * i) for i in range(3000)] + ["99999"] * 6, ["99999"]),
    "old people": ([str(20 + i % 80) for i in range(160)] + ["99"] * 6, []),
    "with a point": (["36.5", "36.8", "37.0", "37.4", "38.1", "99.9", "99.9"], ["99.9"]),
    "amounts": (["100", "250", "800", "900", "5000", "999", "999"], []),
}  # fmt: skip


@pytest.mark.parametrize("case", CODES)
def test_numbers_for_want_of_one(case):
    told, found = CODES[case]
    counts = {text: told.count(text) for text in told}
    assert sorted(codes_of_nothing(counts)) == sorted(found)


DOUBTS = {
    "9 above codes": (["1", "2", "3", "4", "5", "9", "9"], ["9"]),
    "8 and 9 above codes": (["1", "2", "3", "8", "8", "9", "9"], ["8", "9"]),
    "99 above two": (["1", "2", "99", "99"], ["99"]),
    "99 near ages": (["23", "31", "44", "57", "68", "99", "99"], ["99"]),
    "the oldest": ([str(i) for i in range(60, 97)] + ["98", "98", "99", "99"], []),
    "a lone -1": (["0", "1", "2", "3", "4", "-1", "-1"], ["-1"]),
    "sure already": (["23", "31", "44", "57", "68", "999", "999"], []),
    "a scale": ([str(i) for i in range(10)] * 2, []),
    "differences": (["-2", "-1", "0", "1", "2", "3", "4"] * 2, []),
    "judgements": (["-1", "0", "1"] * 5, []),
    "one row": (["1", "2", "3", "9"], []),
    "measures": (["1.5", "2.5", "3.5", "9", "9"], []),
}  # fmt: skip


@pytest.mark.parametrize("case", DOUBTS)
def test_numbers_that_may_be_somebodys_are_asked_about_and_left(case):
    told, doubted = DOUBTS[case]
    draft = draft_of(code=told)
    asked = [doubt.split(" ")[0] for doubt in draft.doubts]
    assert sorted(asked) == sorted(doubted)
    assert all("missing_in" in doubt for doubt in draft.doubts)
    assert ("missing_in" in draft.options) == (case == "sure already")


def test_numbers_of_a_typed_column_are_found_too():
    assert options_of(age=[20, 30, 40, 50, 60, 999, 999]) == {"missing_in": {"age": ["999"]}}


def test_a_decimal_sign_is_proposed_where_it_is_sure():
    pay = ["1.234,50", "12,5", "300"]
    assert options_of(pay=pay) == {"decimal": ","}
    assert options_of(pay=["1,234.50", "12.5", "300"]) == {"decimal": "."}
    assert options_of(pay=["1.5", "2.25", "300"]) == {}
    also = draft_of(pay=pay, answers=["1,2", "1,2,3", "4"]).findings[0].reason
    assert "it changes 1 cell of 'answers' too" in also


@pytest.mark.parametrize("other", [["1,234", "5,678"], ["1.5", "2.25"], ["1,234.5", "7"]])
def test_a_decimal_sign_that_is_not_sure_is_asked_for(other):
    first = ["1,234", "2,500"] if other[0] == "1,234" else ["12,5", "3,25"]
    draft = draft_of(pay=first, tax=other)
    assert draft.options == {}
    assert "with decimal" in draft.doubts[0]


def test_spellings_of_one_value_are_folded_but_not_those_of_names():
    towns, people = ["Berlin", "BERLIN", "Bonn"] * 4, ["P1", "p1", "P2"] * 4
    assert options_of(town=towns, patient_id=people) == {"fold": ["town"]}
    assert options_of(town=["Berlin", "Bonn"] * 6) == {}


def test_blanks_of_names_and_cells_are_found(tmp_path):
    cells = pa.table({"age": AGES, " town": ["Bonn", "BONN "] * 10})
    pa.csv.write_csv(cells, tmp_path / "people.csv")
    table, draft = read_as_found(tmp_path / "people.csv", {})
    assert draft.options == {"trim": True, "fold": ["town"]}
    assert table["town"].texts == ("bonn",)
    pa.parquet.write_table(cells, tmp_path / "people.parquet")
    table, draft = read_as_found(tmp_path / "people.parquet", {})
    assert draft.options == {
        "trim": True,
        "fold": [" town"],
    }  # names of a format that keeps them are what they are
    assert table[" town"].texts == ("bonn",)


def test_what_stands_for_nothing_is_no_number():
    for text in ("1", "0", "-1", "1,5", "2020-01-01", "12.03.2020", "A", "m", "no", "yes"):
        assert not is_nothing(text), text


@pytest.mark.parametrize(("name", "role"), [("unnamed1", Role.IDENTIFIER), ("Unnamed: 0", Role.IDENTIFIER)])
def test_a_column_without_a_name_is_left_out_whatever_it_holds(name, role):
    for cells in (["x", "y"] * 10, [str(i) for i in range(20)], ["same"] * 20):
        (proposal,) = propose(Table.from_arrow(pa.table({name: cells})))
        assert proposal.role is role
        assert "no name" in proposal.reason


def test_a_column_that_counts_the_rows_is_left_out():
    counted = {
        "X": [str(i) for i in range(1, 31)],
        "lfd": list(range(30)),
        "shuffled": [str(30 - i) for i in range(30)],
    }
    told = {p.column: p.reason for p in propose(Table.from_arrow(pa.table(counted)))}
    assert "counts the rows" in told["X"]
    assert "counts the rows" in told["lfd"]
    assert "counts the rows" not in told["shuffled"]


@pytest.mark.parametrize(
    ("form", "filled"),
    [
        ("{y}-03-{d:02}", "1900-01-01"),
        ("{d:02}.03.{y}", "01.01.1900"),
        ("{y}-03-{d:02} 10:00", "1900-01-01 00:00"),
    ],
)
def test_a_date_that_programs_fill_in_is_found_where_it_is_apart(form, filled):
    days = [form.format(y=1950 + i, d=i % 28 + 1) for i in range(40)]
    draft = draft_of(born=[*days, filled, filled])
    assert draft.options == {"missing_in": {"born": [filled]}}
    assert f"{filled} in 2 cells of 'born'" in draft.findings[0].reason
    assert options_of(born=[*days, filled]) == {}, "one may be a person's"
    near = [form.format(y=1898 + i % 5, d=i % 28 + 1) for i in range(40)]
    assert options_of(born=[*near, filled, filled]) == {}


def test_a_date_in_many_more_rows_than_any_other_is_found_though_others_are_near():
    days = [f"{1960 + i % 20}-03-{i % 28 + 1:02}" for i in range(140)]
    assert options_of(born=[*days, *["1970-01-01"] * 9]) == {"missing_in": {"born": ["1970-01-01"]}}
    assert options_of(born=[*days, *["1970-01-01"] * 2]) == {}


@pytest.mark.parametrize("name", ["Height", "pulse", "Gewicht", "blood_pressure"])
def test_nobody_has_no_height_and_no_pulse(name):
    assert options_of(**{name: [*range(60, 90), 0, 0]}) == {"missing_in": {name: ["0"]}}
    assert options_of(**{name: [*range(30), 0, 0]}) == {}, "others are near"


def test_zero_is_an_answer_where_people_can_have_none():
    assert options_of(income=[*range(6000, 9000, 100), 0, 0]) == {}


@pytest.mark.parametrize("word", ["Summe", "TOTAL", "Total:", "Gesamt", "Moyenne", "totale", "Grand total"])
def test_a_last_row_that_sums_up_the_others_is_said_and_not_quoted(word):
    names = [f"p{i}" for i in range(20)]
    (said,) = draft_of(who=[*names, word], n=[*range(20), 190]).doubts
    assert "row 21 (the header not counted) has a word like Total or Mean in 'who'" in said
    assert word not in said.replace("Total or Mean", "")
    assert draft_of(who=[word, *names], n=range(21)).doubts == ()
    assert draft_of(who=[*names, word, word], n=range(22)).doubts == (), (
        "a word of its own is no value like others"
    )


@pytest.mark.parametrize("word", ["Zwischensumme", "Subtotal", "sous-total:", "TOTAL", "Subtotale", "Summe"])
def test_rows_between_that_sum_up_others_are_told_and_not_quoted(word):
    names, n = [f"p{i}" for i in range(10)], [*map(str, range(10))]
    between = {
        "who": [*names, word, *names, word, *names],
        "n": [*n, None, *n, None, *n],
        "m": [*n, None, *n, "9", *n],
    }
    (said,) = draft_of(**between).doubts
    assert said.startswith("2 rows have a word like Subtotal in 'who'")
    assert "the first in row 11 " in said
    assert word not in said.replace("Subtotal", "", 1)
    filled = {name: [cell or "3" for cell in cells] for name, cells in between.items()}
    assert draft_of(**filled).doubts == (), "somebody may be called so"
