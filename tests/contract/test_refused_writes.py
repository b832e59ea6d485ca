"""Where the system refuses to write a ledger, what is said is so: what could not be written, what stands, what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.trust.refusing import AVAILABLE

from kohort.refusals import REMEDIES

CODES = {"ledger.refused", "ledger.unsure", "release.unwritable", "release.unfinished", "file.unwritable"}
pytestmark = pytest.mark.skipif(
    not AVAILABLE, reason="the filter of system calls is written for Linux on x86-64"
)


def tries(place: Path, points: int, how: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.trust.refused_acts", place, str(points), how]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in told.splitlines()]


def judged(told: dict[str, Any], place: Path) -> str:
    """Return what is wrong with what was said, nothing where it is so."""
    said, code = told["said"], told["code"]
    unchanged = told["after"] == told["before"]
    if told["again"]:
        return f"it cannot be done again: {told['again']}"
    if code is None:
        return "" if told["after"] == told["done"] else "it came through and is not done"
    claims = {
        "it is none of the errors of this": code in CODES,
        "it names no file": str(place) in said,
        "it does not say why": os.strerror(told["reason"]) in said,
        "it does not say what to do": REMEDIES[told["reason"]] in said or code == "release.unfinished" or "choose another folder" in said,
        "nothing is damaged": "restore" not in said,
        "nothing was changed, or it was": code != "ledger.refused" or ("no release in it was changed" in said and unchanged),
        "it is known": code != "ledger.unsure" or not unchanged,
        "it was marked": "is marked as shared" not in said or told["after"][0][1],
        "it was not marked": "was not marked as shared" not in said or unchanged,
        "of sharing it is said what came of it": told["act"] != "share" or code == "ledger.unsure" or "marked as shared" in said,
        "nothing was released": code != "ledger.refused" or "release" not in told["act"] or "nothing was released" in said,
        "what is left in the ledger of what does not stand is told": "release" not in told["act"] or unchanged
        or code in ("ledger.unsure", "release.unfinished") or "a draft that never stood" in said,
        "the folder was changed": told["folder"],
    }  # fmt: skip
    return "; ".join(wrong for wrong, so in claims.items() if not so)


def test_what_is_said_of_a_refused_write_is_so(tmp_path: Path) -> None:
    found = tries(tmp_path, 2, "some")
    assert [(told, wrong) for told in found if (wrong := judged(told, tmp_path))] == []
    assert len({told["act"] for told in found}) == 5
    assert {told["code"] for told in found} >= {"ledger.refused", "release.unwritable"}


@pytest.mark.long
def test_what_is_said_of_any_refused_write_is_so(tmp_path: Path) -> None:
    found = tries(tmp_path, 20, "all")
    assert [(told, wrong) for told in found if (wrong := judged(told, tmp_path))] == []
    assert len(found) > 1000
