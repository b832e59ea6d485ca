"""Extended p-sensitive k-anonymity: values from at least p different protected subtrees in every class."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.demand import Demand, Gain
from kohort.models.earth_mover import rolled_up
from kohort.models.model import Attribute, Monotone, Reference
from kohort.models.of_people import OfPeople, least_diverse
from kohort.models.p_sensitive import Conditions, conditions
from kohort.models.plain_words import UNBOUNDED, Counted, each_of, faces, holds_at_least
from kohort.models.sensitive import attribute_of, named_columns, people_holding, spoken, whole_number
from kohort.plurals import many
from kohort.typed import Count, Level, Named, Pair


@dataclass(frozen=True)
class ExtendedPSensitive(OfPeople):
    """The values of each sensitive column in a class lie under at least `p` different strong nodes.

    `protected` names labels of the sensitive columns' hierarchies that must not be learnt either, such as
    a group of diseases; `level` protects every label of that level. Ground values are always protected. A
    value counts as its highest protected ancestor, itself where none is protected above it. Where people have
    several rows, p strong nodes must be left whichever one of theirs is taken for each person.

    Complexity: linear in the (class, value) entries, each looked up under its strong node; these are found once per
    value and level when it is bound.

    >>> from kohort.demo.ward import crowds
    >>> from dataclasses import replace
    >>> from kohort.hierarchy import Hierarchy
    >>> classes, table = crowds(["flu", "cold"], ["flu", "gout"])
    >>> rows = [("cold", "lung", "*"), ("flu", "lung", "*"), ("gout", "joint", "*")]
    >>> ill = replace(table.attributes["ill"], hierarchy=Hierarchy.from_rows("ill", rows), ground=np.arange(3))
    >>> bound = ExtendedPSensitive(2, "ill", protected=("lung",)).bind(replace(table, attributes={"ill": ill}))
    >>> bound.failing(classes)
    array([ True, False])

    References: Campan, Truta. Extended p-sensitive k-anonymity. Studia Univ. Babeş-Bolyai, Informatica 51(2), 2006.
    Truta, Campan, Meyer. Generating microdata with p-sensitive k-anonymity property.
    SDM 2007, section 2.3, definitions 4 to 6.
    """

    p: Pair
    column: Named | None = None
    protected: tuple[str, ...] = ()
    level: Level | None = None
    k: Count = 1
    columns: tuple[Named, ...] = ()
    _strong: dict[str, tuple[IntArray, int]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    card: ClassVar = Card(
        "extended-p-sensitive",
        "every class holds sensitive values from at least p different protected subtrees",
        guarantee="neither a sensitive value nor a protected label above values follows with certainty from belonging to a class",
        paper="Campan and Truta 2006; Truta et al. 2007",
        counts="values",
    )

    def __post_init__(self) -> None:
        name = "extended-p-sensitive"
        object.__setattr__(self, "columns", named_columns(name, self.column, self.columns))
        protected = (self.protected,) if isinstance(self.protected, str) else tuple(self.protected)
        object.__setattr__(self, "protected", protected)
        whole_number(name, "p", self.p, least=2)
        whole_number(name, "k", self.k, least=1)
        if self.level is not None:
            whole_number(name, "level", self.level, least=0)
        if not self.protected and self.level is None:
            raise InputError(
                f"{name}: nothing but ground values is protected; name labels in protected or give a level "
                "(or require p-sensitive)",
                code="model.parameter",
                model=name,
                option="protected",
            )

    @property
    def monotone(self) -> Monotone:
        """Merging classes never takes subtrees or respondents away."""
        return self.kept_by_merging(Monotone.GENERALIZATION | Monotone.SUPPRESSION)

    @property
    def label(self) -> str:
        """The promise in words."""
        anonymity = f" {self.k}-anonymity" if self.k > 1 else " property"
        return f"extended {self.p}-sensitive{anonymity} of {spoken(self.columns)}"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        values = f"at least {many(self.p, 'value')} of {each_of(self.columns)}, no two of which stand under one protected label"
        return f"{holds_at_least(crowd, self.k, counted)}{faces(crowd, values, counted)}; {UNBOUNDED}"

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive columns named."""
        return frozenset(self.columns)

    @property
    def demand(self) -> Demand:
        """A crowd of k, and values under p strong nodes of each column."""
        strong = self._strong or {}
        nodes = {column: strong[column][0] if column in strong else None for column in self.columns}
        return Demand(crowd=self.k, gains=tuple(Gain(column, self.p, of) for column, of in nodes.items()))

    def bind(self, reference: Reference) -> ExtendedPSensitive:
        """Return the model with every value's strong ancestor looked up."""
        attributes = [attribute_of("extended-p-sensitive", reference, c) for c in self.columns]
        self._all_known(attributes)
        return self.bound_to(reference, _strong={a.name: self._strong_of(a) for a in attributes})

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes whose values lie under fewer than p strong nodes, or with fewer than k respondents."""
        broken = np.asarray(classes.sizes < self.k)
        for column in self.columns:
            broken |= self._subtrees(classes, column) < self.p
        return broken

    def achieved(self, classes: Classes) -> float:
        """Return the greatest p that every class meets in every column."""
        if len(classes) == 0:
            return inf
        return float(min(self._subtrees(classes, column).min() for column in self.columns))

    def holds(self, classes: Classes) -> bool:
        """Whether every class is extended p-sensitive."""
        return not self.failing(classes).any()

    def conditions(self, reference: Reference) -> Conditions:
        """Return what the whole table allows, before any search, counted over strong nodes."""
        bound = self.bind(reference)
        assert bound._strong is not None
        totals = [
            np.bincount(up, reference.attributes[column].totals, minlength=size).astype(np.int64)
            for column, (up, size) in bound._strong.items()
        ]
        return conditions(totals, self.p, self.k)

    def strong_ancestors(self, column: str) -> tuple[IntArray, int]:
        """Return a code for the strong ancestor of each value code of the column, and the number of codes."""
        if self._strong is None:
            raise InputError(
                "extended-p-sensitive: bind it to the whole table's Reference first",
                code="model.unbound",
                model="extended-p-sensitive",
            )
        return self._strong[column]

    def _subtrees(self, classes: Classes, column: str) -> IntArray:
        up, size = self.strong_ancestors(column)
        histogram = people_holding("extended-p-sensitive", classes, column)
        holders = classes.holders.get(column)
        if holders is None:
            return rolled_up(histogram, up, size).distinct()
        return least_diverse(holders.rolled_up(up, size).people, classes.sizes).distinct()

    def _strong_of(self, attribute: Attribute) -> tuple[IntArray, int]:
        """Return the code of each value's strong ancestor, and the number of codes."""
        hierarchy, ground = attribute.hierarchy, attribute.ground
        assert hierarchy is not None
        assert ground is not None
        strong = ground.astype(np.int64)  # codes of level h are shifted to stand apart from other levels
        shift = 0
        told = None if self.level is None else hierarchy.level_named(self.level)
        for height, level in enumerate(hierarchy.levels):
            guarded = np.array(
                [height == told or label in self.protected for label in level.labels], np.bool_
            )
            above = level.of_ground[ground]
            strong = np.where(guarded[above], shift + above, strong)
            shift += len(level.labels)
        return strong, shift

    def unheld(self, reference: Reference) -> int:
        """Return how many of the protected labels stand above no value of the table."""
        return len(self._unknown([reference.attributes[column] for column in self.columns]))

    def _unknown(self, attributes: list[Attribute]) -> set[str]:
        trees = [a.hierarchy for a in attributes if a.hierarchy is not None]
        return set(self.protected) - {
            label for tree in trees for level in tree.levels for label in level.labels
        }

    def _all_known(self, attributes: list[Attribute]) -> None:
        for attribute in attributes:
            if attribute.hierarchy is None or attribute.ground is None:
                raise InputError(
                    f"extended-p-sensitive: column {attribute.name!r} has no hierarchy; declare one in [columns]",
                    code="model.no-hierarchy",
                    model="extended-p-sensitive",
                    column=attribute.name,
                )
            if self.level is not None and attribute.hierarchy.level_named(self.level) is None:
                raise InputError(
                    f"extended-p-sensitive: level is {self.level}; the hierarchy of {attribute.name!r} has "
                    f"levels 0 to {attribute.hierarchy.height}",
                    code="model.parameter",
                    model="extended-p-sensitive",
                    option="level",
                    value=self.level,
                    column=attribute.name,
                    most=attribute.hierarchy.height,
                )
        unknown = self._unknown(attributes)
        if unknown and all(a.hierarchy is None or a.hierarchy.closed for a in attributes):
            raise InputError(
                f"extended-p-sensitive: {len(unknown)} of the protected labels stand in no hierarchy of "
                f"{spoken(self.columns)}; protected must name labels of a hierarchy",
                code="model.unknown-values",
                model="extended-p-sensitive",
                option="protected",
                found=len(unknown),
            )
