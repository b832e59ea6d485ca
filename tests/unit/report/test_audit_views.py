"""The audit of a table as text and as a page."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.report.test_release_page import Page

import kohort
from kohort.facts import TableAudit
from kohort.facts.table_audit import table_audit
from kohort.report.audit import audit_html
from kohort.report.audit_text import audit_lines
from kohort.report.population import population_figures

TABLE = pa.table(
    {
        "zip": ["94138", "94138", "94139", None, "*", "*"],
        "sex": ["F", "F", "M", "M", "*", "*"],
        "ill": ["flu", "flu", "cold", "cold", "flu", "cold"],
        "who": ["a", "b", "c", "d", "e", "f"],
    }
)


def audit(table: pa.Table, **asked: Any) -> TableAudit:
    return table_audit(kohort.audit(table, **asked))


def audited(**asked: Any) -> TableAudit:
    return audit(TABLE, quasi=["zip", "sex"], **asked)


@pytest.mark.parametrize("respondent", [None, "who"])
def test_every_figure_has_its_unit_its_whole_and_who_picks(respondent: str | None) -> None:
    """Four rows that are not suppressed, of four people; sensitive values tell all six apart."""
    facts = audited(sensitive=["ill"], respondent=respondent)
    whom = "people" if respondent else "records"
    text = " ".join("\n".join(audit_lines(facts)).split())
    page = " ".join(Page(audit_html(facts)).text.split())
    for said in (
        f"Risk of being picked out, in {whom}",
        f"unique: 2 of 4 {whom} (50 %)",
        f"Sizes of classes, in {whom}",
        f"shares of {whom}",
        f"known as well unique {whom} of 6",
        f"columns unique {whom} of 4",
        f"Without a column, in {whom} left out k unique of 4",
    ):
        assert said in text
    for said in (
        f"1 k {whom} in the smallest class",
        f"2 unique of 4 {whom}: 50 %",
        f"Of 4 {whom}, by the size of their class in {whom}",
        f"Of 4 {whom}, with a risk of being picked out",
        f"class size in {whom} classes {whom} share of 4",
        f"unique {whom} share of 6",
        f"without k in {whom} unique of 4",
    ):
        assert said in page
    for both in (text, page):
        assert "for an intruder who knows that somebody is in the table (prosecutor)" in both
        assert "The 2 suppressed rows are counted here" in both


def test_the_text_tells_k_missing_values_and_suppressed_rows() -> None:
    text = "\n".join(audit_lines(audited(sensitive=["ill"])))
    assert text.startswith("k = 1, p = 1\n  4 records in 3 classes over zip, sex")
    assert "missing values count as values: zip 1" in text
    assert "2 suppressed rows" in text
    assert "as one class they would make k = 1" in " ".join(text.split())
    assert "unique: 2 of 4 records (50 %)" in text


def test_figures_stand_under_their_headings() -> None:
    lines = list(audit_lines(audited(sensitive=["ill"])))
    start = lines.index("Sizes of classes, in records")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["size", "classes", "records", "of", "4"],
        ["1", "2", "2", "50", "%", "████████████"],
        ["2", "to", "3", "1", "2", "50", "%", "████████████"],
    ]
    assert "  in single-valued classes  100 %" in lines


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    names = [f"a rather long name of column number {i}" for i in range(8)]
    table = pa.table({name: [str((row * (i + 3)) % 7) for row in range(40)] for i, name in enumerate(names)})
    found = audit(table, quasi=names[:4], sensitive=names[4:], sampling_fraction=0.1)
    assert max(map(len, audit_lines(found, width))) <= width


def test_a_terminal_is_told_nothing_that_it_would_obey() -> None:
    table = pa.table({"a\x1b[31m": ["1", "2"], "b": ["1", "1"]})
    assert "\x1b" not in "\n".join(audit_lines(audit(table, quasi=["a\x1b[31m", "b"])))


def test_no_cell_is_quoted() -> None:
    found = audited(sensitive=["ill"])
    for told in ("\n".join(audit_lines(found)), Page(audit_html(found)).text):
        assert not [cell for cell in ("9413", "flu", "cold") if cell in told]


def test_people_are_counted_where_they_are_named() -> None:
    found = audited(respondent="who")
    assert "4 records of 4 people" in "\n".join(audit_lines(found))
    assert "over all people" in Page(audit_html(found)).text


def test_the_page_has_every_figure_of_the_text() -> None:
    page = Page(audit_html(audited(sensitive=["ill"], sampling_fraction=0.5)))
    for part in (
        "This table is not k-anonymous",
        "Few facts suffice",
        "without",
        "journalist's risk",
        "t, ordered",
    ):
        assert part in page.text
    assert not [tag for tag, _ in page.tags if tag in ("script", "link", "img")]


def test_a_k_anonymous_table_is_called_by_its_k() -> None:
    table = pa.table({"sex": ["F", "F", "M", "M"]})
    assert "This table is 2-anonymous" in audit_html(audit(table, quasi=["sex"]))


def test_column_names_are_escaped() -> None:
    table = pa.table({"<script>": ["1", "1"], "b": ["x", "x"]})
    assert "<script" not in audit_html(audit(table, quasi=["<script>"], sensitive=["b"]))


def test_a_table_of_suppressed_rows_alone_can_be_audited() -> None:
    found = audit(pa.table({"zip": ["*", "*"], "ill": ["a", "b"]}), quasi=["zip"], sensitive=["ill"])
    assert next(audit_lines(found)).startswith("k = –")
    assert "not k-anonymous" in audit_html(found)


def crowded(columns: int) -> TableAudit:
    names = [f"c{i}" for i in range(columns)]
    table = pa.table({name: [str((row * (i + 3)) % 7) for row in range(30)] for i, name in enumerate(names)})
    table = table.append_column("alone", pa.array([str(row // 2) for row in range(30)]))
    return audit(table, quasi=[*names, "alone"])


@pytest.mark.parametrize("columns", [1, 2, 5, 6])
def test_sets_of_columns_are_said_to_be_all_or_how_many_of_how_many(columns: int) -> None:
    found = crowded(columns)
    unique = [subset for subset in found.uniqueness.subsets if subset.unique]
    text = " ".join(" ".join(audit_lines(found)).split())
    for said, most in ((text, 8), (Page(audit_html(found)).text, 10)):
        if len(unique) > most:
            assert f"{most} of the {found.uniqueness.subsets_looked_at} looked at, in the order of" in said
        else:
            assert "columns, all, in the order of" in said
    told = [(subset.minimal, subset.unique) for subset in unique]
    assert told == sorted(told, reverse=True)


@pytest.mark.parametrize("fraction", [0.01, 0.05, 0.2, 0.5, 0.9])
def test_a_model_outside_the_interval_is_no_estimate(fraction: float) -> None:
    generator = random.Random(7)
    for spread in (2, 5, 30, 400):
        table = pa.table({"a": [str(generator.randrange(spread)) for _ in range(60)]})
        told = audit(table, quasi=["a"], sampling_fraction=fraction).population
        assert told is not None
        assert told.estimates is not None
        [said] = [value for figure, value in population_figures(told) if figure.startswith("unique in")]
        found = told.estimates
        for name, estimate in (("pitman", found.pitman), ("zayatz", found.zayatz), ("snb", found.snb)):
            fits = estimate is not None and found.low <= estimate <= found.high
            assert (f"{name} did not fit" in said) is not fits
        assert "∞" not in said
