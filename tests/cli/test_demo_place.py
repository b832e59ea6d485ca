"""`kohort demo` in a folder with somebody's own releases or ledger ends before anything is written; its own it makes again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Result
from tests.trust.kills import snapshot

from kohort.cli import demo_place
from kohort.demo import files, make_patients
from kohort.ledger import FILE

Kohort = Callable[..., Result]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = make_patients(600)
    monkeypatch.setattr(files, "make_patients", lambda: few)


@pytest.fixture
def made(kohort: Kohort, place: Path) -> Path:
    assert kohort("demo", place / "demo").code == 0
    return place / "demo"


def refused(kohort: Kohort, folder: Path, what: str) -> None:
    before = snapshot(folder)
    ended = kohort("demo", folder)
    assert (ended.code, "nothing was written" in ended.err) == (2, True), ended.err
    assert what in " ".join(ended.err.split())
    assert snapshot(folder) == before


def test_the_demo_is_made_again_over_itself(kohort: Kohort, made: Path) -> None:
    own = snapshot(made).keys()
    assert kohort("demo", made).code == 0
    assert snapshot(made).keys() == own
    shutil.rmtree(made / "release")
    shutil.rmtree(made / "release.private")
    assert kohort("demo", made).code == 0
    assert snapshot(made).keys() == own


def test_a_release_of_ones_own_stays_with_its_audit(kohort: Kohort, place: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "mine" / "release").code == 0
    refused(kohort, place / "mine", "not known to be the demo's")


def test_a_release_of_ones_own_among_the_demos_files_stays(kohort: Kohort, place: Path, made: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", made / "release").code == 0
    refused(kohort, made, "not known to be the demo's")


@pytest.mark.parametrize("setting", ["require.0.k=6", "recode.max_suppression=0.5"])
def test_a_release_of_the_demos_table_by_another_plan_stays(setting: str, kohort: Kohort, made: Path) -> None:
    ended = kohort("anonymize", made / "plan.toml", "-o", made / "release", "--set", setting)
    assert ended.code == 0, ended.err
    refused(kohort, made, "not known to be the demo's")


@pytest.mark.parametrize("name", [files.TABLE, files.LEVELS, files.PLAN])
def test_a_release_or_ledger_without_all_of_the_demos_files_stays(
    name: str, kohort: Kohort, made: Path
) -> None:
    (made / name).unlink()
    refused(kohort, made, "not known to be the demo's")
    shutil.rmtree(made / "release")
    shutil.rmtree(made / "release.private")
    refused(kohort, made, "a ledger")


@pytest.mark.parametrize("name", [FILE, FILE + ".key"])
def test_a_ledger_of_ones_own_stays(name: str, kohort: Kohort, place: Path) -> None:
    (place / "mine").mkdir()
    (place / "mine" / name).write_bytes(b"of ten years")
    refused(kohort, place / "mine", "a ledger")


@pytest.mark.skipif(os.name != "posix", reason="links are otherwise there")
def test_nothing_is_written_where_a_link_leads(kohort: Kohort, place: Path) -> None:
    for folder in ("mine", "elsewhere"):
        (place / folder).mkdir()
    (place / "mine" / "hierarchies").symlink_to(place / "elsewhere")
    refused(kohort, place / "mine", "hierarchies exists")
    assert not any((place / "elsewhere").iterdir())


def test_who_is_killed_while_a_file_is_written_can_begin_again(
    kohort: Kohort, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file it is; what was begun has no name of the demo's."""
    for last in range(3):
        folder, steps = place / f"demo {last}", iter(range(99))

        def killed(_: int, steps=steps, last=last) -> None:  # type: ignore[no-untyped-def]
            if next(steps) == 2 * last:  # the disk is asked for each file and for its name
                raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(files.os, "fsync", killed)
            with pytest.raises(KeyboardInterrupt):
                files.write(folder)
        assert len(snapshot(folder)) == last
        demo_place.refuse_others(folder)
        files.write(folder)
        assert len(snapshot(folder)) == 3
