"""Errors say where: the plan, the key, the level file; and what a file is that was named in place of a plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import PLAN, Result

Run = Callable[..., Result]
BY_PLAN = [("anonymize",), ("compare",), ("frontier", "--k", "2"), ("hierarchy", "show", "zip")]


def call(kohort: Run, words: tuple[str, ...], plan: Path) -> Result:
    place = 2 if words[0] == "hierarchy" else 1
    return kohort(*words[:place], plan, *words[place:])


@pytest.mark.parametrize("words", BY_PLAN)
def test_a_table_that_is_not_there_is_told_with_the_key_that_names_it(
    kohort: Run, place: Path, words: tuple[str, ...]
) -> None:
    plan = place / "plan.toml"
    plan.write_text(PLAN.replace("patients.csv", "nowhere.csv"), encoding="utf-8")
    said = call(kohort, words, plan)
    assert said.code == 2
    assert f"{plan}: [input] path: there is no file" in " ".join(said.err.split())


@pytest.mark.parametrize("words", BY_PLAN[:3])
def test_a_column_that_is_not_there_is_told_with_the_plan(
    kohort: Run, place: Path, words: tuple[str, ...]
) -> None:
    plan = place / "plan.toml"
    plan.write_text(PLAN.replace("ill  =", "gender  ="), encoding="utf-8")
    said = call(kohort, words, plan)
    assert f"error: {plan}: the plan names 'gender'" in said.err
    told = json.loads(call(kohort, (*words, "--json"), plan).out)["error"]
    assert (told["code"], told["plan"], told["columns"]) == ("plan.unknown-column", str(plan), ["gender"])


def test_a_wrong_delimiter_is_hinted_at(kohort: Run, place: Path) -> None:
    plan = place / "plan.toml"
    plan.write_text(PLAN.replace("[input]", '[input]\nheader = true\ndelimiter = ";"'), encoding="utf-8")
    said = " ".join(kohort("anonymize", plan).err.split())
    assert (
        "it has 1 column of other names; if it is a text file, see whether [input] delimiter, which is ';',"
        in said
    )


def test_the_level_file_is_named_with_its_faults(kohort: Run, place: Path) -> None:
    (place / "zip.csv").write_text("94138;941**;*\n", encoding="utf-8")
    said = kohort("hierarchy", "check", place / "plan.toml", "zip", "-f", place / "zip.csv")
    assert said.code == 2
    lines = [line for line in said.out.splitlines() if line]
    assert lines
    assert lines[0].startswith(f"{place / 'zip.csv'}: ")


@pytest.mark.parametrize("content", ["zip,ill\n94138,flu\n", "PAR1\x00", "\xff\xfe"])
def test_a_table_in_place_of_a_plan_is_recognised(kohort: Run, place: Path, content: str) -> None:
    table = place / "my table.csv"
    table.write_bytes(content.encode("latin-1"))
    said = " ".join(kohort("anonymize", table).err.split())
    assert f"by its name this is a table: `kohort init '{table}'` drafts a plan for it" in said


@pytest.mark.parametrize(
    ("twice", "named"),
    [
        ("k = 2\nk = 3\n[recode]", "the key k stands twice"),
        ('k = 2\n[columns.x]\n"b c" = 1\n"b c" = 2\n[recode]', 'the key "b c" stands twice'),
    ],
)
def test_a_key_that_stands_twice_is_named(kohort: Run, place: Path, twice: str, named: str) -> None:
    plan = place / "plan.toml"
    plan.write_text(PLAN.replace("k = 2\n", "").replace("[recode]", twice), encoding="utf-8")
    assert named in " ".join(kohort("anonymize", plan).err.split())


def test_a_key_that_stands_twice_at_the_end_is_named(kohort: Run, place: Path) -> None:
    plan = place / "plan.toml"
    plan.write_text(f"{PLAN}seed = 1\nseed = 2", encoding="utf-8")
    assert "the key seed stands twice" in " ".join(kohort("anonymize", plan).err.split())


def test_explain_without_options_says_it_once(kohort: Run, place: Path) -> None:
    said = kohort("explain", place / "out").err
    assert "--columns" in said
    assert said.count("--row") == 1


def test_the_frontier_calls_what_is_less_as_its_heading_does(kohort: Run, place: Path) -> None:
    said = " ".join(kohort("frontier", place / "plan.toml", "--k", "2,3").out.split())
    assert "Less loss is better." in said
    assert "score" not in said


def test_the_command_to_compare_names_the_plan(kohort: Run, place: Path) -> None:
    plan = place / "plan.toml"
    plan.write_text(PLAN.replace("k = 2", "k = 6"), encoding="utf-8")
    said = " ".join(kohort("anonymize", plan).out.split())
    assert f"try kohort compare {plan};" in said
    assert "PLAN" not in said
    assert ", a geometric mean over columns (" in said
