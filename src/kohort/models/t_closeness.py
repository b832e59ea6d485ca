"""t-closeness: no class's sensitive values are distributed farther than t from the whole table's."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.earth_mover import EarthMover, Equal, Hierarchical, Ordered
from kohort.models.model import Monotone, Reference
from kohort.models.sensitive import attribute_of, histogram_of, named_columns, number, spoken
from kohort.models.threshold import at_most, granted, rational

DISTANCES = ("equal", "ordered", "hierarchical")


@dataclass(frozen=True)
class TCloseness:
    """The earth mover's distance from each class's sensitive values to the whole table's is at most `t`.

    `equal`: every two values are equally far apart. `ordered`: values are as far apart as their ranks
    (hierarchy's domain order where one is declared for the column, otherwise numbers by value, texts
    alphabetically; missing last). `hierarchical`: as far as the height
    of their lowest common ancestor. The table compared with is the original one, before any suppression.

    Complexity: linear in the (class, value) entries for equal, times the height for hierarchical,
    times log of the number of values for ordered. All three are exact ratios of counts.

    References: Li, Li, Venkatasubramanian. t-closeness: privacy beyond k-anonymity and l-diversity.
    ICDE 2007. De Capitani di Vimercati et al., section 2.3.
    """

    t: float
    column: str | None = None
    distance: str = "equal"
    columns: tuple[str, ...] = ()
    _movers: dict[str, EarthMover] | None = field(default=None, init=False, repr=False, compare=False)

    card: ClassVar = Card(
        "t-closeness",
        "the sensitive values of every class are distributed like the whole table's, within distance t",
        guarantee="finding a person's class moves a belief about the sensitive value by at most t",
        paper="Li et al. 2007",
    )
    bounds_linking: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("t-closeness", self.column, self.columns))
        number("t-closeness", "t", self.t, above=0, most=1)
        if self.distance not in DISTANCES:
            raise InputError(
                f"t-closeness: distance is {self.distance!r}; it must be one of: {', '.join(DISTANCES)}"
            )

    @property
    def monotone(self) -> Monotone:
        """The distance to a fixed distribution is convex; suppression is not monotone."""
        return Monotone.GENERALIZATION

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"{self.t:g}-closeness of {spoken(self.columns)} ({self.distance} distance)"

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    def bind(self, reference: Reference) -> TCloseness:
        """Return the model with the whole table's distribution to compare with."""
        make = {"equal": Equal, "ordered": Ordered, "hierarchical": Hierarchical}[self.distance]
        bound = copy(self)
        movers = {c: make(attribute_of("t-closeness", reference, c)) for c in self.columns}
        object.__setattr__(bound, "_movers", movers)
        return bound

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes farther than t from the whole table in some column."""
        broken = np.zeros(len(classes), np.bool_)
        for column, mover in self._bound().items():
            work, unit = mover.work(histogram_of("t-closeness", classes, column))
            if work.dtype == np.float64:
                broken |= ~granted(work / unit, self.t)
            else:
                broken |= ~at_most(work, unit, rational(self.t))
        return broken

    def distances(self, classes: Classes, column: str | None = None) -> FloatArray:
        """Return each class's distance from the whole table in a column (the first unless told)."""
        column = self.columns[0] if column is None else column
        work, unit = self._bound()[column].work(histogram_of("t-closeness", classes, column))
        return np.asarray(work / unit, np.float64)

    def achieved(self, classes: Classes) -> float:
        """Return the least t that every class meets."""
        if len(classes) == 0:
            return -inf
        return max(float(self.distances(classes, column).max()) for column in self.columns)

    def holds(self, classes: Classes) -> bool:
        """Whether every class is within t."""
        return not self.failing(classes).any()

    def _bound(self) -> dict[str, EarthMover]:
        if self._movers is None:
            raise InputError("t-closeness: bind it to the whole table's Reference before classes are judged")
        return self._movers
