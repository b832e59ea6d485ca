"""What became of people is known by a time beside it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from kohort.proposals import propose
from kohort.table import Role, Table


@pytest.mark.parametrize("time", ["time.to.cmv", "days_to_cmv", "cmv_time", "dayscmv", "Cmv months"])
def test_a_yes_or_no_with_its_own_time_is_an_outcome(time: str) -> None:
    table = Table.from_arrow(pa.table({"cmv": [0, 1] * 60, time: [i * 7 % 97 for i in range(120)]}))
    found = propose(table)[0]
    assert (found.role, found.decided) == (Role.SENSITIVE, True)


@pytest.mark.parametrize("name", ["sex", "work", "county", "race"])
def test_a_time_makes_no_outcome_of_what_is_known_to_others(name: str) -> None:
    table = Table.from_arrow(
        pa.table({name: [0, 1] * 60, f"time_to_{name}": [i * 7 % 97 for i in range(120)]})
    )
    assert propose(table)[0].role is Role.QUASI


@pytest.mark.parametrize("cells", [["Male", "Female"], ["married", "single"]])
def test_values_count_before_a_time(cells: list[str]) -> None:
    table = Table.from_arrow(pa.table({"cmv": cells * 60, "time_to_cmv": [i * 7 % 97 for i in range(120)]}))
    assert propose(table)[0].role is Role.QUASI
