"""k-member clustering (Byun, Kamra, Bertino, Li)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class KMember:
    """Grow clusters of k tuples, each the cheapest next one by information loss; disperse the rest.

    k comes from the required k-anonymity. The information loss of a cluster is its size times the sum, over
    attributes, of the width of its interval of numbers (as a share of the table's) or of the level of its
    lowest common ancestor (as a share of the height), weighted. Every other class-wise promise is kept by
    merging the classes that break it with their nearest ones.

    `tight` releases intervals from the least to the greatest number of the cluster, as the paper does; by
    default they are widened to the ends of the hierarchy's labels one level up, because a cluster's extremes
    tell values of its members. It is refused where the plan does not declare the values.

    The finished clusters are improved by at most `passes` rounds of moves and exchanges of tuples, which lower
    the information loss, leave the number of clusters as it is and never raise its DM; 0 leaves the paper's
    result. A time limit ends the rounds early.

    Guarantee: every promise holds; none on the loss. Clusters have k to 2k − 1 tuples where nothing had to be
    merged.

    Complexity: O(n·d) look-ups for d distinct tuples in the worst case, about O(n·d/k) with the
    bounds of `kernels`.

    Departures: ties go to the tuple of least codes, and tuples left over are dispersed in that order rather than
    at random; only the first start is random (`seed`). Where a respondent column is named, clusters hold k
    rows at first, and those with fewer than k people are merged.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("k-member", seed=1)))
    >>> counted(release.table)
    {('[30, 39]', '94138'): 2, ('[30, 59]', '941**'): 2, ('[50, 59]', '94142'): 2}

    References: Byun, Kamra, Bertino, Li. Efficient k-anonymization using clustering techniques. DASFAA 2007
    (CERIAS Tech Report 2006-10).
    """

    tight: bool = False
    passes: int = 10

    card: ClassVar = Card(
        "k-member",
        "greedy groups of k records by information loss",
        guarantee="keeps every class-wise promise; none on the loss",
        taxonomy="CG_",
        way="groups of like records",
        decides="row",
        paper="Byun et al. 2007",
        heeds=("weight", "seed"),
        leaves_out=False,
        regions=True,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the clusters as a solution, or raise InfeasibleError."""
        from kohort.algorithms.clustering.demands import demands_of
        from kohort.algorithms.clustering.greedy import grown
        from kohort.algorithms.clustering.search import best_of
        from kohort.algorithms.clustering.tuples import Tuples

        watch = Watch.of(problem, progress)
        demands = demands_of(problem, self.card.name)
        tuples = Tuples.of(problem, (), np.zeros(0), self.tight)
        growth = partial(grown, k=demands.size, target=0, seed=problem.seed, watch=watch)
        with watch.or_unfinished(self.card.name):
            return best_of(problem, demands, tuples, {"growth": growth}, (self.tight, self.passes), watch)
