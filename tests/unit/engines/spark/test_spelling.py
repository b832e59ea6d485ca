"""Released rows on their way to the parts that they are written to."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.engines.spark import spelling as room
from kohort.engines.spark.recoding import to_parts
from kohort.engines.spark.spelling import PeopleBeside, Released, Spelling
from kohort.table.cluster.packets import by_part, opened
from kohort.table.cluster.writing import written

TOWNS, AGES = pa.array([None, "Ayr", "Bude", "Oban"]), pa.array([7, 8, 9])


def spelling_of(towns: pa.Array = TOWNS, beside: tuple[str, ...] = ()) -> Spelling:
    return Spelling({"age": pa.int64(), "town": pa.string()}, {"town": towns, "age": AGES}, beside)


def rows_of(towns: list[int], ages: list[int]) -> Released:
    return Released({"town": np.array(towns), "age": np.array(ages)}, {})


def parts_of(spelling: Spelling, pieces: list[Released], parts: int) -> dict[int, list[dict[str, Any]]]:
    batches = to_parts(iter(pieces), spelling=spelling, parts=parts)
    return {
        part: [row for group in spelling.spelled(spelling.in_order(rows)) for row in group.to_pylist()]
        for part, rows in by_part(batches)
    }


def test_rows_stand_in_an_order_of_their_cells_alone() -> None:
    """Whatever the pieces, and whichever values others have who are left out."""
    towns, ages = [3, 1, 0, 1, 3, 2, 1], [0, 2, 1, 2, 0, 1, 0]
    one = parts_of(spelling_of(), [rows_of(towns, ages)], 3)
    pieces = [rows_of(towns[i : i + 2], ages[i : i + 2]) for i in (4, 0, 6, 2)]
    assert parts_of(spelling_of(), pieces, 3) == one
    more = pa.array([None, "Aachen", "Ayr", "Bude", "Nairn", "Oban", "Zug"])
    renumbered = rows_of([{0: 0, 1: 2, 2: 3, 3: 5}[town] for town in towns], ages)
    assert parts_of(spelling_of(more), [renumbered], 3) == one
    told = Counter((row["town"], row["age"]) for rows in one.values() for row in rows)
    expected = zip((TOWNS[t].as_py() for t in towns), (AGES[a].as_py() for a in ages), strict=True)
    assert told == Counter(expected)


def test_the_order_is_the_same_where_columns_have_no_numbers() -> None:
    """How many values a column has may be for the sake of somebody who is left out, and tells so by no order."""
    rng = np.random.default_rng(3)
    towns, ages = rng.integers(0, 4, 200), rng.integers(0, 3, 200)
    kinds = {"age": pa.int64(), "town": pa.string()}
    numbers, own = (
        {"town": towns, "age": ages},
        {"town": TOWNS.take(pa.array(towns)), "age": AGES.take(pa.array(ages))},
    )
    found = []
    for numbered in ((), ("town",), ("age",), ("age", "town"), ("town", "age")):
        values = {name: {"town": TOWNS, "age": AGES}[name] for name in numbered}
        rows = Released(
            {n: numbers[n] for n in numbered}, {n: cells for n, cells in own.items() if n not in numbered}
        )
        found.append(parts_of(Spelling(kinds, values), [rows], 4))
    assert len(found[0]) > 1
    assert all(parts == found[0] for parts in found)


def test_rows_that_are_alike_travel_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine of ten rows share their cells; they are spelled out a group at a time."""
    monkeypatch.setattr(room, "ROWS_OF_A_GROUP", 100)
    rows = rows_of([1] * 900 + [2, 3] * 50, [0] * 900 + [1, 2] * 50)
    batches = list(to_parts(iter([rows, rows]), spelling=spelling_of(), parts=2))
    assert sum(opened(batch.column("packet")[0]).num_rows for batch in batches) == 6
    groups = []
    for _, lines in by_part(iter(batches)):
        groups += list(spelling_of().spelled(spelling_of().in_order(lines)))
    assert max(map(len, groups)) == 100
    told = Counter(row["town"] for group in groups for row in group.to_pylist())
    assert told == {"Ayr": 1800, "Bude": 100, "Oban": 100}


def test_no_rows_are_no_packets() -> None:
    assert list(to_parts(iter([rows_of([], [])]), spelling=spelling_of(), parts=4)) == []


def test_people_stand_in_the_order_of_their_rows_and_then_their_own(tmp_path: Path) -> None:
    rows = Released(
        rows_of([1, 3, 1, 1], [0, 0, 0, 2]).numbers, {"person": pa.array([5, 1, 2, 4], pa.int32())}
    )
    people = PeopleBeside({"age": pa.int64(), "town": pa.string()}, {"town": TOWNS, "age": AGES}, ("person",))
    begun, aside = tmp_path / "begun", tmp_path / "aside"
    begun.mkdir()
    aside.mkdir()
    packets = to_parts(iter([rows]), spelling=people, parts=1)
    [told] = written(people, str(begun), str(aside), ".parquet", packets)
    assert told.to_pylist() == [{"part": 0, "n": 4}]
    found = pyarrow.parquet.read_table(aside / "part-00000.parquet")
    rows_alike = [row for row in found.column("respondent").to_pylist() if row in (2, 5)]
    assert sorted(found.column("respondent").to_pylist()) == [1, 2, 4, 5]
    assert rows_alike == [2, 5]  # Ayr 7 twice
    [table] = parts_of(spelling_of(), [rows_of([1, 3, 1, 1], [0, 0, 0, 2])], 1).values()
    of = {5: ("Ayr", 7), 1: ("Oban", 7), 2: ("Ayr", 7), 4: ("Ayr", 9)}
    assert [(row["town"], row["age"]) for row in table] == [
        of[p] for p in found.column("respondent").to_pylist()
    ]
    assert list(begun.iterdir()) == []


def test_only_what_is_released_stands_in_a_part(tmp_path: Path) -> None:
    """A value of somebody who is left out has a number, and is nowhere in the file."""
    for folder in ("begun", "aside"):
        (tmp_path / folder).mkdir()
    packets = to_parts(iter([rows_of([1, 1, 2], [0, 1, 1])]), spelling=spelling_of(), parts=1)
    list(written(spelling_of(), str(tmp_path / "begun"), str(tmp_path / "aside"), ".parquet", packets))
    file = tmp_path / "aside" / "part-00000.parquet"
    assert b"Ayr" in file.read_bytes()
    assert b"Oban" not in file.read_bytes()
