"""Averages of groups are of people: somebody with many rows, or the only one with a number, is not the mean.

Every released average of mdav, v-mdav and univariate is compared with one made in plain Python over (person, text) rows,
and every number with those that one person of the group has.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import Silent
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.errors import InfeasibleError
from kohort.preparation import chosen_algorithm
from kohort.recode import Problem
from kohort.table import Table

Row = tuple[Any, Any]  # a person, and what stands in one of their rows
ALGORITHMS = ("mdav", "v-mdav", "univariate")
DRAWS = 120


def by_person(rows: Sequence[Row]) -> list[list[Any]]:
    """What each person has in their rows."""
    held: dict[Any, list[Any]] = defaultdict(list)
    for person, value in rows:
        held[person].append(value)
    return list(held.values())


def mean(rows: Sequence[Row]) -> Fraction | None:
    """The mean of the people, each by the mean of their own numbers; None where at least half have none."""
    people = [[Fraction(text) for text in texts if text is not None] for texts in by_person(rows)]
    own = [sum(numbers, Fraction(0)) / len(numbers) for numbers in people if numbers]
    few = 2 * len(own) <= len(people) and len(own) < len(people)
    return None if few else sum(own, Fraction(0)) / len(own)


def spelled(number: Fraction | None, places: int) -> str | None:
    """The number, half to even, with that many decimals."""
    return None if number is None else f"{Decimal(round(number * 10**places)).scaleb(-places):f}"


def median(ranks: Sequence[int]) -> int:
    """The middle one, the lower of two."""
    return sorted(ranks)[(len(ranks) - 1) // 2]


def mode(rows: Sequence[tuple[Any, int]]) -> int:
    """The rank that most people have in any of their rows, of equals the least."""
    counts = Counter(rank for ranks in by_person(rows) for rank in set(ranks))
    return min(counts, key=lambda rank: (-counts[rank], rank))


def drawn(seed: int, algorithm: str, alike: bool) -> tuple[pa.Table, kohort.Plan]:
    """People of 1 to 20 rows with cells missing; the numbers of a person are alike, or differ from row to row."""
    rng = random.Random(seed)
    people = rng.choice([4, 6, 10, 20])
    lacking = {p for p in range(people) if rng.random() < 0.2}
    pay = {p: f"{rng.uniform(0, 9000):.2f}" for p in range(people)}
    who = [p for p in range(people) for _ in range(rng.choice([1, 1, 2, 5, 20]))]
    cells = [
        None if p in lacking or rng.random() < 0.1 else pay[p] if alike else f"{rng.uniform(0, 9000):.2f}"
        for p in who
    ]
    columns: dict[str, Any] = {
        "pay": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [100, 1000]}},
    }
    table: dict[str, Any] = {"pay": pa.array(cells, pa.string()), "who": [str(p) for p in who]}
    if algorithm != "univariate":
        grades = {"kind": "intervals", "widths": [2, 4]}
        columns |= {"grade": {"role": "quasi", "hierarchy": grades}, "town": "quasi"}
        table |= {
            "grade": [str(rng.randint(1, 8)) for _ in who],
            "town": [rng.choice("abc") for _ in who],
        }
    return pa.table(table), kohort.Plan(
        input={"respondent": "who"},
        columns=columns,
        require=[{"model": "k-anonymity", "k": rng.choice([2, 3])}],
        recode={
            "algorithm": algorithm,
            "options": {"decimals": 2} | ({} if algorithm == "univariate" else {"ordinal": ["grade"]}),
        },
        output={"ledger": ""},
    )


def groups(frame: pa.Table, plan: kohort.Plan) -> Iterator[tuple[Problem, list[int], list[dict[str, Any]]]]:
    """The rows of every group, and what is released of each row."""
    problem = prepare(opened(DEFAULT, Table.from_arrow(frame), Wanted.by(plan)), plan)
    decision: Any = chosen_algorithm(plan, problem).solve(problem, Silent()).decision
    columns = decision.apply(problem).columns
    for g in range(int(decision.group_of.max()) + 1):
        rows = (decision.group_of == g).nonzero()[0].tolist()
        yield (
            problem,
            rows,
            [
                {name: c.labels[c.codes[i]] for name, c in zip(problem.names, columns, strict=True)}
                for i in rows
            ],
        )


@cache
def cases(algorithm: str, alike: bool) -> list[tuple[pa.Table, Problem, list[int], list[dict[str, Any]]]]:
    found = []
    for seed in range(DRAWS):
        frame, plan = drawn(seed, algorithm, alike)
        try:
            found += [(frame, *told) for told in groups(frame, plan)]
        except InfeasibleError:
            continue
    return found


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_released_mean_is_that_of_the_people_of_its_group(algorithm: str, alike: bool) -> None:
    tried = 0
    for frame, _, rows, told in cases(algorithm, alike):
        who, pay = frame["who"].to_pylist(), frame["pay"].to_pylist()
        wanted = spelled(mean([(who[i], pay[i]) for i in rows]), 2)
        assert {cells["pay"] for cells in told} == {wanted}
        tried += wanted is not None
    assert tried > DRAWS


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_released_number_is_what_one_person_of_the_group_has(algorithm: str) -> None:
    """But where the means of two people or more come to it."""
    for frame, _, rows, told in cases(algorithm, True):
        who, pay = frame["who"].to_pylist(), frame["pay"].to_pylist()
        held = [(who[i], pay[i]) for i in rows]
        number = told[0]["pay"]
        telling = {person for person, text in held if text is not None}
        if number is not None and len({person for person, text in held if text == number}) == 1:
            assert len(telling) >= 2
            assert number == spelled(mean(held), 2)


@pytest.mark.parametrize("algorithm", ["mdav", "v-mdav"])
def test_medians_and_modes_are_those_of_people(algorithm: str) -> None:
    """They are told by the lowest label above them that k people share."""
    for frame, problem, rows, told in cases(algorithm, True):
        who = frame["who"].to_pylist()
        for j, name in enumerate(problem.names[1:], 1):
            held = [(who[i], int(problem.codes[i, j])) for i in rows]
            average = median([median(ranks) for ranks in by_person(held)]) if name == "grade" else mode(held)
            assert {cells[name] for cells in told} == {shared(problem, j, held, average)}


def shared(problem: Problem, j: int, held: Sequence[tuple[Any, int]], average: int) -> str | None:
    for level in problem.hierarchies[j].levels:
        label = level.of_ground[average]
        if len({person for person, rank in held if level.of_ground[rank] == label}) >= problem.crowd:
            return level.labels[label]
    raise AssertionError("the root is shared by all")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (
            [("A", "1234.56"), ("A", "1234.56"), ("B", None)],
            None,
        ),  # B has no number: A alone would be the mean
        ([*[("A", "1234.56")] * 30, ("B", "1234.50")], "1234.53"),
        (
            [("A", "1"), ("A", None), ("A", None), ("B", "2"), ("C", None)],
            "1.50",
        ),  # two people of three have one
    ],
    ids=["the other is missing", "thirty rows against one", "rows without a number"],
)
def test_nobody_is_the_mean_by_many_rows(algorithm: str, cells: list[Row], told: str | None) -> None:
    frame = pa.table(
        {"who": [who for who, _ in cells], "pay": pa.array([pay for _, pay in cells], pa.string())}
    )
    plan = kohort.Plan(
        input={"respondent": "who"},
        columns={"pay": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [100, 1000]}}},
        require=[{"model": "k-anonymity", "k": len({who for who, _ in cells})}],
        recode={"algorithm": algorithm, "options": {"decimals": 2}},
        output={"ledger": ""},
    )
    release = kohort.anonymize(frame, plan)
    assert release.verified
    assert {None if pay is None else f"{Decimal(pay):.2f}" for pay in map(text_of, release.table["pay"])} == {
        told
    }


def text_of(cell: pa.Scalar) -> str | None:
    return None if cell.as_py() is None else str(cell.as_py())
