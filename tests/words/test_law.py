"""Law without conclusions: what the tables for regulators say follows from the release and the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.words.releases import KINDS, Text, made

import kohort
from kohort.report.safe_harbor import EIGHTEEN

HARBOR = ("HIPAA, 45 CFR 164.514(b)(2)(i)", "verdict", "by what the plan declares")
EMA = "Threshold of 0.09"


def reports(
    table: dict[str, list[Any]], columns: dict[str, Any], place: Path, k: int = 2
) -> tuple[Text, Text]:
    asked = kohort.Plan(columns=columns, require=[kohort.KAnonymity(k)])
    out = kohort.anonymize(pa.table(table), asked).save(place / "out")
    private = out.with_name("out.private") / "report.html"
    return Text((out / "report.html").read_text(encoding="utf-8")), Text(private.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["public", "private"])
def test_every_report_names_the_law_as_what_it_is(kind: str, side: str) -> None:
    page = getattr(made(kind), side)
    for said in (
        "Directive 95/46/EC",
        "Recital 26",
        "C-582/14",
        "C-413/23 P",
        "T-557/20",
        "They draw no conclusion",
    ):
        assert said in page.text
    linkability = page.row("Linkability: can two records of one person or group be linked?")
    assert linkability[0].startswith("remains: ")
    assert page.row("Determination") == [
        "no determination is made here: it takes an expert in the sense of the rule, who documents it"
    ]
    assert len(page.table(*HARBOR)) == len(EIGHTEEN) + 1 == 19
    assert {row[1] for row in page.table(*HARBOR)} <= {"met", "not met", "cannot be told"}


@pytest.mark.parametrize(("size", "verdict"), [(10, "not met"), (11, "met"), (12, "met")])
def test_a_class_of_eleven_meets_the_threshold_by_the_convention_that_is_told(
    size: int, verdict: str, tmp_path: Path
) -> None:
    sexes = ["f"] * size + ["m"] * 20
    public, private = reports({"sex": sexes}, {"sex": "quasi"}, tmp_path)
    above = size if size < 11 else 0
    told = f"{verdict}: {above} of {size + 20} records ({'33 %' if above else '0 %'}) bear a risk above 1/11"
    assert public.row(EMA) == private.row(EMA) == [told]
    assert "1/11 is 0.0909…" in public.text


def test_initial_risk_is_that_of_the_original_and_stays_private(tmp_path: Path) -> None:
    ages = [21, 22, 23, 24, 24]
    public, private = reports(
        {"age": ages},
        {"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10]}}},
        tmp_path,
    )
    assert private.row("Initial risk") == [
        "100 % for 3 of 5 records (60 %), 80 % on average, in the original on its exact quasi-identifiers"
    ]
    assert public.row("Initial risk") == ["with the holder, in the private report"]


DATES = {"kind": "dates", "levels": ["month", "year"]}
PEOPLE = {
    "full_name": [f"N{i}" for i in range(6)],
    "email": [f"e{i}@x" for i in range(6)],
    "birth_date": ["1980-01-02", "1980-01-03", "1980-02-04", "1981-03-05", "1981-03-06", "1981-04-07"],
    "age": [40, 40, 41, 41, 42, 42],
    "zip": ["94138", "94138", "94139", "94139", "94138", "94139"],
}


def verdicts(page: Text) -> dict[str, str]:
    return {row[0][:3]: row[1] for row in page.table(*HARBOR)}


def test_safe_harbor_follows_from_roles_and_hierarchies(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "full_name": "identifier",
        "email": {"role": "insensitive", "allow_unique": True},
        "birth_date": {"role": "quasi", "hierarchy": DATES, "min_level": 2},
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    }
    table = {name: PEOPLE[name] for name in columns}
    public, private = reports(table, columns, tmp_path)
    assert verdicts(private) | {
        "(A)": "met",
        "(B)": "cannot be told",
        "(C)": "met",
        "(F)": "not met",
    } == verdicts(private)
    assert verdicts(public)["(A)"] == "cannot be told", (
        "columns that are not released are not named in public"
    )
    assert verdicts(public)["(C)"] == "met"
    assert verdicts(public)["(F)"] == "not met"
    assert "full_name" not in public.text


@pytest.mark.parametrize(
    ("spec", "told", "shown"),
    [
        ({"hierarchy": DATES, "min_level": 1, "max_level": 1}, "not met", "cannot be told"),
        ({"hierarchy": DATES, "min_level": 2}, "met", "met"),
        ({"hierarchy": {"kind": "dates", "levels": ["decade"]}, "min_level": 1}, "met", "met"),
    ],
)
def test_dates_must_be_told_by_the_year(spec: dict[str, Any], told: str, shown: str, tmp_path: Path) -> None:
    dates = {"birth_date": [day[:8] + "01" for day in PEOPLE["birth_date"]] * 2}
    public, private = reports(dates, {"birth_date": {"role": "quasi", **spec}}, tmp_path)
    assert (verdicts(private)["(C)"], verdicts(public)["(C)"]) == (told, shown)


@pytest.mark.parametrize(("high", "verdict"), [(None, "cannot be told"), (90, "met"), (95, "cannot be told")])
def test_ages_over_89_must_be_one_group(high: int | None, verdict: str, tmp_path: Path) -> None:
    spec: dict[str, Any] = {"kind": "intervals", "widths": [5], "domain": [0, 119]} | (
        {} if high is None else {"high": high}
    )
    public, private = reports({"age": PEOPLE["age"]}, {"age": {"role": "quasi", "hierarchy": spec}}, tmp_path)
    assert verdicts(public)["(C)"] == verdicts(private)["(C)"] == verdict
