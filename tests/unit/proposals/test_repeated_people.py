"""People who have several rows are said, whether a column names them or only what lasts of them repeats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.drafting import propose as drafted
from kohort.proposals import propose
from kohort.proposals.linking import links
from kohort.proposals.repeated_people import repeated_people
from kohort.table import Column, Role, Table

ROWS = 600


def drawn(each: int, seed: int = 1, **more: Any) -> dict[str, list[Any]]:
    """Return rows of people with so many each, and nothing that names them."""
    chance, people = np.random.default_rng(seed), ROWS // each
    who = chance.permutation(np.repeat(np.arange(people), each))
    born = np.datetime64("1930-01-01") + chance.integers(0, 25_000, people)
    place = chance.integers(10_115, 10_185, people)
    return {
        "sex": [str(s) for s in chance.choice(["f", "m"], people)[who]],
        "dob": [str(day) for day in born[who]],
        "postcode": [str(code) for code in place[who]],
        "diagnosis": [str(d) for d in chance.choice(["flu", "asthma", "gout"], len(who))],
        **{name: [make(int(w)) for w in who] for name, make in more.items()},
    }


def said(columns: dict[str, list[Any]]) -> list[str]:
    table = Table.from_arrow(pa.table(columns))
    return repeated_people(table, propose(table))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("without", ["nothing", "sex", "postcode"])
def test_rows_of_the_same_traits_are_said_and_those_of_others_are_not(without: str, seed: int) -> None:
    for each in (1, 2, 3, 6):
        columns = {name: cells for name, cells in drawn(each, seed).items() if name != without}
        assert bool(said(columns)) == (each > 1)


def coded(each: int, seed: int, own: int) -> dict[str, list[Any]]:
    """Return rows of people with so many each, whom a code of no known name tells apart, and so many columns of their own."""
    chance, people = np.random.default_rng(seed), ROWS // each
    who = chance.permutation(np.repeat(np.arange(people), each))
    return {
        "zq": [f"K{7 * int(w):05}" for w in who],
        **{f"v{i}": [str(n) for n in chance.integers(0, 3 + i, people)[who]] for i in range(own)},
        **{f"w{i}": [str(n) for n in chance.integers(0, 4 + i, ROWS)] for i in range(6)},
        "wx": [f"C{n}" for n in chance.integers(0, 90, ROWS)],
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("each", [2, 3, 6])
def test_a_code_is_said_where_two_columns_go_with_it_and_no_other_repeats(each: int, seed: int) -> None:
    for own in (0, 1, 2, 4):
        told = said(coded(each, seed, own))
        assert bool(told) == (own > 1), (own, told)
        assert not told or "agree in zq agree in v" in told[0]


@pytest.mark.parametrize("seed", range(20))
def test_that_columns_repeat_is_not_enough(seed: int) -> None:
    """One row a person: clerks, rooms, lots and days of hiring repeat by chance, and places have names and regions."""
    chance = np.random.default_rng(seed)
    town, room = chance.integers(0, 60, ROWS), chance.integers(0, 40, ROWS)
    columns = {
        "clk": [f"{a}{b}" for a, b in zip(*chance.choice(list("ABCDEFGH"), (2, ROWS)), strict=True)],
        "hired": [str(np.datetime64("1990-01-01") + 30 * int(d)) for d in chance.integers(0, 300, ROWS)],
        "lotx": [f"L{n:04}" for n in chance.integers(0, 150, ROWS)],
        "gkz": [f"G{n:03}" for n in town],
        "town": [f"Town {n}" for n in town],
        "region": [f"R{n % 7}" for n in town],
        "rmx": [f"Z{n:03}" for n in room],
        "floor_of": [str(n // 10) for n in room],
        "sex": [str(s) for s in chance.choice(["f", "m"], ROWS)],
        "yob": [str(y) for y in chance.integers(1940, 2000, ROWS)],
    }
    assert said(columns) == []


def test_one_trait_of_each_kind_is_enough() -> None:
    columns = drawn(3)
    chance = np.random.default_rng(4)
    columns["sex_of_newborn"] = [str(s) for s in chance.choice(["f", "m"], len(columns["sex"]))]
    columns["place_of_visit"] = [f"place {i}" for i in chance.integers(0, 40, len(columns["sex"]))]
    assert said(columns)


def test_a_number_of_a_person_binds_one_trait_of_each_kind() -> None:
    columns = drawn(3, ref=lambda who: f"Z{who:05}")
    chance = np.random.default_rng(4)
    columns["newborn_gender"] = [str(s) for s in chance.choice(["f", "m"], len(columns["sex"]))]
    found = {p.column: p for p in propose(Table.from_arrow(pa.table(columns)))}
    assert found["ref"].respondent


def test_what_is_said_quotes_no_cell_and_stands_in_the_draft() -> None:
    columns = drawn(3)
    [told] = said(columns)
    assert "[input] respondent" in told
    assert not any(cell in told for name in ("dob", "postcode") for cell in columns[name])
    assert told in drafted(pa.table(columns)).notes["[input]"]


def test_where_a_respondent_is_proposed_nothing_more_is_said() -> None:
    assert said(drawn(3, patient_id=lambda who: f"P{who:05}")) == []


def test_what_is_kept_and_links_the_rows_of_one_person_waits() -> None:
    """Diseases told so finely that only one person has each, in every one of her rows."""
    fine = lambda who: f"asthma {chr(97 + who % 26)}{chr(97 + who // 26)}"  # noqa: E731
    columns = drawn(3, patient_id=lambda who: f"P{who:05}", illness=fine)
    found = {p.column: p for p in propose(Table.from_arrow(pa.table(columns)))}
    assert found["patient_id"].respondent
    assert (found["illness"].role, found["illness"].decided) == (Role.SENSITIVE, False)
    assert "link" in found["illness"].reason
    assert found["diagnosis"].decided


def test_values_link_where_most_are_of_one_person() -> None:
    people = Column.from_arrow("who", pa.array([i // 3 for i in range(90)]))
    own = Column.from_arrow("own", pa.array([f"a{i // 3}" for i in range(90)]))
    shared = Column.from_arrow("shared", pa.array([f"a{i % 7}" for i in range(90)]))
    once = Column.from_arrow("once", pa.array([f"a{i}" for i in range(90)]))
    assert (links(own, people), links(shared, people), links(once, people)) == (True, False, False)
