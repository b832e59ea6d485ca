"""Who the people are that rows are about: told by what stays the same of them, whatever columns are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.proposals import Proposal, plan_text, propose
from kohort.table import Role, Table

PEOPLE = 150
# a person's column, and one that is finer: of a case, an order, a visit …
PAIRS = [("pseudonym", "fall_id"), ("cust", "order_id"), ("pnr", "besok_nr"), ("worker", "shift_id"), ("vp", "trial_nr"),
         ("study_code", "visit_no"), ("who", "item_id"), ("badge", "device_id"), ("account_no", "card_no"), ("v1", "v2"),
         ("patient_pseudonym", "aufnahme"), ("x", "patient_id")]  # fmt: skip
FORMS = ("P{:05}", "{}", "{:04x}-{:04x}")


def drawn(person: str, case: str, form: str, seed: int = 1) -> dict[str, list[object]]:
    """Return some cases of people, of one to three rows each: sex and age are a person's."""
    chance = np.random.default_rng(seed)
    names = [form.format(n, n * 7 % 9999) for n in chance.permutation(9000)[:PEOPLE] + 1000]
    sex, age = chance.choice(["f", "m"], PEOPLE), chance.integers(18, 90, PEOPLE)
    rows = [
        (p, c)
        for c, p in enumerate(chance.integers(0, PEOPLE, 5 * PEOPLE))
        for _ in range(chance.integers(1, 4))
    ]
    rows = [rows[i] for i in chance.permutation(len(rows))]
    return {
        case: [40_000 + 3 * c for _, c in rows],
        person: [names[p] for p, _ in rows],
        "sex": [sex[p] for p, _ in rows],
        "age": [int(age[p]) for p, _ in rows],
        "illness": list(chance.choice(["flu", "cold", "asthma"], len(rows))),
    }  # fmt: skip


def proposals(columns: dict[str, list[object]]) -> dict[str, Proposal]:
    return {found.column: found for found in propose(Table.from_arrow(pa.table(columns)))}


def respondents(columns: dict[str, list[object]]) -> list[str]:
    return [name for name, found in proposals(columns).items() if found.respondent]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pair", PAIRS, ids="/".join)
def test_people_are_told_by_what_stays_the_same_of_them(pair: tuple[str, str], form: str) -> None:
    columns = drawn(*pair, form)
    assert respondents(columns) == [pair[0]]
    assert proposals(columns)[pair[0]].role is Role.IDENTIFIER


@pytest.mark.parametrize("other", ["PAT", "int_nr", "m_pid", "doctor_id", "kurs_nr", "store_id"])
def test_what_people_of_both_sexes_share_is_no_person(other: str) -> None:
    columns = drawn("pid", "fall_id", "P{:05}")
    chance = np.random.default_rng(2)
    columns = {other: [f"{n:05}" for n in chance.integers(0, 90, len(columns["pid"]))], **columns}
    assert respondents(columns) == ["pid"]
    alone = {name: cells for name, cells in columns.items() if name not in ("pid", "fall_id")}
    assert respondents({"pid": [*range(len(columns["pid"]))], **alone}) == []


def test_people_of_a_panel_grow_older() -> None:
    columns = drawn("lfdn", "fall_id", "{}")
    columns["age"] = [age + i % 9 for i, age in enumerate(columns["age"])]
    assert respondents(columns) == ["lfdn"]


def test_where_nothing_lasts_it_is_said_of_what_repeats() -> None:
    columns = drawn("n1", "n2", "P{:05}")
    found = proposals({name: columns[name] for name in ("n1", "illness")})
    assert not any(one.respondent for one in found.values())
    assert "if it tells people apart, name it as [input] respondent" in found["n1"].reason


def test_numbers_of_people_are_no_names_of_them() -> None:
    """Who earns 2,503.17 may be the only one to do so, month after month; what tells people apart is another column."""
    columns = drawn("who", "fall_id", "P{:05}")
    pay = {name: 2000 + i * 3.17 for i, name in enumerate(dict.fromkeys(columns["who"]))}
    assert respondents({"salary": [pay[name] for name in columns["who"]], **columns}) == ["who"]


def test_what_has_decimals_names_nobody() -> None:
    rng = np.random.default_rng(3)
    people = np.repeat(np.arange(200), 3)
    price = np.round(10 + rng.permutation(200) / 7, 3)[people]
    frame = {"sex": np.array(["f", "m"])[rng.integers(0, 2, 200)][people], "tuit": price}
    found = propose(Table.from_arrow(pa.table({name: list(cells) for name, cells in frame.items()})))
    assert not any(one.respondent for one in found)


def households(rows: int = 200) -> dict[str, list[Any]]:
    """Return members of households of four, who are of both sexes and born in different years."""
    return {
        "sex": ["f", "m"] * (rows // 2),
        "birth_year": [1930 + i * 37 % 90 for i in range(rows)],
        "income": [1000 + 13 * i for i in range(rows)],
    }


@pytest.mark.parametrize("name", ["hhid", "id_hogar", "household_id", "Haushaltsnummer", "famid"])
@pytest.mark.parametrize("beside", [
    {"DNI": [f"{10_000_000 + 7919 * i}K" for i in range(200)]},  # of every person
    {"person": [1 + i % 4 for i in range(200)]},  # within the household
    {},  # told by their traits
])  # fmt: skip
def test_a_household_whose_members_have_rows_of_their_own_is_no_respondent(
    name: str, beside: dict[str, list[Any]]
) -> None:
    number: dict[str, list[Any]] = {name: [i // 4 for i in range(200)]}
    assert respondents({**number, **beside, **households()}) == []
    if beside:
        assert respondents({**number, **beside}) == []


@pytest.mark.parametrize("name", ["hhid", "id_hogar", "household_id"])
def test_a_household_in_a_panel_is_and_is_not_called_people(name: str) -> None:
    panel: dict[str, list[Any]] = {name: [i // 4 for i in range(200)], "wave": [1 + i % 4 for i in range(200)],
             "region": ["north" if i // 4 % 3 else "south" for i in range(200)]}  # fmt: skip
    assert respondents(panel) == [name]
    text = plan_text("t.csv", propose(Table.from_arrow(pa.table(panel))))
    assert "promises count households, not rows" in text
