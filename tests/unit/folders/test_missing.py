"""A release from which anything is missing is not replaced: what is gone may be with somebody, and the rest tells of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.trust.kills import made, snapshot

from kohort.errors import InputError
from kohort.folders import workshop as at_work
from kohort.folders.release_folder import LISTING, not_as_written, private_of, refuse_foreign, standing
from kohort.folders.workshop import amend, recover
from kohort.release.release import Release


@pytest.fixture(scope="module")
def next_one() -> Release:
    """What would take the place of the release."""
    return made(3)


@pytest.fixture(scope="module")
def stood(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release, to be copied."""
    out = tmp_path_factory.mktemp("stood") / "out"
    made(2).save(out)
    amend(private_of(out), out, {"attacks.json": "{}\n"})
    return out


@pytest.fixture
def out(stood: Path, tmp_path: Path) -> Path:
    """A release of its own."""
    shutil.copytree(stood.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "out"


def handed_on(out: Path) -> None:
    out.rename(out.with_name("handed-on"))


def emptied(out: Path) -> None:
    shutil.move(out, out.with_name("handed-on"))
    out.mkdir()


@pytest.mark.parametrize("lost", [handed_on, emptied])
def test_the_audit_of_a_release_that_was_moved_away_is_kept(
    lost: Callable[[Path], None], out: Path, next_one: Release
) -> None:
    lost(out)
    before = snapshot(out.parent)
    with pytest.raises(InputError, match=r"all of .*out is missing.*put back what is missing") as refused:
        next_one.save(out)
    assert str(private_of(out)) in str(refused.value)
    assert snapshot(out.parent) == before


def test_a_release_without_any_one_of_its_files_is_kept(out: Path, next_one: Release) -> None:
    files = [*standing(out).values(), *standing(private_of(out)).values()]
    assert {"table.csv", "audit.json", "attacks.json"} <= {path.name for path in files}
    for path in files:
        aside = path.rename(out.parent / "aside")
        before = snapshot(out.parent)
        with pytest.raises(InputError) as refused:
            next_one.save(out)
        if path.name != LISTING:  # without it nothing is known of any file
            assert f"{path.name!r} of {path.parent} is missing" in str(refused.value)
        assert snapshot(out.parent) == before
        aside.rename(path)
    next_one.save(out)


def test_a_release_that_is_moved_away_while_the_next_is_made_keeps_its_audit(
    out: Path, next_one: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = at_work.write_listing

    def meanwhile(*arguments: object) -> None:
        handed_on(out)
        write(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(at_work, "write_listing", meanwhile)
    audit = snapshot(private_of(out))
    with pytest.raises(InputError, match="is missing"):
        next_one.save(out)
    assert snapshot(private_of(out)) == audit
    assert not out.exists()
    assert not list(out.parent.glob(".*"))


def test_a_file_that_a_killed_run_was_about_to_add_is_not_missed(
    out: Path, next_one: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = at_work._replace

    class KilledError(BaseException):
        """The end of a process."""

    def up_to_the_file(stage: Path, path: Path, text: str) -> None:
        if path.name == "more.json":
            raise KilledError
        replaced(stage, path, text)

    with monkeypatch.context() as patched:
        patched.setattr(at_work, "_replace", up_to_the_file)
        with pytest.raises(KilledError):
            amend(private_of(out), out, {"more.json": "{}\n"})
    recover(out)
    refuse_foreign(out)
    assert not_as_written(private_of(out)) == {}
    amend(private_of(out), out, {"more.json": "{}\n"})
    (private_of(out) / "more.json").unlink()
    with pytest.raises(InputError, match=r"'more.json' of .* is missing"):
        next_one.save(out)
