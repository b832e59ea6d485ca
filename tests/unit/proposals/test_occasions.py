"""What every person has alike needs no decision, and is protected all the same."""

from __future__ import annotations

import pyarrow as pa
import pytest

from kohort.proposals import propose
from kohort.table import Role, Table

PEOPLE = [f"{10_000 + i // 4}" for i in range(200)]


@pytest.mark.parametrize("cells", [["a", "b", "c", "d"], [1, 2, 3, 4], [4.5, 1.5, 2.5, 0.5]])
def test_what_every_person_has_once_is_decided(cells: list[object]) -> None:
    found = propose(Table.from_arrow(pa.table({"patient": PEOPLE, "zz": cells * 50})))[1]
    assert (found.role, found.confidence) == (Role.QUASI, "unsure")
    assert "each value of patient has all of its values once" in found.reason


def test_what_one_person_has_otherwise_waits() -> None:
    cells = ["a", "b", "c", "d"] * 49 + ["a", "b", "c", "c"]
    assert not propose(Table.from_arrow(pa.table({"patient": PEOPLE, "zz": cells})))[1].decided
    assert not propose(Table.from_arrow(pa.table({"zz": ["a", "b", "c", "d"] * 50})))[0].decided
