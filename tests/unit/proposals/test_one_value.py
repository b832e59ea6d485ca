"""A column of one value may be of the one person whom all rows are about: it is kept only where it is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.proposals.messy.catalogue import TELLING

import kohort
from kohort.proposals import propose
from kohort.table import Role, Table

ROWS = 60
UNKNOWN = ("visitor", "field_7", "b", "über wen")
KNOWN = ("dwelling", "place", "address", "birth_date", "dob", "birth_year", "hospital")
SHORT = 4  # signs: a year, a code


def released(name: str, value: Any) -> bool:
    table = pa.table({name: [value] * ROWS, "of rows": ["f", "m"] * (ROWS // 2)})
    [found, _] = propose(Table.from_arrow(table))
    return found.decided and found.role is not Role.IDENTIFIER


@pytest.mark.parametrize("kind", TELLING)
def test_whom_all_rows_are_about_is_not_kept(kind: str) -> None:
    values = [value for value in TELLING[kind] if value is not None]
    told = values[:: max(1, len(values) // 4)]
    kept = [(name, value) for name in (*UNKNOWN, *KNOWN) for value in told if released(name, value)]
    assert [
        (name, value) for name, value in kept if not _is_known(value) and not _is_short(name, value)
    ] == []


def _is_short(name: str, value: Any) -> bool:
    return len(str(value)) <= SHORT and name in KNOWN


def _is_known(value: Any) -> bool:
    """Say whether values alone tell what it is, and that is generalized: months, countries, sexes, times."""
    table = Table.from_arrow(pa.table({"field_7": [value] * ROWS}))
    [found] = propose(table)
    return found.role is Role.QUASI and found.reason.startswith("its values are ")


@pytest.mark.parametrize("guard", [False, True])
def test_a_table_about_one_person_does_not_tell_who_it_is(guard: bool, tmp_path: Path) -> None:
    table = pa.table(
        {
            "visitor": ["Ada Example"] * ROWS,
            "dwelling": ["Long Road 5, Smalltown"] * ROWS,
            "b": ["1950-03-02"] * ROWS,
            "when": [f"2024-{i % 12 + 1:02}-03" for i in range(ROWS)],
            "disease": ["asthma", "flu", "gout"] * (ROWS // 3),
        }
    )
    plan = kohort.propose(table, guard=guard)
    assert {name for name, column in plan.columns.items() if column.role is Role.IDENTIFIER} >= {
        "visitor",
        "dwelling",
        "b",
    }


def test_what_is_known_is_kept() -> None:
    assert released("country", "DE")
    assert released("sex", "f")
    assert released("nothing", None)


@pytest.mark.parametrize("value", [143, 7, 0, 4.5, -1, "A", "yes", True])
@pytest.mark.parametrize("name", UNKNOWN)
def test_no_value_is_too_short_to_be_somebodys(name: str, value: Any) -> None:
    assert not released(name, value)
