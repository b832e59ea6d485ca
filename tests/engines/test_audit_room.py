"""An audit holds tuples of quasi-identifiers with sensitive columns where they fit; else they are counted where the rows are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort.classes import Classes
from kohort.engines import Node
from kohort.engines.duckdb.engine import OnDisk
from kohort.tables import audit

SENSITIVE = [f"s{j}" for j in range(8)]


def _written(folder: Path, people: int) -> Path:
    rng = np.random.default_rng(2)
    columns = {"age": rng.integers(0, 4, 400), "zip": rng.integers(0, 3, 400)}
    columns |= {name: rng.integers(0, 2, 400) for name in SENSITIVE}
    path = folder / "table.parquet"
    pq.write_table(pa.table(columns | {"who": rng.integers(0, people, 400)}), path)
    return path


@pytest.mark.parametrize(("who", "people"), [(None, 400), ("who", 100), ("who", 3)])
def test_tuples_that_do_not_fit_are_counted_where_the_rows_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str | None, people: int
) -> None:
    path = _written(tmp_path, people)
    expected = kohort.audit(path, ["age", "zip"], SENSITIVE, who)
    held: list[int] = []

    def count(self: OnDisk, node: Node, watched: Sequence[str], plainly=OnDisk.count) -> Classes:  # type: ignore[no-untyped-def]
        held.append(len(node.codes))
        return plainly(self, node, watched)

    monkeypatch.setattr(OnDisk, "count", count)
    monkeypatch.setattr(
        audit, "lacking_for_bottom", lambda _, node, __: max(len(node.codes) - 2, 0)
    )  # the quasi-identifiers fit, and nothing more
    found = kohort.audit(path, ["age", "zip"], SENSITIVE, who, engine="duckdb", memory="600MB")
    assert found["beside"] == expected["beside"]
    assert not any(width > 2 for width in held)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_who_is_alone_is_counted_alike(tmp_path: Path, engine: str) -> None:
    for who, people in ((None, 400), ("who", 100)):
        wanted = kohort.engines.Wanted(("age", "zip"), tuple(SENSITIVE), (), who)
        keeper = kohort.engines.opened(engine, _written(tmp_path, people), wanted)
        node = Node.of_values(keeper.table, ["age", "zip", "s0", "s1", "s2"])
        assert 0 < keeper.alone_in(node) == keeper.count(node, ()).alone()
