"""Beside a release stands nothing that is waited for: a pipe or a device in the place of any private file, ledger or key is refused."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

import kohort
from kohort.errors import KohortError
from kohort.folders.release_folder import private_of, refuse_foreign
from kohort.ledger import FILE, Ledger
from kohort.ledger.keys import key_path
from kohort.release.signing import Known, Signer, new_key
from kohort.verification.verify import verify_directory

if not hasattr(os, "mkfifo"):  # pragma: no cover - Windows has no such files
    pytest.skip("there are no pipes with names", allow_module_level=True)

PLAN: dict[str, Any] = {
    "input": {"respondent": "who"},
    "columns": {
        "zip": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 2}},
        "who": "identifier",
        "ill": "sensitive",
    },
    "require": [{"model": "k-anonymity", "k": 2}],
}
PEOPLE = pa.table({"zip": ["11", "12", "21", "22"], "who": ["a", "b", "c", "d"], "ill": ["x", "y", "x", "y"]})
_never: set[str] = set()  # what must not be opened meanwhile


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _never and str(arguments[0]) in _never:
        raise AssertionError(f"{arguments[0]} was opened, and would be waited for")


sys.addaudithook(_watch)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place with a release, its ledger and a key."""
    place = tmp_path_factory.mktemp("made")
    new_key(place / "signer.pem")
    pyarrow.csv.write_csv(PEOPLE, place / "people.csv")
    kohort.anonymize(PEOPLE, PLAN).save(place / "out", sign=place / "signer.pem")
    return place


ACTS: dict[str, Callable[[Path], object]] = {
    "verify": lambda place: verify_directory(place / "out", signer=place / "signer.pem.pub"),
    "share": lambda place: kohort.share(place / "out"),
    "explain": lambda place: kohort.explain(place / "out", 1, original=place / "people.csv"),
    "replace": lambda place: refuse_foreign(place / "out"),
    "history": lambda place: Ledger(place / FILE).releases(),
    "signer": lambda place: Known.load(place / "signer.pem.pub"),
    "sign": lambda place: Signer.load(place / "signer.pem"),
}


def files(place: Path) -> Iterator[Path]:
    """Everything beside the public folder that Kohort reads by itself."""
    yield from sorted(private_of(place / "out").iterdir())
    yield from (key_path(place / FILE), place / "signer.pem", place / "signer.pem.pub")


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("link", [False, True], ids=["pipe", "link to one"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(
    act: str, link: bool, made: Path, tmp_path: Path
) -> None:
    count = len(list(files(made)))
    assert count >= 6
    for i in range(count):
        place = tmp_path / f"{i}"
        shutil.copytree(made, place)
        gone = list(files(place))[i]
        gone.unlink()
        pipe = place / "pipe" if link else gone
        os.mkfifo(pipe)
        if link:
            gone.symlink_to(pipe)
        _never.update({str(gone), str(pipe)})
        try:
            ACTS[act](place)
        except KohortError:
            pass
        finally:
            _never.clear()


def test_the_watch_sees_what_is_opened(tmp_path: Path) -> None:
    """The control: who opens it is found."""
    _never.add(str(tmp_path / "x"))
    try:
        with pytest.raises(AssertionError, match="waited for"):
            (tmp_path / "x").open()
    finally:
        _never.clear()
