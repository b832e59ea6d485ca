"""Codes are told by their parts only where these say the same of all, and by a standard where more than a form suggests it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from kohort.hierarchy import build_hierarchy
from kohort.proposals import Proposal, propose
from kohort.table import Role, Table

CODES = [f"{10115 + 7 * i:05}" for i in range(60)]


def proposal(name: str, values: list[str], label: str = "") -> Proposal:
    return propose(Table.from_arrow(pa.table({name: values * 3})), {name: label})[0]


@pytest.mark.parametrize(
    ("name", "standard", "signs"),
    [("PLZ", "de-postcode", ("D-", "DE-", "d-", "D ")), ("code_postal", "fr-postcode", ("F-", "FR-", "f-", "F "))],
)  # fmt: skip
@pytest.mark.parametrize("zeros", [False, True], ids=["whole", "zeros lost"])
def test_the_sign_of_a_country_changes_no_label(
    name: str, standard: str, signs: tuple[str, ...], zeros: bool
) -> None:
    short = ["1067", "4109"] if zeros else []
    values = [*CODES, *short, *(sign + code for sign, code in zip(signs, CODES, strict=False))]
    found = proposal(name, values)
    assert found.hierarchy == {"kind": "prefix", "standard": standard, "other": "other"} | (
        {"padded": 5} if zeros else {}
    )
    built = build_hierarchy(name, found.hierarchy, values, [1] * len(values))
    for level in built.levels[1:]:
        labels = dict(zip(built.levels[0].labels, (level.labels[i] for i in level.of_ground), strict=True))
        assert all(
            labels[sign + code] == labels[code] != "other" for sign, code in zip(signs, CODES, strict=False)
        )


@pytest.mark.parametrize("name", ["postcode", "postnummer", "codigo_postal"])
@pytest.mark.parametrize("sign", ["", "CH-", "A-"])
def test_postal_codes_of_mixed_lengths_are_not_masked_and_it_is_said(name: str, sign: str) -> None:
    found = proposal(name, [*CODES, *(f"{sign}{1010 + 7 * i}" for i in range(60))])
    assert found.hierarchy == {"kind": "suppress"}
    assert found.confidence == "unsure"
    assert "its codes have different lengths" in found.reason


@pytest.mark.parametrize(
    "values",
    [
        ["E5", "E9a", "E13", "E15"],
        ["A13", "A14", "B3", "W2"],
        ["01067", "02134", "03046"],
        ["S1", "S2", "M1"],
    ],
)
def test_a_form_that_other_codes_have_too_is_no_postcode(values: list[str]) -> None:
    found = proposal("Entgeltgruppe", values * 20)
    assert (found.hierarchy or {}).get("standard") is None
    assert "postcode" not in found.reason
    assert proposal("postcode", ["E5", "E9", "E13", "SW1A"] * 20).hierarchy == {
        "kind": "prefix",
        "standard": "uk-postcode",
        "other": "other",
    }


@pytest.mark.parametrize(
    ("name", "label", "role", "says"),
    [
        ("POIDS", "Poids de sondage", Role.QUASI, "its label says a weight of a survey"),
        ("weight", "Survey weight", Role.QUASI, "its label says a weight of a survey"),
        ("weight", "Weight of the respondent in kg", Role.QUASI, "its name says a body measure"),
        ("REVMEN", "Revenu mensuel du ménage", Role.SENSITIVE, "its label says money"),
        ("v3", "Monthly income of the household", Role.SENSITIVE, "its label says money"),
        ("v3", "Household members with income", Role.QUASI, "its label says a household or family"),
        ("sex", "Sex of the person with the income", Role.QUASI, "its name says a sex"),
    ],
)
def test_a_label_that_spells_a_name_out_says_more(name: str, label: str, role: Role, says: str) -> None:
    found = proposal(name, [str(500 + 13 * (i % 50)) for i in range(100)], label)
    assert found.role is role
    assert found.reason.startswith(says)
