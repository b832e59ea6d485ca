"""t-closeness: no class's sensitive values are distributed farther than t from the whole table's."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Annotated, Any, ClassVar

import numpy as np

from kohort.arrays import BoolArray, FloatArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.closeness_floor import NEAR, excess_of, floor_of
from kohort.models.closeness_of_people import Measure, measures
from kohort.models.demand import Demand, Room
from kohort.models.earth_mover import by_spelling, demand_order, told_order
from kohort.models.model import Attribute, Monotone, Reference
from kohort.models.of_people import OfPeople, alone
from kohort.models.plain_words import Counted, each_of, per_cent, share_holding
from kohort.models.sensitive import attribute_of, named_columns, number, people_holding, spoken
from kohort.models.threshold import at_most, rational
from kohort.typed import Named, Share, one_of

GUARANTEES = {
    "equal": "finding a person's class moves the belief in a sensitive value by at most t from what the whole table shows",
    "ordered": "finding a person's class moves the sensitive value's mean place in its order by at most t of the whole order "
    "from what the whole table shows; the belief in a single value may move much further",
    "hierarchical": "the sensitive values of a class are the whole table's, moved by at most t of the height of their hierarchy "
    "on average; the belief in a single value may move much further",
}
PLAIN = {
    "equal": "{share} is in every {crowd} at most {t} percentage points off that in the whole original table",
    "ordered": "the mean place that the values of {of} have in their order is in every {crowd} at most {t} % of that order away "
    "from the whole original table's; single values may be much more frequent in it",
    "hierarchical": "the values of {of} in a {crowd} are those of the whole original table, moved by at most {t} % of the height "
    "of their hierarchy on average; single values may be much more frequent in it",
}
DISTANCES = tuple(GUARANTEES)


@dataclass(frozen=True)
class TCloseness(OfPeople):
    """The earth mover's distance from each class's sensitive values to the whole table's is at most `t`.

    `equal`: every two values are equally far apart. `ordered`: values are as far apart as their ranks
    among the values that occur in the original table, in the order of the hierarchy where one is declared for the column,
    otherwise numbers by value, texts alphabetically; missing last. A declared value that nobody has takes no rank, and
    how far apart two numbers are does not matter. `hierarchical`: as far as the height of their lowest common ancestor.
    The table compared with is the original one, before any suppression. Where people have several rows, each person counts
    once, and the distance is the greatest of several readings (`closeness_of_people`). A class of one person is never
    released, whatever `t` is.

    Complexity: linear in the (class, value) entries for equal, times the height for hierarchical,
    times log of the number of values for ordered. All three are exact ratios of counts.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "flu", "cold"], ["cold", "cold", "flu"])
    >>> round(TCloseness(0.2, "ill").bind(table).achieved(classes), 3)
    0.167

    References: Li, Li, Venkatasubramanian. t-closeness: privacy beyond k-anonymity and l-diversity.
    ICDE 2007. De Capitani di Vimercati et al., section 2.3.
    """

    t: Share
    column: Named | None = None
    distance: Annotated[str, one_of(DISTANCES)] = "equal"
    columns: tuple[Named, ...] = ()
    _measures: dict[str, tuple[Measure, ...]] | None = field(
        default=None, init=False, repr=False, compare=False
    )
    _attributes: dict[str, Attribute] = field(default_factory=dict, init=False, repr=False, compare=False)

    card: ClassVar = Card(
        "t-closeness",
        "the sensitive values of every class are distributed like the whole table's, within distance t",
        guarantee="finding a person's class moves the belief in a sensitive value by at most t from what the whole table shows, "
        "by the equal distance; by the others values move by at most t of their range on average, and a belief may move further",
        paper="Li et al. 2007",
        compares=True,
        counts="values",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns("t-closeness", self.column, self.columns))
        number("t-closeness", "t", self.t, above=0, most=1)
        if self.distance not in DISTANCES:
            raise InputError(
                f"t-closeness: distance is {self.distance!r}; it must be one of: {', '.join(DISTANCES)}",
                code="model.parameter",
                model="t-closeness",
                option="distance",
                value=self.distance,
                allowed=DISTANCES,
            )

    @property
    def monotone(self) -> Monotone:
        """The distance to a fixed distribution is convex; suppression is not monotone."""
        return self.kept_by_merging(Monotone.GENERALIZATION)

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"{self.t:g}-closeness of {spoken(self.columns)} ({self.distance} distance)"

    @property
    def guarantee(self) -> str:
        """What follows from it, by its distance: only equal bounds the belief in a value (ordered 0.2: 10 % may become 85 %)."""
        return GUARANTEES[self.distance]

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        return PLAIN[self.distance].format(
            crowd=crowd,
            of=each_of(self.columns),
            share=share_holding(self.columns, counted),
            t=per_cent(self.t).removesuffix(" %"),
        )

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A class of one person is never released; by the equal distance belief leaves no more than t of the table's people."""
        return Demand(fewest=2, room=Room(share=1 - self.t if self.distance == "equal" else 0.0))

    def bind(self, reference: Reference) -> TCloseness:
        """Return the model with the whole table's distribution to compare with."""
        attributes = [attribute_of("t-closeness", reference, column) for column in self.columns]
        if self.distance == "ordered":
            demand_order(attributes)
        return self.bound_to(
            reference,
            _measures={a.name: measures(a, self.distance) for a in attributes},
            _attributes={a.name: a for a in attributes},
        )

    @property
    def scale(self) -> str:
        """By what a bound model measures how far values are apart, in words that let others do the same."""
        if self.distance == "equal":
            return ""
        told = [
            (told_order(a) if self.distance == "ordered" else "by its declared hierarchy")
            for a in self._attributes.values()
        ]
        return ", ".join(f"{name} {said}" for name, said in zip(self._attributes, told, strict=True))

    def by_spelling(self, reference: Reference) -> tuple[str, ...]:
        """Return the columns that the ordered distance puts in the order of their spelling, where that matters."""
        named = [reference.attributes[c] for c in self.columns if c in reference.attributes]
        told = named if self.distance == "ordered" else []
        return tuple(a.name for a in told if len(a.labels) > 2 and by_spelling(a))

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes farther than t from the whole table in some column."""
        broken = alone(classes)
        for column in self.columns:
            for measure in self._readings(classes, column):
                broken |= self._farther(measure, classes)
        return broken

    def _farther(self, measure: Measure, classes: Classes) -> BoolArray:
        """Mark the classes farther than t by one reading; what floating point leaves in doubt is reckoned exactly."""
        work, unit = measure(classes, False)
        if work.dtype != np.float64:
            return ~at_most(work, unit, rational(self.t))
        far = np.asarray(work / unit > self.t)
        near = np.flatnonzero(np.abs(work / unit - self.t) <= NEAR)
        if len(near):
            far[near] = ~at_most(*measure(classes.kept(near), True), rational(self.t))
        return far

    def failing_for_good(self, classes: Classes) -> tuple[BoolArray, FloatArray | None]:
        """Return the failing classes and how many records of each fail however it is split, for one row a person."""
        if self.several_rows:
            return self.failing(classes), None
        sizes = np.maximum(classes.rows, 1).astype(np.float64)
        failing, floor = alone(classes), np.where(alone(classes), sizes, 0.0)
        for column in self.columns:
            distance, over = self._distances_over(classes, column)
            floor = np.maximum(floor, floor_of(distance, over, self.t, sizes))
            failing |= distance > self.t
            near = np.flatnonzero(np.abs(distance - self.t) <= NEAR)
            if len(near):
                failing[near] = self.failing(classes.kept(near))
        return failing, floor

    def _distances_over(self, classes: Classes, column: str) -> tuple[FloatArray, FloatArray]:
        """Return each class's distance in floating point, and the table's share of the values that it has too many of."""
        if self.distance == "ordered":
            return self.distances(classes, column), np.zeros(len(classes))
        deep = self.distance == "hierarchical"
        excess, over = excess_of(self._attributes[column], classes, deep=deep)
        return excess / np.maximum(classes.rows, 1), over

    def distances(self, classes: Classes, column: str | None = None) -> FloatArray:
        """Return each class's distance from the whole table in a column (the first unless told)."""
        column = self.columns[0] if column is None else column
        works = (measure(classes, False) for measure in self._readings(classes, column))
        return np.asarray(np.max([work / unit for work, unit in works], axis=0))

    def achieved(self, classes: Classes) -> float:
        """Return the least t that every class meets."""
        if len(classes) == 0:
            return -inf
        return max(float(self.distances(classes, column).max()) for column in self.columns)

    @classmethod
    def figures(cls, classes: Classes, column: str, reference: Reference) -> dict[str, Any]:
        """Return the least t by every distance that the column allows; texts have no ranks that nobody declared."""
        attribute = reference.attributes[column]
        without = {"ordered"} if attribute.unordered or by_spelling(attribute) else set()
        without |= {"hierarchical"} if attribute.hierarchy is None else set()
        known = [distance for distance in DISTANCES if distance not in without]
        return {"t": {d: cls(1, column, d).bind(reference).achieved(classes) for d in known}}

    def holds(self, classes: Classes) -> bool:
        """Whether every class is within t."""
        return not self.failing(classes).any()

    def _readings(self, classes: Classes, column: str) -> tuple[Measure, ...]:
        if self._measures is None:
            raise InputError(
                "t-closeness: bind it to the whole table's Reference before classes are judged",
                code="model.unbound",
                model="t-closeness",
            )
        self.demand_same_people(classes)
        people_holding("t-closeness", classes, column)  # raises where there is no such column
        return self._measures[column]
