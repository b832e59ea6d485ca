"""Cells that Spark would take for others of another type are lies in Spark as in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort
from kohort import Plan

# A column of the original, and the same as somebody forged it: Spark casts one to the other without a word.
FORGED: dict[str, tuple[pa.DataType, list[Any], pa.DataType, list[Any]]] = {
    "words": (pa.string(), ["y", "no", "t", "0"], pa.bool_(), [True, False, True, False]),
    "zeros": (pa.string(), ["01", "1", "007", "7"], pa.int64(), [1, 1, 7, 7]),
    "large": (
        pa.int64(),
        [2**53 + 1, 2**60 + 1, 7, 8],
        pa.float64(),
        [float(2**53 + 1), float(2**60 + 1), 7.0, 8.0],
    ),
}
PLAN = Plan.of(
    {
        "columns": {"sex": "quasi", "note": {"role": "insensitive", "allow_unique": True}},
        "require": [{"model": "k-anonymity", "k": 2}],
        "output": {"ledger": "", "format": "parquet"},
    }
)


@pytest.mark.parametrize(
    "case", ["zeros", *(pytest.param(c, marks=pytest.mark.long) for c in ("words", "large"))]
)
def test_a_cell_of_another_type_is_no_true_one(case: str, tmp_path: Path) -> None:
    kind, true, other, lies = FORGED[case]
    sex = ["f", "m"] * 20
    for name, cells, of in (("original", true, kind), ("forged", lies, other)):
        table = pa.table({"sex": sex, "note": pa.array(cells * 10, of)})
        pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
    for engine, file in (("memory", "original"), ("memory", "forged"), ("spark", "forged")):
        verdicts = kohort.verify(
            tmp_path / f"{file}.parquet", PLAN, tmp_path / "original.parquet", engine=engine
        )
        found = [verdict.holds for verdict in verdicts if verdict.promise == "truthful"]
        assert found == [file == "original"], (engine, file)
