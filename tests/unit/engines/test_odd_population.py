"""What is said of the people of a population: ids alike, and rows that nobody is named in."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import kohort

ROWS = pa.table({"pid": ["a", "b"], "x": ["1", "1"]})


def cautions(tmp_path: Path, population: dict[str, list[str]], respondent: str | None = "pid") -> list[str]:
    pa.parquet.write_table(pa.table(population), tmp_path / "all.parquet")
    plan = kohort.Plan(
        input={"respondent": respondent, "population": str(tmp_path / "all.parquet")},
        columns={"pid": "identifier", "x": {"role": "quasi", "hierarchy": {"kind": "suppress"}}},
        require=[{"model": "k-map", "k": 2}],
        output={"ledger": ""},
    )
    return [told for told in kohort.anonymize(ROWS, plan).cautions if "population" in told]


@pytest.mark.parametrize(
    ("population", "said"),
    [
        ({"pid": ["a", "A ", " a", "b"], "x": ["1"] * 4}, ["respondent column 'pid': 3 names equal another one"]),
        ({"pid": ["a", "b", "b"], "x": ["1"] * 3}, []),
        ({"who": ["a", "a"], "x": ["1"] * 2}, ["no column 'pid', the respondent of the plan, so that every row"]),
    ],
)  # fmt: skip
def test_who_the_people_of_a_population_are_is_said_where_that_is_odd(
    population: dict[str, list[str]], said: list[str], tmp_path: Path
) -> None:
    found = cautions(tmp_path, population)
    assert len(found) == len(said)
    assert all(part in whole for part, whole in zip(said, found, strict=True))


def test_nothing_is_said_where_rows_are_counted_anyway(tmp_path: Path) -> None:
    assert cautions(tmp_path, {"who": ["a", "a"], "x": ["1", "1"]}, None) == []
