"""Of columns that a name calls sensitive, and most of whose rows say nothing about anybody: the few that do are not let through."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.words import CONCEPTS
from kohort.table import Role, Table

ROWS = 300
SENSITIVE = [c.words.split()[0] for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain]


def proposal(name: str, cells: list[Any]) -> Proposal:
    return propose(Table.from_arrow(pa.table({name: cells})))[0]


@pytest.mark.parametrize("name", SENSITIVE)
@pytest.mark.parametrize("times", [1, 4, 9])
def test_phrases_that_few_rows_hold_are_never_released_unasked(name: str, times: int) -> None:
    told = [f"sister of number {i // times} left" for i in range(ROWS)]
    among_terms = ["none", "some"] * (ROWS // 2 - 1) + ["as the mayor has", None]
    for cells in (told, among_terms):
        found = proposal(name, cells)
        assert found.role is Role.IDENTIFIER or not found.decided


@pytest.mark.parametrize("name", [name for name in SENSITIVE if name != "salary"])  # which is told in amounts
def test_terms_that_many_share_are_known(name: str) -> None:
    found = proposal(name, ["yes and since long ago", "no and never before", "once"] * (ROWS // 3))
    assert found.role is Role.SENSITIVE
    assert found.decided


@pytest.mark.parametrize("name", SENSITIVE)
def test_what_everybody_has_is_asked_where_it_must_not_be_learnt(name: str) -> None:
    found = proposal(name, ["hiv"] * ROWS)
    assert (found.role, found.decided) == (Role.SENSITIVE, False)
    assert proposal("region", ["north"] * ROWS).role is Role.IDENTIFIER  # perhaps that of one person
    assert proposal("surname", ["Huber"] * ROWS).role is Role.IDENTIFIER


@pytest.mark.parametrize("usual", ["0", None])
def test_amounts_of_a_few_are_told_coarsely_and_the_usual_one_as_it_is(usual: str | None) -> None:
    amounts = [f"{1000 + 97.31 * i:.2f}" for i in range(ROWS // 6)]
    found = proposal("fee", [usual] * (ROWS - len(amounts)) + amounts)
    assert found.role is Role.SENSITIVE
    assert found.coarse["round"] > 97
    assert usual is None or "bottom" not in found.coarse


def test_names_of_a_few_are_left_out() -> None:
    found = proposal("allergy", ["none"] * (ROWS - 12) + [f"Anna {i}" for i in range(12)])
    assert found.role is Role.IDENTIFIER
    assert "most frequent" in found.reason


@pytest.mark.parametrize("name", ["Str.", "strata", "trust", "prison"])
def test_streets_strata_and_houses_are_no_treatments_and_opinions(name: str) -> None:
    found = proposal(name, ["Ulm", "Bonn", "Kiel", "Jena"] * (ROWS // 4))
    assert found.role in (Role.IDENTIFIER, Role.QUASI)


@pytest.mark.parametrize(("cells", "what"), [
    ([f"{i:06d}" for i in range(ROWS)], "filled up"),
    ([f"{4_500_000 + i:08d}" for i in range(ROWS)], "filled up"),
    ([f"030/{5_550_000 + 7919 * i}" for i in range(ROWS)], "telephone"),
    ([f"0{3_000_000_000 + 7_919_333 * i}" for i in range(ROWS)], "telephone"),
])  # fmt: skip
def test_numbers_with_zeros_in_front_are_told_from_telephones(cells: list[str], what: str) -> None:
    found = proposal("fnr", cells)
    assert found.role is Role.IDENTIFIER
    assert what in found.reason
