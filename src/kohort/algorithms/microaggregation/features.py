"""`Features`: records as points, so that distances between them can be taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.recode.averages import modes
from kohort.recode.centroids import Kind, kind_of
from kohort.recode.problem import Problem


@dataclass(frozen=True, eq=False)
class Features:
    """Records as points: coordinates that are subtracted, and codes that are equal or not.

    Records stand in the order of their tuples, so that results do not depend on the order of the rows.
    """

    rows: IntArray  # (n) the row of each record
    points: FloatArray  # (n_coordinates, n), standardised
    codes: IntArray  # int32 (n_codes, n)
    weights: FloatArray  # (n_codes) what a difference adds to the squared distance

    def centroids(self, group_of: IntArray, n_groups: int) -> tuple[FloatArray, IntArray]:
        """Return the mean point (n_coordinates, n_groups) and the most frequent codes of each group."""
        sizes = np.bincount(group_of, minlength=n_groups)
        means = [np.bincount(group_of, x, n_groups) / sizes for x in self.points]
        kinds = [modes(codes, group_of) for codes in self.codes]
        return (
            np.array(means).reshape(len(means), n_groups),
            np.array(kinds, np.int32).reshape(len(kinds), n_groups),
        )


def features(problem: Problem, ordinal: Collection[str], nominal: Collection[str]) -> Features:
    """Return the records of the problem as points.

    Numbers and ordinal values (by their rank) are standardised to variance 1, so two records drawn at
    random differ by 2 in the mean square; a difference of nominal values weighs so much that the same is
    true of them. A missing number stands at the mean, and whether it is missing counts as a nominal value.
    Each attribute is weighted by the weight of the problem.
    """
    rows = np.argsort(problem.class_of, kind="stable")
    points: list[FloatArray] = []
    codes: list[IntArray] = []
    weights: list[float] = []
    for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True)):
        held = problem.base.codes[:, j][problem.class_of[rows]]
        weight = float(problem.weight[j])
        kind = kind_of(name, hierarchy, ordinal, nominal)
        missing = np.array([text is None for text in hierarchy.ground])[held]
        if kind == Kind.NOMINAL:
            codes.append(held)
            weights.append(weight * _scale(held))
            continue
        values = held.astype(np.float64) if kind == Kind.ORDINAL else _numbers(hierarchy.numbers)[held]
        points.append(_standardised(values, missing) * np.sqrt(weight))
        if missing.any() and not missing.all():
            codes.append(missing.astype(np.int32))
            weights.append(weight * _scale(missing))
    return Features(
        rows,
        np.array(points).reshape(len(points), len(rows)),
        np.array(codes, np.int32).reshape(len(codes), len(rows)),
        np.array(weights, np.float64),
    )


def check_names(problem: Problem, ordinal: Collection[str], nominal: Collection[str]) -> None:
    """Refuse names that are no quasi-identifiers, or that are given both ways."""
    strangers = sorted({*ordinal, *nominal} - set(problem.names))
    if strangers:
        raise InputError(
            f"[recode.options] ordinal, nominal: {', '.join(map(repr, strangers))} is no quasi-identifier; "
            f"these are: {', '.join(problem.names)}",
            code="algorithm.unknown-column",
            columns=strangers,
            allowed=problem.names,
        )
    both = sorted({*ordinal} & {*nominal})
    if both:
        raise InputError(
            f"[recode.options]: {', '.join(map(repr, both))} cannot be both ordinal and nominal",
            code="algorithm.wrong-option",
            option="ordinal",
            columns=both,
        )


def _numbers(numbers: FloatArray | None) -> FloatArray:
    assert numbers is not None
    return numbers


def _standardised(values: FloatArray, missing: IntArray) -> FloatArray:
    told = values[~missing]
    mean, deviation = (told.mean(), told.std()) if len(told) else (0.0, 0.0)
    standard = (np.where(missing, mean, values) - mean) / (deviation or 1.0)
    return np.asarray(standard, np.float64)


def _scale(codes: IntArray) -> float:
    """Return 2 over the chance that two records differ; 0 where none do."""
    shares = np.bincount(codes) / len(codes)
    differ = 1.0 - float(shares @ shares)
    return 2.0 / differ if differ > 1e-12 else 0.0
