"""What the models ask of every cluster: k tuples, and p distinct values of sensitive attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kohort.algorithms.taxonomy import USUAL
from kohort.arrays import FloatArray, IntArray
from kohort.errors import InfeasibleError, InputError
from kohort.models import Gain
from kohort.models.p_sensitive import conditions
from kohort.plurals import many
from kohort.recode import Problem


@dataclass(frozen=True, eq=False)
class Need:
    """At least p distinct values of one sensitive attribute."""

    column: str
    values: IntArray  # int32 per row: 0 … size - 1, each present
    p: int

    @property
    def size(self) -> int:
        """The number of distinct values in the table."""
        return int(self.values.max(initial=-1)) + 1

    def frequencies(self) -> IntArray:
        """Return how many rows hold each value."""
        return np.bincount(self.values, minlength=self.size)

    def most_clusters(self) -> int:
        """Return how many clusters the values can serve: Condition 2 of Truta et al. for this attribute.

        It is also the greatest m with Σ min(f, m) ≥ p·m, so for one attribute that many can be formed.
        """
        return conditions([self.frequencies()], self.p).max_clusters


@dataclass(frozen=True, eq=False)
class Demands:
    """What the models ask of every cluster."""

    k: int
    needs: tuple[Need, ...]  # the hardest first (Definition 13)

    @property
    def size(self) -> int:
        """The least number of tuples that a cluster can have."""
        return max([self.k, *(need.p for need in self.needs)])

    def most_clusters(self, n_rows: int) -> int:
        """Return the upper bound on the number of clusters: Condition 2, and no cluster below k."""
        return min([n_rows // self.size, *(need.most_clusters() for need in self.needs)])

    def facts(self, n_rows: int) -> dict[str, Any]:
        """Return the two necessary conditions with their figures."""
        return {
            "k": self.k,
            "p": {need.column: need.p for need in self.needs},
            "condition_1": {need.column: {"distinct": need.size, "p": need.p} for need in self.needs},
            "condition_2": {need.column: need.most_clusters() for need in self.needs},
            "max_clusters": self.most_clusters(n_rows),
        }


def demands_of(problem: Problem, name: str) -> Demands:
    """Read k and the needs from the problem's models and check that they can be met at all.

    Needs are what the models say that every class must gain (p-sensitivity, l-diversity, …); where one attribute is
    asked for twice, the greater p counts. For all else the finished clusters are repaired.
    Raises InfeasibleError where Condition 1 fails or the table is
    smaller than k.
    """
    k = problem.crowd
    if k < 2:
        raise InputError(
            f"{name}: groups need a size and no k-anonymity is required; "
            'add a [[require]] with model = "k-anonymity"',
            code="algorithm.needs-promise",
            algorithm=name,
        )
    alien = [model.card.name for model in problem.models if model.card.levels]
    if alien:
        raise InputError(
            f"{name}: {alien[0]} is judged on levels of the hierarchies, and groups are not released at levels; "
            f"choose a lattice search such as `{USUAL}`",
            code="algorithm.cannot-keep",
            algorithm=name,
            models=alien,
        )
    if problem.lowest != (0,) * len(problem.names) or problem.highest != tuple(
        h.height for h in problem.hierarchies
    ):
        raise InputError(
            f"{name}: min_level and max_level bound levels of the whole column, but a clustering decides "
            f"group by group; leave them out or choose a lattice search such as `{USUAL}`",
            code="algorithm.bound",
            algorithm=name,
        )
    needs: dict[tuple[str, bytes], Need] = {}
    for need in _needs(problem):
        key = need.column, need.values.tobytes()
        if key not in needs or needs[key].p < need.p:
            needs[key] = need
    _check(problem, k, tuple(needs.values()))
    hardest_first = sorted(needs.values(), key=Need.most_clusters)
    return Demands(k, tuple(hardest_first))


def _needs(problem: Problem) -> list[Need]:
    gains = [gain for model in problem.models for gain in model.demand.gains]
    return [Need(gain.column, _dense(_counting(problem, gain)), gain.least) for gain in gains]


def _counting(problem: Problem, gain: Gain) -> IntArray:
    """Return what the value of each row counts as."""
    values: IntArray = problem.sensitive[gain.column]
    return _ranked(problem, gain.column) if gain.of is None else gain.of[values]


def _ranked(problem: Problem, column: str) -> IntArray:
    """Return the rows' values numbered in the order of their texts, so that the order of rows does not matter."""
    attribute = problem.reference.attributes.get(column)
    values = problem.sensitive[column]
    if attribute is None:
        return values
    order = sorted(
        range(len(attribute.labels)), key=lambda i: (attribute.labels[i] is None, attribute.labels[i])
    )
    return np.argsort(order)[values]


def _dense(values: IntArray) -> IntArray:
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _check(problem: Problem, k: int, needs: tuple[Need, ...]) -> None:
    people = problem.n_rows if problem.respondents is None else len(np.unique(problem.respondents))
    if people < k:
        raise InfeasibleError(
            f"no release of {many(people, 'respondent')} is {k}-anonymous; lower k to at most {people:,}",
            nearest={"respondents": people, "k": k},
            code="infeasible.too-few-rows",
        )
    for need in needs:
        if need.size < need.p:
            raise InfeasibleError(
                f"sensitive column {need.column!r}: it has "
                f"{many(need.size, 'distinct value that counts', 'distinct values that count')}, so no class can "
                f"hold {need.p} (Condition 1 of Truta et al.); lower p to at most {need.size}",
                nearest={"column": need.column, "distinct": need.size, "p": need.p},
                code="infeasible.too-few-values",
                column=need.column,
            )


def sensitive_weights(needs: Sequence[Need], asked: Mapping[str, float] | str) -> FloatArray:
    """Return the weight of each need in the diversity measures (Definitions 11 and 12).

    Only their ratios matter, so they are not scaled to sum to 1: whole numbers stay exact. `asked` is
    `equal`, `inverse` (to the number of distinct values) or a positive number per column.
    """
    if asked == "equal":
        weights = [1.0] * len(needs)
    elif asked == "inverse":
        weights = [1.0 / need.size for need in needs]
    elif isinstance(asked, Mapping):
        weights = [float(asked.get(need.column, 1.0)) for need in needs]
        unknown = set(asked) - {need.column for need in needs}
        if unknown or not all(0 < weight < np.inf for weight in weights):
            raise InputError(
                "sensitive_weights: give a positive number for columns whose diversity is required: "
                f"{', '.join(need.column for need in needs) or '(none)'}",
                code="algorithm.unknown-column",
                option="sensitive_weights",
                allowed=[need.column for need in needs],
            )
    else:
        raise InputError(
            f"sensitive_weights is {asked!r}; it must be `equal`, `inverse` or a number per sensitive column",
            code="algorithm.wrong-option",
            option="sensitive_weights",
            value=asked,
            allowed=("equal", "inverse"),
        )
    return np.array(weights, np.float64)
