"""A sensitive word decides about a column only where its values are of that kind: not when, where, whom or which case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.proposals.messy.catalogue import OF_THE_KIND, ROWS, TELLING, UNTOLD
from tests.unit.proposals.messy.drawing import surname

from kohort.proposals import Proposal, propose
from kohort.proposals.terms import are_terms
from kohort.proposals.words import CONCEPTS
from kohort.table import Role, Table

SURE = [c for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain]
WORDS = [word for c in SURE for word in c.words.split()]
STEP = 27  # every 27th word with each list, so that all of them come up
# What a name says beside a sensitive word, in eight languages, and numbers that this may be told in.
BESIDE = {
    "when": ("date month year day hour week weekday quarter monat jahr stunde woche mois annee heure semaine mes hora semana mese ora "
             "settimana maand jaar uur miesiac godzina tydzien", [*range(1, 13)]),
    "where": ("place room ward site city street clinic floor bed branch ort raum zimmer klinik bett lieu salle lit lugar sala cama luogo "
              "stanza letto plaats kamer afdeling miejsce pokoj oddzial quarto piso", [*range(1, 9)]),
    "whom": ("doctor nurse by initials clerk officer contact approver arzt pfleger von medecin infirmier par enfermera por infermiere da "
             "arts verpleger door lekarz przez enfermeiro", [*range(1, 9)]),
    "which": ("no nr number id ref case file lot account iban serial barcode nummer konto numero dossier compte expediente pratica "
              "rekening numer processo conta code key", [1003 + 717 * i for i in range(80)]),
}  # fmt: skip


def proposed(names: list[str], values: list[Any]) -> list[Proposal]:
    drawn = (
        values
        if len(values) == ROWS
        else [values[i] for i in np.random.default_rng(3).integers(0, len(values), ROWS)]
    )
    return propose(Table.from_arrow(pa.table(dict.fromkeys(dict.fromkeys(names), drawn))))


def kept(found: list[Proposal]) -> list[str]:
    return [one.column for one in found if one.decided and one.role in (Role.SENSITIVE, Role.INSENSITIVE)]


@pytest.mark.parametrize("place", range(len(TELLING)), ids=TELLING)
def test_values_that_say_when_where_whom_or_which_are_not_kept_whatever_a_name_says(place: int) -> None:
    assert kept(proposed(WORDS[place % STEP :: STEP], [*TELLING.values()][place])) == []


@pytest.mark.parametrize("beside", BESIDE)
def test_numbers_under_a_word_of_when_where_whom_or_which_are_not_kept(beside: str) -> None:
    words, values = BESIDE[beside]
    long = [[word for word in c.words.split() if len(word) > 4] for c in SURE]
    names = [
        f"{of[(3 * i + j) % len(of)]}_{w}" for i, w in enumerate(words.split()) for j, of in enumerate(long)
    ]
    assert kept(proposed(names, values)) == []


@pytest.mark.parametrize("name", OF_THE_KIND)
def test_values_of_the_kind_are_kept(name: str) -> None:
    for values in OF_THE_KIND[name]:
        assert kept(proposed([name], values)) == [name], values[:3]


def test_names_that_nobody_listed_are_no_terms() -> None:
    names = [surname(i) for i in range(400)]
    assert [c.name for c in SURE for i in range(0, 400, 5) if are_terms(names[i : i + 5], c)] == []


@pytest.mark.parametrize("values", UNTOLD)
def test_small_numbers_under_a_bare_word_are_a_limit_that_another_word_beside_it_ends(values: str) -> None:
    """Whoever narrows the limit changes this test and the decision 0031, which names it."""
    assert kept(proposed(["illness", "illness_xyzzy"], UNTOLD[values])) in (
        ["illness"],
        ["illness", "illness_xyzzy"],
    )
