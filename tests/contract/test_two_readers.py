"""One Parquet file, two readers: whatever a footer says, engines judge the same table, or refuse the file."""

from __future__ import annotations

import copy
import datetime as dt
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.reference.parquet_footer import changed, load, save

import kohort
from kohort.errors import KohortError

N = 30
PLAN: dict[str, Any] = {
    "columns": {
        "zip": {"role": "quasi"},
        "born": {"role": "quasi"},
        "age": {"role": "quasi"},
        "ill": {"role": "sensitive"},
        "pay": {"role": "insensitive"},
    },
    "require": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "column": "ill", "l": 2}],
    "recode": {"max_suppression": 0.2},
}


def table(chance: random.Random) -> pa.Table:
    def drawn(*values: Any) -> list[Any]:
        return [chance.choice(values) for _ in range(N)]

    return pa.table(
        {
            "zip": pa.array(drawn("13053", "13068", "14853", None)),
            "born": pa.array(drawn(dt.date(1980, 1, 1), dt.date(1990, 1, 1))),
            "age": pa.array(drawn(20, 30, 300), chance.choice([pa.int64(), pa.int32(), pa.uint32()])),
            "ill": pa.array(drawn("flu", "hiv", "cold")),
            "pay": pa.array(drawn(1.5, 2.5, None)),
        }
    )


def written(told: pa.Table, path: Path, chance: random.Random) -> None:
    pyarrow.parquet.write_table(
        told,
        path,
        use_dictionary=chance.random() < 0.5,
        compression=chance.choice(["none", "snappy"]),
        write_statistics=chance.random() < 0.7,
        store_schema=chance.random() < 0.4,
        row_group_size=chance.choice([10, N]),
        data_page_version=chance.choice(["1.0", "2.0"]),
        data_page_size=chance.choice([20, 1 << 20]),
    )


def judged(path: Path, engine: str, original: Path | None) -> Any:
    try:
        verdicts = kohort.verify(path, PLAN, original, engine=engine)
    except KohortError as refused:
        return refused.code
    return sorted((v.promise, v.holds, v.achieved) for v in verdicts)


def forged(folder: Path, seed: int, tries: int) -> None:
    """Compare the engines over footers with a word or two changed; count that enough of them could be read."""
    chance, read = random.Random(seed), 0
    path, original = folder / "forged.parquet", folder / "original.parquet"
    told = table(chance)
    written(told, original, chance)
    for i in range(tries):
        if i % 20 == 0:
            written(told, path, chance)
            body, footer = load(path)
        edited = copy.deepcopy(footer)
        for _ in range(chance.choice([1, 1, 2])):
            changed(edited, chance, len(body))
        save(path, body, edited)
        beside = original if chance.random() < 0.5 else None
        found = {engine: judged(path, engine, beside) for engine in ("memory", "duckdb")}
        if not all(
            isinstance(told_by, str) for told_by in found.values()
        ):  # both refuse, for one reason or another
            assert found["memory"] == found["duckdb"], (seed, i)
        read += not isinstance(found["memory"], str)
    assert read > tries / 5


def test_a_footer_is_taken_apart_and_put_together_again(tmp_path: Path) -> None:
    chance = random.Random(1)
    path = tmp_path / "table.parquet"
    for _ in range(20):
        written(table(chance), path, chance)
        before = path.read_bytes()
        save(path, *load(path))
        assert path.read_bytes() == before


def test_engines_judge_the_same_table_whatever_the_footer_says(tmp_path: Path) -> None:
    forged(tmp_path, 1, 40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_engines_judge_the_same_table_under_many_footers(tmp_path: Path, seed: int) -> None:
    forged(tmp_path, seed, 200)


def test_every_number_of_nulls_and_place_of_a_dictionary_is_tried(tmp_path: Path) -> None:
    """What DuckDB believes and others pass over."""
    chance = random.Random(3)
    path, original = tmp_path / "forged.parquet", tmp_path / "original.parquet"
    told = table(chance)
    written(told, original, chance)
    pyarrow.parquet.write_table(told, path, compression="none", use_dictionary=False)
    body, footer = load(path)
    refused = set()
    for column in range(len(told.column_names)):
        for field, value in ((11, len(body) - 8), (12, N)):
            edited = copy.deepcopy(footer)
            chunk = edited[4][1][1][0][1][1][1][column][3][1]
            if field == 12:
                chunk[12][1][3] = [6, value]  # of the statistics: how many nulls there are
            else:
                chunk[11] = [6, value]  # where the dictionary stands
            save(path, body, edited)
            found = {engine: judged(path, engine, original) for engine in ("memory", "duckdb")}
            assert found["memory"] == found["duckdb"], (column, field)
            refused |= {found["memory"]} if isinstance(found["memory"], str) else set()
    assert refused == {"table.damaged"}
    edited = copy.deepcopy(footer)
    edited[3] = [6, N + 10]  # rows
    save(path, body, edited)
    assert {judged(path, engine, original) for engine in ("memory", "duckdb")} == {"table.damaged"}
