"""Hidden folders that are called like Kohort's and are not: whatever is in them, no command touches them."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from tests.cli.conftest import PATIENTS, PLAN

from kohort.cli.main import main
from kohort.folders.claims import LOCK

TOKEN = "0123456789abcdef"
NAMES = [
    LOCK, "decided", "public", "private", "old-public", "old-private", "parts-2024", "parts-", f"parts-{TOKEN}", TOKEN,
    f"parts-{TOKEN}0", "part-00000.parquet", "part-of-my-novel.txt", "_me.jpg", "_SUCCESS", ".notes", ".nfs01", "photos", "table.csv",
]  # fmt: skip
FOLDER, LINK = object(), object()
Tree = Mapping[tuple[str, ...], object]
paths = some.lists(some.sampled_from(NAMES), min_size=1, max_size=3).map(tuple)
trees = some.dictionaries(paths, some.sampled_from(["", "mine", "17", FOLDER, LINK]), max_size=5)


def plant(tree: Tree, place: Path) -> None:
    """Make a tree; what would lie below a file or has a name that is taken is not there."""
    place.mkdir()
    place.chmod(0o755)
    for names, what in tree.items():
        path = place.joinpath(*names)
        if (
            path.exists()
            or path.is_symlink()
            or not all(above.is_dir() or not above.exists() for above in path.parents)
        ):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if what is FOLDER:
            path.mkdir()
        elif what is LINK:
            path.symlink_to(place.parent / "patients.csv")
        else:
            path.write_text(str(what))


def pictured(place: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Return what a tree is: kinds, modes, which files they are, when they were changed, and bytes."""
    found = {}
    for path in (place, *sorted(place.rglob("*"))):
        told = path.lstat()
        content = os.readlink(path).encode() if path.is_symlink() else b""
        content = path.read_bytes() if stat.S_ISREG(told.st_mode) else content
        found[str(path.relative_to(place))] = (told.st_mode, told.st_ino, told.st_mtime_ns, content)
    return found


def kohort(*words: str) -> int:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["kohort", *words])
        with pytest.raises(SystemExit) as exited:
            main()
    return int(exited.value.code or 0)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, its plan and a release of it."""
    desk = tmp_path_factory.mktemp("desk")
    (desk / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (desk / "plan.toml").write_text(f'{PLAN}\n[output]\nledger = "kohort-ledger.duckdb"\n', encoding="utf-8")
    assert kohort("anonymize", str(desk / "plan.toml"), "-o", str(desk / "out")) == 0
    return desk


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(at=trees, beside=trees)
def test_trees_that_kohort_did_not_make_stay_as_they_are(
    at: Tree, beside: Tree, released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = Path(folder, "desk")
        shutil.copytree(released, desk)
        plan, out = str(desk / "plan.toml"), str(desk / "out")
        plant(at, desk / ".out.kohort")
        plant(beside, desk / ".diary.kohort")
        before = [pictured(desk / name) for name in (".out.kohort", ".diary.kohort", "out", "out.private")]
        capsys.readouterr()
        assert kohort("anonymize", plan, "-o", out) == 2, "it is in the way"
        told = capsys.readouterr().err
        assert ".out.kohort is needed to write" in told.replace("\n", " ")
        assert "move it away" in told.replace("\n", " ")
        assert kohort("verify", out) == 0
        assert kohort("attack", out) == 2, "its figures are kept in the audit, and it is in the way of that"
        assert kohort("share", out) == 2, "it is in the way of that, too"
        assert kohort("history", "--ledger", str(desk / "kohort-ledger.duckdb")) == 0
        assert before == [
            pictured(desk / name) for name in (".out.kohort", ".diary.kohort", "out", "out.private")
        ]
        assert kohort("anonymize", plan, "-o", str(desk / "new")) == 0, "beside it nothing is"
        assert before[:2] == [pictured(desk / name) for name in (".out.kohort", ".diary.kohort")]
