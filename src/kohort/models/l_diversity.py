"""l-diversity: every class holds at least l well-represented sensitive values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, gcd, inf
from typing import Annotated, Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.card import Card
from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.models.demand import Demand, Gain, Room
from kohort.models.model import Monotone, Reference
from kohort.models.of_people import OfPeople, least_diverse
from kohort.models.plain_words import UNBOUNDED, Counted, each_of, exact, faces
from kohort.models.segments import descending, maxima, minima, sums
from kohort.models.sensitive import named_columns, number, people_holding, spoken, whole_number
from kohort.models.threshold import DIGITS, at_least, below, logarithm, rational
from kohort.typed import AboveOne, Named, Threshold, one_of

GUARANTEES = {
    "distinct": "who finds a person's class still faces at least l values; how likely each of them is, is not bounded",
    "entropy": "who finds a person's class still faces values whose entropy is at least that of l equally likely ones",
    "recursive": "in a class the most frequent value is held fewer than c times as often as all from the l-th on together, so that "
    "ruling out l − 2 values still leaves none that is held c times as often as the others together; where c is above 1, one may "
    "be more than half of the class",
}
VARIANTS = tuple(GUARANTEES)
RECURSIVE_C = (1, 2, 3, 5, 10)  # for which an audit tells the greatest l
_EXACT_ROWS = 20_000  # classes whose counts in lowest terms sum to more are settled by logarithms
_SAME = Decimal("1e-40")  # of logarithms that are those of equal numbers


@dataclass(frozen=True)
class LDiversity(OfPeople):
    """Every class holds at least `l` well-represented values of each sensitive column named.

    `distinct`: at least l different values. `entropy`: entropy of the values at least log l (l may be
    fractional). `recursive`: r₁ < c·(r_l + … + r_m) for the counts r₁ ≥ r₂ ≥ … of the class, so that
    even after l−2 values are ruled out none dominates. A missing value counts as a value. Several columns
    are judged one by one, each with the others unknown to the intruder.

    Where people have several rows, a class is l-diverse if it is so whichever one of their values is taken for
    each person (`least_diverse` tells how that is made sure): three values of one person are no diversity, and
    neither is anything beside a value that everybody holds.

    Complexity: linear in the (class, value) entries; recursive with l > 2 sorts them.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu"], ["flu", "cold", "gout"])
    >>> LDiversity(2, "ill").bind(table).failing(classes)
    array([ True, False])

    References: Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam. l-diversity: privacy beyond k-anonymity.
    ACM TKDD 1(1), 2007. Ciriani et al., section 6.
    """

    l: AboveOne  # noqa: E741
    column: Named | None = None
    variant: Annotated[str, one_of(VARIANTS)] = "distinct"
    c: Threshold | None = None
    columns: tuple[Named, ...] = ()

    card: ClassVar = Card(
        "l-diversity",
        "every class holds at least l well-represented values of a sensitive column",
        guarantee="who finds a person's class still faces l values; how likely each of them is, the variants entropy and "
        "recursive bound, and distinct does not",
        paper="Machanavajjhala et al. 2007",
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("l-diversity", self.column, self.columns))
        if self.variant not in VARIANTS:
            raise InputError(
                f"l-diversity: variant is {self.variant!r}; it must be one of: {', '.join(VARIANTS)}",
                code="model.parameter",
                model="l-diversity",
                option="variant",
                value=self.variant,
                allowed=VARIANTS,
            )
        if self.variant != "entropy":
            whole_number("l-diversity", "l", self.l, least=2)
        number("l-diversity", "l", self.l, above=1)
        if self.variant == "recursive":
            number("l-diversity", "c", self.c, above=0)
        elif self.c is not None:
            raise InputError(
                f"l-diversity: c is given but the variant is {self.variant!r}; only recursive takes c",
                code="model.parameter",
                model="l-diversity",
                option="c",
            )

    @property
    def monotone(self) -> Monotone:
        """Merging adds values (distinct); entropy is concave and tails superadditive (the others).

        For entropy and recursive diversity a satisfying class merged with a large uniform one may fail.
        """
        whole = Monotone.GENERALIZATION
        flags = whole | Monotone.SUPPRESSION if self.variant == "distinct" else whole
        return self.kept_by_merging(flags)

    @property
    def label(self) -> str:
        """The promise in words."""
        if self.variant == "recursive":
            return f"recursive ({self.c:g}, {self.l})-diversity of {spoken(self.columns)}"
        return f"{self.variant} {self.l:g}-diversity of {spoken(self.columns)}"

    @property
    def guarantee(self) -> str:
        """What follows from it, by its variant."""
        return GUARANTEES[self.variant]

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        of, l, c = each_of(self.columns), exact(self.l), exact(self.c or 0)  # noqa: E741
        if self.variant == "recursive":
            return (
                f"in every {crowd} the most frequent value of {of} is held by fewer than {c} times as many {counted} as the value "
                f"of rank {l} and all rarer ones are held by together"
            )
        if self.variant == "entropy":
            values = f"at least as much uncertainty about {of} as {l} equally likely values would leave"
            return faces(crowd, values, counted)
        return faces(crowd, f"at least {l} values of {of}; {UNBOUNDED}", counted)

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """At least l different values, whatever the variant: well-represented ones take no fewer."""
        room = None if self.variant == "distinct" else Room(values=ceil(self.l))
        return Demand(gains=tuple(Gain(column, ceil(self.l)) for column in self.columns), room=room)

    def bind(self, reference: Reference) -> LDiversity:
        """Return the model for the table; a class is judged by itself."""
        return self.bound_to(reference)

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes that are not l-diverse in some column."""
        broken = np.zeros(len(classes), np.bool_)
        for column in self.columns:
            broken |= ~self._diverse(self._counted(classes, column))
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest l (for recursive: with this c) that every class meets."""
        if len(classes) == 0:
            return inf
        return min(float(self._measured(self._counted(classes, column)).min()) for column in self.columns)

    @classmethod
    def figures(cls, classes: Classes, column: str, reference: Reference) -> dict[str, Any]:  # noqa: ARG003
        """Return the greatest l of each variant; `recursive_c` is the bound that c must pass for l = 2."""
        counted = least_diverse(classes.people_holding(column), classes.sizes)
        first = maxima(counted.starts, counted.counts)
        rest = classes.sizes - first
        return {
            "distinct_l": int(cls(2, column).achieved(classes)),
            "entropy_l": cls(2, column, "entropy").achieved(classes),
            "recursive_l": {str(c): int(found.min()) for c, found in _recursive(counted, RECURSIVE_C)},
            "recursive_c": float((first[rest > 0] / rest[rest > 0]).max()) if (rest > 0).all() else inf,
        }

    def holds(self, classes: Classes) -> bool:
        """Whether every class is l-diverse."""
        return not self.failing(classes).any()

    def _counted(self, classes: Classes, column: str) -> Histogram:
        return least_diverse(people_holding("l-diversity", classes, column), classes.sizes)

    def _diverse(self, histogram: Histogram) -> BoolArray:
        if self.variant == "distinct":
            return histogram.distinct() >= self.l
        if self.variant == "entropy":
            return entropy_diverse(histogram, self.l)
        assert self.c is not None
        return recursive_diverse(histogram, self.c, int(self.l))

    def _measured(self, histogram: Histogram) -> FloatArray | IntArray:
        if self.variant == "distinct":
            return histogram.distinct()
        if self.variant == "entropy":
            return effective_values(histogram)
        assert self.c is not None
        return recursive_l(histogram, self.c)


def entropies(histogram: Histogram) -> FloatArray:
    """Return the entropy of each class in nats.

    It is a sum of what each value adds, none of it negative, so that no digits are lost however near to 0 it is: a
    logarithm of nearly 1 is told by what is missing to 1.
    """
    totals = np.repeat(sums(histogram.starts, histogram.counts), np.diff(histogram.starts))
    shares = histogram.counts / totals
    most = shares > 1 / 2
    told = np.where(most, -np.log1p(np.where(most, (histogram.counts - totals) / totals, 0)), -np.log(shares))
    return np.asarray(sums(histogram.starts, shares * told))


def effective_values(histogram: Histogram) -> FloatArray:
    """Return e^entropy of each class: a uniform class of m values has exactly m."""
    measured = np.exp(entropies(histogram))
    uniform = maxima(histogram.starts, histogram.counts) == minima(histogram.starts, histogram.counts)
    return np.where(uniform, histogram.distinct(), np.minimum(measured, histogram.distinct()))


def entropy_diverse(histogram: Histogram, l: float) -> BoolArray:  # noqa: E741
    """Return where entropy ≥ log l, exactly at the boundary.

    A uniform class of m values has entropy log m, so m is compared with l. For other classes of n records
    the claim is nⁿ ≥ lⁿ·∏ cᶜ, which is settled in whole numbers where floating point is too near.
    """
    distinct, counts = histogram.distinct(), histogram.counts
    uniform = maxima(histogram.starts, counts) == minima(histogram.starts, counts)
    measured = entropies(histogram)
    measured[uniform] = np.where(distinct[uniform] >= l, inf, -inf)

    def settle(i: int) -> bool:
        return _entropy_reaches(counts[histogram.starts[i] : histogram.starts[i + 1]], l)

    return at_least(measured, float(logarithm(rational(l))), settle)


def _entropy_reaches(counts: IntArray, l: float) -> bool:  # noqa: E741
    whole = [int(c) for c in counts]
    common = gcd(*whole)
    whole = [c // common for c in whole]
    n = sum(whole)
    bound = rational(l)
    if n > _EXACT_ROWS:
        with localcontext(prec=DIGITS):
            spread = sum((c * logarithm(Fraction(n, c)) for c in whole), Decimal(0))
            return spread / n - logarithm(bound) >= -_SAME
    product = 1
    for c in whole:
        product *= c**c
    return bool(n**n * bound.denominator**n >= bound.numerator**n * product)


def recursive_diverse(histogram: Histogram, c: float, l: int) -> BoolArray:  # noqa: E741
    """Return where r₁ < c·(r_l + … + r_m), exactly."""
    starts = histogram.starts
    totals = sums(starts, histogram.counts)
    first = maxima(starts, histogram.counts)
    if l == 2:
        return below(first, totals - first, rational(c))
    sorted_counts = descending(starts, histogram.counts)
    rank = np.arange(len(sorted_counts)) - np.repeat(starts[:-1], np.diff(starts))
    tail = sums(starts, np.where(rank >= l - 1, sorted_counts, 0))
    return below(first, tail, rational(c))


def recursive_l(histogram: Histogram, c: float) -> IntArray:
    """Return the greatest l for which each class is recursive (c, l)-diverse, 1 where even l = 2 fails."""
    [(_, found)] = _recursive(histogram, [c])
    return found


def _recursive(histogram: Histogram, bounds: Iterable[float]) -> Iterator[tuple[float, IntArray]]:
    """Yield every c with the greatest l for which each class is recursive (c, l)-diverse; counts are sorted once.

    The tail from r_l shrinks with l, so the ranks whose tail is large enough are the first ones.
    """
    starts = histogram.starts
    counts = descending(starts, histogram.counts)
    lengths = np.diff(starts)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    before = np.concatenate([[0], np.cumsum(counts)])
    tails = before[starts[1:]][owners] - before[:-1]  # from this rank to the class's last
    first = maxima(starts, counts)[owners]
    for c in bounds:
        reached = below(first, tails, rational(c))
        reached[starts[:-1][lengths > 0]] = False  # rank 1 is no diversity: l starts at 2
        yield c, np.asarray(1 + sums(starts, reached.astype(np.int64)))
