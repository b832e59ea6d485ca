"""What names say: units of ages, whose age it is, names of people; and what they do not, where words meet by chance."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from kohort.proposals import Proposal, propose
from kohort.proposals.concepts import concept_of
from kohort.proposals.words import RELATIVES
from kohort.table import Role, Table

ROWS = 400


def proposed(name: str, values: list[Any]) -> Proposal:
    return propose(Table.from_arrow(pa.table({name: [values[i % len(values)] for i in range(ROWS)]})))[0]


def hierarchy(name: str, values: list[Any]) -> dict[str, Any]:
    found = proposed(name, values)
    assert found.role is Role.QUASI
    assert found.hierarchy is not None
    return found.hierarchy


def said(name: str) -> str:
    concept = concept_of(name)
    return concept.name if concept else ""


@pytest.mark.parametrize(
    "name", ["AgeMonths", "age_in_months", "Alter (Monate)", "Alter in Monaten", "âge en mois", "edad_meses"]
)
@pytest.mark.parametrize("oldest", [36, 215, 1000])
def test_ages_in_months_are_told_by_months_and_years_and_not_capped_at_90(name: str, oldest: int) -> None:
    told = hierarchy(name, [*range(oldest)])
    assert told["kind"] == "intervals"
    assert set(told["widths"]) <= {3, 6, 12, 24, 60, 120, 240}
    assert told.get("high", 1080) == 1080


@pytest.mark.parametrize("name", ["age", "Alter", "age_days", "age in weeks"])
def test_more_than_anybody_lives_are_no_years(name: str) -> None:
    assert hierarchy(name, [*range(300, 700)]).get("high") != 90
    assert ("day" in name or "week" in name) or hierarchy(name, [*range(18, 95)])["high"] == 90


@pytest.mark.parametrize("relative", sorted(RELATIVES))
def test_the_age_of_somebody_is_an_age(relative: str) -> None:
    assert (said(f"{relative}_age"), said(f"{relative} education"), said(f"sex of {relative}")) == (
        "an age",
        "an education",
        "a sex",
    )
    assert said(relative) in ("a household or family", "a marital status")


@pytest.mark.parametrize("name", ["Nachname", "Vorname", "Nom", "Prénom", "Cognome", "first_name", "Employee Name",
                                  "mothers_maiden_name", "Familienname", "apellidos"])  # fmt: skip
@pytest.mark.parametrize("form", ["{}", "{}, Eva B.", "Dr. {} van Hout"])
def test_a_name_is_sure_by_what_its_column_is_called(name: str, form: str) -> None:
    surnames = ("Bauer", "Quell", "Tarnow", "Weber", "Ohm", "Brom", "Fischer")
    found = propose(
        Table.from_arrow(
            pa.table({name: [form.format(surnames[i % 7] + "n" * (i // 7 % 50)) for i in range(ROWS)]})
        )
    )[0]
    assert (found.role, found.confidence) == (Role.IDENTIFIER, "sure")


@pytest.mark.parametrize("name", ["NHS Number", "IBAN", "SSN", "phone"])
def test_numbers_in_groups_are_no_free_text(name: str) -> None:
    cells = [f"{400 + i} {100 + i * 7 % 900} {1000 + i * 13 % 9000}" for i in range(ROWS)]
    found = propose(Table.from_arrow(pa.table({name: cells})))[0]
    assert (found.role, found.confidence) == (Role.IDENTIFIER, "sure")
    assert "free text" not in found.reason


@pytest.mark.parametrize(("name", "what"), [
    ("Votre poste", "an occupation"), ("Ancienneté (années)", "an occupation"), ("Ortsgrößenklasse", "a place"),
    ("hospitalisiert", "a treatment"), ("homeroom_teacher", "somebody who teaches, treats or advises"), ("EngagementSurvey", ""),
    ("Kursgröße", ""),
])  # fmt: skip
def test_words_that_meet_by_chance_say_nothing(name: str, what: str) -> None:
    assert said(name) == what


@pytest.mark.parametrize("name", ["km/Jahr", "cycle_day", "visits per month"])
def test_numbers_under_a_unit_of_time_are_not_called_dates(name: str) -> None:
    assert "says a date" not in proposed(name, [*range(1, 29)]).reason


ATC = [
    f"{letter}0{digit}{pair}"
    for letter in "ABCDGHJLMNPRSV"
    for digit in range(1, 7)
    for pair in ("AA", "AB", "CX")
]
POSTCODES = ["SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH", "DN55 1PT", "W1A 0AX", "EC1A 1BB", "N7 8AB"]


@pytest.mark.parametrize("name", ["rx", "drug_code", "ATC", "medication", "x7"])
def test_codes_of_medicines_are_no_postcodes(name: str) -> None:
    found = proposed(name, ATC)
    assert (found.hierarchy or {}).get("standard") is None
    assert "UK" not in found.reason


@pytest.mark.parametrize("name", ["Postcode", "x7", "home town code"])
def test_postcodes_of_the_uk_still_are(name: str) -> None:
    assert hierarchy(name, POSTCODES).get("standard") == "uk-postcode"


@pytest.mark.parametrize("name", ["CAP", "codigo_postal", "PSC"])
def test_five_digits_are_no_zip_codes_of_nine(name: str) -> None:
    found = proposed(name, [f"{10_000 + 177 * i:05}" for i in range(300)])
    assert (found.hierarchy or {})["kind"] == "prefix"
    assert "standard" not in (found.hierarchy or {})
    nine = proposed("postal", [f"{10_000 + 177 * i}-{1000 + i}" for i in range(300)])
    assert (nine.hierarchy or {})["standard"] == "us-zip+4"
