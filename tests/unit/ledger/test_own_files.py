"""The ledger and whatever DuckDB writes beside it are their owner's alone at every moment, wherever a run is killed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.unit.ledger.test_ledger import CROSSED

from kohort.ledger import FILE, Ledger

ACTS: dict[str, Callable[[Ledger], object]] = {
    "begin": lambda ledger: Ledger(ledger.path.with_name("new.duckdb")).record(CROSSED[0], Path("out")),
    "record": lambda ledger: ledger.record(CROSSED[1], Path("out")),
    "share": lambda ledger: ledger.mark_shared(1),
    "withdraw": lambda ledger: ledger.withdraw(1),
    "forget": lambda ledger: ledger.forget(1),
    "discard": lambda ledger: ledger.discard_drafts(),
    "retract": lambda ledger: ledger.retract(1),
}


class Watched:
    """A connection that looks at the files around it after every statement."""

    def __init__(self, connection: Any, look: Callable[[], None]) -> None:
        self._connection, self._look = connection, look

    def execute(self, *told: Any) -> Any:
        found = self._connection.execute(*told)
        self._look()
        return found

    def close(self) -> None:
        self._connection.close()
        self._look()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.skipif(os.name != "posix", reason="permissions are otherwise there")
@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize("act", ACTS)
def test_no_file_of_the_ledger_is_ever_open_to_others(
    act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path / FILE)
    with ledger.recording(CROSSED[0], tmp_path / "out"):  # a draft
        pass
    seen: set[str] = set()

    def look() -> None:
        for path in tmp_path.iterdir():
            with suppress(FileNotFoundError):  # DuckDB removes its logs when it likes
                assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path.name
                seen.add(path.suffix)

    connect = duckdb.connect
    monkeypatch.setattr(duckdb, "connect", lambda *told, **more: Watched(connect(*told, **more), look))
    ACTS[act](ledger)
    assert {".duckdb", ".key", ".wal"} <= seen  # it was looked while the log stood
