"""Microaggregation's release: every group is told by its rounded mean, or by a label around its median or mode."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.hierarchy import Hierarchy, Label
from kohort.hierarchy.standing import standing
from kohort.metrics.extent import group_spreads, label_extents
from kohort.recode.averages import Members, means, medians, modes_of_people
from kohort.recode.labels import label_groups
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded, ReleasedColumn
from kohort.recode.rounding import as_integers, rounding


class Kind(Enum):
    """How the values of an attribute are averaged."""

    NUMERIC = "mean"
    ORDINAL = "median"
    NOMINAL = "mode"


def kind_of(name: str, hierarchy: Hierarchy, ordinal: Any, nominal: Any) -> Kind:
    """Return how an attribute is averaged: as named, or else numbers by mean, dates by median, others by mode."""
    if name in nominal:
        return Kind.NOMINAL
    if name in ordinal or hierarchy.days is not None:
        return Kind.ORDINAL
    return Kind.NOMINAL if hierarchy.numbers is None else Kind.NUMERIC


WORDS = {
    Kind.NUMERIC: "rounded mean",
    Kind.ORDINAL: "label that k people share around the median",
    Kind.NOMINAL: "label that k people share around the mode",
}


def check_rounding(problem: Problem, kinds: tuple[Kind, ...], decimals: int | None) -> None:
    """Refuse means of which nobody has declared how they are rounded."""
    for name, hierarchy, kind in zip(problem.names, problem.hierarchies, kinds, strict=True):
        if kind == Kind.NUMERIC:
            rounding(name, hierarchy, decimals)


@dataclass(frozen=True, eq=False)
class Centroids:
    """Every row is released with an average of its group: values that need not be true of it.

    Everybody weighs alike, however many rows they have in the group: a mean is that of the people's own means, a median
    that of their own medians, a mode the value that most people have. By rows, somebody with many would be the mean.

    Means are rounded, half to even, on the exact fraction: to the `decimals` declared for the attribute, else to the
    nearest end of a cell of its grid. So no digit of a mean comes from the digits that people have. A median
    (the lower one of two) or a mode (of several the first in domain order) is somebody's very value, so it
    is told by the lowest label above it that k people of the group share. Where at least half of a group's
    people have no number the group is released as missing, else the mean is that of the people who have one.

    For the metrics, a centroid covers as many ground values as the label of its group would. A mean leaves open over
    how much of the range its group's numbers are spread.
    """

    group_of: IntArray  # (n_rows) 0 … n_groups - 1
    kinds: tuple[Kind, ...]  # per attribute
    decimals: tuple[int | None, ...]  # per attribute; None: means are rounded to the grid

    def apply(self, problem: Problem) -> Recoded:
        """Return every row as the centroid of its group."""
        members = Members.of(self.group_of, problem.respondents)
        columns = tuple(self._column(problem, j, members) for j in range(len(problem.names)))
        return Recoded(columns, np.ones(problem.n_rows, np.bool_))

    def facts(self, problem: Problem) -> dict[str, Any]:
        """Return the number of groups, what each attribute is told by and how means are rounded."""
        return {
            "groups": int(self.group_of.max(initial=-1)) + 1,
            "aggregates": {n: WORDS[kind] for n, kind in zip(problem.names, self.kinds, strict=True)},
            "decimals": {
                n: "grid" if places is None else places
                for n, kind, places in zip(problem.names, self.kinds, self.decimals, strict=True)
                if kind == Kind.NUMERIC
            },
        }

    def _column(self, problem: Problem, j: int, members: Members) -> ReleasedColumn:
        hierarchy, kind, n_groups = problem.hierarchies[j], self.kinds[j], members.n_groups
        ground = problem.base.codes[:, j][problem.class_of]
        if kind == Kind.NUMERIC:
            texts = self._mean_texts(problem, j, ground, members)
        else:
            average = (medians if kind == Kind.ORDINAL else modes_of_people)(ground, members)
            texts = _shared_labels(problem.crowd, hierarchy, ground, self.group_of, members, average)
        place: dict[Label, int] = {}
        code_of_group = np.array([place.setdefault(text, len(place)) for text in texts], np.int32)
        spans = label_groups(hierarchy, ground, self.group_of, n_groups)
        stands = standing(hierarchy, spans.labels)
        sizes = np.bincount(self.group_of, minlength=n_groups)
        weight = np.bincount(code_of_group, sizes, minlength=len(place))

        def averaged(per_group: FloatArray) -> FloatArray:
            return np.bincount(code_of_group, sizes * per_group, minlength=len(place)) / weight

        spread = (
            group_spreads(hierarchy, ground, self.group_of, n_groups)
            if kind == Kind.NUMERIC
            else label_extents(hierarchy, spans.labels)[spans.codes]
        )

        return ReleasedColumn(
            code_of_group[self.group_of],
            tuple(place),
            averaged(stands.leaves[spans.codes]),
            averaged(stands.depth[spans.codes]),
            averaged(spread),
        )

    def _mean_texts(self, problem: Problem, j: int, ground: IntArray, members: Members) -> list[Label]:
        hierarchy = problem.hierarchies[j]
        rounded = rounding(problem.names[j], hierarchy, self.decimals[j])
        units, numerators = as_integers(hierarchy)
        told = np.array([text is not None for text in hierarchy.ground])[ground]
        found = means(numerators, ground, told, members)
        return [None if mean is None else rounded(mean / units) for mean in found]


def _shared_labels(
    crowd: int,
    hierarchy: Hierarchy,
    ground: IntArray,
    group_of: IntArray,
    members: Members,
    average: IntArray,
) -> list[Label]:
    """Return, for one ground value per group, the lowest label above it that k people of the group share."""
    sizes = members.counted(np.ones(len(ground), np.bool_))
    k = crowd if crowd > 1 else int(sizes.max())
    texts: list[Label] = [hierarchy.levels[-1].labels[0]] * len(average)
    open_groups = np.ones(len(average), np.bool_)
    for level in hierarchy.levels:
        label = level.of_ground[average]
        alike = level.of_ground[ground] == label[group_of]
        found = open_groups & (members.counted(alike) >= np.minimum(k, sizes))
        for g in np.flatnonzero(found).tolist():
            texts[g] = level.labels[label[g]]
        open_groups &= ~found
    return texts
