"""Made-up tables as offices export them, drawn from a few lines of text: no person in them exists.

A line is `column | what it holds | role by hand`. What it holds is a word of `DRAWS` with what it needs behind it; with `@` before it,
it is a person's, and the same in all of that person's rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from kohort.table import Table

ROWS = 360
Chance = np.random.Generator
_FIRSTS = "Bra Ko Lin Szy Ha Ter Vo Mal Dru Fe Gar Ny Ost Pel Ruz Sko Ti Ull Ve Zo"
_LASTS = (
    "bek dano fors gild hova kker lund mski nado quist rrez sund tini vic wald ytska zell berga colt duin"
)
_FIRST, _LAST = _FIRSTS.split(), _LASTS.split()
_DAY = np.datetime64("2019-01-01")


@dataclass(frozen=True)
class Messy:
    """A table, the role of each column by hand, and how many rows a person has on average."""

    name: str
    table: Table
    truth: Mapping[str, str]
    rows_each: int


def surname(i: int) -> str:
    """Return a name that nobody listed."""
    return _FIRST[i % len(_FIRST)] + _LAST[i // len(_FIRST) % len(_LAST)]


def _few(chance: Chance, n: int, told: str) -> list[Any]:
    values = [value.strip() for value in told.split("/")]
    shares = 1 / np.arange(1, len(values) + 1)  # the first is the most frequent
    return [values[i] for i in chance.choice(len(values), n, p=shares / shares.sum())]


def _date(chance: Chance, n: int, told: str) -> list[Any]:
    years, written = told.split(" ", 1)
    days = _DAY - chance.integers(0, 365 * int(years), n)
    return [day.astype("datetime64[s]").item().strftime(written) for day in days]


def _time(chance: Chance, n: int, _: str) -> list[Any]:
    return [
        f"{h:02}:{m:02}" for h, m in zip(chance.integers(7, 19, n), chance.integers(0, 60, n), strict=True)
    ]


def _people(chance: Chance, n: int, told: str) -> list[Any]:
    """Draw from so many names, written as told: `40 Dr. {}`."""
    number, _, form = told.partition(" ")
    return [(form or "{}").format(surname(7 * i)) for i in chance.integers(0, int(number), n)]


def _initials(chance: Chance, n: int, told: str) -> list[Any]:
    pairs = chance.integers(0, 20, (int(told), 2))
    return [f"{_FIRST[a][0]}{_LAST[b][0].upper()}" for a, b in pairs[chance.integers(0, int(told), n)]]


def _place(chance: Chance, n: int, told: str) -> list[Any]:
    ends = ("stad", "ville", "owo", "heim", "ito", "burgh")
    return [f"{_LAST[i % 20].title()}{ends[i % 6]}" for i in chance.integers(0, int(told), n)]


def _code(chance: Chance, n: int, told: str) -> list[Any]:
    """Draw from so many codes, written as told: `12 ST{:02}`."""
    number, form = told.split(" ", 1)
    return [form.format(1 + 7 * i % 9973) for i in chance.integers(0, int(number), n)]


def _number(chance: Chance, n: int, told: str) -> list[Any]:
    low, high = map(int, told.split())
    return chance.integers(low, high + 1, n).tolist()


def _measure(chance: Chance, n: int, told: str) -> list[Any]:
    mean, spread, decimals = map(float, told.split())
    return np.round(np.abs(chance.normal(mean, spread, n)), int(decimals)).tolist()


def _money(chance: Chance, n: int, told: str) -> list[Any]:
    return np.round(chance.lognormal(float(told), 0.5, n), 2).tolist()


def _own(chance: Chance, n: int, told: str) -> list[Any]:
    """Draw a value for each row or person, as told: `F-{:06}`."""
    return [told.format(100_000 + int(i)) for i in chance.permutation(n * 7)[:n]]


def _remark(chance: Chance, n: int, _: str) -> list[Any]:
    told = [f"{surname(int(i))} called, will come on day {i % 28}" for i in chance.permutation(n)]
    return [text if i % 3 == 0 else None for i, text in enumerate(told)]


def _sparse(chance: Chance, n: int, told: str) -> list[Any]:
    """Draw what is told in a quarter of the rows."""
    here = chance.random(n) < 0.25
    return [value if h else None for value, h in zip(_drawn(chance, n, told), here, strict=True)]


DRAWS: dict[str, Callable[[Chance, int, str], list[Any]]] = {
    "few": _few, "date": _date, "time": _time, "people": _people, "initials": _initials, "place": _place, "code": _code,
    "number": _number, "measure": _measure, "money": _money, "own": _own, "remark": _remark, "sparse": _sparse,
}  # fmt: skip


def _drawn(chance: Chance, n: int, told: str) -> list[Any]:
    word, _, rest = told.partition(" ")
    return DRAWS[word](chance, n, rest)


def drawn(text: str, seed: int = 7) -> Messy:
    """Return the table that some lines tell: its name and the rows of a person first, then a line for each column."""
    chance = np.random.default_rng(seed)
    (head, *lines) = [line.strip() for line in text.strip().splitlines()]
    name, _, each = head.partition(" | ")
    rows_each = int(each or 1)
    people = ROWS // rows_each
    who = chance.permutation(np.concatenate([np.arange(people), chance.integers(0, people, ROWS - people)]))
    columns, truth = {}, {}
    for line in lines:
        column, told, truth_of = (part.strip() for part in line.split(" | "))
        own = told.startswith("@")
        cells = _drawn(chance, people if own else ROWS, told.removeprefix("@"))
        columns[column] = [cells[i] for i in who] if own else cells
        truth[column] = truth_of
    return Messy(name, Table.from_arrow(pa.table(columns)), truth, rows_each)
