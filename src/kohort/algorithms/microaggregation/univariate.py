"""`univariate`: optimal microaggregation of one attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.microaggregation.features import check_names, features
from kohort.algorithms.microaggregation.settlement import Aggregate, check_options, group_size, mended, settle
from kohort.arrays import FloatArray, IntArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution
from kohort.recode.centroids import Kind, kind_of
from kohort.typed import Named


@dataclass(frozen=True)
class Univariate:
    """Group the values of a single quasi-identifier so that the squares within groups are least.

    An optimal grouping has consecutive groups of k to 2k - 1 values in sorted order; the best is found by
    dynamic programming over where groups end. Numbers are taken by value, values named in `ordinal` by
    their rank in domain order. Options as in `mdav`.

    Guarantee: the least sum of squares within groups among all groupings into groups of at least k (up to
    the rounding of floating point), where k-anonymity over rows is all that is asked; groups that break
    another promise are merged with the nearest, which ends the proof. Missing values are a group of their
    own where there are k or more of them, and else join the last group. O(n · k) time.

    Complexity: O(n log n + n · k) time.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("univariate", names=["age", "ill"])))
    >>> counted(release.table, ["age"])
    {(34,): 3, (55,): 3}

    References: Hansen, S., Mukherjee, S. A polynomial algorithm for optimal univariate microaggregation.
    IEEE TKDE 15(4), 2003.
    """

    release: Aggregate = "centroid"
    decimals: int | None = None
    ordinal: tuple[Named, ...] = ()

    card: ClassVar = Card(
        "univariate",
        "the optimal groups of one attribute: least squares within groups of k to 2k - 1",
        guarantee="least sum of squares within groups under k-anonymity of rows alone; none once merged for other promises",
        truthful=False,
        perturbs="averages",
        decides="row",
        paper="Hansen and Mukherjee 2003",
        leaves_out=False,
    )

    def __post_init__(self) -> None:
        check_options("univariate", self.release, self.decimals)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups and how they are released."""
        k = group_size(problem, "univariate")
        check_names(problem, self.ordinal, ())
        values = self._values(problem)
        order = np.argsort(values, kind="stable")  # nan, the missing values, last
        progress.update("grouping values")
        found = np.empty(problem.n_rows, np.int64)
        found[order] = sorted_groups(values[order], k)
        shape = features(problem, self.ordinal, ())
        group_of = np.empty(problem.n_rows, np.int64)
        group_of[shape.rows] = mended(problem, shape, found[shape.rows])
        return settle(problem, group_of, self.release, self.decimals, self.ordinal, ())

    def _values(self, problem: Problem) -> FloatArray:
        if len(problem.names) != 1:
            raise InputError(
                f"univariate: it groups a single quasi-identifier, and the plan has {len(problem.names)}; "
                "use mdav for several",
                code="algorithm.columns",
                algorithm="univariate",
                columns=problem.names,
            )
        name, hierarchy = problem.names[0], problem.hierarchies[0]
        kind = kind_of(name, hierarchy, self.ordinal, ())
        if kind == Kind.NOMINAL:
            raise InputError(
                f"univariate: {name!r} holds no numbers; name it under ordinal where its values have an order",
                code="algorithm.columns",
                algorithm="univariate",
                column=name,
            )
        numbers = hierarchy.numbers if kind == Kind.NUMERIC else None
        held = np.arange(hierarchy.size, dtype=np.float64) if numbers is None else numbers
        missing = np.array([text is None for text in hierarchy.ground])
        return np.where(missing, np.nan, held)[problem.base.codes[:, 0][problem.class_of]]


def sorted_groups(values: FloatArray, k: int) -> IntArray:
    """Return the group of each of the ascending values, missing ones (nan) last."""
    from kohort.algorithms.microaggregation.univariate_kernels import best_groups

    told = int((~np.isnan(values)).sum())
    missing = len(values) - told
    if told < k:
        return np.zeros(len(values), np.int64)
    groups = np.asarray(best_groups(values[:told], k), np.int64)
    return np.append(groups, np.full(missing, groups[-1] + (missing >= k))).astype(np.int64)
