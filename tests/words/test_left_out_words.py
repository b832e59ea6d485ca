"""Who was left out: told by group to the holder, and to nobody else; and no word says less than that they are unprotected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.words.releases import KINDS, Text, made, plan_of, table_of

import kohort
from kohort.algorithms import Silent
from kohort.facts.release import of_table
from kohort.pipeline import make_release

GROUPS = ("column", "group", "left out", "of its rows", "share")
UNPROTECTED = "Nobody whose row was left out is protected by them"
COLUMNS: dict[str, Any] = {
    "age": {
        "role": "quasi",
        "hierarchy": {"kind": "intervals", "widths": [10], "domain": [0, 99]},
        "max_level": 1,
    },
    "race": {"role": "quasi", "max_level": 0},
    "ill": "sensitive",
}


def release(races: list[str], place: Path, **recode: Any) -> tuple[Text, Text]:
    """Return both reports of a table in which every person of a race that few have is left out."""
    table = pa.table(
        {
            "age": [20 + i % 3 for i in range(len(races))],
            "race": races,
            "ill": ["flu", "cold"] * (len(races) // 2),
        }
    )
    asked = kohort.Plan.from_dict(
        {
            "columns": COLUMNS,
            "require": [{"model": "k-anonymity", "k": 4}],
            "recode": {"max_suppression": 0.3} | recode,
        }
    )
    out = kohort.anonymize(table, asked).save(place / "out")
    private = out.with_name("out.private") / "report.html"
    return Text((out / "report.html").read_text(encoding="utf-8")), Text(private.read_text(encoding="utf-8"))


def test_a_group_that_vanished_is_told_to_the_holder_and_not_in_public(tmp_path: Path) -> None:
    """Seven of a race, of two decades: too few for k in each."""
    races = ["White"] * 40
    table = pa.table(
        {
            "age": [25] * 40 + [25, 25, 25, 35, 35, 35, 45, 45],
            "race": [*races, *["Other"] * 8],
            "ill": ["flu", "cold"] * 24,
        }
    )
    asked = {
        "columns": COLUMNS,
        "require": [{"model": "k-anonymity", "k": 4}],
        "recode": {"max_suppression": 0.3},
    }
    out = kohort.anonymize(table, kohort.Plan.from_dict(asked)).save(tmp_path / "out")
    private = Text((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8"))
    public = (out / "report.html").read_text(encoding="utf-8")
    named = " of the groups that can be named"  # of some ages there are fewer than four
    alike = private.table("not everybody alike: by", f"lost most{named}", f"lost least{named}")
    assert ["race", "Other: 8 of 8 (100 %)", "White: 0 of 40 (0 %)"] in alike
    assert ["race", "Other (vanished)", "8", "8", "100 %"] in private.table(
        "column", "group", "left out", "of its rows", "share"
    )
    assert "race: shares differ by 17 % (total variation), 1 value vanished" in private.text
    assert UNPROTECTED in private.text
    assert "Other" not in public
    assert UNPROTECTED in public


def test_groups_of_fewer_than_k_rows_are_counted_and_not_named(tmp_path: Path) -> None:
    _, private = release([*["White"] * 40, "Blue", "Green"], tmp_path)
    assert "Blue" not in private.text
    assert "2 groups too small to be named, 2 of them vanished" in private.text
    assert "2 values too rare to be named (vanished)" in private.text


def test_shares_are_as_before_only_where_they_are(tmp_path: Path) -> None:
    """One of a hundred left out moves less than half a per cent, and is not `as before`."""
    _, private = release([*["White"] * 198, *["Black"] * 201, "Blue"], tmp_path)
    assert "race: shares differ by 0.25 % (total variation), 1 value vanished" in private.text
    _, whole = release([*["White"] * 20, *["Black"] * 20], tmp_path / "whole", max_suppression=0.0)
    assert "race: shares as before" in whole.text
    assert "Nobody: all 40 rows of the original are released." in whole.text
    assert UNPROTECTED not in whole.text


@pytest.mark.parametrize("kind", ["levels", "levels of people"])
def test_every_engine_counts_who_was_left_out_alike(kind: str, tmp_path: Path) -> None:
    pa.csv.write_csv(table_of(kind, 0), tmp_path / "table.csv")
    told = made(kind).facts
    found = of_table(make_release(tmp_path / "table.csv", plan_of(kind, tmp_path), Silent(), "duckdb").facts)
    assert told.left_out is not None
    assert (found.left_out, found.initial) == (told.left_out, told.initial)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_said_that_nobody_left_out_is_protected_unless_nobody_can_be(kind: str) -> None:
    told = made(kind)
    blank = told.plan.recode.suppressed_rows == "blank"
    may = told.facts.algorithm.leaves_out and bool(told.plan.recode.max_suppression)
    assert (UNPROTECTED in told.public.text) == (may and not blank)
    assert (UNPROTECTED in told.private.text) == (len(told.left_out) > 0 and not blank)


@pytest.mark.parametrize(("limit", "said"), [(0.07, "up to 7 % of the rows of the original"), (3, "up to 3 rows of the original"),
                                             (1, "up to 1 row of the original"), (1.0, "up to 100 % of the rows")])  # fmt: skip
def test_in_public_what_the_plan_allows_is_told(limit: float, said: str, tmp_path: Path) -> None:
    public, _ = release(
        [*["White"] * 40, "Blue", "Blue"][: 42 if limit != 1 else 40], tmp_path, max_suppression=limit
    )
    assert said in public.text


BLANK_COLUMNS = {
    "who": "identifier",
    "age": {
        "role": "quasi",
        "hierarchy": {"kind": "intervals", "widths": [10], "domain": [0, 99]},
        "max_level": 1,
    },
    "ill": "sensitive",
}


@pytest.mark.parametrize("fate", ["drop", "blank"])
def test_blank_rows_are_told_as_in_the_table_and_dropped_ones_as_gone(fate: str, tmp_path: Path) -> None:
    """Forty in their twenties, four people of two rows each in a decade of their own: suppressed together."""
    ages = [25] * 40 + [35, 45, 55, 65] * 2
    people = [f"P{i}" for i in range(40)] + ["Q1", "Q2", "Q3", "Q4"] * 2
    table = pa.table({"who": people, "age": ages, "ill": ["flu", "cold"] * 20 + ["rare"] * 8})
    asked = {
        "input": {"respondent": "who"},
        "columns": BLANK_COLUMNS,
        "require": [{"model": "k-anonymity", "k": 4}],
        "recode": {"max_suppression": 0.3, "suppressed_rows": fate},
        "output": {"ledger": ""},
    }
    release = kohort.anonymize(table, kohort.Plan.from_dict(asked))
    out, facts = release.save(tmp_path / "out"), of_table(release.facts)
    public = Text((out / "report.html").read_text(encoding="utf-8"))
    private = Text((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8"))
    blank = fate == "blank"
    assert ("4 of 44 people (9.1 %) have no row in the release." in private.text) is not blank
    assert ("4 of 44 people (9.1 %) are in the release in blank rows only." in private.text) is blank
    assert (["ill", "rare (vanished)", "8", "8", "100 %"] in private.table(*GROUPS)) is not blank
    assert (["ill", "rare (in blank rows only)", "8", "8", "100 %"] in private.table(*GROUPS)) is blank
    assert ("How many were, and whose, is not told here" in public.text) is not blank
    assert ("How many are can be seen" in public.text) is blank
    assert ("How much was suppressed" in public.text) is not blank
    in_table = len(pyarrow.csv.read_csv(out / "table.csv"))
    told = msgspec.json.decode((out / "manifest.json").read_bytes())
    assert (in_table, told["rows"], told["classes"]) == ((48, 48, 2) if blank else (40, 40, 1))
    assert facts.classes == told["classes"], "the holder counts the classes that everybody does"


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_said_to_be_left_out_only_where_they_can_be(kind: str) -> None:
    told = made(kind, 0)
    leaves = told.facts.algorithm.leaves_out and bool(told.plan.recode.max_suppression)
    for said in (told.public, told.private):
        if not leaves:
            assert "outliers suppressed" not in said.text
            assert UNPROTECTED not in said.text
        if not told.facts.algorithm.truthful:
            assert "finds no row that fits" not in said.text
    assert ("The plan allows up to" in told.public.text) == leaves
    assert (", outliers suppressed" in told.private.text) == bool(told.facts.suppressed)


def test_suppressed_cells_are_named_where_they_are_what_happened() -> None:
    assert "It suppresses single cells instead" in made("levels and cells", 0).public.text
    assert "single cells suppressed where needed" in made("levels and cells", 0).private.text
