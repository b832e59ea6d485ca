"""`mdav`: maximum distance to average vector, groups of k similar records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.microaggregation.features import check_names, features
from kohort.algorithms.microaggregation.settlement import Aggregate, check_options, group_size, mended, settle
from kohort.algorithms.microaggregation.taking import taken
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution
from kohort.typed import Named


@dataclass(frozen=True)
class Mdav:
    """Group records around the extremes, k at a time, and release each group by its averages.

    While 3k records are free: of the record farthest from the centroid of the free ones, and of the one
    farthest from that record, each takes its k - 1 nearest into a group; the last 2k … 3k - 1 records make
    two groups, fewer make one. Numbers are averaged by mean, `ordinal` attributes by median and `nominal`
    ones by mode; unless named, numbers are numeric, dates ordinal and other values
    nominal. Attributes are standardised
    (see `features`). Where a respondent is named, averages are those of people, each of whom weighs alike, by the mean
    or median of their own rows. Means are released rounded; a median or mode is somebody's very value, so it is released as the
    lowest label above it that k people of the group share.

    Options
    - `release`: `centroid` tells the averages, which need not be true of anybody; `interval` tells the interval or
      label of each group, which is true of all.
    - `decimals` of released means; unless told they are rounded to the grid of the hierarchy, and refused without one.

    Guarantee: groups of k to 2k - 1 records where k-anonymity over rows is all that is asked; groups that
    break another promise are merged with the nearest. No bound on the loss (the problem is NP-hard for two
    or more attributes). O(n²/k · q) time, O(n · q) memory. Departure from the paper: for distances, ordinal
    values are averaged by the mean of their ranks.

    Complexity: O(n²/k · q) time for n records of q attributes, O(n · q) memory.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("mdav")))
    >>> counted(release.table)
    {(32, '94138'): 2, (45, '941**'): 2, (56, '94142'): 2}

    References: Domingo-Ferrer, J., Torra, V. Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. DMKD 11(2), 2005. De Capitani di Vimercati et al., section 3.2.
    """

    release: Aggregate = "centroid"
    decimals: int | None = None
    ordinal: tuple[Named, ...] = ()
    nominal: tuple[Named, ...] = ()

    card: ClassVar = Card(
        "mdav",
        "groups of k similar records around the extremes, each released by its rounded mean, or a label around its median or mode",
        guarantee="groups of k to 2k - 1 records under k-anonymity of rows alone, where it ends by itself; larger where merged for "
        "other promises",
        truthful=False,
        perturbs="averages",
        decides="row",
        paper="Domingo-Ferrer and Torra 2005",
        heeds=("weight",),
        leaves_out=False,
        regions=True,
    )

    def __post_init__(self) -> None:
        check_options("mdav", self.release, self.decimals)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups and how they are released."""
        from kohort.algorithms.microaggregation.mdav_kernels import mdav

        watch = Watch.of(problem, progress)
        k = group_size(problem, "mdav")
        check_names(problem, self.ordinal, self.nominal)
        shape = features(problem, self.ordinal, self.nominal)
        widest = int(shape.codes.max(initial=0)) + 1
        found = taken(shape, k, lambda records, most: mdav(records, k, widest, most), watch)
        group_of = np.empty(problem.n_rows, np.int64)
        with watch.or_unfinished(self.card.name):
            group_of[shape.rows] = mended(problem, shape, found)
        solution = settle(problem, group_of, self.release, self.decimals, self.ordinal, self.nominal)
        return replace(solution, facts={**solution.facts, **watch.facts()})
