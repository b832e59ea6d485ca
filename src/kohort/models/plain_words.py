"""Promises in a sentence for readers who never heard of them: their numbers filled in, nothing claimed beyond them."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from inspect import signature
from math import exp
from typing import Literal, TypeAlias

from kohort.models.model import PrivacyModel, guarantee_of
from kohort.models.sensitive import spoken
from kohort.plurals import many, people

Counted: TypeAlias = Literal[
    "people", "rows"
]  # rows where no respondent is named: whose they are is not known

GREAT = 7  # e to this is above a thousand
UNBOUNDED = "how likely each of them is, is not promised"
EACH_ROW = "every row is taken for one person"


def plainly(model: PrivacyModel, crowd: str = "class", counted: Counted = "people") -> str:
    """Return a promise in a plain sentence; what it guarantees where a model, of another package say, has none.

    `crowd` is what a class is called in the release, `counted` what the promise is about: rows are not called people. Models of
    other packages may know of no `counted`; then it is added what they take for people.

    >>> from kohort.models import KAnonymity, LDiversity
    >>> plainly(KAnonymity(5))
    'every class holds at least 5 people, so everybody shares theirs with at least 4 others'
    >>> plainly(KAnonymity(5), counted="rows")
    'every class holds at least 5 rows, so every row shares its own with at least 4 others'
    >>> plainly(LDiversity(3, "illness"), "group")[:79]
    "who finds somebody's group still faces at least 3 values of illness; how likely"
    """
    told = getattr(model, "plainly", None)
    if told is not None and "counted" in signature(told).parameters:
        return str(told(crowd, counted))
    said = guarantee_of(model) if told is None else str(told(crowd))
    return said if counted == "people" else f"{said}; {EACH_ROW}"


def many_counted(number: int, counted: Counted) -> str:
    """Return a number of people, or of rows.

    >>> many_counted(1, "people"), many_counted(4, "rows")
    ('1 person', '4 rows')
    """
    return people(number) if counted == "people" else many(number, "row")


def share_holding(columns: tuple[str, ...], counted: Counted) -> str:
    """Return of what the share is that holds a value.

    >>> share_holding(("illness",), "rows")
    'the share of rows that hold a value of illness'
    """
    return f"the share of {'people who' if counted == 'people' else 'rows that'} hold a value of {each_of(columns)}"


def per_cent(share: float) -> str:
    """Return a share that a plan names in per cent, every digit of it.

    >>> per_cent(0.07), per_cent(0.125), per_cent(1)
    ('7 %', '12.5 %', '100 %')
    """
    return f"{exact(share, times=100)} %"


def exact(value: float, times: int = 1, plus: int = 0) -> str:
    """Return a number that a plan names, every digit of it, times and plus whole ones.

    >>> exact(3), exact(2.5), exact(0.1, plus=1), exact(1200)
    ('3', '2.5', '1.1', '1,200')
    """
    return f"{(Decimal(repr(float(value))) * times + plus).normalize():,f}"


def power_of_e(exponent: float) -> str:
    """Return a power of e that something stays below, with three digits, the last one rounded up; a great one as a power.

    >>> power_of_e(0.5), power_of_e(20)
    ('1.65', 'e^20')
    """
    if exponent > GREAT:
        return f"e^{exact(exponent)}"
    return f"{Context(prec=3, rounding=ROUND_CEILING).create_decimal(repr(exp(exponent))).normalize():f}"


def each_of(columns: tuple[str, ...]) -> str:
    """Return the columns as those of which something is said one by one.

    >>> each_of(("illness",)), each_of(("illness", "pay"))
    ('illness', 'each of illness and pay')
    """
    return spoken(columns) if len(columns) == 1 else f"each of {spoken(columns)}"


def faces(crowd: str, values: str, counted: Counted) -> str:
    """Return what is left to whoever knows in which class somebody, or a row, is."""
    found = f"finds somebody's {crowd}" if counted == "people" else f"knows in which {crowd} a row is"
    return f"who {found} still faces {values}"


def holds_at_least(crowd: str, k: int, counted: Counted) -> str:
    """Return how many people every class holds, as the beginning of a sentence; nothing where one is enough."""
    return f"every {crowd} holds at least {many_counted(k, counted)}, and " if k > 1 else ""
