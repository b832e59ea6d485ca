"""Columns are compared with all that they may follow from, and hardly any pair of them row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from kohort.arrays import FloatArray
from kohort.proposals import following
from kohort.proposals.evidence import Evidence
from kohort.proposals.following import Leads, Seen, follows, is_settled
from kohort.proposals.proposal import Proposal
from kohort.table import Role, Table


def _seen(columns: dict[str, pa.Array], role: Role, concept: str | None, decided: bool) -> list[Seen]:
    found = []
    for column in Table.from_arrow(pa.table(columns)):
        evidence = Evidence(column)
        proposal = Proposal(
            column.name, role, "", "sure" if decided else "undecided", concept, None, evidence.rows, evidence.distinct, 0, 0, 0
        )  # fmt: skip
        found.append(Seen(proposal, evidence, following._numbers(evidence)))
    return found


def _of_each_kind(rng: np.random.Generator, n: int, lead: FloatArray) -> dict[str, pa.Array]:
    """Return columns that follow from one, and some that nearly do."""
    gone = np.where(rng.random(n) < 0.05, np.nan, 2 * lead)
    one_off = lead.copy()
    one_off[rng.integers(0, n)] += lead.max()
    return {
        "rising": pa.array(lead * 2),
        "falling": pa.array(-lead),
        "classes": pa.array((lead > np.median(lead)).astype(int)),
        "rare": pa.array((lead >= np.sort(lead)[-6]).astype(int)),
        "gone": pa.array(gone, from_pandas=True),
        "one_off": pa.array(one_off),
        "chance": pa.array(rng.permutation(lead)),
        "whether": pa.array(np.isnan(gone).astype(int)),
    }


def _may_lead(other: Proposal, found: Proposal) -> bool:
    if other.column == found.column or (found.role is other.role and found.decided):
        return False
    if other.role is Role.QUASI:
        return True
    return found.concept is None and 2 * found.distinct > other.distinct > 10


def _naive(here: Seen, leads: Sequence[Seen]) -> str | None:
    """Return which column is followed first, every pair looked at in every row."""
    for other in leads:
        if not _may_lead(other.found, here.found):
            continue
        quasi = other.found.role is Role.QUASI
        if quasi and is_settled(here.evidence.column, other.evidence.column):
            return other.found.column
        if follows(here.numbers, other.numbers):
            return other.found.column
    for other in leads:
        has_one = [
            text is not None for text in (other.evidence.column.texts[c] for c in other.evidence.column.codes)
        ]
        told = here.evidence.column.codes.tolist()
        several = 5 <= sum(has_one) <= len(has_one) - 5
        if several and len(set(told)) == 2 and len(set(zip(told, has_one, strict=True))) == 2:
            return other.found.column
    return None


@pytest.mark.parametrize("seed", range(12))
def test_the_first_that_a_column_follows_from_is_found_as_by_looking_at_every_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([60, 300, 1500]))
    role = (Role.QUASI, Role.SENSITIVE)[seed % 2]
    ages = [np.round(rng.normal(50, 20, n), int(rng.integers(0, 3))) for _ in range(4)]
    places = {"place": pa.array(rng.integers(0, max(n // 40, 2), n).astype(str))}
    leads = _seen({f"lead{i}": pa.array(age) for i, age in enumerate(ages)} | places, role, "an age", True)
    leads += _seen(
        {"some": pa.array(np.where(rng.random(n) < 0.4, np.nan, ages[0]), from_pandas=True)},
        role,
        "an age",
        True,
    )
    lead = ages[int(rng.integers(0, 4))]
    founds = _seen(_of_each_kind(rng, n, lead), Role.QUASI, None, False)
    held = np.array([text is not None for text in leads[-1].evidence.column.texts])[
        leads[-1].evidence.column.codes
    ]
    founds += _seen({"there": pa.array(held.astype(int))}, Role.QUASI, None, False)
    seen = [*leads, *founds]
    told = [following._following(one, Leads.of(seen)) for one in founds]
    for one, proposal in zip(founds, told, strict=True):
        expected = _naive(one, leads)
        if expected is None:
            assert proposal is one.found, one.found.column
        else:
            assert f" {expected}," in f"{proposal.reason}," or f" {expected} " in proposal.reason, (
                one.found.column
            )


@pytest.mark.parametrize("columns", [100, 400])
def test_columns_by_chance_are_not_compared_row_by_row(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, compared = np.random.default_rng(1), []
    monkeypatch.setattr(following, "follows", lambda *_: compared.append(1))
    monkeypatch.setattr(following, "is_settled", lambda *_: compared.append(1))
    events = {f"event{i}": pa.array((rng.random(500) < 0.2).astype(int)) for i in range(columns // 2)}
    times = {f"time{i}": pa.array(rng.integers(0, 400, 500)) for i in range(columns // 2)}
    leads = _seen(times | events, Role.QUASI, "a date", True)
    unknown = {f"x{i}": pa.array(rng.integers(0, 50, 500)) for i in range(columns)}
    seen = [*leads, *_seen(unknown, Role.QUASI, None, False)]
    known = Leads.of(seen)
    for one in seen:
        following._following(one, known)
    assert len(compared) < columns
