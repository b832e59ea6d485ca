"""`Problem`: what is to be recoded, and the promises to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.standing import climbs
from kohort.metrics import Adds, Form, Loss, Metric
from kohort.metrics.form import OF_SIZES
from kohort.models import PrivacyModel, Reference, crowd_of, least_size_of, sizes_decide
from kohort.recode.nodes import Nodes
from kohort.recode.proportions import Proportions


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """A table reduced to its classes, the hierarchies of its quasi-identifiers and what must hold."""

    names: tuple[str, ...]  # quasi-identifiers, in the order of base.codes' columns
    hierarchies: tuple[Hierarchy, ...]
    base: Classes  # distinct ground tuples, levels all 0; coarser ones where `nodes` counts
    class_of: IntArray  # (n_rows) the base class of every row; empty where an engine keeps the rows
    models: tuple[PrivacyModel, ...]  # bound to `reference`
    objective: Metric = field(default_factory=Loss)
    max_suppressed: int = 0  # rows that may be left out
    sensitive: Mapping[str, IntArray] = field(default_factory=dict)  # value code per row
    respondents: IntArray | None = None  # person code per row
    reference: Reference = field(default_factory=lambda: Reference(0))
    weights: tuple[float, ...] = ()  # per quasi-identifier; () means 1 each
    suppression_costs: tuple[float, ...] = ()  # of one record, per quasi-identifier, root = 1; () means 1
    min_levels: tuple[int, ...] = ()  # per quasi-identifier; () means 0
    max_levels: tuple[int, ...] = ()  # per quasi-identifier; () means the hierarchies' heights
    star_allowed: tuple[
        bool, ...
    ] = ()  # per quasi-identifier: above all levels is `*`; () means by the heights
    time_limit: float | None = None  # seconds; anytime algorithms return the best so far
    seed: int | None = None  # None: from the OS
    nodes: Nodes | None = None  # who counts where distinct ground tuples are too many to hold
    _last: dict[tuple[int, ...], tuple[Classes, IntArray]] = field(default_factory=dict, init=False)

    @property
    def n_rows(self) -> int:
        """The number of records."""
        return len(self.class_of) or self.base.n_rows

    @property
    def has_rows(self) -> bool:
        """Whether the rows are here; where an engine keeps them, only decisions by base class are possible."""
        return len(self.class_of) == self.n_rows

    @cached_property
    def codes(self) -> IntArray:
        """The ground codes row by row, (n_rows, n_qi)."""
        if not self.has_rows:
            raise InputError(
                "this way of recoding needs the rows in memory; use the memory engine, or an algorithm that decides "
                "by distinct tuples",
                code="engine.needs-rows",
            )
        return self.base.codes[self.class_of]

    @cached_property
    def totals(self) -> tuple[IntArray, ...]:
        """The records per ground code of each attribute."""
        if self.nodes is not None:
            return self.nodes.totals
        return self.records(np.ones(len(self.base), np.bool_))

    def records(self, kept: BoolArray) -> tuple[IntArray, ...]:
        """Return, per attribute, the records per ground code in the base classes that are kept."""
        if self.nodes is not None:
            return self.nodes.records(self.base, kept)
        rows = np.where(kept, self.base.rows, 0)
        return tuple(
            np.bincount(self.base.codes[:, j], rows, minlength=h.size).astype(np.int64)
            for j, h in enumerate(self.hierarchies)
        )

    def at(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, which are not below those of the base where nobody counts others."""
        if self.nodes is None or all(low <= high for low, high in zip(self.base.levels, levels, strict=True)):
            return self.rolled_up(levels)[0]
        return self.nodes.at(levels)

    def rolled_up(self, levels: Sequence[int]) -> tuple[Classes, IntArray]:
        """Return the base rolled up to `levels`, and the class there of every base class; what was asked for last is remembered."""
        asked = tuple(levels)
        if asked not in self._last:
            found = self.base.rolled_up(self.hierarchies, asked)
            self._last.clear()
            self._last[asked] = found
            return found
        return self._last[asked]

    @cached_property
    def weight(self) -> FloatArray:
        """The weight of each quasi-identifier, in proportion to the greatest."""
        return self.proportions.weights

    @cached_property
    def proportions(self) -> Proportions:
        """What stands for the weights of the plan in every search."""
        return Proportions.of(self.given_weights)

    @property
    def given_weights(self) -> FloatArray:
        """The weight of each quasi-identifier as the plan gives it."""
        return np.array(self.weights or (1.0,) * len(self.names))

    @cached_property
    def suppression_cost(self) -> FloatArray:
        """What a suppressed record costs in each quasi-identifier, where a value at the root costs 1."""
        return np.array(self.suppression_costs or (1.0,) * len(self.names))

    @cached_property
    def lowest(self) -> tuple[int, ...]:
        """The least level allowed for each quasi-identifier."""
        return self.min_levels or (0,) * len(self.names)

    @cached_property
    def highest(self) -> tuple[int, ...]:
        """The greatest level allowed for each quasi-identifier."""
        return self.max_levels or tuple(h.height for h in self.hierarchies)

    @cached_property
    def ceilings(self) -> tuple[int | None, ...]:
        """The level whose label is told in the place of `*`, for each quasi-identifier; None where `*` may be told."""
        highest = self.highest
        allowed = self.star_allowed or tuple(
            high == h.height for h, high in zip(self.hierarchies, highest, strict=True)
        )
        return tuple(None if star else high for star, high in zip(allowed, highest, strict=True))

    @cached_property
    def exact(self) -> tuple[bool, ...]:
        """Which quasi-identifiers must be told finer than their grid: by exact values, or by labels no interval may end at."""
        return tuple(
            high < max(1, 0 if hierarchy.grid is None else hierarchy.grid.level) and high < hierarchy.height
            for high, hierarchy in zip(self.highest, self.hierarchies, strict=True)
        )

    @cached_property
    def crowd(self) -> int:
        """The k of the plan: the respondents that every released class is promised to hold, 1 where none are."""
        return crowd_of(self.models)

    @cached_property
    def least_size(self) -> int:
        """What no class that keeps every promise is smaller than, in respondents and so in records."""
        return least_size_of(self.models)

    @cached_property
    def by_size(self) -> bool:
        """Whether a class keeps every promise exactly where it holds as many records as the crowd."""
        return self.respondents is None and self.base.respondents is None and sizes_decide(self.models)

    @cached_property
    def form(self) -> Form:
        """How the objective's score adds up over these hierarchies, so far as their labels let searches know.

        What a label leaves open follows from the label alone: where one stands at several levels, it may lose more than the
        one above it.
        """
        form = self.objective.form
        if form.adds in (*OF_SIZES, Adds.MINORITIES, Adds.STEPS):
            return form
        return form if all(climbs(hierarchy, form.costs) for hierarchy in self.hierarchies) else Form()

    @cached_property
    def reads(self) -> frozenset[str]:
        """The columns that promises and objective look at, beside the quasi-identifiers."""
        return frozenset().union(self.objective.reads, *(model.reads for model in self.models))

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes that break any promise.

        A promise about the whole table (average-risk) is judged on the classes that the others leave.
        """
        broken = np.zeros(len(classes), np.bool_)
        for model in self.models:
            if model.card.classwise:
                broken |= model.failing(classes)
        for model in self.models:
            if not model.card.classwise:
                left = np.flatnonzero(~broken)
                broken[left[model.failing(classes.kept(left))]] = True
        return broken
