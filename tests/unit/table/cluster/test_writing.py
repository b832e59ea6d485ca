"""What executors write when nobody waits for them any more."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

from kohort.table.cluster import writing


def test_an_executor_makes_no_folder_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that parts never lie where no lock is: the workshop was cleared, and stays so."""
    rows = pa.table({"a": [1, 2]})
    spelling = SimpleNamespace(schema=rows.schema, in_order=lambda rows: rows, spelled=lambda rows: [rows])
    monkeypatch.setattr(writing, "by_part", lambda _: [(0, rows)])
    gone = tmp_path / ".out.kohort"
    work = writing.written.__wrapped__  # as it fails, before that is handed over
    with pytest.raises(FileNotFoundError):
        list(work(spelling, str(gone / "parts-1"), str(gone / "parts-2"), ".parquet", iter(())))
    assert not gone.exists()
