"""Law without conclusions: what the tables for regulators say follows from the release and the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.words.releases import KINDS, Text, made

import kohort
from kohort.report.safe_harbor import COARSE, EIGHTEEN

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
        "patient_id": "identifier",
        "admission_date": {"role": "quasi", "hierarchy": DATES, "min_level": 2},
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    }
    table = PEOPLE | {"patient_id": PEOPLE["full_name"], "admission_date": PEOPLE["birth_date"]}
    public, private = reports({name: table[name] for name in columns}, columns, tmp_path)
    assert verdicts(private) | {
        "(A)": "met",
        "(B)": "cannot be told",
        "(C)": "met",
        "(F)": "not met",
        "(H)": "cannot be told",  # a person's number may be another than a medical record's, …
        "(R)": "cannot be told",  # … and that no other value is unique, no plan says
    } == verdicts(private)
    assert verdicts(public)["(A)"] == "cannot be told", (
        "columns that are not released are not named in public"
    )
    assert verdicts(public)["(C)"] == "met"
    assert verdicts(public)["(F)"] == "not met"
    assert "full_name" not in public.text


ONE_PERIOD = [
    *((period, "met") for period in COARSE),
    ("day", "not met"),
    ("month", "not met"),
    ("quarter", "not met"),
]


@pytest.mark.parametrize("name", ["admission_date", "birth_date", "day"])
@pytest.mark.parametrize(("period", "told"), ONE_PERIOD)
def test_dates_must_be_told_by_the_year_and_births_tell_ages(
    name: str, period: str, told: str, tmp_path: Path
) -> None:
    """By the year or more coarsely an event may be told; a birth so told may tell an age over 89, by no plan's words."""
    spec = {
        "role": "quasi",
        "hierarchy": {"kind": "dates", "levels": [period]},
        "min_level": 1,
        "max_level": 1,
    }
    dates = {name: [day[:8] + "01" for day in PEOPLE["birth_date"] if "-01-" in day or "-03-" in day] * 2}
    public, private = reports(dates, {name: spec}, tmp_path)
    met = "met" if name == "admission_date" else "cannot be told"
    assert verdicts(private)["(C)"] == (met if told == "met" else told)
    assert verdicts(public)["(C)"] == (met if told == "met" else "cannot be told")


def test_levels_that_a_plan_does_not_name_are_those_of_dates(tmp_path: Path) -> None:
    """`min_level = 1` of dates without levels is the month, and of a mask whatever it masks."""
    dates = {"admission_date": ["1980-01-01"] * 3 + ["1980-02-01"] * 3}
    for kind, told in (({"kind": "dates"}, "not met"), ({"kind": "mask", "length": 10}, "cannot be told")):
        spec = {"role": "quasi", "hierarchy": kind, "min_level": 1, "max_level": 1}
        public, private = reports(dates, {"admission_date": spec}, tmp_path / kind["kind"])
        assert (verdicts(private)["(C)"], verdicts(public)["(C)"]) == (told, "cannot be told")


@pytest.mark.parametrize("spec", [{"kind": "suppress"}, {"kind": "intervals", "widths": [5]}])
def test_years_of_birth_may_tell_ages_over_89(spec: dict[str, Any], tmp_path: Path) -> None:
    years = {"birth_year": [1921, 1921, 1922, 1922, 1980, 1980]}
    for page in reports(years, {"birth_year": {"role": "quasi", "hierarchy": spec}}, tmp_path):
        (row,) = [row for row in page.table(*HARBOR) if row[0].startswith("(C)")]
        assert row[1] == "cannot be told"
        assert (
            "depends on the values of birth_year, and years of birth on the day to which ages refer" in row[2]
        )


@pytest.mark.parametrize(("high", "verdict"), [(None, "cannot be told"), (90, "met"), (95, "cannot be told")])
def test_ages_over_89_must_be_one_group(high: int | None, verdict: str, tmp_path: Path) -> None:
    spec: dict[str, Any] = {"kind": "intervals", "widths": [5], "domain": [0, 119]} | (
        {} if high is None else {"high": high}
    )
    public, private = reports({"age": PEOPLE["age"]}, {"age": {"role": "quasi", "hierarchy": spec}}, tmp_path)
    assert verdicts(public)["(C)"] == verdicts(private)["(C)"] == verdict


def test_in_public_promises_in_people_are_named_and_columns_without_one_too(tmp_path: Path) -> None:
    table = {
        "who": [*"abcdefgh"],
        "sex": ["f", "m"] * 4,
        "ill": ["flu"] * 4 + ["cold"] * 4,
        "pay": [1, 1, 2, 2] * 2,
    }
    asked = {
        "input": {"respondent": "who"},
        "columns": {"who": "identifier", "sex": "quasi", "ill": "sensitive", "pay": "sensitive"},
        "require": [{"model": "l-diversity", "column": "ill", "l": 2}],
        "output": {"ledger": ""},
    }
    links = ("Residual risk", "Linkability: can two records of one person or group be linked?")
    for k, said in (
        (
            2,
            "of the people who fit is bounded by 2-anonymity, which the holder checked in people, not that of picking a row of "
            "theirs, which is right the more often the more of the rows that fit are one person's",
        ),
        (0, "bounded by no promise"),
    ):
        crowd = [{"model": "k-anonymity", "k": k}] if k else []
        plan = kohort.Plan.from_dict(asked | {"require": [*asked["require"], *crowd]})
        out = kohort.anonymize(pa.table(table), plan).save(tmp_path / f"{k}")
        page = Text((out / "report.html").read_text(encoding="utf-8"))
        for row in links:
            assert f"{said}; not measured here" in page.row(row)[0]
        (inferred,) = page.row("Inference: can a value be deduced from others with significant probability?")
        assert inferred.startswith(
            "ill: bounded by distinct 2-diversity of ill, which the holder checked in people; "
        )
        assert "pay: bounded by no promise; not measured here" in inferred
        assert "as promised" not in page.text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].several])
def test_who_is_above_the_threshold_and_what_remains_are_judged_by_the_same_pick(kind: str) -> None:
    """Of people with several rows the likelier of two picks counts, wherever a risk is told, and is said."""
    told = made(kind)
    pick = ", a row or a person being picked, whichever is likelier to be right"
    rows = told.original.loc[[int(n) for n in told.released["number"]]].reset_index(drop=True)
    classes = told.released.groupby(list(told.plan.quasi), dropna=False).indices.values()
    worst: dict[str, float] = {}
    for inside in classes:
        who = rows["who"].iloc[inside]
        for person, held in who.value_counts().items():
            worst[person] = max(worst.get(person, 0.0), held / len(who), 1 / who.nunique())
    above = sum(risk > 1 / 11 for risk in worst.values())
    (threshold,) = told.private.row(EMA)
    assert f"{above} of {len(worst)} people" in threshold
    assert threshold.endswith(f"bear a risk above 1/11{pick}")
    (remains,) = told.private.row("Residual risk")
    assert f" for any person{pick}; " in remains
    assert f"with a risk of being picked out{pick} …" in told.private.text
