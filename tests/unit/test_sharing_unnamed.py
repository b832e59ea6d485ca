"""Releases whose plans name no respondent: marked where every row is another person, and never called compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.test_several_rows import plan_of, table
from tests.unit.ledger.test_ledger import MOVED, NAMED, given, save

import kohort
from kohort.cli.share import run
from kohort.errors import InfeasibleError, InputError, VerificationError
from kohort.ledger import FILE, LOCATION, Ledger
from kohort.release.documents import load_audit
from kohort.report.ledger import said_of, state_of
from kohort.sharing import mark_as_shared


def shared_in(ledger: Path) -> list[bool]:
    return [release["shared"] is not None for release in Ledger(ledger).releases()]


def test_it_is_recorded_when_it_is_shared_and_told_as_not_compared(tmp_path: Path) -> None:
    assert save(tmp_path / "out")["release"] is None
    assert not (tmp_path / FILE).exists()
    told = mark_as_shared(tmp_path / "out")
    assert (told.release, told.compared, told.marked) == (1, 0, True)
    assert "names no respondent" in said_of(told)
    assert "no earlier release" not in said_of(told)
    assert "counts as release 1" in state_of(told)
    assert shared_in(tmp_path / FILE) == [True]
    assert load_audit(tmp_path / "out.private" / "audit.json").facts.ledger == told
    assert "counts as release 1" in (tmp_path / "out.private" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("again", [1, 2, 3])
def test_shared_again_it_is_one_release(again: int, tmp_path: Path) -> None:
    save(tmp_path / "out")
    told = [mark_as_shared(tmp_path / "out") for _ in range(again)]
    assert [one.marked_before for one in told] == [False] + [True] * (again - 1)
    assert shared_in(tmp_path / FILE) == [True]


def test_a_mark_that_the_audit_does_not_tell_is_found_again(tmp_path: Path) -> None:
    """As where the report could not be written: the mark stands, and sharing once more tells it."""
    save(tmp_path / "out")
    audit = tmp_path / "out.private" / "audit.json"
    before = {path: path.read_bytes() for path in audit.parent.iterdir()}
    mark_as_shared(tmp_path / "out")
    for path, content in before.items():
        path.write_bytes(content)
    assert mark_as_shared(tmp_path / "out").marked_before
    assert shared_in(tmp_path / FILE) == [True]


def test_neither_side_is_told_to_be_fine(tmp_path: Path) -> None:
    given(tmp_path / "named", input=NAMED)
    save(tmp_path / "unnamed")
    told = mark_as_shared(tmp_path / "unnamed")
    assert (told.compared, list(told.not_compared)) == (0, [1])
    later = save(tmp_path / "later", MOVED, input=NAMED)
    assert (later["releases"], list(later["not_compared"])) == ((1,), [2])


def test_it_can_be_withdrawn(tmp_path: Path) -> None:
    save(tmp_path / "out")
    mark_as_shared(tmp_path / "out")
    Ledger(tmp_path / FILE).withdraw(1)
    assert save(tmp_path / "later", MOVED, input=NAMED)["not_compared"] == {}


@pytest.mark.parametrize("where", ["beside", "named", "by the environment"])
def test_it_stands_in_the_ledger_that_is_meant(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / FILE if where == "beside" else tmp_path / "other.duckdb"
    if where == "by the environment":
        monkeypatch.setenv(LOCATION, str(place))
    save(tmp_path / "out")
    mark_as_shared(tmp_path / "out", place if where == "named" else None)
    assert shared_in(place) == [True]


def test_a_damaged_one_is_not_recorded(tmp_path: Path) -> None:
    save(tmp_path / "out")
    released = next((tmp_path / "out").glob("table.*"))
    released.write_text(released.read_text(encoding="utf-8").upper(), encoding="utf-8")
    with pytest.raises((InputError, VerificationError)):
        mark_as_shared(tmp_path / "out", anyway=True)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("ledger", [{}, {"ledger": "own.duckdb"}])
def test_people_who_seem_to_have_several_rows_are_not_shared_unless_others_have_them(
    ledger: dict[str, str], tmp_path: Path
) -> None:
    plan = {**plan_of().to_dict(), "output": {key: str(tmp_path / name) for key, name in ledger.items()}}
    place = tmp_path / ledger.get("ledger", FILE)
    kohort.anonymize(table(3), plan).save(tmp_path / "out")
    with pytest.raises(
        InfeasibleError, match=r"several rows.*stays a draft.*respondent.*mark it anyway"
    ) as refused:
        kohort.share(tmp_path / "out")
    assert refused.value.code == "ledger.gives-away"
    assert not place.exists() or shared_in(place) == [False]
    assert kohort.share(tmp_path / "out", anyway=True).marked
    assert kohort.share(tmp_path / "out").marked_before  # it was refused once; now others have it
    assert shared_in(place) == [True]


@pytest.mark.parametrize("each", [1, 3])
def test_the_command_says_of_what_is_marked_anyway_that_people_may_have_several_rows(
    each: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kohort.anonymize(table(each), plan_of()).save(tmp_path / "out")
    run(tmp_path / "out", None, anyway=True, as_json=False)
    assert ("people seem to have several rows" in capsys.readouterr().err) == (each > 1)


def test_a_single_row_each_is_shared(tmp_path: Path) -> None:
    kohort.anonymize(table(1), plan_of()).save(tmp_path / "out")
    assert kohort.share(tmp_path / "out").marked
