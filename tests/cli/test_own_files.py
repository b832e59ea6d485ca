"""Whatever a command writes about the original is its owner's alone, as the private folder is."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from tests.unit.arx.test_projects import project

WRITING = {
    "audit": ("audit", "patients.csv", "--quasi", "zip,age", "--html", "page.html"),
    "compare": ("compare", "plan.toml", "--k", "2", "-o", "page.html"),
    "frontier": ("frontier", "plan.toml", "--k", "2,3", "-o", "plot.svg"),
    "hierarchy": ("hierarchy", "export", "plan.toml", "zip"),
    "import": ("import", "project.deid", "-o", "new/plan.toml"),
    "anonymize": ("anonymize", "plan.toml", "-o", "out"),
}
PUBLIC = {"out/manifest.json", "out/report.html", "out/table.csv"}


@pytest.fixture(autouse=True)
def _project(place: Path) -> None:
    """A project of ARX stands beside the table."""
    made = project(place)
    if made != place / "project.deid":
        made.rename(place / "project.deid")


@pytest.mark.skipif(os.name != "posix", reason="permissions are otherwise there")
@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize("command", WRITING)
def test_what_tells_of_the_original_is_its_owners_alone(
    command: str,
    kohort,  # type: ignore[no-untyped-def]
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = {path for path in place.rglob("*") if path.is_file()}
    monkeypatch.chdir(place)
    ended = kohort(*WRITING[command])
    assert ended.code == 0, ended.err
    new = {path.relative_to(place).as_posix(): path for path in place.rglob("*") if path.is_file()}
    written = {name: path for name, path in new.items() if path not in before and name not in PUBLIC}
    assert written
    assert {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in written.items()} == dict.fromkeys(
        written, "0o600"
    )


OVER = {
    "init": ("init", "patients.csv", "-o"),
    "init --force": ("init", "patients.csv", "--force", "-o"),
    "audit": ("audit", "patients.csv", "--quasi", "zip,age", "--html"),
    "compare": ("compare", "plan.toml", "--k", "2", "-o"),
    "frontier": ("frontier", "plan.toml", "--k", "2,3", "-o"),
    "hierarchy": ("hierarchy", "export", "plan.toml", "zip", "-o"),
    "import": ("import", "project.deid", "-o"),
    "anonymize": ("anonymize", "plan.toml", "-o"),
}


@pytest.mark.parametrize("command", OVER)
def test_no_table_is_written_over(
    command: str,
    kohort,  # type: ignore[no-untyped-def]
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever names the table where a file is to be written loses nothing, and is not told to insist."""
    monkeypatch.chdir(place)
    before = Path("patients.csv").read_bytes()
    ended = kohort(*OVER[command], "patients.csv")
    assert Path("patients.csv").read_bytes() == before
    assert ended.code == 2
    assert "--force" not in ended.err


INTO = {
    "audit": ("audit", "patients.csv", "--quasi", "zip,age", "--html", "{}/report.html"),
    "compare": ("compare", "plan.toml", "--k", "2", "-o", "{}/report.html"),
    "frontier": ("frontier", "plan.toml", "--k", "2,3", "-o", "{}/plot.svg"),
    "hierarchy": ("hierarchy", "export", "plan.toml", "zip", "-o", "{}/zip.csv"),
    "import": ("import", "project.deid", "-o", "{}/plan.toml"),
    "init": ("init", "patients.csv", "-o", "{}/plan.toml"),
    "keygen": ("keygen", "{}/key.pem"),
    "demo": ("demo", "{}/demo"),
    "anonymize": ("anonymize", "plan.toml", "-o", "{}/again"),
    "ledger": ("anonymize", "ledger.toml", "-o", "another"),
}


@pytest.mark.parametrize("folder", ["out", "out.private", "link", "shared"])
def test_nothing_is_written_into_a_release_or_its_audit(
    folder: str,
    kohort,  # type: ignore[no-untyped-def]
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(place)
    assert kohort(*WRITING["anonymize"]).code == 0
    (place / "link").symlink_to(place / "out")
    shutil.copytree(place / "out", place / "shared")  # as others have it, without the audit
    plan = (place / "plan.toml").read_text(encoding="utf-8")
    (place / "ledger.toml").write_text(
        plan + f'\n[output]\nledger = "{folder}/book.ledger"\n', encoding="utf-8"
    )
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    for command, told in INTO.items():
        ended = kohort(*(word.format(folder) for word in told))
        assert (ended.code, "a release or its private audit" in ended.err) == (2, True), (command, ended.err)
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
