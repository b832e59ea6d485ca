"""EnhancedPKClustering (Truta, Campan, Meyer, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.recode import Problem, Solution
from kohort.typed import Named

if TYPE_CHECKING:
    from kohort.algorithms.clustering.search import Former


@dataclass(frozen=True)
class EnhancedPK:
    """Form as many p-sensitive k-anonymous clusters as the rarest sensitive values allow.

    The number m of clusters starts at the bound of Condition 2, never above n/k. (1) The values of the hardest
    attribute that fewer than m tuples hold are dealt to the clusters in a circle; (2) each frequent one gives
    every cluster a tuple, the best pair first; (3) the tuples left make the clusters diverse in the other
    attributes; (4) they fill them to k; (5) the rest go where the information loss rises least. Choices are
    by diversity first (Definition 11), then by the rise of the information loss. Where tuples run out, the most
    homogeneous (3) or smallest (4) clusters are dissolved.

    k and p come from the required models, as in `greedy-pk`; each attribute may ask for its own p. The weights
    of the attributes in the diversity measures are `sensitive_weights`: `equal`, `inverse` to the number of
    distinct values, or a number per column. `tight` and `passes` are as in `k-member`.

    `combine` also grows clusters as `greedy-pk` does with `reserve`, and keeps the better of the two: more
    clusters, then less information loss. It is the combination that the paper's section 4 wishes for; without
    it the steps above stand alone.

    Guarantee: every promise holds; with one sensitive attribute and m ≤ n/k, m clusters before other models
    merge any.

    Complexity: O(n·d) look-ups for d distinct tuples.

    Departures from the printed text (its slips are listed in the project's SEEDS, section 4): m is capped at
    n/k; what is dealt in a circle are the values held by fewer than m tuples, each value at most m times, because
    the printed classes can hold fewer tuples than clusters wait for; orderings run from the more diverse and
    the larger down; the cluster made diverse next exists; where no tuple left adds diversity a cluster is
    dissolved at once instead of being filled with tuples that do not help; the number of clusters that
    can be filled to k counts those that have k already.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("enhanced-pk", seed=1)))
    >>> counted(release.table)
    {('[30, 39]', '94138'): 2, ('[30, 59]', '941**'): 2, ('[50, 59]', '94142'): 2}

    References: Truta, Campan, Meyer. Generating microdata with p-sensitive k-anonymity property. SDM 2007.
    """

    tight: bool = False
    passes: int = 10
    combine: bool = True
    sensitive_weights: Mapping[Named, float] | str = "equal"

    card: ClassVar = Card(
        "enhanced-pk",
        "p-sensitive groups of k records, as many as the sensitive values allow",
        guarantee="keeps every class-wise promise; for one sensitive attribute the most groups possible, where it ends by "
        "itself and none are merged for other promises",
        taxonomy="CG_",
        decides="row",
        paper="Truta, Campan, Meyer 2007",
        heeds=("weight", "seed"),
        leaves_out=False,
        regions=True,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the clusters as a solution, or raise InfeasibleError."""
        from kohort.algorithms.clustering.demands import demands_of, sensitive_weights
        from kohort.algorithms.clustering.greedy import grown
        from kohort.algorithms.clustering.search import best_of
        from kohort.algorithms.clustering.spread import spread
        from kohort.algorithms.clustering.tuples import Tuples

        watch = Watch.of(problem, progress)
        demands = demands_of(problem, self.card.name)
        weights = sensitive_weights(demands.needs, self.sensitive_weights)
        tuples = Tuples.of(problem, demands.needs, weights, self.tight)
        formers: dict[str, Former] = {}
        if demands.needs:
            formers["spread"] = partial(spread, demands=demands, watch=watch)
        if self.combine or not demands.needs:
            target = demands.most_clusters(problem.n_rows)
            formers["growth"] = partial(grown, k=demands.size, target=target, seed=problem.seed, watch=watch)
        with watch.or_unfinished(self.card.name):
            return best_of(problem, demands, tuples, formers, (self.tight, self.passes), watch)
