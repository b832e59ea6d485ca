"""Whatever is handed to Python as a path or an original: it is taken, or refused in words, and never by a bare error."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kohort
from kohort.errors import KohortError
from kohort.paths import UNNAMEABLE

PEOPLE = {"zip": ["94138", "94139", "94141", "94142"] * 3, "ill": ["flu", "cold", "flu", "hiv"] * 3}
PLAN: dict[str, Any] = {
    "columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}, "ill": "sensitive"},
    "require": [{"model": "k-anonymity", "k": 4}],
}
ID = {"id": [str(i) for i in range(12)]}
FRAMES: dict[str, Callable[[dict[str, list[str]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return kohort.anonymize(pa.table(PEOPLE), PLAN).save(tmp_path / "out")


def hostile(place: Path) -> dict[str, Any]:
    """Return what no path can be, and what leads nowhere."""
    (place / "loop").symlink_to("loop")
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    return {
        "nul": f"{place}/a\0b",
        "long name": str(place / ("n" * 300)),
        "long path": str(place / "/".join(["d"] * 3000)),
        "loop": str(place / "loop"),
        "through a loop": str(place / "loop" / "x"),
        "root": "/",
        "nothing": str(place / "nothing.csv"),
        "folder": str(place / "folder"),
        "pipe": str(place / "pipe"),
        "below a file": str(place / "out" / "manifest.json" / "x"),
        "number": 7,
        "none of them": object(),
    }


CALLS: dict[str, Callable[[Path, Any], object]] = {
    "anonymize": lambda _, bad: kohort.anonymize(bad, PLAN),
    "attack": lambda _, bad: kohort.attack(bad),
    "attack with": lambda out, bad: kohort.attack(out, bad, on=["zip"]),
    "attack others": lambda out, bad: kohort.attack(out, others=[bad]),
    "attack original": lambda out, bad: kohort.attack(out, original=bad),
    "audit": lambda _, bad: kohort.audit(bad, quasi=["zip"]),
    "audit population": lambda _, bad: kohort.audit(pa.table(PEOPLE), quasi=["zip"], population=bad),
    "compare": lambda _, bad: kohort.compare(bad, PLAN, k=[2], algorithms=["mondrian"]),
    "explain": lambda _, bad: kohort.explain(bad, 1),
    "explain original": lambda out, bad: kohort.explain(out, 1, original=bad),
    "frontier": lambda _, bad: kohort.frontier(bad, PLAN, k=[2]),
    "load": lambda _, bad: kohort.Plan.load(bad),
    "propose": lambda _, bad: kohort.propose(bad),
    "share": lambda _, bad: kohort.share(bad),
    "share ledger": lambda out, bad: kohort.share(out, ledger=bad),
    "verify": lambda _, bad: kohort.verify(bad, PLAN),
    "verify original": lambda out, bad: kohort.verify(out, original=bad),
    "verify signer": lambda out, bad: kohort.verify(out, signer=bad),
    "sign": lambda out, bad: kohort.anonymize(pa.table(PEOPLE), PLAN).save(out.with_name("o2"), sign=bad),
    "population": lambda _, bad: kohort.anonymize(pa.table(PEOPLE), PLAN | {"input": {"population": bad}}),
    "level file": lambda _, bad: kohort.anonymize(
        pa.table(PEOPLE),
        PLAN | {"columns": {"zip": {"role": "quasi", "hierarchy": {"kind": "file", "path": bad}}}},
    ),
    "ledger": lambda out, bad: kohort.anonymize(
        pa.table(PEOPLE | ID),
        PLAN
        | {
            "columns": PLAN["columns"] | {"id": "identifier"},
            "input": {"respondent": "id"},
            "output": {"ledger": bad},
        },
    ).save(out.with_name("o3")),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_path_is_refused_in_words(name: str, release: Path, tmp_path: Path) -> None:
    for kind, bad in hostile(tmp_path).items():
        if name.endswith("ledger") and kind == "nothing":
            continue  # it is made there
        with pytest.raises(KohortError) as problem:
            CALLS[name](release, bad)
        assert len(str(problem.value)) < 900, (kind, str(problem.value))


def test_a_release_is_not_saved_where_no_folder_can_be(tmp_path: Path, release: Path) -> None:
    made = kohort.anonymize(pa.table(PEOPLE), PLAN)
    for kind, bad in hostile(tmp_path).items():
        if kind not in ("nothing", "folder"):  # where it can be written
            with pytest.raises(KohortError):
                made.save(bad)


def test_every_public_function_that_takes_a_path_is_tried() -> None:
    tried = {name.split()[0] for name in CALLS}
    functions = {name for name in kohort.__all__ if name.islower() and callable(getattr(kohort, name))}
    assert functions - tried == {"schema"}


def test_the_folder_one_stands_in_is_a_release_too(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(release)
    assert [v.holds for v in kohort.verify(".")] == [v.holds for v in kohort.verify(release)]


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_an_original(kind: str, release: Path) -> None:
    original = FRAMES[kind](PEOPLE)
    assert [told.fate for told in kohort.explain(release, 3, original=original)] == ["released"]
    assert all(verdict.holds for verdict in kohort.verify(release, original=original))
    assert kohort.attack(release, original=original)["attacks"]


@pytest.mark.parametrize("kind", FRAMES)
def test_another_frame_is_no_original_and_no_cell_is_told(kind: str, release: Path) -> None:
    other = FRAMES[kind]({"zip": ["94138"] * 5, "ill": ["plague"] * 5})
    with pytest.raises(kohort.InputError, match="the table handed over is not the table") as problem:
        kohort.explain(release, 3, original=other)
    assert "plague" not in str(problem.value)


def test_where_the_original_was_no_file_it_is_said_how_to_hand_it_over(release: Path) -> None:
    from kohort.cli.flags import with_flags

    with pytest.raises(kohort.InputError, match="original=…, a path or a frame") as problem:
        kohort.explain(release, 3)
    assert "--original TABLE" in with_flags(problem.value)


@pytest.mark.parametrize("name", CALLS)
def test_a_sign_that_no_file_can_be_called_by_is_refused_in_one_wording(
    name: str, release: Path, tmp_path: Path
) -> None:
    with pytest.raises(KohortError, match=re.escape(UNNAMEABLE)):
        CALLS[name](release, f"{tmp_path}/a\0b")


def test_one_file_refuses_that_sign() -> None:
    source = Path(kohort.__file__).parent
    assert [path.name for path in source.rglob("*.py") if "(NUL)" in path.read_text(encoding="utf-8")] == [
        "paths.py"
    ]
