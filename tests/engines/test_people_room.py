"""People are held where they fit, and refused by name where they do not, before any of them is held."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort import InputError, Plan
from kohort.engines import Node, Wanted, opened, room
from kohort.engines.duckdb.engine import OnDisk
from kohort.verification.judges import classes_on_disk
from kohort.verification.judges.cell_store import CellStore

ROWS, PEOPLE = 20_000, 500


def _plan(**sensitive: str) -> Plan:
    age = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5], "domain": [0, 9]}}
    return Plan.of(
        {
            "input": {"respondent": "who"},
            "columns": {"age": age, **sensitive},
            "require": [{"model": "k-anonymity", "k": 2}],
            "output": {"ledger": ""},
        }
    )


def _written(folder: Path, people: int) -> Path:
    rng = np.random.default_rng(1)
    who = [f"person {number}" for number in rng.permutation(ROWS) % people]
    ill = rng.integers(0, 4, ROWS)
    path = folder / "table.parquet"
    pq.write_table(pa.table({"age": np.arange(ROWS) // 50 % 10, "who": who, "ill": ill}), path)
    return path


def _kept(path: Path, plan: Plan) -> tuple[Any, Node]:
    keeper = opened("duckdb", path, Wanted.by(plan), "600MB")
    return keeper, Node.of_values(keeper.table, ["age"])


def test_too_many_people_are_refused_before_they_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "PER_PERSON", 1_000_000)
    monkeypatch.setattr(OnDisk, "reduce", lambda *_: pytest.fail("they were held"))
    path = _written(tmp_path, ROWS)
    for told in (
        lambda: kohort.anonymize(path, _plan(), engine="duckdb", memory="600MB"),
        lambda: kohort.audit(path, ["age"], respondent="who", engine="duckdb", memory="600MB"),
    ):
        with pytest.raises(InputError, match=r"about 57\.0GB more memory") as refused:
            told()
        assert refused.value.code == "engine.no-bottom"


def test_what_people_hold_counts_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PER_HOLDER", 1_000_000)
    path = _written(tmp_path, PEOPLE)
    assert kohort.audit(path, ["age"], respondent="who", engine="duckdb", memory="600MB")
    with pytest.raises(InputError, match="more memory"):
        kohort.audit(path, ["age"], ["ill"], "who", engine="duckdb", memory="600MB")


def test_rows_of_the_same_people_are_no_more_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rows are more than fit, pairs are counted: 20,000 rows here, of 500 people in 10 classes at most."""
    keeper, ground = _kept(_written(tmp_path, PEOPLE), _plan())
    [pairs] = keeper.holdings(ground, [])
    assert len(keeper.reduce(ground, []).base.respondents.values) == pytest.approx(pairs, rel=0.2)
    monkeypatch.setattr(room, "PER_PERSON", keeper.room // 10_000)
    assert pairs < 10_000
    assert room.bottom_fits(keeper, ground, [])


@pytest.mark.parametrize("people", [ROWS, PEOPLE])
def test_people_take_twelve_bytes_where_they_are_held(tmp_path: Path, people: int) -> None:
    """They come in the order in which they are kept: nothing is sorted or numbered here."""
    keeper, ground = _kept(_written(tmp_path, people), _plan())
    keeper.reduce(ground, [])
    tracemalloc.start()
    base = keeper.reduce(ground, []).base
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    pairs = base.respondents
    assert pairs.values.nbytes + pairs.counts.nbytes == 12 * len(pairs.values)
    assert peak <= 28 * len(pairs.values) + 100_000


def test_the_judge_fetches_nobodys_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[pa.Table] = []

    def table(self: CellStore, query: str, plainly: Any = CellStore.table) -> pa.Table:
        fetched.append(plainly(self, query))
        return fetched[-1]

    monkeypatch.setattr(CellStore, "table", table)
    for people in (ROWS, PEOPLE):
        kohort.anonymize(_written(tmp_path, people), _plan(ill="sensitive"), engine="duckdb")
    assert fetched
    assert not any(pa.types.is_string(kind) for own in fetched for kind in own.schema.types)


def test_the_judge_refuses_more_pairs_than_it_has_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = _written(tmp_path, PEOPLE), tmp_path / "out"
    kohort.anonymize(path, _plan(), engine="duckdb").save(out)
    monkeypatch.setattr(classes_on_disk, "PER_PERSON", 1_000_000)
    with pytest.raises(InputError, match="of a class and a person") as refused:
        kohort.verify(out, engine="duckdb", memory="600MB")
    assert refused.value.code == "engine.no-bottom"
