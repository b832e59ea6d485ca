"""Words of money decide where the values are amounts; kinds, groups and classes of money wait, and what others see is no secret."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.words import CONCEPTS, MONEY, PRICES, SEEN
from kohort.table import Role, Table

ROWS = 420
WORDS = next(concept.words.split() for concept in CONCEPTS if concept.name == MONEY)
KINDS: dict[str, list[Any]] = {
    "words of money": WORDS[5:8],
    "levels": ["low", "mid", "high"],
    "letters": ["A", "B", "C", "D"],
    "Roman numerals": ["I", "III", "V"],
    "small numbers": [0, 1, 2],
    "classes": [1, 2, 3, 4, 5, 6],
    "numbers as texts": ["1", "3", "5"],
    "names": ["Quell", "Brom", "Tarn"],
}
AMOUNTS: dict[str, list[Any]] = {
    "whole": [120, 300, 950, 4000, 12000],
    "measured": [12.5, 3.25, 7.75],
    "many small": [*range(30)],
    "ranges": ["0-999", "1000-1999", "2000+"],
    "answers": ["yes", "no"],
}


def proposals(names: list[str], values: list[Any]) -> list[Proposal]:
    cells = [values[i % len(values)] for i in range(ROWS)]
    return propose(Table.from_arrow(pa.table(dict.fromkeys(names, cells))))


def kept(names: list[str], values: list[Any]) -> list[str]:
    found = proposals(names, values)
    return [one.column for one in found if one.decided and one.role in (Role.SENSITIVE, Role.INSENSITIVE)]


@pytest.mark.parametrize("values", KINDS)
@pytest.mark.parametrize("form", ["{}", "{}_group", "{}_type", "{}sklasse", "class of {}"])
def test_values_that_are_no_amounts_are_never_kept_under_a_word_of_money(form: str, values: str) -> None:
    assert kept([form.format(word) for word in WORDS], KINDS[values]) == []


@pytest.mark.parametrize("values", AMOUNTS)
def test_amounts_are(values: str) -> None:
    names = [word for word in WORDS if len(word) > 4 and word != "insured"]  # who may be somebody
    assert kept(names, AMOUNTS[values]) == names


def test_numbers_under_a_name_that_says_classes_are_amounts_only_where_they_are_large_or_many() -> None:
    names = ["income_class", "salary_group", "wage_band"]
    assert kept(names, [*range(1, 25)]) == []
    assert kept(names, [1000, 2000, 5000]) == names


def test_what_a_thing_costs_that_others_see_is_known_to_others() -> None:
    paid = {word for word in PRICES if word in WORDS}
    assert paid
    for price in paid:
        found = proposals([f"{thing}_{price}" for thing in SEEN], [*range(10_000, 90_000, 170)])
        assert not [one.column for one in found if one.role not in (Role.QUASI, Role.IDENTIFIER)]


def test_blood_groups_are_known_to_others_by_name_and_by_value() -> None:
    groups = ["A+", "0-", "B+", "AB-", "A-"]
    names = ["blood_type", "Blutgruppe", "groupe sanguin", "bloedgroep", "x7"]
    assert {(one.role, one.decided) for one in proposals(names, groups)} == {(Role.QUASI, True)}


@pytest.mark.parametrize("values", [["y", "n"], ["ja", "nein"], [0, 1], [True, False]])
def test_yes_and_no_are_kept_only_where_all_of_the_name_is_understood(values: list[Any]) -> None:
    sure = [c for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain]
    words = [max(concept.words.split(), key=len) for concept in sure]
    assert kept([f"{word}_quell_brom" for word in words], values) == []
    assert kept(words, values) == words
