"""`v-mdav`: MDAV with groups of variable size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.microaggregation.features import Features, check_names, features
from kohort.algorithms.microaggregation.settlement import (
    Aggregate,
    check_options,
    distances_to,
    group_size,
    mended,
    settle,
)
from kohort.algorithms.microaggregation.taking import taken
from kohort.algorithms.watch import Watch, unwatched
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution
from kohort.typed import Named


@dataclass(frozen=True)
class VMdav:
    """Group records as `mdav` does, and let a group grow while the next record belongs to it.

    While k records are free, the one farthest from the centroid of all records takes its k - 1 nearest.
    Then the free record nearest to a member of the group joins it, up to 2k - 1 records, as long as it is
    less than `gain` times as far from the group as from the nearest other free record. The last few, fewer
    than k, join the group with the nearest centroid; a group that has grown to 2k or more by this is
    divided by MDAV.

    Options as in `mdav`; `gain` is the paper's γ: about 0.2 for scattered data, 1.1 for clustered data.

    Guarantee: groups of k to 2k - 1 records where k-anonymity over rows is all that is asked; groups that
    break another promise are merged with the nearest. O(n² · q) time, O(n · q) memory. Departure from the
    paper: dividing the groups that the last records made too large.

    Complexity: O(n² · q) time for n records of q attributes, O(n · q) memory.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("v-mdav")))
    >>> counted(release.table)
    {(32, '94138'): 2, (45, '941**'): 2, (56, '94142'): 2}

    References: Solanas, A., Martínez-Ballesté, A. V-MDAV: a multivariate microaggregation with variable
    group size. COMPSTAT 2006. De Capitani di Vimercati et al., section 3.2.
    """

    gain: float = 0.2
    release: Aggregate = "centroid"
    decimals: int | None = None
    ordinal: tuple[Named, ...] = ()
    nominal: tuple[Named, ...] = ()

    card: ClassVar = Card(
        "v-mdav",
        "MDAV whose groups grow while the next record is closer to them than to the others",
        guarantee="groups of k to 2k - 1 records under k-anonymity of rows alone, where it ends by itself; larger where merged for "
        "other promises",
        truthful=False,
        perturbs="averages",
        decides="row",
        paper="Solanas and Martínez-Ballesté 2006",
        heeds=("weight",),
        leaves_out=False,
        regions=True,
    )

    def __post_init__(self) -> None:
        check_options("v-mdav", self.release, self.decimals)
        if not self.gain >= 0:
            raise InputError(
                f"v-mdav: gain is {self.gain!r}; it must be a number of at least 0",
                code="algorithm.wrong-option",
                algorithm="v-mdav",
                option="gain",
                value=self.gain,
                least=0,
            )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the groups and how they are released."""
        from kohort.algorithms.microaggregation.mdav_kernels import v_mdav

        watch = Watch.of(problem, progress)
        k = group_size(problem, "v-mdav")
        check_names(problem, self.ordinal, self.nominal)
        shape = features(problem, self.ordinal, self.nominal)
        widest = int(shape.codes.max(initial=0)) + 1
        gain = float(self.gain)
        found = taken(shape, k, lambda records, most: v_mdav(records, k, gain, widest, most), watch)
        found = _joined(shape, found)
        if not watch.over:
            found = _divided(shape, found, k, widest)
        group_of = np.empty(problem.n_rows, np.int64)
        with watch.or_unfinished(self.card.name):
            group_of[shape.rows] = mended(problem, shape, found)
        solution = settle(problem, group_of, self.release, self.decimals, self.ordinal, self.nominal)
        return replace(solution, facts={**solution.facts, **watch.facts()})


def _joined(shape: Features, group_of: IntArray) -> IntArray:
    """Return the groups with every record that is in none put into the one with the nearest centroid."""
    grouped = group_of >= 0
    known = Features(shape.rows[grouped], shape.points[:, grouped], shape.codes[:, grouped], shape.weights)
    points, kinds = known.centroids(group_of[grouped], int(group_of.max()) + 1)
    joined = group_of.copy()
    for i in np.flatnonzero(~grouped).tolist():
        joined[i] = np.argmin(
            distances_to(points, kinds, shape.weights, shape.points[:, i], shape.codes[:, i])
        )
    return joined


def _divided(shape: Features, group_of: IntArray, k: int, widest: int) -> IntArray:
    """Return the groups with those of 2k records or more divided."""
    from kohort.algorithms.microaggregation.mdav_kernels import mdav

    divided = group_of.copy()
    for g in np.flatnonzero(np.bincount(group_of) >= 2 * k).tolist():
        mine = np.flatnonzero(group_of == g)
        points, codes = (
            np.ascontiguousarray(shape.points[:, mine]),
            np.ascontiguousarray(shape.codes[:, mine]),
        )
        own = Features(shape.rows[mine], points, codes, shape.weights)
        parts = taken(own, k, lambda records, most: mdav(records, k, widest, most), unwatched())
        divided[mine] = np.where(parts == 0, g, divided.max() + parts)
    return divided
