"""Microaggregation's release: every group is told by its mean, median or mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy import Hierarchy, Label
from kohort.metrics.extent import label_extents
from kohort.recode.groups import label_groups
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn


class Kind(Enum):
    """How the values of an attribute are averaged."""

    NUMERIC = "mean"
    ORDINAL = "median"
    NOMINAL = "mode"


def kind_of(name: str, hierarchy: Hierarchy, ordinal: Any, nominal: Any) -> Kind:
    """Return how an attribute is averaged: as named, or else numbers by mean, dates by median, others by mode."""
    if name in nominal:
        return Kind.NOMINAL
    if name in ordinal or hierarchy.instants is not None:
        return Kind.ORDINAL
    return Kind.NOMINAL if hierarchy.numbers is None else Kind.NUMERIC


@dataclass(frozen=True, eq=False)
class Centroids:
    """Every row is released with the mean, median or mode of its group: values that need not be true.

    Means are rounded to `decimals` of the attribute (half to even, on the exact decimal), as many as its
    ground values have unless told otherwise; so no more digits are published than the column had. A
    median is the lower one of two; of several modes the first in domain order is taken. Where at least
    half of a group's numbers are missing the group is released as missing, else the mean is that of the
    numbers it has. `means` replaces the means of an attribute by values computed elsewhere (dp-mdav).

    For the metrics, a centroid covers as many ground values as the span of its group.
    """

    group_of: IntArray  # (n_rows) 0 … n_groups - 1
    kinds: tuple[Kind, ...]  # per attribute
    decimals: tuple[int | None, ...]  # per attribute; None: as many as its ground values have
    means: Mapping[int, FloatArray] = field(default_factory=dict)  # attribute -> mean per group

    def apply(self, problem: Problem) -> Recoded:
        """Return every row as the centroid of its group."""
        n_groups = int(self.group_of.max(initial=-1)) + 1
        columns = tuple(self._column(problem, j, n_groups) for j in range(len(problem.names)))
        return Recoded(columns, np.ones(problem.n_rows, np.bool_))

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return the number of groups, what each attribute is told by and to how many decimals."""
        places = [
            self._places(hierarchy, j) if kind == Kind.NUMERIC else None
            for j, (hierarchy, kind) in enumerate(zip(problem.hierarchies, self.kinds, strict=True))
        ]
        return {
            "groups": int(self.group_of.max(initial=-1)) + 1,
            "aggregates": {n: kind.value for n, kind in zip(problem.names, self.kinds, strict=True)},
            "decimals": {n: p for n, p in zip(problem.names, places, strict=True) if p is not None},
        }

    def _places(self, hierarchy: Hierarchy, j: int) -> int:
        told = self.decimals[j]
        return decimals_of(hierarchy) if told is None else told

    def _column(self, problem: Problem, j: int, n_groups: int) -> ReleasedColumn:
        hierarchy, kind = problem.hierarchies[j], self.kinds[j]
        ground = problem.base.codes[:, j][problem.class_of]
        if kind == Kind.NUMERIC:
            texts = self._mean_texts(problem, j, ground, n_groups)
        else:
            aggregate = _medians if kind == Kind.ORDINAL else modes
            texts = [hierarchy.ground[c] for c in aggregate(ground, self.group_of).tolist()]
        place: dict[Label, int] = {}
        code_of_group = np.array([place.setdefault(text, len(place)) for text in texts], np.int32)
        spans = label_groups(hierarchy, ground, self.group_of, n_groups, "span")
        sizes = np.bincount(self.group_of, minlength=n_groups)
        weight = np.bincount(code_of_group, sizes, minlength=len(place))

        def averaged(per_span: FloatArray) -> FloatArray:
            return np.bincount(code_of_group, sizes * per_span[spans.codes], minlength=len(place)) / weight

        return ReleasedColumn(
            code_of_group[self.group_of],
            tuple(place),
            averaged(spans.leaves),
            averaged(spans.depth),
            averaged(label_extents(hierarchy, spans.labels)),
        )

    def _mean_texts(self, problem: Problem, j: int, ground: IntArray, n_groups: int) -> list[Label]:
        hierarchy = problem.hierarchies[j]
        places = self._places(hierarchy, j)
        if j in self.means:
            return [_rounded(Decimal(float(mean)), places) for mean in self.means[j]]
        units, numerators = _as_integers(hierarchy)
        told = np.array([text is not None for text in hierarchy.ground])[ground]
        counts = np.bincount(self.group_of[told], minlength=n_groups).tolist()
        sizes = np.bincount(self.group_of, minlength=n_groups).tolist()
        order = np.argsort(self.group_of[told], kind="stable")
        sums = _integer_sums(numerators, ground[told][order], np.cumsum([0, *counts]))
        return [
            None if 2 * count <= size and count < size else _rounded(Decimal(total) / (units * count), places)
            for total, count, size in zip(sums, counts, sizes, strict=True)
        ]


def decimals_of(hierarchy: Hierarchy) -> int:
    """Return the most decimals that a ground value has."""
    return max(max(-_exponent(text), 0) for text in hierarchy.ground if text is not None)


def _exponent(text: str) -> int:
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _as_integers(hierarchy: Hierarchy) -> tuple[Decimal, list[int]]:
    """Return the ground values as whole multiples of 1/units, and units; missing as 0."""
    units = Decimal(10) ** decimals_of(hierarchy)
    return units, [0 if text is None else int(Decimal(text) * units) for text in hierarchy.ground]


def _integer_sums(numerators: list[int], ground: IntArray, bounds: IntArray) -> list[int]:
    if max(map(abs, numerators)) < 2**62 // max(len(ground), 1):
        sums = np.append(0, np.cumsum(np.array(numerators, np.int64)[ground]))
        return [int(total) for total in sums[bounds[1:]] - sums[bounds[:-1]]]
    held = ground.tolist()
    return [sum(numerators[code] for code in held[a:b]) for a, b in pairwise(bounds)]


def _rounded(mean: Decimal, places: int) -> str:
    text = f"{mean.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN):f}"
    return text.removeprefix("-") if Decimal(text) == 0 else text


def _medians(ground: IntArray, group_of: IntArray) -> IntArray:
    order = np.lexsort((ground, group_of))
    sizes = np.bincount(group_of)
    starts = np.cumsum(sizes) - sizes
    return np.asarray(ground[order][starts + (sizes - 1) // 2])


def modes(codes: IntArray, group_of: IntArray) -> IntArray:
    """Return the most frequent code of each group 0, 1, …, none of them empty; of equals the least."""
    size = int(codes.max(initial=0)) + 1
    distinct, counts = np.unique(group_of.astype(np.int64) * size + codes, return_counts=True)
    order = np.lexsort((distinct, -counts, distinct // size))
    firsts = np.unique(distinct[order] // size, return_index=True)[1]
    return np.asarray(distinct[order][firsts] % size)
