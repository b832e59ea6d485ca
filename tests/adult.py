"""Where the Adult benchmark is: not part of the project, named by KOHORT_ADULT or beside the checkout."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

QUASI = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class",
)  # fmt: skip


def adult_directory() -> Path:
    """Return the directory of adult.csv, or skip the test that asks."""
    found = Path(os.environ.get("KOHORT_ADULT", Path(__file__).parents[2] / "shared" / "data" / "adult"))
    if not (found / "adult.csv").exists():
        pytest.skip(f"the Adult benchmark is not at {found}: set KOHORT_ADULT to its directory")
    return found


def level_rows(name: str) -> list[list[str]]:
    """Return the rows of Adult's level file for one column."""
    with (adult_directory() / f"adult_hierarchy_{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))
