"""Drafts and what is shared of them: what counts, what is told of what does not, and what cannot be shared."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.csv
import pytest
from msgspec import to_builtins
from tests.unit.ledger.test_ledger import MOVED, NAMED, PEOPLE, PLAN, given, save
from typer.testing import CliRunner

import kohort
from kohort import sharing
from kohort.algorithms import Silent
from kohort.cli.main import app
from kohort.errors import InfeasibleError, InputError, KohortError, VerificationError
from kohort.ledger import FILE, Ledger, file
from kohort.pipeline import make_release
from kohort.release.documents import load_audit
from kohort.release.release import Release, TogetherWarning
from kohort.report.ledger import said_of, state_of
from kohort.sharing import mark_as_shared


def files(*folders: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for folder in folders for path in sorted(folder.iterdir())}


def test_drafts_do_not_count_but_are_told_of(tmp_path: Path) -> None:
    for name in ("one", "two", "two"):  # of the last two, the first is replaced, and may have been given away
        save(tmp_path / name, input=NAMED)
    told = save(tmp_path / "three", MOVED, input=NAMED)
    assert (told["compared"], told["drafts"], told["marked"]) == (0, (1, 2, 3), False)
    said = said_of(kohort.share(tmp_path / "three"))
    assert "not compared with 3 drafts that nobody marked as shared" in said
    assert "no earlier release" not in said


def test_a_draft_is_told_its_crowd_as_if_it_were_shared(tmp_path: Path) -> None:
    given(tmp_path / "one", input=NAMED)
    draft = save(tmp_path / "two", MOVED, input=NAMED)
    assert draft["below_k"] == 2
    assert to_builtins(mark_as_shared(tmp_path / "two", anyway=True)) == draft | {"marked": True}


def test_the_comparison_that_counts_is_that_of_the_moment_of_sharing(tmp_path: Path) -> None:
    assert save(tmp_path / "one", input=NAMED)["compared"] == 0
    assert save(tmp_path / "two", MOVED, input=NAMED)["compared"] == 0
    assert mark_as_shared(tmp_path / "one", anyway=True).compared == 0
    with pytest.warns(TogetherWarning, match="together with release 1"):
        told = kohort.share(tmp_path / "two", anyway=True)
    assert told.below_k == 2
    audit = json.loads((tmp_path / "two.private" / "audit.json").read_text(encoding="utf-8"))
    assert audit["facts"]["ledger"] == json.loads(msgspec.json.encode(told))
    report = (tmp_path / "two.private" / "report.html").read_text(encoding="utf-8")
    assert "hide among fewer than promised" in report
    assert "this is a draft" not in report.lower()
    assert all(verdict.holds for verdict in kohort.verify(tmp_path / "two"))


def test_what_gives_people_away_is_not_marked_unless_others_have_it(tmp_path: Path) -> None:
    given(tmp_path / "one", input=NAMED)
    save(tmp_path / "two", MOVED, input=NAMED)
    folders = tmp_path / "two", tmp_path / "two.private"
    before = files(*folders)
    with pytest.raises(InfeasibleError, match=r"do not share it beside them.* stays a draft") as refused:
        kohort.share(tmp_path / "two")
    assert (refused.value.code, refused.value.fields["releases"]) == ("ledger.gives-away", [1])
    assert files(*folders) == before
    assert [release["shared"] is None for release in Ledger(tmp_path / FILE).releases()] == [False, True]
    with pytest.warns(TogetherWarning):
        assert kohort.share(tmp_path / "two", anyway=True).marked
    with pytest.warns(TogetherWarning):  # it is shared: told again, and not refused
        assert kohort.share(tmp_path / "two").marked_before


def test_sharing_again_changes_nothing_and_a_withdrawn_one_counts_again(tmp_path: Path) -> None:
    given(tmp_path / "one", input=NAMED)
    ledger = Ledger(tmp_path / FILE)
    first = ledger.releases()[0]["shared"]
    assert mark_as_shared(tmp_path / "one", anyway=True).compared == 0
    ledger.withdraw(1)
    assert save(tmp_path / "two", MOVED, input=NAMED)["compared"] == 0
    mark_as_shared(tmp_path / "one", anyway=True)
    assert ledger.releases()[0] | {"made": None} == ledger.releases()[0] | {
        "made": None, "shared": first, "withdrawn": False,
    }  # fmt: skip
    assert mark_as_shared(tmp_path / "two", anyway=True).below_k == 2


def test_demand_keeps_a_draft_from_being_shared_beside_what_was_shared_since(tmp_path: Path) -> None:
    asked = {"input": NAMED, "output": {"together": "demand"}}
    for name, people in (("one", PEOPLE), ("two", MOVED)):
        save(tmp_path / name, people, **asked)
    mark_as_shared(tmp_path / "one", anyway=True)
    before = files(tmp_path / "two", tmp_path / "two.private")
    with pytest.raises(InfeasibleError, match="hide among fewer than promised") as refused:
        mark_as_shared(tmp_path / "two", anyway=True)
    assert "it was not marked as shared, and stays a draft" in str(refused.value)
    assert "nothing was released" not in str(refused.value)
    assert files(tmp_path / "two", tmp_path / "two.private") == before
    assert [release["shared"] is None for release in Ledger(tmp_path / FILE).releases()] == [False, True]


def edit_table(out: Path) -> None:
    (out / "table.csv").write_text(
        (out / "table.csv").read_text(encoding="utf-8").replace("1*", "**"), encoding="utf-8"
    )


def edit_manifest(out: Path) -> None:
    manifest = out / "manifest.json"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("k-anonymity", "k-anonymitx"), encoding="utf-8"
    )


def add_file(out: Path) -> None:
    (out / "names.csv").write_text("name\na\n", encoding="utf-8")


def lose_report(out: Path) -> None:
    (out / "report.html").unlink()


def change_people(out: Path) -> None:
    (out.with_name(f"{out.name}.private") / "respondents.parquet").write_bytes(b"PAR1")


@pytest.mark.parametrize("damage", [edit_table, edit_manifest, add_file, lose_report, change_people])
def test_a_damaged_folder_is_not_shared(damage, tmp_path: Path) -> None:
    save(tmp_path / "out", input=NAMED)
    damage(tmp_path / "out")
    with pytest.raises(VerificationError, match="was not marked as shared"):
        mark_as_shared(tmp_path / "out", anyway=True)
    assert Ledger(tmp_path / FILE).releases()[0]["shared"] is None


def lose_audit(out: Path) -> str:
    shutil.rmtree(out.with_name(f"{out.name}.private"))
    return "not a release with its private audit"


def other_ledger(out: Path) -> str:
    """A ledger begun anew, where that number is another release."""
    for name in (FILE, f"{FILE}.key"):
        (out.parent / name).unlink()
    save(out.with_name("other"), MOVED, input=NAMED)
    return "recorded in another ledger"


def empty_ledger(out: Path) -> str:
    Ledger(out.parent / FILE).retract(1)
    return "there is no release 1; there are: none"


def lost_ledger(out: Path) -> str:
    (out.parent / FILE).unlink()
    return "the ledger is missing"


def forget(out: Path) -> str:
    Ledger(out.parent / FILE).forget(1)
    return "cannot be compared any more"


def discard(out: Path) -> str:
    assert Ledger(out.parent / FILE).discard_drafts() == [1]
    return "cannot be compared any more"


@pytest.mark.parametrize("fault", [lose_audit, other_ledger, empty_ledger, lost_ledger, forget, discard])
def test_what_the_ledger_cannot_tell_is_not_shared(fault, tmp_path: Path) -> None:
    save(tmp_path / "out", input=NAMED)
    said = fault(tmp_path / "out")
    with pytest.raises(InputError, match=said):
        mark_as_shared(tmp_path / "out", anyway=True)


@pytest.mark.parametrize("named", [{}, {"input": NAMED}])
def test_a_release_that_is_to_be_in_no_ledger_cannot_be_marked(named, tmp_path: Path) -> None:
    save(tmp_path / "out", **named, output={"ledger": ""})
    with pytest.raises(InputError, match=r"is in no ledger, because .* and release anew"):
        mark_as_shared(tmp_path / "out", anyway=True)


def test_a_draft_that_was_given_away_unmarked_can_be_marked_by_its_number(tmp_path: Path) -> None:
    """Also where its folder is gone: what somebody has must count."""
    save(tmp_path / "out", input=NAMED)
    save(tmp_path / "out", MOVED, input=NAMED)
    runner = CliRunner()
    done = runner.invoke(app, ["history", "--ledger", str(tmp_path / FILE), "--shared", "1", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["releases"]
    assert [release["shared"] is None for release in told] == [False, True]
    assert mark_as_shared(tmp_path / "out", anyway=True).below_k == 2


def test_discarded_drafts_are_told_of_no_more_and_nobody_is_in_them(tmp_path: Path) -> None:
    given(tmp_path / "one", input=NAMED)
    for _ in range(3):
        save(tmp_path / "two", MOVED, input=NAMED)
    done = CliRunner().invoke(app, ["history", "--ledger", str(tmp_path / FILE), "--discard-drafts"])
    assert done.exit_code == 0, done.output
    told = save(tmp_path / "three", MOVED, input=NAMED)
    assert (told["drafts"], told["releases"]) == ((), (1,))
    with duckdb.connect(str(tmp_path / FILE), read_only=True) as connection:
        kept = connection.execute("SELECT DISTINCT release FROM members ORDER BY 1").fetchall()
    assert kept == [(1,), (5,)]


def test_whatever_a_ledger_of_before_holds_counts_as_shared(tmp_path: Path) -> None:
    """It knew no drafts: any of its releases may have been given away."""
    save(tmp_path / "one", input=NAMED)
    ledger = Ledger(tmp_path / FILE)
    with duckdb.connect(str(ledger.path)) as connection:
        for column in ("shared", "files", "forms"):
            connection.execute(f"ALTER TABLE releases DROP COLUMN {column}")
        connection.execute("UPDATE ledger SET version = ?", [file.BEFORE[0]])
        connection.execute("DROP TABLE earlier")
        noted = ledger.path.with_name(f"{FILE}.key")
        noted.write_bytes(noted.read_bytes()[:32])
        file.Book(ledger.path, connection, noted.read_bytes()).close_seal()
    read = ledger.releases()
    assert read[0]["shared"] == read[0]["made"]
    assert [*save(tmp_path / "two", MOVED, input=NAMED)["not_compared"]] == [1]
    assert [release["shared"] is None for release in ledger.releases()] == [False, True]
    with pytest.raises(InputError, match="make it anew"):
        mark_as_shared(tmp_path / "one", anyway=True)


@pytest.mark.parametrize(
    ("step", "marked"),
    [("ledger.file.Book.mark", False), ("ledger.file.Book.close_seal", False), ("sharing._tell", True)],
)
def test_whoever_dies_while_sharing_leaves_a_draft_or_a_release(
    step: str, marked: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never half of it; and what is marked but still called a draft is called so by the report alone."""

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    save(tmp_path / "out", input=NAMED)
    with monkeypatch.context() as patched:
        patched.setattr(f"kohort.{step}", dies)
        with pytest.raises(KeyboardInterrupt):
            mark_as_shared(tmp_path / "out", anyway=True)
    assert (Ledger(tmp_path / FILE).releases()[0]["shared"] is not None) == marked
    assert mark_as_shared(tmp_path / "out", anyway=True).marked


def test_a_report_that_cannot_be_written_does_not_unmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise InputError("no room", code="release.unwritable", path=tmp_path)

    save(tmp_path / "out", input=NAMED)
    monkeypatch.setattr("kohort.folders.workshop._replace", fails)
    with pytest.raises(
        InputError,
        match="is marked as shared, but its private audit or report may still call it a draft: no room",
    ):
        mark_as_shared(tmp_path / "out", anyway=True)
    assert Ledger(tmp_path / FILE).releases()[0]["shared"] is not None


def test_signals_after_the_mark_come_too_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is told that nothing was released must find that nothing was marked."""
    save(tmp_path / "out", input=NAMED)
    usual = sharing._tell

    def signalled(*told: object) -> None:
        signal.raise_signal(signal.SIGINT)
        usual(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(sharing, "_tell", signalled)
    assert mark_as_shared(tmp_path / "out", anyway=True).marked
    assert load_audit(tmp_path / "out.private" / "audit.json").facts.ledger.marked


def test_nobody_replaces_a_release_while_it_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path / "out", input=NAMED)
    usual = sharing._tell

    def meanwhile(*told: object) -> None:
        with pytest.raises(InputError, match="another run of Kohort"):
            save(tmp_path / "out", MOVED, input=NAMED)
        usual(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(sharing, "_tell", meanwhile)
    assert mark_as_shared(tmp_path / "out", anyway=True).marked


def test_the_same_bytes_of_other_people_in_another_ledger_are_not_marked(tmp_path: Path) -> None:
    save(tmp_path / "out", input=NAMED)
    (tmp_path / "elsewhere").mkdir()
    save(tmp_path / "elsewhere" / "out", input=NAMED)
    with pytest.raises(InputError, match="recorded in another ledger"):
        mark_as_shared(tmp_path / "out", tmp_path / "elsewhere" / FILE)


@pytest.mark.parametrize("damage", ["[1]", '{"compared": 0, "release": "abc"}'])
def test_a_damaged_audit_is_answered(damage: str, tmp_path: Path) -> None:
    save(tmp_path / "out", input=NAMED)
    path = tmp_path / "out.private" / "audit.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["facts"]["ledger"] = json.loads(damage)
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(KohortError):
        mark_as_shared(tmp_path / "out", anyway=True)


def test_a_signature_still_holds_after_sharing(tmp_path: Path) -> None:
    key = tmp_path / "key"
    CliRunner().invoke(app, ["keygen", str(key)])
    draft = make_release(PEOPLE, kohort.Plan(**PLAN, input=NAMED, base=tmp_path), Silent())
    Release.written(draft, tmp_path / "out", sign=key)
    mark_as_shared(tmp_path / "out", anyway=True)
    verdicts = kohort.verify(tmp_path / "out", signer=tmp_path / "key.pub")
    assert any(verdict.promise.startswith("signed by") for verdict in verdicts)
    assert all(verdict.holds for verdict in verdicts)


def test_the_public_folder_does_not_change_when_it_is_shared(tmp_path: Path) -> None:
    save(tmp_path / "out", input=NAMED)
    before = files(tmp_path / "out")
    mark_as_shared(tmp_path / "out", anyway=True)
    assert files(tmp_path / "out") == before


def test_the_terminal_says_what_is_a_draft_and_what_counts(tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    pa.csv.write_csv(PEOPLE, table)
    plan = kohort.Plan(**PLAN, input=NAMED | {"path": table.name}, base=tmp_path)
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    out, runner = str(tmp_path / "out"), CliRunner()
    drafted = runner.invoke(app, ["anonymize", str(tmp_path / "plan.toml"), "-o", out])
    assert f"before anybody gets it, `kohort share {out}`" in drafted.output
    shared = runner.invoke(app, ["share", out])
    assert shared.exit_code == 0, shared.output
    assert "marked as shared: it counts as release 1" in shared.output
    listed = runner.invoke(app, ["share", out, "--json"])
    assert json.loads(listed.stdout)["marked"] is True


def test_of_what_is_in_no_ledger_nothing_is_called_a_draft() -> None:
    from kohort.facts.ledger import LedgerFacts

    assert state_of(LedgerFacts(compared=None, because="so")) == ""
