"""Real clusters: a master with two workers, of which one dies while rows are written, and a Connect server."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.clusters.processes import (
    PATIENCE,
    connect_server,
    end,
    environment,
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
    source, out, folder = tmp_path / "source.parquet", tmp_path / "out", tmp_path / "signs"
    folder.mkdir()
    pa.parquet.write_table(people(5, 600), source)
    script = Path(__file__).with_name("release_at.py")
    with standalone(tmp_path) as (master, workers):
        driver = subprocess.Popen(
            [sys.executable, script, master, source, out, folder],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(
                lambda: len(list(folder.glob("task-*"))) >= 2 or driver.poll() is not None,
                "no task was begun",
            )
            end(workers[0])  # with its executor, and what that has counted so far
            (folder / "go-on").touch()
            told = driver.communicate(timeout=PATIENCE)[0].decode(errors="replace")
        finally:
            end_alone(driver)
    assert driver.returncode == 0, told[-4000:]
    plan = plan_of(output__format="parquet", recode__max_suppression=0.1)
    kohort.anonymize(source, plan).save(tmp_path / "memory")
    assert rows_of(out / "table.parquet") == rows_of(tmp_path / "memory" / "table.parquet")
    assert len(list((out / "table.parquet").iterdir())) > 1
    assert {verdict.holds for verdict in kohort.verify(out)} == {True}


def end_alone(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()


def test_the_contract_holds_at_a_connect_server(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with connect_server(tmp_path) as remote:
        run_tests_at(remote, tmp_path, request.config)
