"""Tables that exercise an engine: nulls, several types, respondents with several rows, awkward texts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from kohort import Plan
from kohort.table.formats import delimited_stream, parquet
from kohort.table.writing import write_table

# A cluster is started once, by the one process that `test_spark.py` starts (or by hand: KOHORT_SPARK='local[2]').
if os.environ.get("KOHORT_SPARK"):
    from tests.engines.in_spark.one_session import spark  # noqa: F401 - used by every test here
else:
    collect_ignore = ["in_spark"]

Written = Callable[[pa.Table, str], Path]

AWKWARD = ["plain", "=1+2", "it's, quoted", 'say "so"', "line\nbreak", "Ünï", " blank ", "-5", "'=x"]


def people(seed: int, rows: int = 400) -> pa.Table:
    """Return a random table of people, every column with nulls but the respondent's."""
    rng = np.random.default_rng(seed)

    def column(values: list[str], missing: float = 0.05) -> list[str | None]:
        drawn = rng.integers(0, len(values), rows)
        return [
            None if gone else values[i] for i, gone in zip(drawn, rng.random(rows) < missing, strict=True)
        ]

    return pa.table(
        {
            "person": [f"p{i}" for i in rng.integers(0, rows * 2 // 3, rows)],
            "age": column([str(a) for a in range(20, 60)]),
            "zip": column([f"0{z}" for z in (1234, 1235, 1244, 2234, 2235)]),
            "sex": column(["F", "M"]),
            "ward": column(AWKWARD),
            "illness": column(["flu", "cold", "gout", "acne"]),
        }
    )


def plan_of(**changed: object) -> Plan:
    """Return a plan for `people`; keys name settings as `--set` does, with __ for a dot."""
    plan = Plan(
        columns={
            "person": "identifier",
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "origin": 0}},
            "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
            "sex": "quasi",
            "ward": "insensitive",
            "illness": "sensitive",
        },
        require=[{"model": "k-anonymity", "k": 5}, {"model": "l-diversity", "column": "illness", "l": 2}],
        output={"ledger": ""},
    )
    return plan.with_settings({key.replace("__", "."): value for key, value in changed.items()})


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Return what writes a table as a source of some format."""

    def write(table: pa.Table, suffix: str) -> Path:
        path = tmp_path / f"source{suffix}"
        path.unlink(missing_ok=True)
        if suffix == ".duckdb":
            with duckdb.connect(str(path)) as connection:
                connection.register("handed", table)
                connection.execute("CREATE TABLE people AS SELECT * FROM handed")
        else:
            write_table(table, path, name="people", escape_formulas=False)
        return path

    return write


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make files come in many pieces, as only large ones do."""
    monkeypatch.setattr(delimited_stream, "_PIECE_BYTES", 2000)
    monkeypatch.setattr(parquet, "_ROWS", 37)
    from kohort.table.formats import database_stream

    monkeypatch.setattr(database_stream, "_ROWS", 37)
