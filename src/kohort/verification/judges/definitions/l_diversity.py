"""l-diversity (Machanavajjhala et al. 2007): distinct, by entropy, or recursive (c, l)."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, gcd, inf
from typing import Protocol

import numpy as np

from kohort.arrays import IntArray
from kohort.verification.judges.definitions.counted import Counted
from kohort.verification.judges.definitions.diversity import least_diverse, least_values
from kohort.verification.judges.definitions.exact import DIGITS, above, logarithm, near, written
from kohort.verification.judges.definitions.finding import Finding
from kohort.verification.judges.definitions.tally import Entries

SAME = Decimal("1e-50")  # logarithms to `DIGITS` that differ by less are those of equal numbers


class Asked(Protocol):
    """The parameters."""

    l: float  # noqa: E741
    columns: tuple[str, ...]
    variant: str
    c: float | None


def judge(asked: Asked, counted: Counted) -> Finding:
    """Return whether every class is l-diverse in every column, and the greatest l for which all are."""
    found = [_judge_column(asked, counted, column) for column in asked.columns if len(counted)]
    return Finding(all(f.holds for f in found), min((f.achieved for f in found), default=inf))


def _judge_column(asked: Asked, counted: Counted, column: str) -> Finding:
    if asked.variant == "distinct":
        values = least_values(counted.holding(column), counted.people)
        return Finding(values >= asked.l, float(values))
    counts = least_diverse(counted.holding(column), counted.people)
    if asked.variant == "entropy":
        return _by_entropy(counts, asked.l)
    assert asked.c is not None
    return _recursive(counts, written(asked.c), int(asked.l))


def _by_entropy(counts: Entries, l: float) -> Finding:  # noqa: E741
    """Entropy of at least log l: −Σ q log q ≥ log l over the shares q of the values in a class."""
    sums = counts.sums
    people = sums[counts.owner]
    shares = counts.count / people
    others = np.where(shares > 1 / 2, (people - counts.count) / people, 0)
    # A logarithm of nearly 1 keeps its digits only where it is taken of what is missing to 1.
    logarithms = np.where(shares > 1 / 2, np.log1p(-others), np.log(shares))
    entropies = np.asarray(-np.add.reduceat(shares * logarithms, counts.starts))
    least = float(logarithm(written(l)))
    low = entropies < least
    ends = np.append(counts.starts, len(counts.owner))
    for place in near(entropies, least):
        low[place] = not _reaches(counts.count[ends[place] : ends[place + 1]], written(l))
    return Finding(not low.any(), exp(float(entropies.min())))


def _reaches(counts: IntArray, l: Fraction) -> bool:  # noqa: E741
    """Return whether nⁿ ≥ lⁿ · ∏ cᶜ, by logarithms to many digits: n·ln n − Σ c·ln c ≥ n·ln l."""
    common = gcd(*counts.tolist())
    whole = [int(count) // common for count in counts]
    with localcontext() as context:
        context.prec = DIGITS
        n = sum(whole)
        spread = n * logarithm(Fraction(n)) - sum((c * logarithm(Fraction(c)) for c in whole), Decimal(0))
        return spread - n * logarithm(l) >= -SAME * n


def _recursive(counts: Entries, c: Fraction, l: int) -> Finding:  # noqa: E741
    """r₁ < c · (r_l + … + r_m) for the counts r₁ ≥ r₂ ≥ … of a class; the greatest such l, 1 where there is none."""
    first, tails = counts.count[counts.starts], _tails(counts)
    reached = above(tails, first[counts.owner], 1 / c)
    reached[counts.starts] = False  # l is 2 at least
    most = 1 + counts.summed(reached.astype(np.int64))
    return Finding(bool((most >= l).all()), float(most.min()))


def _tails(counts: Entries) -> IntArray:
    """Return, per entry, what its class has from there on."""
    running = np.cumsum(counts.count)
    ends = np.append(counts.starts[1:], len(running)) - 1
    return np.asarray(running[ends][counts.owner] - running + counts.count)
