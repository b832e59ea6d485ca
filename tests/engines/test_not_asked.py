"""An audit says the same on every engine of a table that also holds what nobody asks for and no release could be made of."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.at_hand import AT_HAND

import kohort
from kohort import InputError

ODD = {
    "binary": pa.array([b"a", b"\xff", None] * 4, pa.binary()),
    "list": pa.array([[1], [2, 3], None] * 4, pa.list_(pa.int32())),
    "struct": pa.array([{"a": 1}] * 12),
}


def _written(folder: Path, kind: str) -> Path:
    path = folder / "odd.parquet"
    pq.write_table(pa.table({"age": [20, 30] * 6, "odd": ODD[kind]}), path)
    return path


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("kind", ODD)
def test_what_an_audit_does_not_look_at_may_be_of_any_type(kind: str, engine: str, tmp_path: Path) -> None:
    told = kohort.audit(_written(tmp_path, kind), ["age"], engine=engine)
    assert dict(told)["rows"] == 12


@pytest.mark.parametrize("engine", AT_HAND)
@pytest.mark.parametrize("kind", ODD)
def test_what_an_audit_looks_at_is_refused_by_name(kind: str, engine: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'odd'") as refused:
        kohort.audit(_written(tmp_path, kind), ["age", "odd"], engine=engine)
    assert refused.value.code == "table.column-type"
