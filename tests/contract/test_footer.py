"""A row that sums up the others is nobody: proposed to be left out, and left out alike wherever rows are read."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.engines.spark.sources import source_of
from kohort.errors import InputError
from kohort.proposals.file_reading import read_as_found
from kohort.table import Table
from kohort.table.formats import HEEDED, READERS, WRITERS
from kohort.table.formats.delimited_stream import without_last
from kohort.table.formats.options import WritingOptions
from kohort.table.reading import read_table
from kohort.table.streaming import STREAMS, open_stream

PEOPLE = {
    "who": [f"p{i}" for i in range(40)],
    "age": [str(20 + i % 4) for i in range(40)],
    "ill": ["flu", "cold"] * 20,
    "pay": [str(1000 + 100 * (i % 5)) for i in range(40)],
}
SUM = {"who": "Summe", "age": None, "ill": None, "pay": "48000"}
WITH = [suffix for suffix, reader in READERS.items() if "footer" in HEEDED[reader] and suffix in WRITERS]


def written(folder: Path, suffix: str, *below: dict[str, str | None]) -> Path:
    path = folder / f"people{suffix}"
    cells = {name: [*told, *(row[name] for row in below)] for name, told in PEOPLE.items()}
    WRITERS[suffix](Table.from_arrow(pa.table(cells)), path, WritingOptions())
    return path


def cells(table: Table) -> dict[str, list[str | None]]:
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.mark.parametrize("suffix", WITH)
def test_a_sum_is_proposed_to_be_left_out_and_the_rest_is_as_if_it_had_never_been(
    suffix: str, tmp_path: Path
) -> None:
    path = written(tmp_path, suffix, SUM)
    table, draft = read_as_found(path, {})
    assert draft.options == {"footer": 1}
    assert draft.findings[0].reason == (
        "the last row sums up those above, by a word like Total or Mean in 'who': it is left out"
    )
    assert draft.doubts == ()
    assert cells(table) == PEOPLE
    if suffix in STREAMS:
        stream = open_stream(path, footer=1)
        pieces = [piece.to_arrow() for piece in stream.pieces(stream.names)]
        assert cells(Table.from_arrow(pa.concat_tables(pieces))) == PEOPLE


NOTE = {"who": "Source: the ward", "age": None, "ill": None, "pay": None}
NOBODY: dict[str, str | None] = dict.fromkeys(PEOPLE)


def test_what_stands_beside_a_sum_belongs_to_it(tmp_path: Path) -> None:
    path = written(tmp_path, ".csv", NOBODY, SUM, NOTE)
    table, draft = read_as_found(path, {})
    assert draft.options["footer"] == 3
    assert cells(table) == PEOPLE


@pytest.mark.parametrize(
    "below",
    [
        (
            {**SUM, "age": "33", "ill": "flu", "pay": "1200"},
        ),  # a word that may be a name: a person all the same
        (SUM, {name: told[0] for name, told in PEOPLE.items()}),  # a person below it
        (SUM, SUM),  # a word that is not alone
    ],
)
def test_what_may_be_a_person_stays(below: tuple[dict[str, str | None], ...], tmp_path: Path) -> None:
    path = written(tmp_path, ".csv", *below)
    table, draft = read_as_found(path, {})
    assert "footer" not in draft.options
    assert table.n_rows == 40 + len(below)


def test_a_sum_is_known_by_its_number_where_no_cell_is_empty(tmp_path: Path) -> None:
    path = written(tmp_path, ".csv", {"who": "Total", "age": "20-23", "ill": "all ills", "pay": "48000"})
    assert read_as_found(path, {})[1].options["footer"] == 1


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_plan_says_so_and_every_engine_leaves_the_rows_out(engine: str, tmp_path: Path) -> None:
    path = written(tmp_path, ".csv", SUM)
    text = kohort.propose(path).to_toml()
    assert tomllib.loads(text)["input"]["footer"] == 1
    told: dict[str, Any] = {
        "columns": {"who": "identifier", "age": "quasi", "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "recode": {"max_suppression": 0.0},
    }
    without = kohort.Plan.from_dict(told)
    plan = kohort.Plan.from_dict({**told, "input": {"footer": 1}})
    bare = tmp_path / "bare"
    bare.mkdir()
    expected = kohort.anonymize(written(bare, ".csv"), without, engine=engine)
    found = kohort.anonymize(path, plan, engine=engine)
    assert found.facts.levels == expected.facts.levels
    assert found.facts.rows == expected.facts.rows


def test_a_folder_has_no_last_rows(tmp_path: Path) -> None:
    for part in ("a", "b"):
        (tmp_path / f"{part}.csv").write_text("age\n31\n40\n", encoding="utf-8")
    told = {
        "columns": {"age": "quasi"},
        "require": [{"model": "k-anonymity", "k": 2}],
        "input": {"footer": 1},
    }
    with pytest.raises(InputError, match="nobody can say which rows are the last") as refused:
        source_of(tmp_path, kohort.Plan.from_dict(told))
    assert refused.value.code == "plan.no-effect"


@pytest.mark.parametrize("suffix", WITH)
def test_as_many_as_there_are_leave_nothing_to_release(suffix: str, tmp_path: Path) -> None:
    path = written(tmp_path, suffix)
    for footer in (40, 41, 99):
        with pytest.raises(InputError, match=r"there is nothing to release|at least one row below"):
            read_table(path, footer=footer)


@pytest.mark.parametrize("rows", range(6))
def test_the_last_rows_are_those_of_the_whole_however_it_is_cut(rows: int) -> None:
    for sizes in product(range(3), repeat=4):
        numbers = iter(range(100))
        pieces = [pa.table({"n": pa.array([next(numbers) for _ in range(n)], pa.int64())}) for n in sizes]
        whole = [n for piece in pieces for n in piece["n"].to_pylist()]
        left = [n for piece in without_last(pieces, rows) for n in piece["n"].to_pylist()]
        assert left == whole[: max(len(whole) - rows, 0)]
