"""Bad input: each case has its message and exit code, and none quotes a cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from tests.cli.conftest import CELLS, PATIENTS, PLAN, Result

from kohort.algorithms import Progress
from kohort.card import Card
from kohort.error_codes import CODES, FIELDS
from kohort.recode import Problem, Solution
from kohort.third_parties import offered

Run = Callable[..., Result]

# what is changed in the plan: (from, to), and what the message must say
PLANS = {
    "missing column": ('ill  =', 'disease  =', "'disease'"),
    "unknown role": ('"sensitive"', '"secret"', "unknown role 'secret'; the roles are: identifier"),
    "no role": ('{ role = "sensitive" }', '{ weight = 2.0 }', "no role"),
    "unknown column option": ('{ role = "sensitive" }', '{ role = "sensitive", colour = 1 }', "colour"),
    "k of one": ("k = 2", "k = 1", "at least 2"),
    "k as text": ("k = 2", 'k = "two"', "whole number"),
    "k beyond the rows": ("k = 2", "k = 7", "k must be at most 6"),
    "no k": ("k = 2", "", "needs k"),
    "unknown model": ('"k-anonymity"', '"k-anonimity"', "the models are:"),
    "unknown model parameter": ("k = 2", "k = 2\nl = 3", "no parameter 'l'"),
    "nothing required": ('[[require]]\nmodel = "k-anonymity"\nk = 2', "", "asks for nothing"),
    "bad TOML with line": ("[recode]", "[recode", "line 15"),
    "unknown section": ("[recode]", "[recoding]", "unknown section [recoding]"),
    "unknown key": ("max_suppression = 0.0", "max_supression = 0.0", "max_supression"),
    "suppression over one": ("max_suppression = 0.0", "max_suppression = 1.5", "share from 0.0 to 1.0"),
    "negative suppression": ("max_suppression = 0.0", "max_suppression = -1", "share from 0.0 to 1.0"),
    "unknown algorithm": ("[recode]", '[recode]\nalgorithm = "best"', "the algorithms are:"),
    "unknown objective": ("[recode]", '[recode]\nobjective = "beauty"', "the objectives are:"),
    "unknown option": ("[recode]", "[recode]\noptions = { speed = 9 }", "has no parameter"),
    "wrong generalize": ("[recode]", '[recode]\ngeneralize = "all"', "generalize"),
    "impossible pair": ("[recode]", '[recode]\ngeneralize = "none"\nsuppress = "none"', "choose at least one"),
    "algorithm against taxonomy": (
        "[recode]", '[recode]\nalgorithm = "optimal"\ngeneralize = "cell"\nsuppress = "none"', "CG_",
    ),
    "time limit of nothing": ("[recode]", "[recode]\ntime_limit = 0", "more than 0 seconds"),
    "classification without target": ("[recode]", '[recode]\nobjective = "classification"', "needs a target"),
    "negative weight": ('{ role = "sensitive" }', '{ role = "sensitive", weight = -1.0 }', "must not be negative"),
    "min above max": ('kind = "suppress" }', 'kind = "suppress" }, min_level = 1, max_level = 0', "below min_level"),
    "level beyond the hierarchy": (
        'kind = "suppress" }', 'kind = "tree", tree = { any = ["F", "M"] } }, max_level = 9', "levels 0 to 1",
    ),
    "unknown hierarchy": ('"mask"', '"veil"', "the kinds are:"),
    "unknown hierarchy option": ('kind = "mask"', 'kind = "mask", colour = "red"', "colour"),
    "widths that do not nest": ("[10, 20]", "[10, 15]", "age"),
    "hierarchy file absent": ('kind = "mask"', 'kind = "file", path = "none.csv"', "none.csv"),
    "hierarchy misses values": ('kind = "suppress"', 'kind = "tree", tree = { Any = ["F"] }', "1 of the 2 distinct"),
    "diversity of a column that is not sensitive": (
        "k = 2", 'k = 2\n[[require]]\nmodel = "l-diversity"\ncolumn = "sex"\nl = 2', "not a sensitive column",
    ),
    "no path": ('path = "patients.csv"', "", "no path"),
    "no such table": ("patients.csv", "patents.csv", "patents.csv"),
    "unknown suffix": ("patients.csv", "plan.toml", "unknown suffix"),
    "respondent absent": ('path = "patients.csv"', 'path = "patients.csv"\nrespondent = "id"', "'id'"),
    "unknown output format": ("[recode]", '[output]\nformat = "pdf"\n[recode]', "pdf"),
}  # fmt: skip

# what the table file holds instead, and what the message must say
TABLES = {
    "empty file": (b"", "empty"),
    "header only": (b"name,zip,age,sex,ill\n", "no rows"),
    "duplicate header": (b"name,zip,zip,sex,ill\nAnn,94138,31,F,flu\n", "columns 2 and 3"),
    "ragged row": (PATIENTS.encode() + b"Gus Quixote,94139,31\n", "8"),
    "not text": (b"\x00\x01\x02\xff" * 40, "patients.csv"),
}


def refused(result: Result, code: int, said: str) -> None:
    assert result.code == code, result.err
    message = " ".join(result.err.split())
    assert said in message
    assert message.startswith("error:")
    assert not [cell for cell in CELLS if cell in message]


def told(result: Result) -> None:
    """Check the error as scripts read it: its code, its message and its fields, and no cell in any of them."""
    answer = json.loads(result.out)
    assert answer["exit_code"] == result.code
    assert answer["error"]["code"] in CODES
    assert answer["error"]["message"] in " ".join(result.err.split())
    assert set(answer["error"]) - {"code", "message"} <= set(FIELDS)
    assert not [cell for cell in CELLS if cell in result.out]


@pytest.mark.parametrize("case", PLANS)
def test_a_wrong_plan_says_what_and_where(case: str, kohort: Run, place: Path) -> None:
    old, new, said = PLANS[case]
    assert old in PLAN
    (place / "plan.toml").write_text(PLAN.replace(old, new), encoding="utf-8")
    result = kohort("anonymize", place / "plan.toml", "-o", place / "out", "--json")
    refused(result, 2, said)
    told(result)
    assert not (place / "out").exists()


@pytest.mark.parametrize("case", TABLES)
def test_a_wrong_table_says_what_and_where(case: str, kohort: Run, place: Path) -> None:
    content, said = TABLES[case]
    (place / "patients.csv").write_bytes(content)
    result = kohort("anonymize", place / "plan.toml", "-o", place / "out", "--json")
    refused(result, 2, said)
    told(result)
    assert not (place / "out").exists()


def test_a_hierarchy_with_two_roots_is_refused(kohort: Run, place: Path) -> None:
    (place / "sex.csv").write_text("F;woman\nM;man\n", encoding="utf-8")
    plan = PLAN.replace('{ kind = "suppress" }', '{ kind = "file", path = "sex.csv" }')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml"), 2, "2 roots")


def test_no_quasi_identifier_is_refused(kohort: Run, place: Path) -> None:
    (place / "plan.toml").write_text(PLAN.replace('"quasi"', '"insensitive"'), encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml"), 2, "no quasi-identifier")


def test_an_insensitive_column_that_points_at_people_is_refused_unless_allowed(
    kohort: Run, place: Path
) -> None:
    rows = "".join(f"{i},94138,31,F,flu\n" for i in range(20))
    (place / "patients.csv").write_text("name,zip,age,sex,ill\n" + rows, encoding="utf-8")
    plan = PLAN.replace('name = { role = "identifier" }', 'name = { role = "insensitive" }')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml"), 2, "can identify people")
    allowed = plan.replace('role = "insensitive" }', 'role = "insensitive", allow_unique = true }')
    (place / "plan.toml").write_text(allowed, encoding="utf-8")
    assert kohort("anonymize", place / "plan.toml").code == 0


def test_no_plan(kohort: Run, place: Path) -> None:
    refused(kohort("anonymize", place / "plans.toml"), 2, "cannot be read")


def test_a_plan_that_is_not_text(kohort: Run, place: Path) -> None:
    (place / "plan.toml").write_bytes(b"\xff\xfe\x00")
    refused(kohort("anonymize", place / "plan.toml"), 2, "TOML")


def test_an_unknown_engine(kohort: Run, place: Path) -> None:
    refused(kohort("anonymize", place / "plan.toml", "--engine", "abacus"), 2, "the engines are")


@pytest.mark.parametrize("setting", ["k", "require.9.k=3", "require.k=3", "=3"])
def test_a_setting_that_leads_nowhere(setting: str, kohort: Run, place: Path) -> None:
    refused(kohort("anonymize", place / "plan.toml", "--set", setting), 2, "--set")


def test_an_output_that_is_somebody_elses(kohort: Run, place: Path) -> None:
    (place / "thesis").mkdir()
    (place / "thesis" / "chapter.txt").write_text("mine", encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml", "-o", place / "thesis"), 2, "not an earlier release")
    refused(kohort("anonymize", place / "plan.toml", "-o", place / "plan.toml"), 2, "not a directory")


def test_an_output_that_cannot_be_written(kohort: Run, place: Path) -> None:
    (place / "file").write_text("", encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml", "-o", place / "file" / "out"), 2, "cannot be made")


def test_what_cannot_be_met_ends_with_three_and_the_nearest_miss(kohort: Run, place: Path) -> None:
    more = PLAN.replace("k = 2", 'k = 2\n[[require]]\nmodel = "l-diversity"\ncolumn = "ill"\nl = 4')
    (place / "plan.toml").write_text(more, encoding="utf-8")
    refused(kohort("anonymize", place / "plan.toml", "-o", place / "out"), 3, "")
    assert not (place / "out").exists()


def test_verify_needs_a_plan_for_a_table_and_a_manifest_for_a_directory(kohort: Run, place: Path) -> None:
    refused(kohort("verify", place / "patients.csv"), 2, "--plan")
    refused(kohort("verify", place), 2, "manifest.json")
    (place / "manifest.json").write_text("{", encoding="utf-8")
    refused(kohort("verify", place), 2, "no valid JSON")
    (place / "manifest.json").write_text("{}", encoding="utf-8")
    refused(kohort("verify", place), 2, "names no table")


def test_a_release_that_was_changed_ends_with_four(kohort: Run, place: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    table = place / "out" / "table.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert kohort("verify", place / "out").code == 4


def test_a_bug_is_told_without_a_traceback(kohort: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("Ann Quixote has the flu")

    monkeypatch.setattr("kohort.pipeline.make_release", broken)
    monkeypatch.delenv("KOHORT_DEBUG", raising=False)
    refused(kohort("anonymize", place / "plan.toml"), 1, "unexpected RuntimeError")


@dataclass(frozen=True)
class Stumbling:
    """Fails in its own code, or in what it calls."""

    card: ClassVar = Card("stumbling", "fails", paper="none")
    inside: bool = False

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        del progress
        if self.inside:
            problem.base.kept(np.array([10**9]))
        raise ValueError("Quixote")


@pytest.mark.parametrize("inside", [False, True])
def test_what_nobody_foresaw_is_a_bug_of_the_package_whose_code_ran(
    kohort: Run, tmp_path: Path, inside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KOHORT_DEBUG", raising=False)
    option = f"options = {{ inside = {str(inside).lower()} }}"
    plan = PLAN.replace("[recode]", f'[recode]\nalgorithm = "stumbling"\n{option}')
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    with offered("kohort.algorithms", Stumbling, package="their-package"):
        result = kohort("anonymize", tmp_path / "plan.toml", "-o", tmp_path / "out")
    said = " ".join(result.err.split())
    assert result.code == 1
    assert "at test_errors.py:" in said
    assert "a bug of their-package, whose code Kohort ran there" in said
    assert not any(cell in said for cell in CELLS)


def test_what_nobody_foresaw_in_kohorts_own_code_is_a_bug_of_kohort(
    kohort: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KOHORT_DEBUG", raising=False)
    monkeypatch.setattr("kohort.pipeline.shape_of", None)
    (tmp_path / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    result = kohort("anonymize", tmp_path / "plan.toml", "-o", tmp_path / "out")
    assert "this is a bug of Kohort." in " ".join(result.err.split())


@pytest.mark.parametrize("command", ["attack", "verify", "init", "anonymize", "frontier", "keygen"])
def test_what_the_system_refuses_is_no_bug(kohort: Run, command: str) -> None:
    said = kohort(command, "x" * 5000)
    assert said.code == 2
    assert "is longer than the system takes; name a shorter one" in said.err
