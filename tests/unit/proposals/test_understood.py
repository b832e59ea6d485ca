"""A sensitive word decides about a column only where the rest of its name is understood and its values can be what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.people_words import PEOPLE
from kohort.proposals.qualifier_words import JOINING, QUALIFIERS
from kohort.proposals.understood import is_understood
from kohort.proposals.words import CONCEPTS, HOUSES_OF_BELIEF, MONEY
from kohort.table import Role, Table

ROWS = 400
PLACES = ["Ylöjärvi", "Szentgál", "Gurk", "Trzin", "Odolena", "Vlkov", "Kuhmo", "Ikast"]
VALUES: dict[str, list[Any]] = {
    "places": PLACES,
    "codes": [f"K{100 + 37 * i}" for i in range(8)],
    "numbers": [1003 + 717 * i for i in range(8)],
    "small": [1, 2, 3, 4],
    "many": [f"{name} {i}" for name in PLACES for i in range(40)],
}
# Whom, where and what for in words that nobody listed, some of several languages.
OTHERS = ("clerk", "rep", "payer", "box", "hall", "shelter", "collector", "account", "source", "toimisto", "miejsce", "docente",
          "sede", "huis", "vertreter", "xyzzy", "ctr", "in", "from", "of", "über", "client")  # fmt: skip
SURE = [c for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain]


def proposed(names: list[str], values: list[Any]) -> list[Proposal]:
    drawn = np.random.default_rng(3).integers(0, len(values), ROWS)
    return propose(Table.from_arrow(pa.table({name: [values[i] for i in drawn] for name in names})))


def kept(found: list[Proposal]) -> list[str]:
    return [one.column for one in found if one.decided and one.role in (Role.SENSITIVE, Role.INSENSITIVE)]


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("concept", SURE, ids=lambda concept: concept.name)
def test_a_name_of_which_a_word_is_not_understood_is_not_kept(concept: Any, values: str) -> None:
    words = concept.words.split()
    names = [f"{words[i * 7 % len(words)]}_{other}" for i, other in enumerate(OTHERS)]
    assert kept(proposed(names, VALUES[values])) == []


@pytest.mark.parametrize("concept", SURE, ids=lambda concept: concept.name)
def test_what_qualifies_a_word_leaves_what_it_says(concept: Any) -> None:
    word = max(concept.words.split(), key=len)
    beside = [
        f"{word}_{qualifier}" for qualifier in ("total", "type", "level", "2", "t1", "baseline", "group")
    ]
    amounts = [0, 150, 700, 1200]
    assert kept(proposed(beside, amounts if concept.name == MONEY else [0, 1, 2, 3])) == beside


def test_every_word_that_is_known_is_understood_alone_and_beside_others() -> None:
    words = sorted({*(word for c in CONCEPTS for word in c.words.split()), *QUALIFIERS})
    assert [word for word in words if not is_understood(word)] == []
    assert [word for word in words if not is_understood(f"{word}_salary")] == []


def test_a_name_that_ends_where_whom_would_follow_is_not_understood() -> None:
    assert [word for word in JOINING if len(word) > 1 and is_understood(f"salary_{word}")] == []


@pytest.mark.parametrize("name", ["Haushaltsnettoeinkommen", "Bruttomonatsgehalt", "Behandlungsart", "lhrwage", "monthly_salary_eur",
                                  "length_of_stay", "montant_du_revenu", "Diagnosetyp", "v12_diag"])  # fmt: skip
def test_compounds_and_short_forms_are_understood(name: str) -> None:
    assert is_understood(name)


@pytest.mark.parametrize("values", ["places", "codes", "numbers"])
def test_money_is_told_in_amounts(values: str) -> None:
    assert kept(proposed(["salary", "cost", "pay_grade", "Gehaltsgruppe"], VALUES[values])) == []


@pytest.mark.parametrize(
    "values",
    [
        [12.5, 100.25, 17.0],
        [900, 1500, 12000],
        [1200, 1300, 4500, 2000],
        ["<=50K", ">50K"],
        ["0-999 €", "1000-1999 €", "2000-2999 €", "3000-3999 €", "4000-4999 €", "5000 € und mehr"],
        ["yes", "no"],
    ],
)
def test_amounts_ranges_and_yes_or_no_are_money(values: list[Any]) -> None:
    assert kept(proposed(["salary"], values)) == ["salary"]


@pytest.mark.parametrize("values", ["places", "codes", "numbers"])
def test_houses_of_belief_have_names(values: str) -> None:
    assert kept(proposed(sorted(HOUSES_OF_BELIEF), VALUES[values])) == []


def test_whether_somebody_belongs_to_one_is_kept() -> None:
    for values in ([0, 1], ["yes", "no"]):
        assert kept(proposed(sorted(HOUSES_OF_BELIEF), values)) == sorted(HOUSES_OF_BELIEF)


@pytest.mark.parametrize("values", ["places", "codes", "numbers", "small"])
def test_people_are_not_kept_by_what_they_do(values: str) -> None:
    assert kept(proposed(sorted(PEOPLE), VALUES[values])) == []


def test_a_weight_that_may_be_of_a_survey_is_no_body_measure() -> None:
    assert proposed(["wt"], [0.4 + i / 10 for i in range(18)])[0].concept is None


WHO = [
    "Okafor",
    "Lindqvist",
    "Szabo",
    "Ndiaye",
    "Petrescu",
    "Tamminen",
    "Halvorsen",
    "Brzoza",
    "Kowalik",
    "Ilić",
]
TELLING = {
    "sentences": [f"seen by somebody called {name.lower()} in the ward" for name in WHO],
    "titles": [*(f"see Mrs {name}" for name in WHO), "flu", "cold", "gout"],
    "doctors": [f"flu, Dr. {name}" for name in WHO],
    "addresses": [f"{name} Street {i + 3}" for i, name in enumerate(WHO)],
    "streets": [f"{name}straße {i + 3}a" for i, name in enumerate(WHO)],
    "postal codes": [79100, 79102, 79104, 88212, 88214, 20095, 10117],
}


@pytest.mark.parametrize("values", TELLING)
def test_cells_that_tell_whom_or_where_are_not_kept_whatever_a_column_is_called(values: str) -> None:
    names = [word for concept in SURE for word in concept.words.split()[:3]]
    assert kept(proposed(names, TELLING[values])) == []


@pytest.mark.parametrize(
    "values", [["Asthma", "Grippe", "M. Crohn", "St. n. Infarkt"], ["Stage 1", "Stage 2"], ["type 1 diabetes", "no diabetes"]]
)  # fmt: skip
def test_terms_are_kept(values: list[Any]) -> None:
    assert kept(proposed(["diagnosis", "disease"], values)) == ["diagnosis", "disease"]


def test_three_digits_are_a_diagnosis_only_where_a_name_says_the_classification() -> None:
    assert kept(proposed(["icd9_diagnosis", "diagnosis", "disease"], [250, 401, 428])) == ["icd9_diagnosis"]


@pytest.mark.parametrize("digits", ["1", "2", "12", "03"])
@pytest.mark.parametrize("values", VALUES)
def test_digits_make_no_word_understood(values: str, digits: str) -> None:
    words = [word for c in SURE for word in c.words.split() if len(word) <= 3 and word.isalpha()]
    names = [f"{word}{digits}" for word in (*words, "x", "q", "var", "zzq", "bp", "tch", "dx")]
    assert kept(proposed(sorted({*names}), VALUES[values])) == []
    assert [name for name in ("x", "q", "var", "zzq") if is_understood(f"salary_{name}{digits}")] == []


@pytest.mark.parametrize("values", ["places", "codes", "numbers", "small", "many"])
def test_short_forms_decide_only_with_values_that_agree(values: str) -> None:
    classified = {"dx", "icd"}  # whose codes look like those
    words = sorted({word for c in SURE for word in c.words.split() if len(word) <= 3} - classified)
    assert kept(proposed(words, VALUES[values])) == []


def test_short_forms_are_known_by_values_that_agree() -> None:
    measured = (np.random.default_rng(5).normal(130, 20, ROWS).round(1)).tolist()
    assert kept(proposed(["bp", "ldl", "crp"], measured)) == ["bp", "ldl", "crp"]
    assert kept(proposed(["dx", "icd"], ["I10", "E11.9", "J44.0"])) == ["dx", "icd"]
    assert kept(proposed(["dx"], ["asthma", "influenza", "gout"])) == ["dx"]
    assert kept(proposed(["hiv", "flu", "trt"], [0, 1])) == ["hiv", "flu", "trt"]
