"""Random releases before the judge: valid ones, and the same with one violation put in.

Nothing of what makes releases is used: rows are recoded at random by labels that an outsider finds true of them (`tests.reference`),
and rows of classes that break a promise are left out. What is valid, and what a violation breaks, naive twins say; the judge must say the
same of every single promise, of shape, of truth, and of the number of rows left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
from tests.reference.release import is_true
from tests.reference.worlds import LABELS, Value
from tests.trust.promises import PERSON, Promise, Row, drawn_promises

import kohort
from kohort.errors import InfeasibleError, KohortError
from kohort.preparation.kind import Kind
from kohort.table import Column, Table
from kohort.verification.judgement import Original, judge_release

QUASI = ("age", "place", "sex")
SENSITIVE = ("disease", "income")
NAMES = (*QUASI, *SENSITIVE)
PLACES = {"north": {"coast": ["Ayr", "Bude"], "hills": ["Cray"]}, "south": {"plain": ["Dole", "Este"]}}
ABOVE: dict[str, dict[Value, set[Value]] | None] = {
    "age": None,
    "place": {
        town: {town, district, side, "*"}
        for side, districts in PLACES.items()
        for district, towns in districts.items()
        for town in towns
    },
    "sex": {value: {value, "*"} for value in ("f", "m", None)},
}
MAKERS = ("optimal", "mondrian", "k-member", "top-down", "datafly", "forest", "greedy-pk", "levels-and-cells")
AGES = tuple(map(str, range(20, 40)))
SPANS = tuple(f"{low}-{low + width - 1}" for width in (5, 10) for low in range(20, 40, width))
COLUMNS: dict[str, Any] = {
    "age": {
        "role": "quasi",
        "hierarchy": {"kind": "intervals", "widths": [5, 10], "domain": [20, 39]},
    },
    "place": {"role": "quasi", "hierarchy": {"kind": "tree", "tree": PLACES}},
    "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
    "disease": {
        "role": "sensitive",
        "hierarchy": {
            "kind": "tree",
            "tree": {
                "mild": {"lung": ["flu", "cold"], "belly": ["ulcer"]},
                "severe": {"grave": ["cancer", "hiv"]},
            },
        },
    },
    "income": {
        "role": "sensitive",
        "hierarchy": {"kind": "tree", "tree": {"low": ["9", "10"], "high": ["20", "100"]}},
    },
}


@dataclass(frozen=True)
class Question:
    """An original table with a plan: what releases of it are judged by."""

    rows: list[Row]
    promises: list[Promise]
    allowed: int  # rows that may be left out
    plan: kohort.Plan
    original: Original

    @property
    def counts_people(self) -> bool:
        """Whether a column names the person of each row."""
        return self.plan.input.respondent is not None

    def people(self, released: Released) -> list[Value]:
        """Return whose each released row is; where nobody is named, a row is a person."""
        if not self.counts_people:
            return [str(number) for number in range(len(released.rows))]
        return [self.rows[source][PERSON] for source in released.sources]


@dataclass(frozen=True)
class Released:
    """A release, or what is said to be one: its rows, its columns, and the original row of each."""

    rows: list[Row]
    sources: list[int]
    names: tuple[str, ...] = NAMES


def drawn_question(chance: Random) -> Question:
    """Return a small table with random promises, about rows or about people."""
    count = chance.randint(6, 14)
    named = chance.random() < 0.3
    ages, places = chance.sample(AGES, chance.randint(2, 6)), chance.sample(list(ABOVE["place"] or ()), 3)
    diseases = chance.sample(LABELS["disease"], 4)
    rows: list[Row] = [
        {
            "age": chance.choice(ages),
            "place": chance.choice(places),
            "sex": chance.choice(("f", "m", "f", "m", None)),
            "disease": chance.choice(diseases),
            "income": chance.choice(LABELS["income"]),
            PERSON: str(chance.randrange(count) if named else number),
        }
        for number in range(count)
    ]
    promises = drawn_promises(chance)
    allowed = chance.choice((count // 2, count - 2))
    told = {
        "columns": COLUMNS,
        "require": [promise.told for promise in promises],
        "recode": {"max_suppression": allowed, "algorithm": "k-member"},
        "input": {"respondent": PERSON} if named else {},
    }
    plan = kohort.Plan.from_dict(told)
    return Question(rows, promises, allowed, plan, Original.of(arrow_of(rows, (*NAMES, PERSON)), plan))


def arrow_of(rows: Sequence[Row], names: Sequence[str]) -> pa.Table:
    return pa.table({name: pa.array([row.get(name) for row in rows], pa.string()) for name in names})


def table_of(released: Released) -> Table:
    columns = []
    for name in released.names:
        codes: dict[Value, int] = {}
        coded = [codes.setdefault(row.get(name), len(codes)) for row in released.rows]
        columns.append(Column(name, np.array(coded, np.int32), pa.array(list(codes), pa.string())))
    return Table.of(columns, len(released.rows))


# --- what an outsider says -----------------------------------------------------------------------------------


@cache
def true(name: str, label: Value, value: Value) -> bool:
    return is_true(label, value, ABOVE[name])


def classes_of(rows: Sequence[Row]) -> list[list[Row]]:
    found: dict[tuple[Value, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in QUASI), []).append(row)
    return list(found.values())


def kept(question: Question, released: Released) -> list[bool]:
    """Return which promises are kept, each judged by its twin."""
    whose = question.people(released)
    classes = classes_of([{**row, PERSON: who} for row, who in zip(released.rows, whose, strict=True)])
    return [promise.holds(classes, question.rows) for promise in question.promises]


def truthful(question: Question, released: Released) -> bool:
    """Whether each row is true of the row it is said to be, and no row is there twice."""
    return len(set(released.sources)) == len(released.sources) and all(
        fits(row, question.rows[source]) for row, source in zip(released.rows, released.sources, strict=True)
    )


def fits(row: Row, source: Row) -> bool:
    return all(row[name] == source[name] for name in SENSITIVE) and all(
        true(name, row[name], source[name]) for name in QUASI
    )


def matched(question: Question, rows: Sequence[Row]) -> list[int] | None:
    """Return rows of the original of which the released ones are true, each used once; None where there are none."""
    owner: dict[int, int] = {}

    def placed(number: int, tried: set[int]) -> bool:
        for source, row in enumerate(question.rows):
            if source not in tried and fits(rows[number], row):
                tried.add(source)
                if source not in owner or placed(owner[source], tried):
                    owner[source] = number
                    return True
        return False

    if not all(placed(number, set()) for number in range(len(rows))):
        return None
    found = {number: source for source, number in owner.items()}
    return [found[number] for number in range(len(rows))]


# --- releases ------------------------------------------------------------------------------------------------


def drawn_release(question: Question, chance: Random) -> Released | None:
    """Return a valid release, recoded at random; None where too few rows are left."""
    order = list(range(len(question.rows)))
    chance.shuffle(order)
    order.sort(key=lambda i: [str(question.rows[i][name]) for name in chance.sample(QUASI, 3)][:1])
    recoded: dict[int, Row] = {}
    while order:
        size = chance.randint(2, 6)
        group, order = order[:size], order[size:]
        labels = {
            name: chance.choice(common(name, [question.rows[i][name] for i in group])) for name in QUASI
        }
        recoded |= {i: {**question.rows[i], **labels} for i in group}
    return settled(question, recoded, chance)


def common(name: str, values: Sequence[Value]) -> list[Value]:
    """Return the labels that are true of all the values, coarse and fine."""
    above = ABOVE[name]
    labels: Sequence[Value]
    if above is None:
        numbers = sorted(int(str(value)) for value in values)
        labels = [*SPANS, *values, f"[{numbers[0]}, {numbers[-1]}]", "*"]
    else:
        labels = [*sorted(set().union(*above.values()), key=str)]
    return [label for label in labels if all(true(name, label, value) for value in values)]


def settled(question: Question, recoded: dict[int, Row], chance: Random) -> Released | None:
    """Leave out classes, the small ones and then any, until every promise is kept."""
    classes: dict[tuple[Value, ...], list[int]] = {}
    for i, row in recoded.items():
        classes.setdefault(tuple(row[name] for name in QUASI), []).append(i)
    parts = list(classes.values())
    for promise in question.promises:  # those that break a promise by themselves
        parts = [part for part in parts if promise.holds([[recoded[i] for i in part]], question.rows)]
    sources = [i for part in parts for i in part]
    chance.shuffle(sources)
    released = Released([recoded[i] for i in sources], sources)
    if len(question.rows) - len(sources) > question.allowed or not all(kept(question, released)):
        return None
    return released


def made_release(question: Question, chance: Random) -> Released | None:
    """Return a release that one of Kohort's algorithms made; None where it finds none."""
    plan = question.plan.with_settings({"recode.algorithm": chance.choice(MAKERS)})
    try:
        made = kohort.anonymize(arrow_of(question.rows, NAMES), plan).table
    except InfeasibleError:
        return None
    rows: list[Row] = made.to_pylist()
    sources = matched(question, rows)
    assert sources is not None, told({}, {}, question, Released(rows, []))
    return Released(rows, sources)


# --- violations ----------------------------------------------------------------------------------------------


def _with_cell(released: Released, at: int, name: str, label: Value) -> Released:
    rows = list(released.rows)
    rows[at] = {**rows[at], name: label}
    return replace(released, rows=rows)


def _finer(question: Question, released: Released, chance: Random) -> Released:
    """A label becomes the value itself."""
    at, name = chance.randrange(len(released.rows)), chance.choice(QUASI)
    return _with_cell(released, at, name, question.rows[released.sources[at]][name])


def _other_label(question: Question, released: Released, chance: Random) -> Released:
    """A label becomes another that is true too, and leaves its class."""
    at, name = chance.randrange(len(released.rows)), chance.choice(QUASI)
    return _with_cell(
        released, at, name, chance.choice(common(name, [question.rows[released.sources[at]][name]]))
    )


def _false_label(question: Question, released: Released, chance: Random) -> Released:
    """A label becomes one that does not cover the original."""
    at, name = chance.randrange(len(released.rows)), chance.choice(QUASI)
    return _with_cell(
        released,
        at,
        name,
        chance.choice(common(name, [question.rows[chance.randrange(len(question.rows))][name]])),
    )


def _whole_class(question: Question, released: Released, chance: Random) -> Released:
    """All labels of a class become others, so that it is untrue or falls together with another."""
    one, other = chance.choice(released.rows), chance.choice(released.rows)
    rows = [
        {**row, **{name: other[name] for name in QUASI}} if all(row[n] == one[n] for n in QUASI) else row
        for row in released.rows
    ]
    return replace(released, rows=rows)


def _sensitive(question: Question, released: Released, chance: Random) -> Released:
    """A sensitive value becomes another that the original has."""
    at, name = chance.randrange(len(released.rows)), chance.choice(SENSITIVE)
    return _with_cell(released, at, name, chance.choice(question.rows)[name])


def _exchanged(question: Question, released: Released, chance: Random) -> Released:
    """Two rows exchange a sensitive value."""
    one, other = chance.randrange(len(released.rows)), chance.randrange(len(released.rows))
    name = chance.choice(SENSITIVE)
    first, second = released.rows[one][name], released.rows[other][name]
    return _with_cell(_with_cell(released, one, name, second), other, name, first)


def _twice(question: Question, released: Released, chance: Random) -> Released:
    """A row is released twice."""
    at = chance.randrange(len(released.rows))
    return replace(
        released,
        rows=[*released.rows, released.rows[at]],
        sources=[*released.sources, released.sources[at]],
    )


def _left_out(question: Question, released: Released, chance: Random) -> Released:
    """Rows are left out, one or many."""
    few = chance.sample(range(len(released.rows)), chance.randint(0, len(released.rows) - 1))
    return replace(released, rows=[released.rows[i] for i in few], sources=[released.sources[i] for i in few])


def _attributed(question: Question, released: Released, chance: Random) -> Released:
    """A row is said to be another person's."""
    sources = list(released.sources)
    sources[chance.randrange(len(sources))] = chance.randrange(len(question.rows))
    return replace(released, sources=sources)


def _column_more(question: Question, released: Released, chance: Random) -> Released:
    """A column stands there that nobody declared."""
    return replace(released, names=(*released.names, "name"))


def _column_less(question: Question, released: Released, chance: Random) -> Released:
    """A declared column is missing."""
    less = chance.choice(released.names)
    return replace(released, names=tuple(name for name in released.names if name != less))


Violation = Callable[[Question, Released, Random], Released]
VIOLATIONS: tuple[Violation, ...] = (
    _finer, _other_label, _false_label, _whole_class, _sensitive, _exchanged, _twice, _left_out, _attributed,
    _column_more, _column_less,
)  # fmt: skip
OFTEN = (4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1)


# --- judging -------------------------------------------------------------------------------------------------


def expected(question: Question, released: Released, known: bool) -> dict[str, bool]:
    """Return what an outsider says of a release: promises by their number, shape, truth and rows left out."""
    shape = set(released.names) == set(NAMES)
    if not shape:
        return {"shape": False}
    found = {str(i): holds for i, holds in enumerate(kept(question, released))}
    truth = truthful(question, released) if known else matched(question, released.rows) is not None
    missing = len(question.rows) - len(released.rows)
    return found | {"shape": True, "truth": truth, "left out": 0 <= missing <= question.allowed}


def said(question: Question, released: Released, known: bool) -> dict[str, bool | None]:
    """Return what Kohort's judge says of it, in the same words; an error is a rejection."""
    rows = np.array(released.sources, np.int64) if known else None
    people = np.array(list(map(int, map(str, question.people(released)))), np.int64)
    try:
        verdicts = judge_release(
            {"table": table_of(released)},
            question.plan,
            Kind(),
            question.original,
            people=people if question.counts_people else None,
            rows=rows,
        )
    except KohortError:
        return {"refused": False}
    words = {"nothing but the declared columns": "shape", "truthful": "truth"}
    words["no more rows left out than allowed"] = "left out"
    words |= {model.label: str(i) for i, model in enumerate(question.plan.require)}
    return {words[verdict.promise]: verdict.holds for verdict in verdicts}


def told(truth: Any, judged: Any, question: Question, released: Released) -> str:
    """Return a case in words that let it be tried again."""
    asked = [promise.told for promise in question.promises]
    return f"{truth=}\n{judged=}\n{asked=}\nallowed={question.allowed}\noriginal={question.rows}\n{released=}"


def check(question: Question, released: Released, known: bool) -> bool:
    """Compare what is said with what is true, and return whether the release is valid."""
    truth, judged = expected(question, released, known), said(question, released, known)
    valid = all(truth.values())
    assert all(judged.values()) == valid, told(truth, judged, question, released)
    if "refused" not in judged:
        for what, holds in judged.items():
            assert holds == truth.get(what, holds), told(truth, judged, question, released)
    return valid


def judge_many(valid: int, violating: int, seed: int) -> Counter[str]:
    """Judge so many valid releases and so many with one violation; return how many there were of each kind."""
    chance, counts = Random(seed), Counter[str]()
    while counts["valid"] < valid or counts["violating"] < violating:
        question = drawn_question(chance)
        for number in range(40):
            made = number == 0 and not question.counts_people and chance.random() < 0.4
            released = (made_release if made else drawn_release)(question, chance)
            if released is None or not released.rows:
                continue
            known = question.counts_people or chance.random() < 0.7
            assert check(question, released, known)
            counts["valid"] += 1
            counts["made"] += made
            counts["people"] += question.counts_people
            for violation in chance.sample(VIOLATIONS, 2, counts=OFTEN):
                if not check(question, violation(question, released, chance), known):
                    counts["violating"] += 1
                    counts[violation.__name__.strip("_").replace("_", " ")] += 1
    return counts
