"""Promises drawn by chance, each with its naive twins: plain Python over the rows that an outsider sees, and over the people behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from tests.reference import models as naive
from tests.reference import people as twin
from tests.reference.people import Rows
from tests.reference.worlds import ORDER, PATHS, Value

PERSON = "person"
Row = dict[str, Value]
Classes = Sequence[Sequence[Row]]
Holds = Callable[[Classes, Sequence[Row]], bool]  # (classes of the release, the whole original) -> kept
OfRecords = Callable[[list[Value], list[Value]], bool]  # (values of a class, of the whole)
OfPeople = Callable[[Rows, Rows], bool]  # the same with the person of each row


@dataclass(frozen=True)
class Promise:
    """What a plan says of a promise, and whether it is kept as anybody can count."""

    told: dict[str, Any]
    holds: Holds


def drawn_promises(chance: Random) -> list[Promise]:
    """Return k-anonymity, and up to two more promises."""
    others = chance.sample(DRAWN, chance.choice((0, 1, 1, 2)))
    return [_k_anonymity(chance), *(draw(chance, chance.choice(("disease", "income"))) for draw in others)]


def people_of(rows: Sequence[Row]) -> set[Value]:
    return {row[PERSON] for row in rows}


def _several(rows: Sequence[Row]) -> bool:
    """Whether somebody has several rows."""
    return len(people_of(rows)) < len(rows)


def _k_anonymity(chance: Random) -> Promise:
    k = chance.choice((2, 2, 3))
    return Promise(
        {"model": "k-anonymity", "k": k}, lambda classes, _: all(len(people_of(c)) >= k for c in classes)
    )


def _every(told: dict[str, Any], of_records: OfRecords, of_people: OfPeople, people: int = 1) -> Promise:
    """Return a promise about the values of one column in each class of so many people, beside the whole table."""
    column = told["column"]

    def kept(classes: Classes, table: Sequence[Row]) -> bool:
        if any(len(people_of(rows)) < people for rows in classes):
            return False
        if not _several(table):
            whole = [row[column] for row in table]
            return all(of_records([row[column] for row in rows], whole) for rows in classes)
        everybody = _with_people(table, column)
        return all(of_people(_with_people(rows, column), everybody) for rows in classes)

    return Promise(told, kept)


def _with_people(rows: Sequence[Row], column: str) -> Rows:
    return [(int(str(row[PERSON])), row[column]) for row in rows]


def _read(holds: Callable[[list[Value]], bool]) -> tuple[OfRecords, OfPeople]:
    """Return both twins of a promise about diversity: of values, and of the least diverse reading of people's."""
    return lambda v, _: holds(v), lambda r, _: holds(twin.reading(r))


def _distinct(chance: Random, column: str) -> Promise:
    l = chance.choice((2, 2, 3))  # noqa: E741
    return _every({"model": "l-diversity", "column": column, "l": l}, *_read(lambda v: len(set(v)) >= l))


def _entropy(chance: Random, column: str) -> Promise:
    l = chance.choice((1.5, 2, 1.9))  # noqa: E741
    told = {"model": "l-diversity", "column": column, "l": l, "variant": "entropy"}
    return _every(told, *_read(lambda v: naive.entropy_holds(v, l)))


def _recursive(chance: Random, column: str) -> Promise:
    c, l = chance.choice((1.5, 2.0, 3.0)), chance.choice((2, 2, 3))  # noqa: E741
    told = {"model": "l-diversity", "column": column, "l": l, "variant": "recursive", "c": c}
    return _every(told, *_read(lambda v: naive.recursive_holds(v, c, l)))


def _equal(chance: Random, column: str) -> Promise:
    t = chance.choice((0.3, 0.5, 0.6))
    return _every(
        {"model": "t-closeness", "column": column, "t": t},
        lambda v, w: naive.equal_distance(v, w) <= naive.written(t),
        lambda r, w: twin.equal(r, w) <= naive.written(t),
        people=2,
    )


def _ordered(chance: Random, column: str) -> Promise:
    t = chance.choice((0.2, 0.3, 0.4))

    def order(whole: Sequence[Value]) -> list[Value]:
        return [value for value in ORDER[column] if value in whole]

    return _every(
        {"model": "t-closeness", "column": column, "t": t, "distance": "ordered"},
        lambda v, w: naive.ordered_distance(v, w, order(w)) <= naive.written(t),
        lambda r, w: twin.ordered(r, w, order([value for _, value in w])) <= naive.written(t),
        people=2,
    )


def _hierarchical(chance: Random, column: str) -> Promise:
    t = chance.choice((0.2, 0.3, 0.4))

    def paths(whole: Sequence[Value]) -> dict[Value, tuple[Value, ...]]:
        return {value: PATHS[column][value] for value in set(whole)}

    return _every(
        {"model": "t-closeness", "column": column, "t": t, "distance": "hierarchical"},
        lambda v, w: naive.hierarchical_distance(v, w, paths(w)) <= naive.written(t),
        lambda r, w: twin.hierarchical(r, w, paths([value for _, value in w])) <= naive.written(t),
        people=2,
    )


def _p_sensitive(chance: Random, column: str) -> Promise:
    k = chance.choice((2, 3))
    told = {"model": "p-sensitive", "column": column, "p": 2, "k": k}
    return _every(told, *_read(lambda v: len(set(v)) >= 2), people=k)


def _extended(chance: Random, column: str) -> Promise:
    def up(value: Value) -> Value:
        return PATHS[column][value][1]

    return _every(
        {"model": "extended-p-sensitive", "column": column, "p": 2, "level": 1},
        lambda v, _: len(set(map(up, v))) >= 2,
        lambda r, _: len(set(twin.reading([(person, up(value)) for person, value in r]))) >= 2,
    )


def _alpha_k(chance: Random, column: str) -> Promise:
    alpha, k = chance.choice((0.5, 0.6, 0.7)), chance.choice((2, 3))
    return _every(
        {"model": "alpha-k", "column": column, "alpha": alpha, "k": k},
        lambda v, _: max(naive.share(v, x) for x in v) <= naive.written(alpha),
        lambda r, _: twin.greatest_share(r) <= naive.written(alpha),
        people=k,
    )


def _beta(chance: Random, column: str) -> Promise:
    beta = chance.choice((0.5, 1.0, 2.0))
    return _every(
        {"model": "beta-likeness", "column": column, "beta": beta},
        lambda v, w: naive.max_gain(v, w) <= naive.written(beta),
        lambda r, w: twin.gain(r, w) <= naive.written(beta),
        people=2,
    )


def _enhanced(chance: Random, column: str) -> Promise:
    beta = chance.choice((1.0, 2.0))
    return _every(
        {"model": "beta-likeness", "column": column, "beta": beta, "variant": "enhanced"},
        lambda v, w: naive.enhanced_holds(v, w, beta),
        lambda r, w: twin.enhanced(r, w, beta),
        people=2,
    )


def _delta(chance: Random, column: str) -> Promise:
    delta = chance.choice((0.9, 1.3, 2.0))
    return _every(
        {"model": "delta-disclosure", "column": column, "delta": delta, "absent": "ignore"},
        lambda v, w: naive.disclosure(v, w, absent=False) < delta,
        lambda r, w: twin.disclosure(r, w, absent=False) < delta,
        people=2,
    )


def _average_risk(chance: Random, _: str) -> Promise:
    risk = chance.choice((0.25, 0.3, 0.4))

    def low(classes: Classes, table: Sequence[Row]) -> bool:
        if not classes:
            return True
        crowds = [{int(str(person)) for person in people_of(rows)} for rows in classes]
        found = (
            twin.average_risk(crowds) if _several(table) else Fraction(len(classes), sum(map(len, classes)))
        )
        return found <= naive.written(risk)

    return Promise({"model": "average-risk", "risk": risk}, low)


DRAWN: tuple[Callable[[Random, str], Promise], ...] = (
    _distinct,
    _entropy,
    _recursive,
    _equal,
    _ordered,
    _hierarchical,
    _p_sensitive,
    _extended,
    _alpha_k,
    _beta,
    _enhanced,
    _delta,
    _average_risk,
)
