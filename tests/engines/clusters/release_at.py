"""Makes a release at a master or a Connect server, and lets every task of the write wait until a file says that it may go on.

Started by the tests of lost workers and drivers: python release_at.py PLACE SOURCE OUT FOLDER, where OUT is "" for a release that is
not saved.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from tests.engines.conftest import plan_of

from kohort.algorithms import Silent
from kohort.engines.spark import output
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.cluster import writing
from kohort.table.cluster.session import SETTINGS, session


def main(place: str, source: str, out: str, folder: str) -> None:
    def waiting(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        Path(folder, f"task-{os.getpid()}").touch()
        while not Path(folder, "go-on").exists():
            time.sleep(0.1)
        yield from batches

    def held_up(packets: Any, spelling: Any, path: Path) -> None:
        writing.write_parts(packets.mapInArrow(waiting, packets.schema), spelling, path)

    output.write_parts = held_up  # type: ignore[assignment]
    output.ROWS_OF_A_PART = 100
    SETTINGS.update(
        {
            "spark.sql.shuffle.partitions": "2",
            "spark.executor.memory": "600m",
            "spark.driver.host": "127.0.0.1",
        }
    )
    session(remote=place) if place.startswith("sc://") else session(master=place)
    plan = plan_of(output__format="parquet", recode__max_suppression=0.1)
    draft = make_release(Path(source), plan, Silent(), "spark")
    Release.written(draft, out) if out else Release.verified(draft)


if __name__ == "__main__":
    main(*sys.argv[1:])
