"""Names of people and numbers of cases are not released on the word of a column's name: what a newcomer found, by kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.people_words import PEOPLE
from kohort.proposals.words import CONCEPTS, POSTAL_CODE
from kohort.table import Role, Table

ROWS = 1200
FAMILY = [
    "Müller",
    "Schmidt",
    "Hoffmann",
    "Bernard",
    "Dubois",
    "Kowalski",
    "Rossi",
    "Nguyen",
    "García",
    "Pfaffenzeller",
    "Oumarou",
    "Zwerenz",
]
RARE = [
    f"{first}{last}" for first in ("Qua", "Zwe", "Pfa", "Xer") for last in ("renz", "mbatz", "lippi", "dotto")
]


def cells(values: list[Any], seed: int = 3) -> list[Any]:
    return [values[i] for i in np.random.default_rng(seed).integers(0, len(values), ROWS)]


def proposed(name: str, values: list[Any]) -> Proposal:
    beside = {"sex": cells(["f", "m"], 5), name: values}
    return propose(Table.from_arrow(pa.table(beside)))[1]


def is_kept_from_release(found: Proposal) -> bool:
    return found.role is Role.IDENTIFIER or not found.decided


SENSITIVE = {c.name: c.words.split()[0] for c in CONCEPTS if c.role is Role.SENSITIVE}


@pytest.mark.parametrize(
    "word", [*SENSITIVE.values(), "field_7", "attending", "Befunder", "income_earner", "partner"]
)
def test_values_tell_names_of_people_whatever_the_column_is_called(word: str) -> None:
    double = [f"{a}-{b}" for a in FAMILY for b in FAMILY[:5]]
    for values in (FAMILY, double, [f"{name}, Eva" for name in FAMILY], [name.upper() for name in FAMILY]):
        found = proposed(word, cells(values))
        assert (found.role, found.reason) == (Role.IDENTIFIER, "its values look like names of people")


@pytest.mark.parametrize(
    "values",
    [
        ["Grippe", "Husten", "Fieber", "Asthma"],
        ["Paris", "Lyon", "Bordeaux", "Lille"],
        ["St. Martin Hospital", "St. Anna Krankenhaus", "Klinikum Peter Paul", "Charité"],
        ["Parkinson", "Alzheimer", "Crohn", "Hodgkin"],
        ["braun", "schwarz", "blond", "rot"],
    ],
)
def test_other_words_are_no_names_of_people(values: list[str]) -> None:
    assert "names of people" not in proposed("field_7", cells(values)).reason


def test_trades_are_occupations_though_people_are_called_so() -> None:
    trades = ["Bäcker", "Koch", "Bauer", "Schneider", "Fischer", "Zimmermann"]
    assert proposed("Beruf", cells(trades)).role is Role.QUASI
    assert proposed("Sachbearbeiter", cells(FAMILY)).role is Role.IDENTIFIER


@pytest.mark.parametrize(
    "name",
    ["Nom de naissance", "nom_naissance", "nom marital", "birth_name", "birthname", "geboortenaam", "apellido_nacimiento",
     "mother_name", "Name der Mutter", "nom_pere", "spouse_name", "doctor_name", "Name Arzt", "nurse_name", "Patientenname",
     "pat_name", "Rufname", "VName", "fname"],
)  # fmt: skip
def test_a_name_of_a_person_is_none_of_what_it_is_beside(name: str) -> None:
    assert is_kept_from_release(proposed(name, cells(RARE)))


@pytest.mark.parametrize(
    "name", ["hospital_name", "city_name", "company_name", "school name", "country_name"]
)
def test_things_have_names_too(name: str) -> None:
    found = proposed(name, cells(RARE))
    assert (found.role, found.decided) == (Role.QUASI, True)


def test_a_number_is_no_name_though_nombre_says_so() -> None:
    assert proposed("nombre d'enfants", cells([0, 1, 2, 3])).role is Role.QUASI


@pytest.mark.parametrize("word", sorted(PEOPLE))
def test_words_in_a_column_called_after_people_may_be_their_names(word: str) -> None:
    assert is_kept_from_release(proposed(word, cells(RARE)))


def test_a_birth_date_that_is_none_waits() -> None:
    assert not proposed("naissance", cells(RARE)).decided


NUMBERS = ["Behandlungsnr", "Befundnummer", "Diagnosenr", "Therapienr", "Gehaltsnr", "n° examen", "Chargennr Impfung", "vaccine_lot",
           "scan_file", "dx_key", "therapy_key", "hiv_code", "AIDS Code", "biopsy_no"]  # fmt: skip
FORMS = {"digits": "{:06}", "letter": "B{:06}", "whole": "{}"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_cases_are_no_finding_and_promises_count_them(name: str, form: str) -> None:
    drawn = np.random.default_rng(3).choice(np.arange(10_000, 900_000), ROWS // 2, replace=False)
    codes = [FORMS[form].format(number) for number in drawn for _ in range(2)]
    shuffled = [codes[i] for i in np.random.default_rng(4).permutation(ROWS)]
    alike = {"sex": ["fm"[sum(map(ord, code)) % 2] for code in shuffled], name: shuffled}
    found = propose(Table.from_arrow(pa.table(alike)))[1]
    assert (found.role, found.respondent) == (Role.IDENTIFIER, True)
    other = proposed(name, shuffled)  # of people of both sexes
    assert (other.role, other.respondent) == (Role.IDENTIFIER, False)


@pytest.mark.parametrize("name", ["n_visits", "drug_no", "number of arrests"])
def test_a_number_that_counts_is_what_it_counts(name: str) -> None:
    assert proposed(name, cells([*range(12)])).role is Role.SENSITIVE


def test_codes_of_a_classification_are_what_they_say() -> None:
    codes = [f"{letter}{number:02}" for letter in "EIJKC" for number in range(60)]
    for name in ("icd_code", "Diagnosecode", "dx"):
        assert proposed(name, cells(codes)).role is Role.SENSITIVE


@pytest.mark.parametrize(
    "name", ["Behandlungsort", "Diagnoseort", "Therapieort", "crime_scene", "Therapiebeginn"]
)
def test_where_and_when_are_found_in_compounds(name: str) -> None:
    assert proposed(name, cells([f"w{i}" for i in range(15)])).role is Role.QUASI


@pytest.mark.parametrize("name", ["income_support", "drug_report", "health_effort"])
def test_words_that_only_end_so_are_no_compounds(name: str) -> None:
    assert "of whom, where" not in proposed(name, cells(["low", "high"])).reason


def test_a_number_of_a_case_is_not_taken_for_a_telephone() -> None:
    found = proposed("Fallnr", [f"{i // 2 + 100:06}" for i in range(ROWS)])
    assert (found.role, found.reason.partition(":")[0]) == (
        Role.IDENTIFIER,
        "its name says a record or person number",
    )


@pytest.mark.parametrize("guard", [False, True])
def test_answers_to_open_questions_wait_whoever_guards(guard: bool) -> None:
    answers = ["gut", "mein Sohn Jonas liegt auf Station 4", "so lala", "das Essen war meistens kalt", "laut"]
    table = Table.from_arrow(pa.table({"F9_offen": cells(answers), "sex": cells(["f", "m"])}))
    found = propose(table, guard=guard)[0]
    assert (found.role, found.decided) == (Role.IDENTIFIER, False)


@pytest.mark.parametrize("name", ["lat", "lon"])
def test_coordinates_of_two_decimals_are_coordinates(name: str) -> None:
    degrees = np.round(np.random.default_rng(3).normal(51.3, 0.4, ROWS), 2)
    assert proposed(name, degrees.tolist()).role is Role.IDENTIFIER


@pytest.mark.parametrize(
    ("name", "values"), [("diag", range(9000, 11800)), ("dxyr", range(50, 90)), ("dx", range(1, 400))]
)
def test_days_and_years_of_a_diagnosis_are_no_diagnosis(name: str, values: range) -> None:
    found = proposed(name, cells([*values]))
    assert found.role is Role.QUASI


def test_whose_money_it_is_is_no_household() -> None:
    for name in ("Haushaltsnettoeinkommen", "Haushaltseinkommen_netto"):
        assert proposed(name, cells([1500, 2500, 3500])).role is Role.SENSITIVE


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_nothing_is_rounded_to_less_than_it_is_told_in(decimals: int) -> None:
    told = np.round(np.random.default_rng(3).normal(7, 0.9, ROWS), decimals)
    coarse = proposed("HbA1c", told.tolist()).coarse
    for end in coarse.values():
        assert round(end, decimals) == end
    assert coarse.get("round", 1) > 10**-decimals or "round" not in coarse


KNOWN_TO_OTHERS = [c for c in CONCEPTS if c.role is Role.QUASI and c.name != POSTAL_CODE]


@pytest.mark.parametrize("concept", KNOWN_TO_OTHERS, ids=lambda concept: concept.name)
def test_a_running_number_is_none_of_what_it_is_called_after(concept: Any) -> None:
    running = cells([40_000 + 7 * i for i in range(ROWS)])
    names = [f"{concept.words.split()[0]}_{number}" for number in ("nr", "no", "id", "number", "ref")]
    for values in (running, [f"A{number}" for number in running]):
        found = propose(Table.from_arrow(pa.table(dict.fromkeys(names, values))))
        assert [one.column for one in found if not is_kept_from_release(one)] == []


@pytest.mark.parametrize("name", ["school_no", "hospital_nr", "region_id", "zip_no"])
def test_numbers_that_many_share_are_of_what_they_are_called_after(name: str) -> None:
    found = proposed(name, cells([1003, 2007, 3011, 40_123]))
    assert (found.role, found.decided) == (Role.QUASI, True)
