"""Which row is which: told by the whole table, not by the rows that happen to be released."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.ledger.entry import entry_of
from kohort.table import Table

KEY = bytes(32)
PLAN = kohort.Plan(input={"respondent": "who"}, columns={"town": "quasi"}, require=[kohort.KAnonymity(2)])  # type: ignore[arg-type]


def held(who: list[str], rows: list[int]) -> dict[str, list[int]]:
    """Return person and row of the rows released, as the ledger keeps them."""
    table = Table.from_arrow(pa.table({"who": who, "town": ["a"] * len(who), "visit": list(range(len(who)))}))
    released = Table.from_arrow(pa.table({"town": ["a"] * len(rows)}))
    members = entry_of(table, PLAN, {"table": released}, np.array(rows), table).hashed(KEY).members
    return {name: members[name].tolist() for name in ("person", "row")}


@pytest.mark.parametrize("again", ["ann", "Ann "])
def test_one_row_of_several_is_that_row_also_where_no_other_is_released(again: str) -> None:
    who = ["ann", again, "bob", "eve"]
    first, second = held(who, [0, 2, 3]), held(who, [1, 2, 3])
    assert first["person"] == second["person"]
    assert first["row"][0] != second["row"][0]
    assert first["row"][1:] == second["row"][1:]


def test_where_everybody_has_one_row_it_is_the_person() -> None:
    told = held(["ann", "bob", "eve"], [0, 1])
    assert told["row"] == told["person"]
