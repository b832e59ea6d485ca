"""Where the commands read and write: the directory one stands in, and places that cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import convert
from typer.testing import CliRunner

from kohort.cli.main import app, main
from kohort.errors import InputError
from kohort.facts.ledger import LedgerFacts
from kohort.report.ledger import said_of

PLAN = """
[input]
path = "people.csv"
[columns]
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [10] } }
[[require]]
model = "k-anonymity"
k = 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "people.csv").write_text("age\n" + "\n".join(str(20 + i % 15) for i in range(60)) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_a_release_is_verified_and_attacked_from_within(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("anonymize", "plan.toml", "-o", "out")
    monkeypatch.chdir(folder / "out")
    assert "truthful" in run("verify", ".")  # which only the private audit beside the release can tell
    assert "attacks.json" in run("attack", ".")


def test_a_place_that_cannot_be_written_is_refused_before_the_search(folder: Path) -> None:
    with pytest.raises(InputError, match=r"plan\.toml is a file.*name another directory"):
        run("anonymize", "plan.toml", "-o", "plan.toml/deep/out")


def test_pages_and_plots_are_told(folder: Path) -> None:
    assert "page.html" in run("audit", "people.csv", "--quasi", "age", "--html", "page.html")
    assert "plot.svg" in run("frontier", "plan.toml", "--k", "2,3", "-o", "plot.svg")


def test_a_long_parameter_heads_its_column_uncut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "max_suppression" in run("frontier", "plan.toml", "--vary", "recode.max_suppression=0.0,0.1")


@pytest.mark.parametrize("kind", ["algorithms", "models", "metrics", "hierarchies", "shapes", "engines"])
def test_lists_fit_a_terminal_without_cutting_words(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = run(kind)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def compared(**found: object) -> LedgerFacts:
    nothing = dict.fromkeys(("below_k", "single_value", "new_single_value", "below_l"), 0)
    return convert({"compared": 1, "releases": [1], "shared": 9, **nothing, **found}, LedgerFacts)


def test_a_comparison_of_releases_counts_in_words() -> None:
    assert (
        "1 shared release; by the classes they put people in and by what their rows carry, together they give nobody of this one away"
        in said_of(compared())
    )
    told = said_of(compared(compared=2, releases=[1, 4], single_value=1))
    assert "together with release 1 and 4" in told
    assert "1 person is left with one sensitive value (0 only by this release)" in told
    assert "hide" not in told
    assert "2 people have fewer sensitive values left than promised" in said_of(compared(below_l=2))
    assert "of the 9 people of this one who are in a shared one too, 1 person is left" in told
    bound = said_of(compared(below_k=7, single_value=1, below_l=2, unsure=3))
    assert "up to 7 people may hide among fewer than promised" in bound
    assert "up to 1 person may be left with one sensitive value" in bound
    assert "up to 2 people may have fewer sensitive values left than promised" in bound
    assert "of 3 of those counted it is not known which rows go together" in bound
    assert "may" not in told


@pytest.mark.parametrize(
    "found",
    [
        LedgerFacts(compared=None, because="the plan says so"),
        LedgerFacts(compared=0, not_compared={1: "its people were forgotten"}),
        compared(not_compared={2: "its people are named by another column"}),
        compared(shared=0),
        LedgerFacts(compared=0, drafts=(1, 2)),
        compared(drafts=(2,)),
    ],
)
def test_what_was_not_compared_is_never_called_fine(found: LedgerFacts) -> None:
    told = said_of(found)
    assert "not compared" in told or "nobody of this one is in them" in told
    assert "no earlier release" not in told


@pytest.mark.parametrize("compiled", [False, True])
def test_an_interrupt_says_that_nothing_was_released(
    compiled: bool, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as problem:
            if compiled:  # a kernel that is interrupted returns with the exception set
                raise SystemError from problem
            raise

    monkeypatch.setattr("kohort.release.release.Release.written", interrupted)
    monkeypatch.setattr("sys.argv", ["kohort", "anonymize", "plan.toml", "-o", "out"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 130
    assert "interrupted; nothing was released" in capsys.readouterr().err
    assert not (folder / "out").exists()
