"""What the ledger tells of a release that did not come to stand: nothing, or that it does not."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Result

from kohort.errors import InputError
from kohort.folders.workshop import Workshop
from kohort.ledger import Ledger

Run = Callable[..., Result]


@pytest.mark.parametrize("taken_out", [True, False])
def test_history_after_a_release_that_could_not_be_published(
    kohort: Run, place: Path, monkeypatch: pytest.MonkeyPatch, taken_out: bool
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refused_too(*_: object) -> None:
        raise InputError("no room", code="ledger.refused")

    book = ("--ledger", place / "book.duckdb")
    told = ("--set", 'output.ledger="book.duckdb"', "--set", 'input.respondent="name"')
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out", *told).code == 0
    with monkeypatch.context() as patched:
        patched.setattr(Workshop, "publish", refused)
        if not taken_out:
            patched.setattr(Ledger, "retract", refused_too)
        result = kohort("anonymize", place / "plan.toml", "-o", place / "out", *told)
    assert result.code == 2
    assert ("release 2, a draft that never stood" in result.err) is not taken_out
    listed = kohort("history", *book).out
    assert "replaced since" not in listed
    assert ("does not stand" in listed) is not taken_out
    assert not list(place.glob("*.new"))
