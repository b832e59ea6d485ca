"""The public page, from what small released tables say."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.unit.evidence.test_public import facts, plan
from tests.unit.report.test_release_page import Page

import kohort
from kohort.evidence import public_facts
from kohort.facts import Manifest
from kohort.preparation.kind import Kind
from kohort.report import public_html
from kohort.table import Table
from kohort.verification.judges.contents import contents_of

SECTIONS = {"columns", "values", "classes", "risk", "method", "compliance", "check"}


def torn() -> Manifest:
    asked = plan(kohort.LDiversity(2, "ill"), recode={"algorithm": "anatomy"})
    first = pa.table({"age": ["21", "22", "31", "32"], "group": [1, 1, 2, 2]})
    second = pa.table({"group": [1, 1, 2, 2], "ill": ["flu", "cold"] * 2, "count": [1] * 4})
    tables = {"table": Table.from_arrow(first), "sensitive": Table.from_arrow(second)}
    return public_facts(Kind.of(asked).layout.contents(tables, asked.quasi, asked.sensitive), asked, {})


KINDS = {
    "records": lambda: facts(plan()),
    "people": lambda: facts(plan(input={"respondent": "name"})),
    "perturbed": lambda: facts(plan(recode={"algorithm": "mdav"})),
    "anatomy": torn,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_section_is_there_and_every_link_leads_to_one(kind: str) -> None:
    found = Page(public_html(KINDS[kind]()))
    ids = [given["id"] for tag, given in found.tags if tag == "section" and "id" in given]
    assert [given["href"] for tag, given in found.tags if tag == "a"] == [f"#{name}" for name in ids]
    lacking = {"values"} if kind == "anatomy" else set()  # every exact value is too few people's
    assert set(ids) >= SECTIONS - lacking
    assert ("sensitive" in ids) == (kind != "people")


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_what_it_is_and_where_the_rest_is(kind: str) -> None:
    text = Page(public_html(KINDS[kind]())).text
    assert "Public: computed from the released table and the plan alone" in text
    assert "private report" in text
    for word in ("flu", "None", "nan", "rows suppressed", "optimal: "):
        assert word not in text
    assert "anonymous" not in text.replace("whether the release is anonymous in the sense of a law", "")


def test_people_are_said_to_be_counted_elsewhere_and_no_risk_is_computed_from_rows() -> None:
    text = Page(public_html(KINDS["people"]())).text
    assert "One person may have several rows" in text
    assert "highest risk" not in text
    assert "one over the size of the class" not in text
    assert "one over the size of the class" in Page(public_html(KINDS["records"]())).text


def test_perturbed_values_and_exact_ones_are_announced() -> None:
    assert "Perturbed values" in Page(public_html(KINDS["perturbed"]())).text
    text = Page(public_html(torn())).text
    assert "people can be recognised in the first table" in text
    assert "told by groups, in a table of its own" in text


def test_names_and_labels_are_escaped() -> None:
    evil = '<script>alert("x")</script>'
    asked = kohort.Plan(
        columns={evil: {"role": "quasi", "hierarchy": {"kind": "suppress"}}}, require=[kohort.KAnonymity(2)]
    )
    table = Table.from_arrow(pa.table({evil: [evil] * 4}))
    source = public_html(public_facts(contents_of(table, [evil], []), asked, {evil: evil}))
    assert "<script" not in source
    assert "&lt;script&gt;" in source
    Page(source)


def test_forty_columns_with_long_values_stay_below_a_megabyte() -> None:
    columns = {f"column {i}": [f"{'x' * 300} {j}" for j in range(20) for _ in range(2)] for i in range(40)}
    asked = kohort.Plan(
        columns={name: {"role": "quasi", "hierarchy": {"kind": "suppress"}} for name in columns},
        require=[kohort.KAnonymity(2)],
    )
    told = contents_of(Table.from_arrow(pa.table(columns)), list(columns), [])
    assert len(public_html(public_facts(told, asked, {})).encode()) < 1_000_000
