"""No column that identifies is proposed to be released as it is: made-up tables in several languages and spellings."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.hierarchy.coarse import coarsened_table
from kohort.plan import Plan
from kohort.plan.coarse import coarse_columns
from kohort.preparation import check_pointer
from kohort.proposals import Proposal, plan_text, propose
from kohort.proposals.value_words import KINDS
from kohort.proposals.words import CONCEPTS, MONEY, NAMED_SO, WHOM_OR_WHERE
from kohort.proposals.words import NAMES as WORDS_OF_NAMES
from kohort.table import Role, Table

ROWS = 300
Draw = Callable[[np.random.Generator], list[Any]]


def of(*values: Any) -> Draw:
    return lambda rng: [values[i] for i in rng.integers(0, len(values), ROWS)]


def codes(most: int) -> Draw:
    return lambda rng: rng.integers(1, most + 1, ROWS).tolist()


def numbers(low: int, high: int) -> Draw:
    return lambda rng: rng.integers(low, high, ROWS).tolist()


def money(rng: np.random.Generator) -> list[Any]:
    return np.round(rng.lognormal(8, 0.7, ROWS), 2).tolist()


def sentences(rng: np.random.Generator) -> list[Any]:
    who = rng.permutation(ROWS)
    return [f"Frau {i} kam nach Hause" if i % 3 else None for i in who]


def ids(each: int) -> Draw:
    return lambda _: [f"{10_000 + i // each}" for i in range(ROWS)]


def degrees(near: float) -> Draw:
    return lambda rng: np.round(near + rng.normal(0, 0.5, ROWS), 5).tolist()


# a table of each kind: column -> what it holds, and the roles that protect its people
TABLES: dict[str, dict[str, tuple[Draw, str]]] = {
    "deaths on the road, coded": {
        "irace": (codes(5), "quasi"),
        "isex": (codes(2), "quasi"),
        "ideathmon": (codes(12), "quasi"),
        "imarried": (codes(4), "quasi"),
        "iage": (numbers(16, 90), "quasi"),
        "istatenum": (codes(50), "quasi"),
        "lat": (degrees(47.4), "identifier"),
        "lon": (degrees(-100.2), "identifier"),
    },
    "card holders": {
        "ID": (ids(1), "identifier"),
        "SEX": (codes(2), "quasi"),
        "EDUCATION": (codes(4), "quasi"),
        "MARRIAGE": (codes(3), "quasi"),
        "AGE": (numbers(21, 70), "quasi"),
        "PAY_AMT1": (money, "sensitive"),
    },
    "Klinik": {
        "Fallnummer": (ids(1), "identifier"),
        "Geschlecht": (of("m", "w", "d"), "quasi"),
        "Geburtsjahr": (numbers(1930, 2005), "quasi"),
        "PLZ": (numbers(10115, 10185), "quasi"),
        "Raucher": (of("ja", "nein"), "sensitive"),
        "Familienstand": (codes(4), "quasi"),
        "Bemerkung": (sentences, "identifier"),
        "Hauptdiagnose": (of("I10", "E11", "J45", "F32"), "sensitive"),
        "Note": (sentences, "identifier"),
    },
    "hôpital": {
        "no_patient": (ids(2), "identifier"),
        "Sexe": (of("Homme", "Femme"), "quasi"),
        "né(e) le": (lambda rng: [f"{y}-03-01" for y in rng.integers(1930, 2005, ROWS)], "quasi"),
        "mois": (of("janvier", "février", "mars", "avril"), "quasi"),
        "Fumeur": (of("oui", "non"), "sensitive"),
        "Plaquettes": (numbers(150, 400), "undecided"),
    },
    "names that say nothing": {
        "v1": (of("Male", "Female"), "quasi"),
        "v2": (of("Mujer", "Hombre"), "quasi"),
        "v3": (of("Januar", "Februar", "März", "April"), "quasi"),
        "v4": (of("DE", "FR", "IT", "ES", "PL"), "quasi"),
        "v5": (of("Deutschland", "Frankreich", "Polen", "Türkei"), "quasi"),
        "v6": (of("White", "Black", "Asian", "Hispanic"), "quasi"),
        "v7": (degrees(52.5), "identifier"),
        "v8": (sentences, "identifier"),
        "v9": (ids(5), "identifier"),
        "v10": (of("verheiratet", "ledig", "geschieden"), "quasi"),
        "v11": (lambda _: [f"+49 30 1234{i:03}" for i in range(ROWS)], "identifier"),
    },
    "a panel of households": {
        "hhid": (ids(3), "identifier"),
        "wave": (lambda _: [i % 3 + 1 for i in range(ROWS)], "quasi"),
        "q7": (codes(3), "undecided"),
        "hhsize": (codes(6), "quasi"),
        "hhincome": (money, "sensitive"),
        "relig": (codes(5), "sensitive"),
    },
}  # fmt: skip


def proposed(name: str) -> dict[str, Proposal]:
    rng = np.random.default_rng(3)
    return {
        p.column: p
        for p in propose(Table.from_arrow(pa.table({c: draw(rng) for c, (draw, _) in TABLES[name].items()})))
    }


@pytest.mark.parametrize("name", TABLES)
def test_roles_are_those_that_protect(name: str) -> None:
    found = proposed(name)
    told = {c: str(p.role) if p.decided else "undecided" for c, p in found.items()}
    assert told == {column: role for column, (_, role) in TABLES[name].items()}


@pytest.mark.parametrize("name", TABLES)
def test_reasons_are_one_plain_clause_and_quote_no_cell(name: str) -> None:
    rng = np.random.default_rng(3)
    for column, proposal in proposed(name).items():
        assert proposal.reason
        assert not {"distinction", "separation", ";", "("} & set(proposal.reason.replace(".", " ").split())
        cells = {str(cell) for cell in TABLES[name][column][0](rng) if isinstance(cell, str)}
        assert not [cell for cell in cells if cell in proposal.reason.split()]


def test_who_repeats_is_the_respondent_and_households_come_last() -> None:
    for name, column in {
        "hôpital": "no_patient",
        "names that say nothing": "v9",
        "a panel of households": "hhid",
    }.items():
        assert [c for c, p in proposed(name).items() if p.respondent] == [column]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_values_of_every_kind_are_known_by_any_name(kind: Any) -> None:
    words = [word.replace("_", " ") for word in kind.words.split()]
    for spell in (str, str.upper, str.title):
        cells = ([spell(word) for word in words[: max(kind.least, 6)]] * 80)[:400]
        [found] = propose(Table.from_arrow(pa.table({"v": cells})))
        assert found.role is kind.role
        # what would be released as it is takes more than its values, unless they are answers
        assert found.decided == (kind.role is Role.QUASI or kind.certain)


@pytest.mark.parametrize("word", ["lon", "note", "plate"])
def test_words_of_several_meanings_are_not_certain(word: str) -> None:
    assert propose(Table.from_arrow(pa.table({word: [1, 2] * 50})))[0].confidence == "undecided"
    assert propose(Table.from_arrow(pa.table({f"{word}let": [1, 2] * 50})))[0].role is not Role.IDENTIFIER


def test_labels_serve_where_names_say_nothing() -> None:
    table = Table.from_arrow(pa.table({"v1": [1, 2] * 50, "v2": list(range(20, 70)) * 2, "sex": [1, 2] * 50}))
    labels = {"v1": "Familienstand", "v2": "Age of the respondent in years", "sex": "Income"}
    found = propose(table, labels)
    assert [(p.role, p.reason) for p in found] == [
        ("quasi", "its label says a marital status"),
        ("quasi", "its label says an age"),
        ("quasi", "its name says a sex"),  # the name counts first
    ]


CELLS = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=12, max_size=40),
    st.lists(st.decimals(0, 10**4, places=2).map(float), min_size=12, max_size=40),
    st.lists(st.sampled_from(["a", "b", "c d", "some words of mine", "12", ""]), min_size=12, max_size=40),
    st.lists(st.text(max_size=12), min_size=12, max_size=40),
)
NAMES = st.sampled_from(
    ["x", "income", "note", "salary", "diagnosis", "status", "cost", "lon", "Wert", "vote", "result"]
)


@settings(deadline=None, max_examples=60)
@given(NAMES, CELLS)
def test_what_is_proposed_as_decided_is_not_refused_for_pointing_at_people(
    name: str, cells: list[Any]
) -> None:
    table = Table.from_arrow(
        pa.table({name: cells, "sex": ["f", "m"] * (len(cells) // 2) + ["f"] * (len(cells) % 2)})
    )
    found = propose(table)
    plan = Plan.from_dict(tomllib.loads(plan_text("t.csv", found)))
    first = found[0]
    assert first.role is not Role.INSENSITIVE or len(set(cells)) == 1
    if first.role is Role.SENSITIVE and first.decided:
        column = coarsened_table(table, coarse_columns(plan))[name]
        try:
            counts = column.counts()
            alone, others = int((counts == 1).sum()), int(counts.sum() - counts.max())
            check_pointer(name, first.role, alone, others, table.n_rows)
        except InputError as refused:
            pytest.fail(str(refused))


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["x", "q7", "Feld", "zz_top", "aux2"]), CELLS)
def test_what_nothing_is_known_of_is_left_out_or_waits_be_its_values_few_or_many(
    name: str, cells: list[Any]
) -> None:
    [found] = propose(Table.from_arrow(pa.table({name: cells})))
    same, dated = len(set(cells)) == 1, "dates" in found.reason
    assert not found.decided or found.role is Role.IDENTIFIER or same or dated
    assert found.concept is None


@pytest.mark.parametrize("name", ["name", "id", "PID", "score", "rating"])
def test_a_name_that_its_values_contradict_and_one_of_several_meanings_are_guesses(name: str) -> None:
    many = [i * 7 % 97 for i in range(ROWS)] if name in ("score", "rating") else [1, 2, 3] * 100
    found = propose(Table.from_arrow(pa.table({name: many})))[0]
    assert (found.role, found.decided) == (Role.IDENTIFIER if name == "name" else Role.QUASI, False)


CUT = {"construc": Role.QUASI, "universi": Role.QUASI, "schizophr": Role.SENSITIVE}


@pytest.mark.parametrize("name", CUT)
def test_words_cut_short_are_known_but_release_nothing(name: str) -> None:
    found = propose(Table.from_arrow(pa.table({name: [1, 2, 3] * 100})))[0]
    assert (found.role, found.decided) == (CUT[name], CUT[name] is Role.QUASI)


@pytest.mark.parametrize("name", ["contr", "individ", "constx"])
def test_beginnings_of_several_meanings_or_within_a_name_say_nothing(name: str) -> None:
    assert propose(Table.from_arrow(pa.table({name: [1, 2, 3] * 100})))[0].concept is None


FIRST_WORDS = {c.name: c.words.split()[0] for c in CONCEPTS if c.role is Role.SENSITIVE and c.certain}


@pytest.mark.parametrize("concept", FIRST_WORDS)
def test_whom_or_where_beside_something_sensitive_is_not_kept(concept: str) -> None:
    beside = sorted(WHOM_OR_WHERE - (WORDS_OF_NAMES if concept in NAMED_SO else frozenset()))
    cells = [f"w{i % 7}" for i in range(140)]
    found = propose(Table.from_arrow(pa.table({f"{FIRST_WORDS[concept]}_{word}": cells for word in beside})))
    assert [p.column for p in found if p.role not in (Role.QUASI, Role.IDENTIFIER)] == []
    alone = pa.table({FIRST_WORDS[concept]: [i % 7 * (150 if concept == MONEY else 1) for i in range(140)]})
    assert propose(Table.from_arrow(alone))[0].role is Role.SENSITIVE


@pytest.mark.parametrize("name", ["prescription_number", "tax number", "Kreditnummer", "numero_prestamo"])
def test_a_number_of_something_sensitive_is_not_kept_unless_it_counts(name: str) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.integers(10**6, 10**7, ROWS).tolist() * 3
    assert propose(Table.from_arrow(pa.table({name: numbers})))[0].role is not Role.SENSITIVE


@pytest.mark.parametrize("name", ["smoker_since", "symptom_onset", "arrest", "diagnose"])
def test_years_of_something_sensitive_are_known_to_others(name: str) -> None:
    found = propose(Table.from_arrow(pa.table({name: [1960 + i * 7 % 60 for i in range(ROWS)]})))[0]
    assert (found.role, found.confidence) == (Role.QUASI, "unsure")
    assert "its values are years, which others may know" in found.reason


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Interviewnummer", "identifier"),
        ("Kirche", "sensitive"),
        ("Numéro d'entrevue", "identifier"),
        ("Familienstand", "quasi"),
    ],
)
def test_labels_of_surveys(label: str, role: str) -> None:
    cells = list(range(7, 207)) if role == "identifier" else [i % 4 for i in range(200)]
    [found] = propose(Table.from_arrow(pa.table({"v7": cells})), {"v7": label})
    assert (str(found.role), found.decided) == (role, True)
