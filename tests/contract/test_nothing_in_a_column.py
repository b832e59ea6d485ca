"""Columns in which nothing stands, or in whose one part nothing does: a release that is verified, or an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.reference.few_steps import FEW_STEPS
from tests.thinned import dealt

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError, InputError

HIERARCHIES: tuple[dict[str, Any], ...] = (
    {"kind": "intervals", "widths": [5, 10]},
    {"kind": "intervals", "widths": [5, 10], "domain": [0, 99], "low": 18},
    {"kind": "bands", "ends": [[0, 10, 100], [0, 100]]},
    {"kind": "dates", "levels": ["month", "year"]},
    {"kind": "mask"},
    {"kind": "suppress"},
    {"kind": "tree", "tree": {"a": ["b", "c"]}},
    {"kind": "order", "groups": [["b", "c"], ["d"]]},
)
TABLE = {"a": [20, 21, 22, 23] * 3, "b": [None] * 12, "ill": ["x", "y", "z"] * 4}


@pytest.mark.parametrize(("name", "hierarchy"), dealt(ALGORITHMS, HIERARCHIES, every=3))
def test_a_column_of_nothing_is_answered(name: str, hierarchy: dict[str, Any]) -> None:
    table = pa.table(TABLE, pa.schema([("a", pa.int64()), ("b", pa.string()), ("ill", pa.string())]))
    objectives = ("loss", "discernibility") if "cuts" in type(algorithm(name)).__module__ else ("loss",)
    for objective in objectives:
        plan = {
            "columns": {
                "a": {"role": "quasi", "hierarchy": HIERARCHIES[0]},
                "b": {"role": "quasi", "hierarchy": hierarchy},
                "ill": "sensitive",
            },
            "require": [{"model": "k-anonymity", "k": 2}],
            "recode": {
                "algorithm": name,
                "objective": objective,
                "max_suppression": 0.5,
                "options": FEW_STEPS.get(name, {}),
            },
            "output": {"ledger": ""},
        }
        try:
            assert all(v.holds for v in kohort.anonymize(table, plan).verdicts)
        except (InputError, InfeasibleError):
            continue


@pytest.mark.parametrize(
    ("engine", "kind", "coded", "order"),
    dealt(
        ["memory", "duckdb"],
        [pa.int64(), pa.string(), pa.date32(), pa.bool_(), pa.float64(), pa.null()],
        [False, True],
        [(0, 1), (1, 0), (1, 0, 1), (1, 1)],
        every=3,
    ),
)
def test_a_part_in_which_nothing_stands_is_read(
    engine: str, kind: pa.DataType, coded: bool, order: tuple[int, ...], tmp_path: Path
) -> None:
    """Parts of no rows, with columns of every type, as categories too."""
    values = {pa.string(): ["u", "v"], pa.bool_(): [True, False], pa.null(): [None, None]}.get(kind, [1, 2])
    column = pa.array(values * 10, kind)
    if coded and kind != pa.null():
        column = column.dictionary_encode()
    whole = pa.table({"q": column, "s": ["x", "y"] * 10})
    folder = tmp_path / "t.parquet"
    folder.mkdir()
    for i, part in enumerate(order):
        cut = whole if part == 0 else whole.slice(0, 0)
        pyarrow.parquet.write_table(cut, folder / f"part-{i:05}.parquet")
    plan = {
        "input": {"path": str(folder)},
        "columns": {"q": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "s": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "output": {"ledger": ""},
    }
    try:
        release = kohort.anonymize(folder, plan, engine=engine)
    except (InputError, InfeasibleError):
        assert 0 not in order or (coded and engine == "duckdb")
        return
    assert release.facts.rows == 20
