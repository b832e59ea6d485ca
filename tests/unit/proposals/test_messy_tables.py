"""Tables as offices export them, in eight languages: none of their identifying columns is kept, and repeated people are said."""

from __future__ import annotations

import pytest
from tests.unit.proposals.messy.drawing import Messy, drawn
from tests.unit.proposals.messy.first_half import TABLES as FIRST
from tests.unit.proposals.messy.second_half import TABLES as SECOND

from kohort.proposals import Proposal, propose
from kohort.proposals.repeated_people import repeated_people
from kohort.proposals.unknown import without_unknown
from kohort.table import Role

TABLES = [drawn(text) for text in (*FIRST, *SECOND)]
IDENTIFYING, KEPT = ("identifier", "quasi"), (Role.SENSITIVE, Role.INSENSITIVE)
SEEDS = (7, 8, 9)


def proposed(messy: Messy) -> list[Proposal]:
    return without_unknown(messy.table, propose(messy.table))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("text", [*FIRST, *SECOND], ids=lambda text: text.split("|")[0].strip())
def test_no_identifying_column_is_kept(text: str, seed: int) -> None:
    messy = drawn(text, seed)
    found = [p for p in proposed(messy) if p.decided and p.role in KEPT]
    assert [p.column for p in found if messy.truth[p.column] in IDENTIFYING] == []


@pytest.mark.parametrize("messy", [m for m in TABLES if m.rows_each > 1], ids=lambda messy: messy.name)
def test_people_with_several_rows_are_counted_or_said(messy: Messy) -> None:
    found = proposed(messy)
    named = [p.column for p in found if p.respondent]
    assert named or repeated_people(messy.table, found)
    assert all(messy.truth[column] == "identifier" for column in named)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("messy", [m for m in TABLES if m.rows_each == 1], ids=lambda messy: messy.name)
def test_nothing_is_said_of_people_with_one_row_each(messy: Messy, seed: int) -> None:
    text = next(text for text in (*FIRST, *SECOND) if text.split("|")[0].strip() == messy.name)
    table = drawn(text, seed)
    found = proposed(table)
    assert not [p.column for p in found if p.respondent]
    assert repeated_people(table.table, found) == []


def test_most_of_what_is_sensitive_is_known() -> None:
    """The price: what waits or is left out although it could be kept."""
    found = [(messy.truth[p.column], p) for messy in TABLES for p in proposed(messy)]
    sensitive = [p for truth, p in found if truth == "sensitive"]
    assert 2 * sum(p.decided and p.role is Role.SENSITIVE for p in sensitive) > len(sensitive)
    assert sum(not p.decided for _, p in found) < 0.4 * len(found)
