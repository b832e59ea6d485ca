"""Releases that tell a column in unlike forms: never fewer people are counted than an intruder finds who tries every value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.hierarchy.calendar import PERIODS
from kohort.hierarchy.coarse import coarsened_table
from kohort.ledger import Held, Together, compose
from kohort.ledger.entry import Entry, entry_of
from kohort.ledger.forms import Exact
from kohort.plan.coarse import coarse_columns
from kohort.table import Table

KEY = bytes(32)
NUMBERS = list(range(60))
DAYS = [date(2020, 1, 1) + timedelta(days) for days in range(0, 500, 3)]
Value = int | date
People = list[tuple[str, Value]]  # the illness of each, and the value of x


@dataclass(frozen=True, eq=False)
class Way:
    """How a release tells the column: as the source spells it, by what the plan says of it."""

    name: str
    spelled: Callable[[Value], str] = str
    options: dict[str, object] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    by_class: bool = False  # a quasi-identifier, in intervals of ten

    def read(self, values: Sequence[Value]) -> Table:
        texts = [self.spelled(value) for value in values]
        return Table.from_arrow(pa.table({"x": [None if text in self.missing else text for text in texts]}))

    @cached_property
    def told(self) -> dict[Value, object]:
        """What a reader sees of every value: equal where nobody can tell two values apart."""
        values = DAYS if self in WAYS["dates"] else NUMBERS
        if self.by_class:
            return {value: value // 10 for value in NUMBERS}
        if not self.options:
            return {value: None if self.spelled(value) in self.missing else value for value in values}
        found = coarsened_table(self.read(values), coarse_columns(self.plan()))["x"]
        return {value: found.texts[code] for value, code in zip(values, found.codes, strict=True)}

    def promised(self, role: str) -> str:
        return "x" if role == "sensitive" and not self.by_class else "ill"

    def plan(self, role: str = "insensitive", l: int = 0) -> kohort.Plan:  # noqa: E741
        x = "quasi" if self.by_class else {"role": role, "allow_unique": True, **self.options}
        more = [kohort.LDiversity(l, self.promised(role))] if l else []
        return kohort.Plan(
            input={"respondent": "who", "missing": self.missing},
            columns={"who": "identifier", "g": "quasi", "ill": "sensitive", "x": x},
            require=[kohort.KAnonymity(2), *more],
        )


WAYS = {
    "numbers": [
        Way("exact"),
        Way("as a float", "{}.0".format),
        Way("with a comma", "{},00".format),
        Way("round 10", options={"round": 10}),
        Way("round 7", options={"round": 7}),
        Way("ends", options={"bottom": 10, "top": 20}),
        Way("some are missing", missing=("5", "12", "44")),
        Way("others are missing, rounded", options={"round": 10}, missing=("12", "30")),
        Way("by class", by_class=True),
    ],
    "dates": [
        Way("exact"),
        Way("dotted", "{:%d.%m.%Y}".format),
        Way("with a time", "{:%Y-%m-%dT00:00:00}".format),
        Way("dotted, by month", "{:%d.%m.%Y}".format, {"unit": "month", "format": "%d.%m.%Y"}),
        *(Way(f"by {unit}", options={"unit": unit}) for unit in PERIODS),
    ],
}


@dataclass(frozen=True)
class Told:
    """A release of some people: the group of each, and how x is told."""

    way: Way
    group: list[int]
    role: str
    l: int  # noqa: E741

    def classes(self, people: People) -> list[tuple[int, object]]:
        told = [self.way.told[x] if self.way.by_class else None for _, x in people]
        return list(zip(self.group, told, strict=True))

    def held(self, people: People) -> Held:
        ills, values = zip(*people, strict=True)
        labels = [str(c) for c in self.classes(people)]
        table = pa.table({"who": [f"p{i}" for i in range(len(people))], "g": labels, "ill": ills})
        read = Table.from_arrow(table)
        read = Table.of([*read, *self.way.read(values)], read.n_rows)
        plan = self.way.plan(self.role, self.l)
        told = coarsened_table(read, coarse_columns(plan))
        shown = Table.of([column for column in told if column.name != "who"], read.n_rows)
        if self.way.by_class:
            blurred = Table.from_arrow(pa.table({"x": labels}))
            shown = Table.of([*(column for column in shown if column.name != "x"), *blurred], read.n_rows)
        return entry_of(told, plan, {"table": shown}, np.arange(read.n_rows), read).hashed(KEY)


def worlds(person: int, people: People, releases: list[Told]) -> set[tuple[str, Value]]:
    """All illnesses and values that agree with a row of the person's class in every release, as these tell them."""
    found = {(ill, x) for ill in {ill for ill, _ in people} for x in releases[0].way.told}
    for release in releases:
        classes, told = release.classes(people), release.way.told
        rows = {(ill, told[x]) for (ill, x), c in zip(people, classes, strict=True) if c == classes[person]}
        found = {(ill, x) for ill, x in found if (ill, told[x]) in rows}
    return found


def known(person: int, people: People, releases: list[Told]) -> tuple[bool, bool]:
    """Whether an intruder who knows the person's classes is left with one sensitive value, or fewer than promised."""
    found = worlds(person, people, releases)
    ills, single, few = {ill for ill, _ in found}, False, False
    for release in releases:
        is_x = release.way.promised(release.role) == "x"
        left = {release.way.told[x] for _, x in found} if is_x else ills
        single, few = single or len(left) == 1, few or len(left) < release.l
    return single or len(ills) == 1, few


def draw(rng: np.random.Generator, ways: Sequence[Way]) -> tuple[People, list[Told]]:
    n, values = int(rng.integers(6, 13)), [*ways[0].told]
    some = [values[i] for i in rng.choice(len(values), int(rng.integers(3, 9)), replace=False)]
    people = [(str(rng.integers(0, 3)), some[rng.integers(len(some))]) for _ in range(n)]
    role = "sensitive" if rng.random() < 0.4 else "insensitive"
    return people, [
        Told(way, rng.integers(0, 3, n).tolist(), role, int(rng.choice([0, 2, 3]))) for way in ways
    ]


def composed(people: People, releases: list[Told]) -> Together:
    *earlier, new = (release.held(people) for release in releases)
    return compose(new, earlier)


def pairs() -> list[tuple[Way, Way]]:
    return [pair for ways in WAYS.values() for pair in combinations_with_replacement(ways, 2)]


def tried(pair: tuple[Way, Way], seed: int) -> None:
    rng = np.random.default_rng(seed)
    ways = [*pair, pair[int(rng.integers(2))]][: int(rng.integers(2, 4))]
    ways = [ways[i] for i in rng.permutation(len(ways))]
    people, releases = draw(rng, ways)
    found, right = composed(people, releases), [known(i, people, releases) for i in range(len(people))]
    single, few = (sum(column) for column in zip(*right, strict=True))
    said = (seed, *(way.name for way in ways))
    assert found.single_value >= single, said
    assert found.below_l >= few, said
    assert found.disagreeing == 0, "nothing was changed"
    if pair[0] is pair[1]:
        assert (found.unlike, found.single_value, found.below_l) == (0, single, few), said


def test_never_fewer_are_counted_than_an_intruder_finds() -> None:
    for seed, pair in enumerate(pairs()):
        tried(pair, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 40))
def test_never_fewer_are_counted_than_an_intruder_finds_in_more_draws(seed: int) -> None:
    for number, pair in enumerate(pairs()):
        tried(pair, 1000 * seed + number)


def test_a_column_that_is_told_apart_from_the_rows_is_joined_by_its_exact_values_too() -> None:
    """Both tell the pay of a class, to tens and to sevens: 10 and 20 with 14 and 21 leave 12 or 14, and 19."""

    def told(form: str, width: int, pays: list[int]) -> Held:
        texts = tuple(map(str, pays))
        coarse = [str(round(pay / width) * width) for pay in pays]
        labels, codes = np.unique(coarse, return_inverse=True)
        return Entry(
            "name", (list("abcd"), np.arange(4)), {}, np.array([0, 0, 1, 1]), {"pay": (labels.tolist(), codes)}, {},
            2, {"pay": 2}, (), "", {"pay": Exact(form, texts, np.arange(4))},
        ).hashed(KEY)  # fmt: skip

    tens, sevens = told("round 10", 10, [12, 19, 40, 50]), told("round 7", 7, [12, 19, 40, 50])
    found = compose(sevens, [tens])
    assert (found.single_value, found.below_l, found.unlike, found.by_column) == (0, 0, 1, (0,))
    found = compose(told("round 7", 7, [12, 30, 40, 50]), [tens])
    assert (found.single_value, found.new_single_value, found.below_l) == (2, 2, 2), "12 is left to a and b"


def test_an_anatomy_release_tells_its_quasi_identifiers_in_tuples() -> None:
    """By columns torn apart hiv and flu are left to a and b; by their tuples, which stand in the rows, flu."""
    people = {"who": list("abcd"), "x": list("1212"), "y": list("pqqp"), "ill": ["flu", "hiv", "hiv", "flu"]}
    read = Table.from_arrow(pa.table(people))
    plan = kohort.Plan(
        input={"respondent": "who"},
        columns={"who": "identifier", "x": "quasi", "y": "quasi", "ill": "sensitive"},
        require=[kohort.LDiversity(2, "ill")],
        recode={"algorithm": "anatomy"},
    )
    rows = Table.from_arrow(pa.table({"x": people["x"], "y": people["y"], "group": list("0011")}))
    values = {"group": list("0011"), "ill": ["flu", "hiv", "hiv", "flu"], "count": [1, 1, 1, 1]}
    tables = {"table": rows, "sensitive": Table.from_arrow(pa.table(values))}
    anatomy = entry_of(read, plan, tables, np.arange(4), read).hashed(KEY)
    told = {"who": list("abcd"), "g": list("0011"), "ill": ["flu", "hiv", "flu", "hiv"]}
    others = Table.from_arrow(pa.table({**told, "x": list("1212"), "y": list("pppp")}))
    beside = {"role": "insensitive", "allow_unique": True}
    other = kohort.Plan(
        input={"respondent": "who"},
        columns={"who": "identifier", "g": "quasi", "ill": "sensitive", "x": beside, "y": beside},
        require=[kohort.KAnonymity(2)],
    )
    shown = Table.of([column for column in others if column.name != "who"], 4)
    rows_told = entry_of(others, other, {"table": shown}, np.arange(4), others).hashed(KEY)
    found = compose(rows_told, [anatomy])
    assert (found.single_value, found.new_single_value, found.unlike) == (4, 4, 0)
    assert compose(anatomy, [rows_told]).by_column == ()
    assert compose(rows_told, [anatomy]).by_column == (0,)
