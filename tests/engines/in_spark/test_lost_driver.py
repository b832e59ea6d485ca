"""A client that dies while a Connect server writes for it: the server goes on, and nothing of it comes into a release."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.clusters.processes import release_at, wait_until
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.serving import address

import kohort


@pytest.mark.long
@pytest.mark.parametrize("meanwhile", [True, False])
def test_what_a_server_goes_on_to_write_is_in_no_release(tmp_path: Path, spark: Any, meanwhile: bool) -> None:
    """Whether the next run comes before it has ended, or after that."""
    source, out, signs, desk = (tmp_path / name for name in ("source.parquet", "desk/out", "signs", "desk"))
    desk.mkdir()
    pa.parquet.write_table(people(5, 200), source)
    plan = plan_of(output__format="parquet")
    jobs = spark.sparkContext.statusTracker()
    with release_at(address(spark), source, out, signs) as client:
        assert client.poll() is None, client.communicate()[0].decode(errors="replace")[-4000:]
        client.send_signal(signal.SIGKILL)
        client.wait()
        assert len(jobs.getActiveJobsIds()) == 1  # the server does not know yet
        assert [path.name for path in desk.iterdir()] == [".out.kohort"]
        if meanwhile:
            kohort.anonymize(source, plan).save(out)
            assert sorted(path.name for path in desk.iterdir()) == ["out", "out.private"]
    wait_until(lambda: not jobs.getActiveJobsIds(), "the job of the dead client did not end")
    kohort.anonymize(source, plan).save(desk / "next" if meanwhile else out)
    assert all(verdict.holds for verdict in kohort.verify(out))
    assert not list(desk.glob(".*"))
