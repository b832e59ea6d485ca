"""GreedyPKClustering (Campan, Truta, Miller, Sinca)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class GreedyPK:
    """Grow p-sensitive clusters of k tuples one after another; disperse the rest.

    A cluster starts at the tuple furthest from the last one placed, takes the cheapest tuple that adds a
    sensitive value it lacks until it holds p of each attribute, then the cheapest tuples until it has k. Where
    the tuples left cannot make another cluster diverse, no cluster can be made of them, and each joins the
    cluster whose information loss rises least. k and p come from the required models: k-anonymity,
    p-sensitivity (each attribute may ask for its own p), its extension, distinct l-diversity. Without
    any diversity asked for it is `k-member`.

    `reserve` is an addition to the paper: no choice takes a sensitive value that the clusters still to be made
    need, by the count Σ min(f, m) ≥ p·m of each attribute, so that as many clusters come out as Condition 2
    allows wherever the attributes do not conflict. `tight` and `passes` are as in `k-member`.
    Condition 1 is checked before the search; both conditions are in the facts.

    Guarantee: every promise holds; none on the number of clusters: without `reserve` rare values are spent early, so that
    fewer clusters than `enhanced-pk` makes come out where p is hard to reach.

    Complexity: as `k-member`, on
    distinct tuples of quasi-identifiers and sensitive values.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("greedy-pk", seed=1)))
    >>> counted(release.table)
    {('[30, 39]', '94138'): 2, ('[30, 59]', '941**'): 2, ('[50, 59]', '94142'): 2}

    References: Campan, Truta, Miller, Sinca. A clustering approach for achieving data privacy. DMIN 2007, as
    compared with in Truta, Campan, Meyer. Generating microdata with p-sensitive k-anonymity property. 2007.
    """

    tight: bool = False
    passes: int = 10
    reserve: bool = False

    card: ClassVar = Card(
        "greedy-pk",
        "greedy p-sensitive groups of k records by information loss",
        guarantee="keeps every class-wise promise; none on the loss",
        taxonomy="CG_",
        decides="row",
        paper="Campan et al. 2007",
        heeds=("weight", "seed"),
        leaves_out=False,
        regions=True,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the clusters as a solution, or raise InfeasibleError."""
        from kohort.algorithms.clustering.demands import demands_of, sensitive_weights
        from kohort.algorithms.clustering.greedy import grown
        from kohort.algorithms.clustering.search import best_of
        from kohort.algorithms.clustering.tuples import Tuples

        watch = Watch.of(problem, progress)
        demands = demands_of(problem, self.card.name)
        weights = sensitive_weights(demands.needs, "equal")
        tuples = Tuples.of(problem, demands.needs, weights, self.tight)
        target = demands.most_clusters(problem.n_rows) if self.reserve else 0
        growth = partial(grown, k=demands.size, target=target, seed=problem.seed, watch=watch)
        with watch.or_unfinished(self.card.name):
            return best_of(problem, demands, tuples, {"growth": growth}, (self.tight, self.passes), watch)
