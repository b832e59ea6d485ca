"""Whatever happens while a release is written: the old pair stands, or the new one; never a half or a mixture."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from tests.trust import figures
from tests.trust.kills import snapshot

import kohort
from kohort.errors import InputError
from kohort.table.formats import WRITERS

FORMATS = sorted(suffix.removeprefix(".") for suffix in WRITERS)


def struck(place: Path, format: str, points: str, how: str) -> dict[str, dict[str, object]]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.trust.kills", str(place), format, points, how]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(
    ("points", "how"), [("6", "kill"), ("5", "interrupt"), ("6", "fail"), ("4", "fail-on")]
)
def test_struck_at_some_steps_there_is_a_whole_pair(points: str, how: str, tmp_path: Path) -> None:
    found = struck(tmp_path, "csv", points, how)
    assert set(found) == {"first", "second", "shared"}
    for name, seen in found.items():
        assert seen["wrong"] == []
        assert seen["strikes"] >= (1 if name == "shared" else int(points) // 2)
        assert seen["stood"]["old"]


@pytest.mark.long
@pytest.mark.parametrize("how", ["kill", "interrupt", "fail", "fail-on"])
@pytest.mark.parametrize("format", FORMATS)
def test_struck_at_every_step_there_is_a_whole_pair(format: str, how: str, tmp_path: Path) -> None:
    points = "220" if how in ("kill", "interrupt") else "all"
    found = struck(tmp_path, format, points, how)
    assert [seen["wrong"] for seen in found.values()] == [[], [], []]
    assert found["second"]["stood"].keys() == {"old", "new"}
    strikes = [found[name]["strikes"] for name in ("first", "second")]
    if how == "kill":
        assert min(strikes) >= 200
    words = {
        "kill": "kill_minus_9",
        "interrupt": "interrupts",
        "fail": "calls_that_fail_once",
        "fail-on": "calls_that_fail_from_then_on",
    }
    figures.record("struck while saving", f"{format} {how}", **{words[how]: sum(strikes)}, broken_releases=0)


@pytest.mark.parametrize("format", FORMATS)
def test_a_full_disk_leaves_the_old_release_and_nothing_else(format: str, tmp_path: Path) -> None:
    """Files may not grow beyond a limit, wherever the format's own library writes them."""
    n = 3000
    table = pa.table({"age": [i % 90 for i in range(n)], "ill": [f"ill {i * 7919 % 1000}" for i in range(n)]})
    ages = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10], "origin": 0}}
    plan = kohort.Plan(columns={"age": ages, "ill": "sensitive"}, require=[kohort.KAnonymity(2)])
    release = kohort.anonymize(table, plan)
    out = tmp_path / "out"
    release.save(out, format)
    size = max(path.stat().st_size for path in out.iterdir() if path.name.startswith("table"))
    before = snapshot(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, 1000, size // 2):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limits[1]))
        try:
            with pytest.raises(InputError):
                release.save(out, format)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert snapshot(tmp_path) == before
    release.save(out, format)
