"""Whatever a command writes where it is told stands whole or not at all, and what stood there is not lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.arx.test_projects import project

from kohort.cli.pages import MARK
from kohort.folders import own_files

DRAWN = f"<svg/>\n{MARK}\n"
PLAN = "# MY DECISIONS\n[input]\npath = 'x.csv'\n"
# What each writes, and what stood there: nothing, or what it may replace.
WRITING = {
    "init": ("drafted.toml", None, ("init", "patients.csv", "-o", "drafted.toml")),
    "init --force": ("drafted.toml", PLAN, ("init", "patients.csv", "--force", "-o", "drafted.toml")),
    "audit": ("page.html", None, ("audit", "patients.csv", "--quasi", "zip,age", "--html", "page.html")),
    "audit again": (
        "page.html",
        DRAWN,
        ("audit", "patients.csv", "--quasi", "zip,age", "--html", "page.html"),
    ),
    "compare": ("page.html", DRAWN, ("compare", "plan.toml", "--k", "2", "-o", "page.html")),
    "frontier": ("plot.svg", DRAWN, ("frontier", "plan.toml", "--k", "2,3", "-o", "plot.svg")),
    "export": ("zip.csv", None, ("hierarchy", "export", "plan.toml", "zip", "-o", "zip.csv")),
    "import": ("new.toml", None, ("import", "project.deid", "-o", "new.toml")),
    "keygen": ("key.pem", None, ("keygen", "key.pem")),
    "keygen, its public half": ("key.pem.pub", None, ("keygen", "key.pem")),
    "demo": ("demo/plan.toml", None, ("demo", "demo")),
}


def refusing(number: int) -> Callable[..., None]:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


@contextmanager
def half_a_write(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the disk take a part of each file and no more."""
    opened = os.fdopen

    class Full:
        def __init__(self, file: object) -> None:
            self.file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()  # type: ignore[attr-defined]

        def write(self, content: bytes) -> None:
            self.file.write(content[: len(content) // 2])  # type: ignore[attr-defined]
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    patch.setattr(own_files.os, "fdopen", lambda *told: Full(opened(*told)))
    yield


@contextmanager
def no_flush(patch: pytest.MonkeyPatch) -> Iterator[None]:
    patch.setattr(own_files.os, "fsync", refusing(errno.EIO))
    yield


@contextmanager
def no_name(patch: pytest.MonkeyPatch) -> Iterator[None]:
    patch.setattr(Path, "replace", refusing(errno.EACCES))
    patch.setattr(own_files.os, "link", refusing(errno.EACCES))
    yield


@contextmanager
def small_files(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the system end every file after 20 bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    opened = os.open

    def limited(*told: object, **more: object) -> int:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
        return opened(*told, **more)  # type: ignore[arg-type]

    patch.setattr(own_files.os, "open", limited)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(autouse=True)
def _project(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(place)
    if made != place / "project.deid":
        made.rename(place / "project.deid")
    monkeypatch.chdir(place)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("fault", [half_a_write, no_flush, no_name, small_files])
@pytest.mark.parametrize("command", WRITING)
def test_nothing_half_stays_and_nothing_is_lost(
    command: str,
    fault: Callable[..., object],
    kohort,  # type: ignore[no-untyped-def]
    place: Path,
) -> None:
    name, stood, words = WRITING[command]
    if stood is not None:
        Path(name).write_text(stood, encoding="utf-8")
    before = files(place)
    with pytest.MonkeyPatch.context() as patch, fault(patch):  # type: ignore[attr-defined]
        ended = kohort(*words)
    assert ended.code == 2, (ended.out, ended.err)
    assert "bug" not in ended.err
    assert files(place) == before
    again = kohort(*words)
    assert again.code == 0, again.err
    assert Path(name).is_file()
    assert (files(place).get(name)) != (None if stood is None else stood.encode())
    assert not [left for left in files(place) if Path(left).name.startswith(own_files.PREFIX)]


def test_a_link_stays_one_and_permissions_stay(place: Path, kohort) -> None:  # type: ignore[no-untyped-def]
    kept = place / "kept"
    kept.mkdir()
    (kept / "mine.toml").write_text(PLAN, encoding="utf-8")
    (kept / "mine.toml").chmod(0o640)
    Path("link.toml").symlink_to(kept / "mine.toml")
    assert kohort("init", "patients.csv", "--force", "-o", "link.toml").code == 0
    assert Path("link.toml").is_symlink()
    assert "[columns]" in (kept / "mine.toml").read_text(encoding="utf-8")
    if os.name == "posix":
        assert (kept / "mine.toml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "words",
    [WRITING["audit"][2][:-1], WRITING["compare"][2][:-1], WRITING["frontier"][2][:-1]],
    ids=["audit", "compare", "frontier"],
)
@pytest.mark.parametrize(
    "text",
    ["<patients><p name='x'/></patients>", "<!doctype html><title>mine</title>\n", f"{MARK}\nmine", "x"],
)
def test_only_what_kohort_drew_is_drawn_anew(words: tuple[str, ...], text: str, kohort) -> None:  # type: ignore[no-untyped-def]
    Path("patients.xml").write_text(text, encoding="utf-8")
    ended = kohort(*words, "patients.xml")
    assert ended.code == 2
    assert "patients.xml exists and is no page or plot" in " ".join(ended.err.split())
    assert Path("patients.xml").read_text(encoding="utf-8") == text
    Path("patients.xml").unlink()
    for _ in range(2):  # its own it replaces
        assert kohort(*words, "patients.xml").code == 0


def test_the_demo_has_a_ledger_of_its_own(
    place: Path,
    kohort,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = place / "mine.duckdb"
    monkeypatch.setenv("KOHORT_LEDGER", str(mine))
    assert kohort("demo", "demo").code == 0
    assert not mine.exists()
    assert Path("demo/kohort-ledger.duckdb").is_file()
    assert kohort("share", "demo/release").code == 0
    assert not mine.exists()
