"""Promises drawn by chance, each with its naive twin: plain Python over the rows that an outsider sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from tests.reference import models as naive
from tests.reference.worlds import ORDER, PATHS, Value

Row = dict[str, Value]
Classes = Sequence[Sequence[Row]]
Holds = Callable[[Classes, Sequence[Row]], bool]  # (classes of the release, the whole original) -> kept


@dataclass(frozen=True)
class Promise:
    """What a plan says of a promise, and whether it is kept as anybody can count."""

    told: dict[str, Any]
    holds: Holds


def drawn_promises(chance: Random) -> list[Promise]:
    """Return k-anonymity, and up to two more promises."""
    others = chance.sample(DRAWN, chance.choice((0, 1, 1, 2)))
    return [_k_anonymity(chance), *(draw(chance, chance.choice(("disease", "income"))) for draw in others)]


def _k_anonymity(chance: Random) -> Promise:
    k = chance.choice((2, 2, 3))
    return Promise({"model": "k-anonymity", "k": k}, lambda classes, _: all(len(c) >= k for c in classes))


def _every(told: dict[str, Any], holds: Callable[[list[Value], list[Value]], bool]) -> Promise:
    """Return a promise about the values of one column in each class, beside those of the whole table."""
    column = told["column"]

    def kept(classes: Classes, table: Sequence[Row]) -> bool:
        whole = [row[column] for row in table]
        return all(holds([row[column] for row in rows], whole) for rows in classes)

    return Promise(told, kept)


def _distinct(chance: Random, column: str) -> Promise:
    l = chance.choice((2, 2, 3))  # noqa: E741
    return _every({"model": "l-diversity", "column": column, "l": l}, lambda v, _: len(set(v)) >= l)


def _entropy(chance: Random, column: str) -> Promise:
    l = chance.choice((1.5, 2, 1.9))  # noqa: E741
    told = {"model": "l-diversity", "column": column, "l": l, "variant": "entropy"}
    return _every(told, lambda v, _: naive.entropy_holds(v, l))


def _recursive(chance: Random, column: str) -> Promise:
    c, l = chance.choice((1.5, 2.0, 3.0)), chance.choice((2, 2, 3))  # noqa: E741
    told = {"model": "l-diversity", "column": column, "l": l, "variant": "recursive", "c": c}
    return _every(told, lambda v, _: naive.recursive_holds(v, c, l))


def _equal(chance: Random, column: str) -> Promise:
    t = chance.choice((0.3, 0.5, 0.6))
    told = {"model": "t-closeness", "column": column, "t": t}
    return _every(told, lambda v, w: naive.equal_distance(v, w) <= naive.written(t))


def _ordered(chance: Random, column: str) -> Promise:
    t = chance.choice((0.2, 0.3, 0.4))

    def close(values: list[Value], whole: list[Value]) -> bool:
        order = [value for value in ORDER[column] if value in whole]
        return naive.ordered_distance(values, whole, order) <= naive.written(t)

    return _every({"model": "t-closeness", "column": column, "t": t, "distance": "ordered"}, close)


def _hierarchical(chance: Random, column: str) -> Promise:
    t = chance.choice((0.2, 0.3, 0.4))

    def close(values: list[Value], whole: list[Value]) -> bool:
        paths = {value: PATHS[column][value] for value in set(whole)}
        return naive.hierarchical_distance(values, whole, paths) <= naive.written(t)

    return _every({"model": "t-closeness", "column": column, "t": t, "distance": "hierarchical"}, close)


def _p_sensitive(chance: Random, column: str) -> Promise:
    k = chance.choice((2, 3))
    told = {"model": "p-sensitive", "column": column, "p": 2, "k": k}
    return _every(told, lambda v, _: len(v) >= k and len(set(v)) >= 2)


def _extended(chance: Random, column: str) -> Promise:
    told = {"model": "extended-p-sensitive", "column": column, "p": 2, "level": 1}
    return _every(told, lambda v, _: len({PATHS[column][x][1] for x in v}) >= 2)


def _alpha_k(chance: Random, column: str) -> Promise:
    alpha, k = chance.choice((0.5, 0.6, 0.7)), chance.choice((2, 3))
    told = {"model": "alpha-k", "column": column, "alpha": alpha, "k": k}
    return _every(
        told, lambda v, _: len(v) >= k and max(naive.share(v, x) for x in v) <= naive.written(alpha)
    )


def _beta(chance: Random, column: str) -> Promise:
    beta = chance.choice((0.5, 1.0, 2.0))
    told = {"model": "beta-likeness", "column": column, "beta": beta}
    return _every(told, lambda v, w: naive.max_gain(v, w) <= naive.written(beta))


def _enhanced(chance: Random, column: str) -> Promise:
    beta = chance.choice((1.0, 2.0))
    told = {"model": "beta-likeness", "column": column, "beta": beta, "variant": "enhanced"}
    return _every(told, lambda v, w: naive.enhanced_holds(v, w, beta))


def _delta(chance: Random, column: str) -> Promise:
    delta = chance.choice((0.9, 1.3, 2.0))
    told = {"model": "delta-disclosure", "column": column, "delta": delta, "absent": "ignore"}
    return _every(told, lambda v, w: naive.disclosure(v, w, absent=False) < delta)


def _average_risk(chance: Random, _: str) -> Promise:
    risk = chance.choice((0.25, 0.3, 0.4))

    def low(classes: Classes, _: Sequence[Row]) -> bool:
        return not classes or Fraction(len(classes), sum(map(len, classes))) <= naive.written(risk)

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
