"""What reports say of a release beside earlier ones: the ledger's result, and whether the composition attack agrees."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from tests.reference import together as twin
from typer.testing import CliRunner

from kohort.algorithms import Silent
from kohort.cli.main import app
from kohort.facts.ledger import LedgerFacts
from kohort.facts.promises import AttackFacts
from kohort.pipeline import make_release
from kohort.plan import Plan
from kohort.release.release import Release
from kohort.report.ledger import agreement, said_of
from kohort.sharing import mark_as_shared

ROWS = 60


def people(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "who": [f"P{i}" for i in range(ROWS)],
            "town": [f"t{i % 12}" for i in rng.permutation(ROWS)],
            "job": [f"j{i % 12}" for i in rng.permutation(ROWS)],
            "ill": [f"i{i}" for i in rng.integers(0, 9, ROWS)],
            "pay": [f"p{i}" for i in rng.integers(0, 4, ROWS)],
            "pet": [f"a{i}" for i in rng.integers(0, 3, ROWS)],
        }
    )


CARRIED = {"pay": "sensitive", "pet": "insensitive"}


def plan_of(kept: str, source: Path, together: str = "report", l: int = 0, carried: str = "") -> Plan:  # noqa: E741
    """Release one of the two columns, and nothing of the other."""
    whole = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
    columns = {"who": "identifier", "ill": "sensitive"} | {name: CARRIED[name] for name in carried.split()}
    columns |= {name: whole | ({} if name == kept else {"min_level": 1}) for name in ("town", "job")}
    return Plan.from_dict(
        {
            "input": {"path": str(source), "respondent": "who"},
            "columns": columns,
            "require": [
                {"model": "k-anonymity", "k": 2},
                *([{"model": "l-diversity", "l": l, "column": "ill"}] if l else []),
            ],
            "recode": {"max_suppression": 0.0},
            "output": {"together": together} if together != "report" else {},
        }
    )


def released(folder: Path, kept: str, name: str, **asked: object) -> Path:
    source = folder / "people.csv"
    Release.written(make_release(source, plan_of(kept, source, **asked), Silent()), folder / name)
    mark_as_shared(folder / name, anyway=True)
    return folder / name


def told(page: Path) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8"))).split())


def ledger_of(release: Path) -> dict[str, object]:
    audit = json.loads(
        (release.with_name(f"{release.name}.private") / "audit.json").read_text(encoding="utf-8")
    )
    return audit["facts"]["ledger"]


def contents(release: Path, table: pa.Table, kept: str, least: int = 0, carried: str = "") -> twin.Contents:
    """What the ledger should know: everybody's class and value."""
    labels = table[kept].to_pylist()
    classes = {label: number for number, label in enumerate(sorted(set(labels)))}
    told = table.select(["ill", *carried.split()]).to_pylist()
    rows = zip(table["who"].to_pylist(), labels, told, strict=True)
    assert release.exists()
    sensitive = tuple(name for name in ("ill", *carried.split()) if CARRIED.get(name) != "insensitive")
    return twin.Contents(
        [(who, who, classes[at], row) for who, at, row in rows], least=least, sensitive=sensitive
    )


@pytest.fixture(params=[1, 2])
def two(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, pa.Table]:
    """The same people by town, then by job."""
    table = people(request.param)
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    return released(tmp_path, "town", "one"), released(tmp_path, "job", "two"), table


def test_the_result_of_the_ledger_stands_in_the_private_report_and_is_recomputed(two):
    one, second, table = two
    expected = twin.together(contents(second, table, "job"), [contents(one, table, "town")])
    assert expected["single_value"] > 1
    page = told(second.with_name("two.private") / "report.html")
    assert "Beside other releases of the same people" in page
    assert f"{expected['below_k']:,} people hide among fewer than promised" in page
    assert f"{expected['single_value']:,} people are left with one sensitive value" in page
    assert f"({expected['new_single_value']:,} only by this release)" in page
    first = told(one.with_name("one.private") / "report.html")
    assert "Ledger: no earlier release to compare with." in first


def test_fewer_values_than_promised_are_counted_as_the_twin_counts_them(tmp_path):
    table = people(1)
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    one, second = (released(tmp_path, kept, kept, l=2) for kept in ("town", "job"))
    expected = twin.together(contents(second, table, "job", 2), [contents(one, table, "town", 2)])
    assert expected["below_l"] > 1
    page = told(second.with_name("job.private") / "report.html")
    assert f"{expected['below_l']:,} people have fewer sensitive values left than promised" in page


def test_the_ledger_and_the_composition_attack_agree_on_whole_releases_of_the_same_people(two):
    one, second, _ = two
    done = CliRunner().invoke(
        app, ["attack", str(second), "--all", "--second", str(one), "--report", "--json"]
    )
    assert done.exit_code == 0, done.output
    found = [f for f in json.loads(done.stdout.splitlines()[-1])["attacks"] if f["attack"] == "composition"]
    ledger = ledger_of(second)
    assert found[0]["details"]["singletons"] == ledger["single_value"]
    assert found[0]["details"]["newly_learnt"] == ledger["new_single_value"]
    assert found[0]["n"] == ledger["shared"] == ROWS
    page = told(second.with_name("two.private") / "report.html")
    assert "of those it looks up: as many as the ledger counts." in page


@pytest.mark.parametrize(
    "carried", [("pay", "pay"), ("pay pet", "pay pet"), ("pay", "pet pay"), ("pet", "pet")]
)
def test_rows_that_carry_several_columns_are_followed_by_ledger_and_attack_alike(tmp_path, carried):
    table = people(1)
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    one, second = (
        released(tmp_path, kept, kept, carried=some)
        for kept, some in zip(("town", "job"), carried, strict=True)
    )
    first, new = (
        contents(folder, table, folder.name, carried=some)
        for folder, some in zip((one, second), carried, strict=True)
    )
    expected, ledger = twin.together(new, [first]), ledger_of(second)
    assert {name: ledger[name] for name in expected} == expected
    apart = twin.together(contents(second, table, "job"), [contents(one, table, "town")])
    assert expected["single_value"] > apart["single_value"], "columns apart tell less"
    done = CliRunner().invoke(
        app, ["attack", str(second), "--all", "--second", str(one), "--report", "--json"]
    )
    assert done.exit_code == 0, done.output
    found = [f for f in json.loads(done.stdout.splitlines()[-1])["attacks"] if f["attack"] == "composition"]
    by_column = {f["details"]["column"]: f["details"]["singletons"] for f in found}
    assert set(by_column) == set(new.sensitive)
    if len(by_column) == 1:
        assert by_column["ill"] == ledger["single_value"]
    assert max(by_column.values()) <= ledger["single_value"] <= sum(by_column.values())
    assert all("Rows are followed by" in f["sentence"] for f in found)
    page = told(second.with_name("job.private") / "report.html")
    assert "of those it looks up: as many as the ledger counts." in page
    assert "follows rows by all columns that they carry" in page


def test_who_could_not_be_followed_is_told():
    said = said_of(msgspec.structs.replace(LEDGER, uncombined=2, unsure=3, below_k=3))
    assert (
        "2 of them have too many rows or tuples to be followed, and are counted as if they stood alone"
        in said
    )
    assert "too many" not in said_of(LEDGER)


def test_a_release_of_which_no_rows_are_known_is_named():
    assert "of release 1 each sensitive column counts by itself" in said_of(
        msgspec.structs.replace(LEDGER, by_column=(1,))
    )
    assert "by itself" not in said_of(LEDGER)


def test_columns_in_unlike_forms_and_values_that_do_not_agree_are_told_with_or_without_anybody_given_away():
    nobody = msgspec.structs.replace(
        LEDGER, below_k=0, new_below_k=0, single_value=0, new_single_value=0, below_l=0, new_below_l=0
    )
    for ledger in (LEDGER, nobody):
        assert "unlike forms" not in said_of(ledger)
        assert "agrees in all columns" not in said_of(ledger)
        said = said_of(msgspec.structs.replace(ledger, unlike=1, disagreeing=1))
        assert "1 column is told in unlike forms" in said
        assert "of 1 person rows that may go together tell nothing that agrees in all columns" in said
        assert "as far as they could be compared" in said or ledger is LEDGER
        assert "called otherwise" not in said
        said = said_of(msgspec.structs.replace(ledger, unpaired_quasi=2))
        assert (
            "2 columns that one release calls quasi may be called otherwise in another, and were not compared there"
            in said
        )
    doubtful = msgspec.structs.replace(LEDGER, single_value=3, unlike=2, disagreeing=4)
    assert "3 people may be left with one sensitive value" in said_of(doubtful)
    assert "up to 3" not in said_of(doubtful)
    assert "nothing that" not in said_of(doubtful).replace("nothing that agrees", "")
    named = said_of(msgspec.structs.replace(doubtful, changing="visit", changing_of=3))
    assert "of 3 people nothing that 'visit' tells is the same: leave it out" in named
    bound = msgspec.structs.replace(LEDGER, single_value=3, unlike=2, unsure=0)
    assert "up to 3 people may be left with one sensitive value" in said_of(bound)


def test_the_public_report_says_the_same_of_every_release_and_nothing_that_was_found(two, tmp_path):
    one, second, table = two
    said = "Nothing on this page speaks of other releases about the same people"
    assert said in told(one / "report.html")
    assert said in told(second / "report.html")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    pyarrow.csv.write_csv(table, elsewhere / "people.csv")
    first = released(elsewhere, "job", "two", together="demand")
    asked = [json.loads((folder / "manifest.json").read_text(encoding="utf-8")) for folder in (second, first)]
    assert asked[0]["asked"] == asked[1]["asked"], "whether it was demanded is not told"
    assert asked[0]["plan_toml"] == asked[1]["plan_toml"]
    for folder in (second, first):
        pages = told(folder / "report.html") + (folder / "manifest.json").read_text(encoding="utf-8")
        for private in ("ledger", "left with one sensitive value", "hide among fewer", "earlier release"):
            assert private not in pages


def attack(singletons: int, n: int = 50, releases: int = 2, column: str = "ill") -> AttackFacts:
    details = {"singletons": singletons, "releases": releases, "column": column}
    return AttackFacts(f"composition, {column}", 0.1, 0.0, n=n, details=details)


LEDGER = LedgerFacts(
    compared=1, release=2, releases=(1,), shared=50, single_value=7, new_single_value=3, below_k=0
)


@pytest.mark.parametrize(
    ("ledger", "composed", "said"),
    [
        (LEDGER, [], "was not run beside"),
        (LEDGER, [attack(7)], "for 7 of those it looks up: as many as the ledger counts."),
        (
            LEDGER,
            [attack(4), attack(5, column="pay")],
            "4 (ill) and 5 (pay) of those it looks up: as many as",
        ),
        (LEDGER, [attack(9, n=60)], "the ledger counts 7: the attack looks for 60 who fit two releases"),
        (LEDGER, [attack(9, releases=3)], "the attack was given 2 other releases, and the ledger compared 1"),
        (LEDGER, [attack(2)], "which is more where labels overlap"),
        (LedgerFacts(compared=None, because="the plan says so"), [attack(2)], "the ledger compared nothing"),
    ],
)
def test_agreement_or_the_reason_why_not_is_said(ledger, composed, said):
    assert said in agreement(ledger, composed)


def test_what_was_not_compared_is_never_called_fine_in_a_report():
    for found in (LedgerFacts(compared=None, because="so"), LedgerFacts(compared=0, not_compared={1: "so"})):
        assert "not compared" in said_of(found)
        assert "nobody" not in said_of(found)


def test_people_of_one_side_only_are_told_of_by_themselves():
    nobody = msgspec.structs.replace(LEDGER, shared=0, single_value=0, new_single_value=0)
    assert "nobody of this one is in them" in said_of(nobody)
    opened = msgspec.structs.replace(nobody, laid_open=2, laid_open_before=1)
    said = said_of(opened)
    assert "of those who are in this one only, 2 people are left with fewer people to hide among" in said
    assert "the earlier ones give away 1 person who is in them only" in said
    assert "do not share it beside them" in said
    both = said_of(msgspec.structs.replace(LEDGER, laid_open=2))
    assert (
        "7 people are left with one sensitive value (3 only by this release), and of those who are in this one only"
        in both
    )
