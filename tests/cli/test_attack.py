"""`kohort attack`, on releases as they stand on disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import PLAN, Result

from kohort.attacks import ATTACKS
from kohort.pipeline import anonymize
from kohort.plan import Plan

Run = Callable[..., Result]
CELLS = ("Quixote", "94138", "94139", "94141", "94142", "asthma", "cold", "flu")
KEYS = {
    "attack", "success", "baseline", "control", "interval", "n", "sentence", "details", "measure", "bound", "certain", "margin",
    "smallest_effect", "gained", "promised", "advice", "lessened",
}  # fmt: skip
VOTERS = """name,zip,age,sex
Ann Quixote,94138,31,F
Gus Quixote,94142,52,M
Hal Elsewhere,10001,33,M
"""


@pytest.fixture
def release(kohort: Run, place: Path) -> Path:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    (place / "voters.csv").write_text(VOTERS, encoding="utf-8")
    return place / "out"


def test_all_runs_every_attack_that_has_what_it_needs(kohort: Run, release: Path) -> None:
    told = json.loads(kohort("attack", release, "--all", "--json").out)
    names = {finding["attack"] for finding in told["attacks"]}
    idle = {label.partition(",")[0] for label in told["not_applicable"]}
    assert names | set(told["not_run"]) | idle == set(ATTACKS)
    assert {"linking", "homogeneity", "definetti", "row-order"} <= names
    assert {"minimality", "downcoding"} <= set(told["not_applicable"]), "k alone, and whole columns"
    assert all(set(finding) == KEYS for finding in told["attacks"])
    assert "second release" in told["not_run"]["composition"]


def test_an_outside_table_is_linked_by_the_meaning_of_released_values(kohort: Run, release: Path) -> None:
    result = kohort("attack", release, "--with", release.parent / "voters.csv", "--on", "zip,age,sex", "--id", "name",
                    "--json")  # fmt: skip
    assert result.code == 0
    linking = next(f for f in json.loads(result.out)["attacks"] if f["attack"] == "linking")
    assert linking["n"] == 3
    assert linking["details"]["people_matched"] >= 1
    assert linking["details"]["smallest_match_set"] >= 2, "no match set below k"
    assert linking["details"]["not_in_the_table"] == 2
    assert linking["bound"] is True


def test_without_the_private_audit_an_intruder_links_with_the_manifest_alone(
    kohort: Run, release: Path
) -> None:
    private = release.with_name("out.private")
    private.rename(release.with_name("elsewhere"))
    arguments = ("--with", release.parent / "voters.csv", "--on", "zip,age,sex", "--json")
    told = json.loads(kohort("attack", release, *arguments).out)
    assert told["attacks"][0]["details"]["people_matched"] >= 1
    assert not private.exists(), "nothing is kept where there is no private zone"
    told = json.loads(kohort("attack", release, "--all", "--json").out)
    assert "original" in told["not_run"]["definetti"]


def test_findings_are_kept_in_the_private_zone_only(kohort: Run, release: Path) -> None:
    before = {path.name: path.read_bytes() for path in release.iterdir()}
    assert kohort("attack", release, "--all").code == 0
    kept = release.with_name("out.private") / "attacks.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert json.loads(kept.read_text(encoding="utf-8"))["attacks"]
    assert {path.name: path.read_bytes() for path in release.iterdir()} == before


def test_report_shows_the_attacks_in_private_and_the_public_side_stays_as_it_was(
    kohort: Run, release: Path
) -> None:
    before = {path.name: path.read_bytes() for path in release.iterdir()}
    assert kohort("attack", release, "--all", "--report").code == 0
    page = release.with_name("out.private") / "report.html"
    assert "homogeneity" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o077 == 0
    assert not [cell for cell in CELLS if cell in page.read_text(encoding="utf-8")]
    assert {path.name: path.read_bytes() for path in release.iterdir()} == before
    assert not [path for path in page.parent.iterdir() if path.name.startswith(".")]
    assert kohort("verify", release).code == 0


def test_what_is_saved_from_python_is_looked_at_as_what_the_command_writes(kohort: Run, place: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "one", "--set", "recode.seed=3").code == 0
    plan = Plan.load(place / "plan.toml", ["recode.seed=3"])
    anonymize(plan.base / str(plan.input.path), plan).save(place / "two")
    one, two = (
        json.loads((place / f"{name}.private" / "audit.json").read_text(encoding="utf-8"))
        for name in ("one", "two")
    )
    for told in ("attacks_not_applicable", "attacks_not_run"):
        assert one["facts"][told] == two["facts"][told]
    found = [[(each["attack"], each["n"]) for each in audit["facts"]["attacks"]] for audit in (one, two)]
    assert found[0] == found[1] != []
    pages = [
        (place / f"{name}.private" / "report.html").read_text(encoding="utf-8") for name in ("one", "two")
    ]
    assert all("what would close it" in page for page in pages)


def test_the_report_that_is_written_with_a_release_carries_attacks_and_kohort_attack_adds_the_others(
    kohort: Run, place: Path
) -> None:
    shown = kohort("anonymize", place / "plan.toml", "-o", place / "out").out
    before = {path.name: path.read_bytes() for path in (place / "out").iterdir()}
    assert (
        "to act on, in the private report, but no promise is made about ill; all attacks: kohort attack"
        in " ".join(shown.split())
    )
    audit, page = (place / "out.private" / name for name in ("audit.json", "report.html"))
    facts = json.loads(audit.read_text(encoding="utf-8"))["facts"]
    found = {told["attack"].partition(",")[0] for told in facts["attacks"]}
    idle = {label.partition(",")[0] for label in facts["attacks_not_applicable"]}
    assert "homogeneity" in found
    assert found | idle | set(facts["attacks_not_run"]) == set(ATTACKS)
    assert all(told["control"] is not None for told in facts["attacks"])
    text = page.read_text(encoding="utf-8")
    assert "to act on" in text
    assert text.index("what would close it") < text.index("The attacks of the literature, run")
    assert kohort("attack", place / "out").code == 0
    assert "linking" in {
        told["attack"] for told in json.loads(audit.read_text(encoding="utf-8"))["facts"]["attacks"]
    }
    assert {path.name: path.read_bytes() for path in (place / "out").iterdir()} == before
    assert kohort("verify", place / "out").code == 0


def test_what_is_to_act_on_stands_first_with_what_would_close_it(kohort: Run, release: Path) -> None:
    told = json.loads(kohort("attack", release, "--json").out)["attacks"]
    out = kohort("attack", release).out
    urgent = [finding for finding in told if finding["advice"] is not None]
    assert urgent
    assert out.startswith("to act on: ")
    others = out.index("no more than chance gives, or than the promises let through")
    assert all(out.index(finding["attack"]) < others for finding in urgent)
    assert " ".join(out.split()).count("→") == int(out.split()[3])
    assert 'add [[require]] model = "l-diversity"' in " ".join(out.split())


def test_a_report_of_attacks_needs_the_private_zone(kohort: Run, release: Path) -> None:
    shutil.rmtree(release.with_name("out.private"))
    result = kohort("attack", release, "--all", "--report")
    assert result.code == 2
    assert "private report" in result.err


def test_people_are_told_in_words(kohort: Run, release: Path) -> None:
    out = kohort("attack", release, "--all").out
    assert "success" in out
    assert "baseline" in out
    assert "not run: composition" in out
    assert "it needs a second release (--second DIR)" in out
    assert not [cell for cell in CELLS if cell in out]


def test_two_releases_are_composed(kohort: Run, release: Path) -> None:
    other = release.with_name("other")
    plan = release.parent / "plan.toml"
    assert kohort("anonymize", plan, "-o", other, "--set", "require.0.k=3").code == 0
    told = json.loads(kohort("attack", release, "--all", "--second", other, "--json").out)
    composed = next(f for f in told["attacks"] if f["attack"] == "composition")
    assert composed["n"] == 6
    assert composed["success"] >= composed["baseline"] - 1e-9


def test_anatomy_is_attacked_through_both_its_tables(kohort: Run, place: Path) -> None:
    plan = PLAN.replace('model = "k-anonymity"\nk = 2', 'model = "l-diversity"\ncolumn = "ill"\nl = 2')
    (place / "anatomy.toml").write_text(plan + 'algorithm = "anatomy"\n', encoding="utf-8")
    result = kohort("anonymize", place / "anatomy.toml", "-o", place / "torn")
    assert result.code == 0, result.err
    told = json.loads(kohort("attack", place / "torn", "--all", "--json").out)
    found = {f["attack"]: f for f in told["attacks"]}
    assert found["homogeneity"]["success"] == 0
    assert found["definetti"]["n"] == 6
    assert found["linking"]["success"] > 0.9, "the quasi-identifiers of Anatomy are exact"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--on", "zip"), "--with"),
        (("--with", "voters.csv"), "--on"),
        (("--with", "voters.csv", "--on", "zip,,sex"), "not a list"),
        (("--with", "voters.csv", "--on", "zip,height"), "height"),
        (("--with", "nowhere.csv", "--on", "zip"), "nowhere.csv"),
        (("--all", "--second", "nowhere"), "nowhere"),
        (("--all", "--original", "voters.csv"), ""),
    ],
)
def test_what_is_wrong_is_said_without_cells(
    kohort: Run, release: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(release.parent)
    result = kohort("attack", release, *arguments)
    if said:
        assert result.code == 2
        assert said in result.err
    assert "unexpected" not in result.err
    assert not [cell for cell in CELLS if cell in result.err]


def test_a_directory_that_is_no_release_is_refused(kohort: Run, place: Path) -> None:
    assert kohort("attack", place, "--all").code == 2
    assert kohort("attack", place / "patients.csv", "--all").code == 2


def test_history_lists_what_the_ledger_knows(kohort: Run, place: Path) -> None:
    told = ("--set", 'output.ledger="book.duckdb"', "--set", 'input.respondent="name"')
    assert "no earlier release" in kohort("anonymize", place / "plan.toml", "-o", place / "one", *told).out
    assert kohort("share", place / "one").code == 0
    assert "1 shared" in kohort("anonymize", place / "plan.toml", "-o", place / "one", *told).out
    listed = json.loads(kohort("history", "--ledger", place / "book.duckdb", "--json").out)["releases"]
    assert [release["promises"] for release in listed] == [["2-anonymity"], ["2-anonymity"]]
    out = kohort("history", "--ledger", place / "book.duckdb").out
    assert "2-anonymity" in out
    assert "replaced since" in out
    assert "draft" in out
    assert not [cell for cell in CELLS if cell in out]
    assert kohort("history", "--ledger", place / "nowhere.duckdb").code == 2


def test_withdrawn_releases_are_not_compared_and_unknown_ones_are_said(kohort: Run, place: Path) -> None:
    told = ("--set", 'output.ledger="book.duckdb"', "--set", 'input.respondent="name"')
    book = ("--ledger", place / "book.duckdb")
    assert kohort("anonymize", place / "plan.toml", "-o", place / "one", *told).code == 0
    assert kohort("share", place / "one").code == 0
    assert "forgotten" in kohort("history", *book, "--forget", "1").out
    result = kohort("anonymize", place / "plan.toml", "-o", place / "two", *told)
    assert "not compared with release 1, because its people were forgotten" in result.out
    listed = json.loads(kohort("history", *book, "--withdraw", "1", "--json").out)["releases"]
    assert [release["withdrawn"] for release in listed] == [True, False]
    assert kohort("share", place / "two").code == 0
    result = kohort("anonymize", place / "plan.toml", "-o", place / "three", *told)
    assert "compared with 1 shared release" in result.out
    assert "not compared" not in result.out
    unknown = kohort("history", *book, "--withdraw", "9")
    assert (unknown.code, unknown.err.count("kohort history")) == (2, 1)
    both = kohort("history", *book, "--withdraw", "2", "--shared", "2")
    assert (both.code, "name one of the two" in " ".join(both.err.split())) == (2, True)
    assert json.loads(kohort("history", *book, "--json").out)["releases"][1]["withdrawn"] is False


def test_a_plan_without_people_is_said_not_to_be_compared(kohort: Run, place: Path) -> None:
    result = kohort("anonymize", place / "plan.toml", "-o", place / "one")
    assert "ledger: not compared with earlier releases, because the plan names no respondent" in result.out
