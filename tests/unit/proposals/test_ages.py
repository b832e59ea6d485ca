"""Ages at which something sensitive began or ended are never kept as they are, whatever it is; scales and counts still are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.ages import _AMOUNTS, _NO_QUANTITY, _WORDS
from kohort.proposals.unknown import without_unknown
from kohort.proposals.words import CONCEPTS
from kohort.table import Role, Table

ROWS = 300
SURE = [c for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain and c.name not in _AMOUNTS]
BEGINNINGS = sorted(_WORDS)
REPORTED = ("onset", "first_offence", "age_at_diagnosis", "age_at_first_drink", "Erstdiagnose_Alter", "Erstdiagnose", "debut",
            "age_onset", "alter_erstdiagnose", "menarche", "AgeFirstArrest", "diabetes_debut")  # fmt: skip


def proposed(columns: dict[str, list[Any]]) -> list[Proposal]:
    table = Table.from_arrow(pa.table(columns))
    return without_unknown(table, propose(table))


def kept(found: list[Proposal]) -> list[str]:
    return [one.column for one in found if one.decided and one.role in (Role.SENSITIVE, Role.INSENSITIVE)]


def ages(seed: int, low: int, high: int) -> list[int]:
    drawn: list[int] = np.random.default_rng(seed).integers(low, high + 1, ROWS).tolist()
    return drawn


@pytest.mark.parametrize(("low", "high"), [(0, 18), (12, 25), (20, 60), (0, 110), (40, 99)])
@pytest.mark.parametrize("concept", SURE, ids=lambda concept: concept.name)
def test_ages_at_the_beginning_of_anything_are_not_kept(concept: Any, low: int, high: int) -> None:
    words = concept.words.split()
    names = {f"{words[7 * i % len(words)]}_{one}": i for i, one in enumerate(BEGINNINGS)}
    names |= {f"{one}{words[5 * i % len(words)].title()}": i for i, one in enumerate(BEGINNINGS)}
    assert kept(proposed({name: ages(i, low, high) for name, i in names.items()})) == []


@pytest.mark.parametrize(("low", "high"), [(0, 17), (15, 40), (18, 95)])
def test_what_was_reported_is_generalized_or_waits(low: int, high: int) -> None:
    found = proposed({name: ages(i, low, high) for i, name in enumerate(REPORTED)})
    assert kept(found) == []
    assert {one.role for one in found} == {Role.QUASI}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("concept", [c for c in SURE if c.name in _NO_QUANTITY], ids=lambda c: c.name)
def test_numbers_that_look_like_ages_are_asked_about_where_nothing_is_counted(
    concept: Any, seed: int
) -> None:
    names = concept.words.split()[seed::5]
    assert kept(proposed({name: ages(seed + i, 18, 89) for i, name in enumerate(names)})) == []


@pytest.mark.parametrize("values", [[0, 1], [1, 2, 3, 4, 5], [*range(11)]], ids=["yes or no", "five", "ten"])
def test_answers_and_grades_are_kept_as_before(values: list[int]) -> None:
    drawn = [values[i] for i in np.random.default_rng(1).integers(0, len(values), ROWS)]
    assert kept(proposed({"first_treatment": drawn, "pain_onset": drawn})) == [
        "first_treatment",
        "pain_onset",
    ]


def test_counts_and_scores_look_like_no_ages() -> None:
    chance = np.random.default_rng(2)
    counts, scores = chance.poisson(2, ROWS).tolist(), (10 * chance.integers(3, 11, ROWS)).tolist()
    assert kept(proposed({"arrests": counts, "karnofsky": scores})) == ["arrests", "karnofsky"]
