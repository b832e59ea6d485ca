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
from kohort.table.reading import read_table
from kohort.table.streaming import open_stream

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
    "output": {"shuffle": False},  # tables are judged that stand in the order of the original
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


@pytest.mark.parametrize("coded", [False, True])
@pytest.mark.parametrize("groups", [1, 3])
def test_a_dictionary_that_holds_a_text_twice_is_read_as_others_read_it(
    tmp_path: Path, coded: bool, groups: int
) -> None:
    """Arrow takes dictionaries over, and one text for another where one is repeated."""
    texts = pa.array(["aaaa", "bbbb", "cccc", "dddd", None] * 6)
    path = tmp_path / "twice.parquet"
    told = pa.table({"n": list(range(30)), "cell": texts.dictionary_encode() if coded else texts})
    pyarrow.parquet.write_table(
        told, path, compression="none", write_statistics=False, row_group_size=30 // groups
    )
    whole = path.read_bytes()
    assert whole.count(b"bbbb") == groups
    path.write_bytes(whole.replace(b"bbbb", b"aaaa"))
    expected = ["aaaa", "aaaa", "cccc", "dddd", None] * 6
    column = read_table(path)["cell"]
    assert [column.texts[code] for code in column.codes] == expected
    pieces = [piece["cell"] for piece in open_stream(path).pieces(["cell"])]
    assert [piece.texts[code] for piece in pieces for code in piece.codes] == expected


def test_categories_are_read_beside_columns_that_need_the_schema_of_arrow(tmp_path: Path) -> None:
    moments = pa.array([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)] * 3, pa.timestamp("us", "Europe/Berlin"))
    numbers = pa.array([1, 2, 1]).dictionary_encode()
    told = pa.table({"a": pa.array(["x", None, "y"]).dictionary_encode(), "b": moments, "c": numbers})
    path = tmp_path / "categories.parquet"
    pyarrow.parquet.write_table(told, path)
    read = read_table(path)
    assert {column.name: str(column.values.type) for column in read} == {
        "a": "string",
        "b": "timestamp[us, tz=Europe/Berlin]",
        "c": "int64",
    }
    assert set(read["a"].texts) == {"x", None, "y"}
