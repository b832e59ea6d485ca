"""p-sensitive k-anonymity: at least p different values of every sensitive attribute in every class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.models.demand import Demand, Gain
from kohort.models.model import Monotone, Reference
from kohort.models.of_people import OfPeople, least_diverse
from kohort.models.plain_words import UNBOUNDED, Counted, each_of, faces, holds_at_least
from kohort.models.sensitive import attribute_of, named_columns, people_holding, spoken, whole_number
from kohort.plurals import many
from kohort.typed import Count, Named, Pair


@dataclass(frozen=True)
class PSensitive(OfPeople):
    """Every class holds at least `p` different values of each sensitive column, and at least `k` respondents.

    Leave `k` out where k-anonymity is required on its own. `conditions` tells before any search which p can
    be reached at all (Condition 1) and how many classes there can be (Condition 2). Where people have several
    rows, p values must be left whichever one of their values is taken for each person, as for l-diversity.

    Complexity: linear in the (class, value) entries; where people have several rows, they are sorted.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu", "flu"], ["flu", "cold", "gout"])
    >>> PSensitive(2, "ill", k=3).bind(table).failing(classes)
    array([ True, False])

    References: Truta, Vinay. Privacy protection: p-sensitive k-anonymity property. ICDE Workshops 2006. Truta,
    Campan, Meyer. Generating microdata with p-sensitive k-anonymity property. SDM 2007, sections 2.1 and 2.2.
    """

    p: Pair
    column: Named | None = None
    k: Count = 1
    columns: tuple[Named, ...] = ()

    card: ClassVar = Card(
        "p-sensitive",
        "every class holds at least p different values of each of several sensitive columns",
        guarantee="no sensitive value follows with certainty from belonging to a class, for any of the columns",
        paper="Truta and Vinay 2006; Truta et al. 2007",
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("p-sensitive", self.column, self.columns))
        whole_number("p-sensitive", "p", self.p, least=2)
        whole_number("p-sensitive", "k", self.k, least=1)

    @property
    def monotone(self) -> Monotone:
        """Merging classes never takes values or respondents away."""
        return self.kept_by_merging(Monotone.GENERALIZATION | Monotone.SUPPRESSION)

    @property
    def label(self) -> str:
        """The promise in words."""
        anonymity = f" {self.k}-anonymity" if self.k > 1 else " property"
        return f"{self.p}-sensitive{anonymity} of {spoken(self.columns)}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        values = f"at least {many(self.p, 'value')} of {each_of(self.columns)}; {UNBOUNDED}"
        return f"{holds_at_least(crowd, self.k, counted)}{faces(crowd, values, counted)}"

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A crowd of k, and p values of each column."""
        return Demand(crowd=self.k, gains=tuple(Gain(column, self.p) for column in self.columns))

    def bind(self, reference: Reference) -> PSensitive:
        """Return the model for the table; a class is judged by itself."""
        return self.bound_to(reference)

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes with fewer than p values of some column, or fewer than k respondents."""
        broken = np.asarray(classes.sizes < self.k)
        for column in self.columns:
            broken |= self._values(classes, column) < self.p
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest p that every class meets in every column."""
        if len(classes) == 0:
            return inf
        return float(min(self._values(classes, column).min() for column in self.columns))

    def holds(self, classes: Classes) -> bool:
        """Whether every class is p-sensitive."""
        return not self.failing(classes).any()

    def _values(self, classes: Classes, column: str) -> IntArray:
        return least_diverse(people_holding("p-sensitive", classes, column), classes.sizes).distinct()

    def conditions(self, reference: Reference) -> Conditions:
        """Return what the whole table allows, before any search, from its records: people allow no more."""
        totals = [attribute_of("p-sensitive", reference, column).totals for column in self.columns]
        return conditions(totals, self.p, self.k)


@dataclass(frozen=True)
class Conditions:
    """Truta's two necessary conditions: the greatest p, and the most classes that p leaves possible."""

    max_p: int
    max_clusters: int


def conditions(totals: Sequence[IntArray], p: int, k: int = 1) -> Conditions:
    """Return Conditions 1 and 2 for the value counts of each sensitive attribute.

    maxClusters = min over i = 1…p of ⌊(n − cf_{p−i})/i⌋, where cf_j is the greatest number of records that
    the j most frequent values of an attribute cover; no more than ⌊n/k⌋, and 0 where p is out of reach. It
    is an upper bound: with several attributes fewer classes may exist.

    >>> conditions([np.array([2, 2])] * 3, p=2)
    Conditions(max_p=2, max_clusters=2)
    """
    counts = [np.sort(total[total > 0])[::-1] for total in totals]
    max_p = min(len(count) for count in counts)
    if p > max_p:
        return Conditions(max_p, 0)
    n = int(counts[0].sum())
    covered = [0, *(max(int(count[:j].sum()) for count in counts) for j in range(1, p))]
    most = min((n - covered[p - i]) // i for i in range(1, p + 1))
    return Conditions(max_p, min(most, n // k))
