"""Real clusters: a master with two workers, of which one dies while rows are written, and a Connect server."""

from __future__ import annotations

import signal
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.clusters.processes import (
    PATIENCE,
    connect_server,
    end,
    release_at,
    run_tests_at,
    standalone,
    wait_until,
)
from tests.engines.conftest import people, plan_of

import kohort
from kohort.table.reading import read_table

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        find_spec("pyspark") is None, reason="the extra spark is not installed here: make test installs it"
    ),
]


def rows_of(table: Path) -> list[str]:
    return sorted(map(str, read_table(table).to_arrow().to_pylist()))


def test_a_worker_that_dies_while_rows_are_written_changes_nothing(tmp_path: Path) -> None:
    source, out, signs = tmp_path / "source.parquet", tmp_path / "out", tmp_path / "signs"
    pa.parquet.write_table(people(5, 600), source)
    with standalone(tmp_path) as (master, workers), release_at(master, source, out, signs) as driver:
        wait_until(
            lambda: len(list(signs.glob("task-*"))) >= 2 or driver.poll() is not None, "one task was begun"
        )
        end(workers[0])  # with its executor, and what that has counted so far
        (signs / "go-on").touch()
        told = driver.communicate(timeout=PATIENCE)[0].decode(errors="replace")
    assert driver.returncode == 0, told[-4000:]
    plan = plan_of(output__format="parquet", recode__max_suppression=0.1)
    kohort.anonymize(source, plan).save(tmp_path / "memory")
    assert rows_of(out / "table.parquet") == rows_of(tmp_path / "memory" / "table.parquet")
    assert len(list((out / "table.parquet").iterdir())) > 1
    assert {verdict.holds for verdict in kohort.verify(out)} == {True}


@pytest.mark.parametrize("saved", [True, False])
def test_a_driver_that_dies_while_rows_are_written_leaves_nothing_that_looks_like_a_release(
    tmp_path: Path, saved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what it leaves is cleared by the next run, of whatever engine."""
    source, room, desk = tmp_path / "source.parquet", tmp_path / "room", tmp_path / "desk"
    room.mkdir()
    desk.mkdir()
    pa.parquet.write_table(people(5, 200), source)
    monkeypatch.setenv("TMPDIR", str(room))
    out = desk / "out" if saved else None
    with release_at("local[2]", source, out, tmp_path / "signs") as driver:
        assert driver.poll() is None, driver.communicate()[0].decode(errors="replace")[-4000:]
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    begun = [
        entry for place in (desk, room) for entry in place.glob("*kohort*") if list(entry.glob("parts-*"))
    ]
    assert len(begun) == 1
    assert [path for path in desk.iterdir() if not path.name.startswith(".")] == []
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    kohort.audit(source, ["age"], engine="duckdb")
    kohort.anonymize(source, plan_of(output__format="parquet")).save(desk / "next")
    assert not begun[0].exists()
    assert sorted(path.name for path in desk.iterdir()) == ["next", "next.private"]


def test_the_contract_holds_at_a_connect_server(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with connect_server(tmp_path) as remote:
        run_tests_at(remote, tmp_path, request.config)
