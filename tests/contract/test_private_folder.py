"""Whatever is done to a file of the private folder, `verify` says so: of the audit, by which it judges, ✗; of all others ?."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import kohort
from kohort.cli.main import app
from kohort.demo.ward import WARD, ward_plan
from kohort.errors import KohortError, VerificationError
from kohort.verification.case import PRIVATE_FOLDER

Tamper = Callable[[Path], None]


def edited(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content + b"\n" if path.suffix != ".parquet" else content[:-1])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def removed(path: Path) -> None:
    path.unlink()


def linked(path: Path) -> None:
    path.rename(path.parents[1] / "elsewhere")
    path.symlink_to(path.parents[1] / "elsewhere")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


KINDS: tuple[Tamper, ...] = (edited, emptied, removed, linked, a_folder)
STRANGERS = ("notes.txt", ".hidden", "report (1).html", "table.parquet")


@pytest.fixture(scope="module", params=["optimal", "anatomy", "people"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with its private folder: what a table for the private side holds differs from algorithm to algorithm."""
    place = tmp_path_factory.mktemp("released")
    people = request.param == "people"  # whose numbers stand there too
    plan = ward_plan("datafly" if people else request.param) | {"output": {"ledger": ""}}
    if request.param == "anatomy":
        plan["require"] = [{"model": "l-diversity", "column": "ill", "l": 2}]
    if people:
        plan["input"] = {"respondent": "who"}
    table = WARD.append_column("who", pa.array(list("abcdef")))
    kohort.anonymize(table, kohort.Plan(**plan)).save(place / "out")
    return place


def copied(release: Path, place: Path) -> Path:
    shutil.copytree(release, place / "copy", symlinks=True)
    return place / "copy" / "out"


def said(out: Path) -> dict[str, bool | None]:
    return {verdict.promise: verdict.holds for verdict in kohort.verify(out)}


def test_an_untouched_folder_is_as_it_was_written(release: Path, tmp_path: Path) -> None:
    out = copied(release, tmp_path)
    assert said(out)[PRIVATE_FOLDER] is True
    shutil.rmtree(out.with_name("out.private"))
    assert PRIVATE_FOLDER not in said(out)


@pytest.mark.parametrize("tamper", KINDS)
def test_every_changed_file_is_told_by_name(release: Path, tamper: Tamper, tmp_path: Path) -> None:
    names = sorted(os.listdir(release / "out.private"))
    assert {"audit.json", "files.json", "report.html"} <= {*names}
    for number, name in enumerate(names):
        out = copied(release, tmp_path / str(number))
        before = said(out)
        tamper(out.with_name("out.private") / name)
        if name == "files.json" and tamper is edited:
            continue  # a blank more is no other listing
        try:
            verdicts = {verdict.promise: verdict for verdict in kohort.verify(out)}
        except KohortError as refusal:  # what is needed cannot be read: an answer too, and no success
            refused = str(refusal)
        else:
            refused = ""
        if refused:
            assert name in refused
            continue
        if name == "audit.json" and tamper is removed:
            assert None in {verdict.holds for verdict in verdicts.values()}  # as for everybody without one
            continue
        found = verdicts[PRIVATE_FOLDER]
        assert found.holds is (False if name == "audit.json" else None)
        assert repr(name) in found.note
        if name in ("report.html", "files.json"):  # by which nothing of the release is judged
            others = {promise: v.holds for promise, v in verdicts.items() if promise != PRIVATE_FOLDER}
            assert others == {
                promise: holds for promise, holds in before.items() if promise != PRIVATE_FOLDER
            }


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.parametrize("folder", [False, True])
def test_whatever_else_stands_there_is_told(release: Path, name: str, folder: bool, tmp_path: Path) -> None:
    out = copied(release, tmp_path)
    stranger = out.with_name("out.private") / name
    stranger.mkdir() if folder else stranger.write_text("mine", encoding="utf-8")
    found = next(v for v in kohort.verify(out) if v.promise == PRIVATE_FOLDER)
    assert found.holds is None
    assert repr(name) in found.note


@pytest.mark.parametrize(
    ("name", "code", "mark"), [("report.html", 5, "?"), ("notes.txt", 5, "?"), ("audit.json", 4, "✗")]
)
def test_the_command_says_it_and_ends_otherwise_than_with_success(
    release: Path, name: str, code: int, mark: str, tmp_path: Path
) -> None:
    out = copied(release, tmp_path)
    before = CliRunner().invoke(app, ["verify", str(out), "--json"])
    with (out.with_name("out.private") / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    shown = CliRunner().invoke(app, ["verify", str(out)])
    assert shown.exit_code == code
    assert f"{mark} {PRIVATE_FOLDER} – " in shown.stdout
    told = json.loads(CliRunner().invoke(app, ["verify", str(out), "--json"]).stdout)
    assert told["exit_code"] == code
    assert [v["promise"] for v in told["verdicts"]] == [
        v["promise"] for v in json.loads(before.stdout)["verdicts"]
    ]


def test_what_kohort_itself_writes_there_is_listed(tmp_path: Path) -> None:
    """Sharing writes audit and report anew; a folder that others changed is not shared."""
    plan = kohort.Plan(**ward_plan("optimal"))
    kohort.anonymize(WARD, plan).save(tmp_path / "out")
    kohort.share(tmp_path / "out")
    assert said(tmp_path / "out")[PRIVATE_FOLDER] is True
    kohort.anonymize(WARD, plan).save(tmp_path / "other")
    (tmp_path / "other.private" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(VerificationError, match=r"notes\.txt"):
        kohort.share(tmp_path / "other")
