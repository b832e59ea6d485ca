"""Means over bands are rounded to the ends that the plan lists, whether or not anybody stands between two of them.

Rounded to the ends of bands that somebody is in, a mean of 35 was told as 50 where nobody was between 20 and 50: the release told
which bands are empty, and whether a column had means at all went by who was in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.hierarchy import build_hierarchy
from kohort.hierarchy.grid import finest_grid, mean_points

ENDS = [[10, 20, 30, 40, 50, 60, 100, 200, 500, 1000], [100]]


def plan(ends: list[list[float]], algorithm: str = "mdav") -> dict[str, Any]:
    hierarchy = {"kind": "bands", "ends": ends}
    return {
        "columns": {"age": {"role": "quasi", "hierarchy": hierarchy}, "ill": "sensitive"},
        "require": [{"model": "k-anonymity", "k": 4}],
        "recode": {"algorithm": algorithm},
        "output": {"ledger": ""},
    }


def people(*ages: float) -> pa.Table:
    return pa.table({"age": ages, "ill": ["flu", "cold"] * (len(ages) // 2)})


@pytest.mark.parametrize("algorithm", ["mdav", "v-mdav", "univariate"])
@pytest.mark.parametrize(
    ("ages", "mean"),
    [
        ((15, 15, 57, 57), "40"),
        ((15, 15, 15, 55), "30"),
        ((1, 2, 33, 44), "20"),
        ((700, 800, 950, 2000), "1000"),
    ],
)
def test_a_mean_is_told_by_the_nearest_declared_end(
    algorithm: str, ages: tuple[int, ...], mean: str, tmp_path: Path
) -> None:
    original = people(*ages)
    release = kohort.anonymize(original, plan(ENDS, algorithm))
    assert set(release.table.column("age").to_pylist()) == {mean}
    release.save(tmp_path / "out")
    assert all(verdict.holds is not False for verdict in kohort.verify(tmp_path / "out", original=original))


@pytest.mark.parametrize(
    "ages", [("15", "55"), ("15", "25", "999"), ("5",), ("3", "2000"), ("51", "52.5", None)]
)
def test_where_means_end_follows_from_the_plan_alone(ages: tuple[str | None, ...]) -> None:
    hierarchy = build_hierarchy("age", {"kind": "bands", "ends": ENDS}, ages, [1] * len(ages))
    assert mean_points(hierarchy) == [str(end) for end in ENDS[0]]


@pytest.mark.parametrize("ages", [("11", "12"), ("11", "500"), ("11", "12", "13", "14", "700", "800")])
@pytest.mark.parametrize(
    ("ends", "level"),
    [
        ([[10, 11, 12, 13, 1000]], None),
        ([[10, 11, 12, 13, 500, 1000], [10, 500, 1000]], 2),
        ([[10, 500, 1000]], 1),
    ],
)
def test_whether_there_is_a_grid_at_all_follows_from_the_plan_alone(
    ages: tuple[str, ...], ends: list[list[float]], level: int | None
) -> None:
    """Ends one apart are single values; by the bands that occur it was a grid where only wide ones did."""
    hierarchy = build_hierarchy("age", {"kind": "bands", "ends": ends}, ages, [1] * len(ages))
    assert (mean_points(hierarchy) is None) == (level is None)
    if hierarchy.height > (
        level or 0
    ):  # where all are in one band, that is the root, by which they are told anyhow
        grid = finest_grid(hierarchy)
        assert (None if grid is None else grid.level) == level
