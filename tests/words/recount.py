"""Counting and spelling by code of the tests' own: nothing of Kohort is imported."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from tests.reference.release import is_true

DOMAIN = {"age": [str(n) for n in range(100)]}  # declared; of other columns the values that occur
Cell = str | None


# --- spelling ------------------------------------------------------------------------------------------------


def pct(part: float | Fraction, whole: float | Fraction = 1) -> str:
    """A share in per cent: whole from 10 on, else two digits; what is not all is not told as 100."""
    if not whole:
        return "–"
    points = Fraction(part) / Fraction(whole) * 100
    if Fraction(199, 2) <= points < 100:
        return f"{math.floor(points * 100) / 100:g} %" if points < Fraction(9999, 100) else "over 99.99 %"
    if points == 0 or points >= 10 or points.denominator == 1:
        return f"{float(points):.0f} %"
    return "below 0.001 %" if points < Fraction(1, 1000) else f"{float(points):.2g} %"


def of(part: int, whole: int, noun: str = "") -> str:
    """A share beside what it is a share of."""
    return f"{part:,} of {whole:,}{' ' + noun if noun else ''} ({pct(part, whole)})"


def num(value: float | None) -> str:
    """A number of four digits."""
    if value is None:
        return "–"
    if math.isinf(value):
        return "∞"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.4g}"


# --- counting ------------------------------------------------------------------------------------------------


def classes_of(frame: pd.DataFrame, quasi: Sequence[str]) -> list[pd.DataFrame]:
    """The rows of a table, class by class."""
    told = (
        frame[list(quasi)].apply(lambda row: tuple(row), axis=1)
        if len(frame)
        else pd.Series([], dtype=object)
    )
    return [frame[told == key] for key in dict.fromkeys(told)]


def sizes_on_a_grid(sizes: Iterable[int], records: Iterable[int]) -> list[tuple[str, str, str]]:
    """Classes and records by size: 1, 2 to 3, 4 to 7, …, the ends drawn in."""
    pairs = list(zip(sizes, records, strict=True))
    steps = range(min(s for s, _ in pairs).bit_length() - 1, max(s for s, _ in pairs).bit_length())
    lines = []
    for step in steps:
        inside = [(s, r) for s, r in pairs if s.bit_length() - 1 == step]
        low = max(2**step, min(s for s, _ in pairs))
        high = min(2 ** (step + 1) - 1, max(s for s, _ in pairs))
        name = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        lines.append((name, f"{len(inside):,}", f"{sum(r for _, r in inside):,}"))
    return lines


def domain_of(column: str, original: pd.DataFrame) -> list[Cell]:
    """The ground values of a column: those declared, and those that occur."""
    occurring = list(dict.fromkeys(original[column].tolist()))
    return list(dict.fromkeys([*DOMAIN.get(column, []), *occurring]))


def covered(label: Cell, column: str, original: pd.DataFrame) -> list[Cell]:
    """The ground values that a released label may stand for."""
    return [value for value in domain_of(column, original) if stands_for(label, value, column)]


def stands_for(label: Cell, value: Cell, column: str) -> bool:
    """Tell whether a label may stand for a value."""
    if column == "zip" and label is not None and value is not None and set(label) & set("*") and label != "*":
        return len(label) == len(value) and all(a in ("*", b) for a, b in zip(label, value, strict=True))
    return is_true(label, value, None)


def detail_lost(labels: Sequence[Cell], column: str, original: pd.DataFrame, suppressed: int) -> Fraction:
    """How much of its domain a column leaves open: the definition of `loss` for one column."""
    size, n = len(domain_of(column, original)), len(original)
    if size < 2:
        return Fraction(0)
    counts = Counter(labels)
    open_ = sum(k * Fraction(len(covered(label, column, original)), size) for label, k in counts.items())
    least = Fraction(1, size)
    return ((open_ + suppressed) / n - least) / (1 - least)


def geometric(losses: Sequence[Fraction]) -> float:
    """The losses of columns combined."""
    return math.prod(float(1 + x) for x in losses) ** (1 / len(losses)) - 1


def shares(values: Iterable[Any]) -> dict[Any, Fraction]:
    """The share of each value."""
    counts = Counter(values)
    return {value: Fraction(k, sum(counts.values())) for value, k in counts.items()}


def distance(one: Iterable[Any], other: Iterable[Any]) -> Fraction:
    """Half the sum of the differences between two distributions' shares."""
    p, q = shares(one), shares(other)
    return sum((abs(p.get(v, 0) - q.get(v, 0)) for v in {*p, *q}), Fraction(0)) / 2


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None where a column is constant."""
    x, y = np.array(one, float), np.array(other, float)
    if x.std() == 0 or y.std() == 0:
        return None
    return float(((x - x.mean()) * (y - y.mean())).mean() / (x.std() * y.std()))
