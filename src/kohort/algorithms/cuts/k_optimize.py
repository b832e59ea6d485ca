"""`k-optimize`: the optimal set of cuts, proved by branch and bound."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.descent import Moves, descend, offer_coarsest
from kohort.algorithms.cuts.hill_climbing import climb_once
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.node_kernels import evaluate
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN, OUT
from kohort.algorithms.cuts.space import METRIC_CODES, CutSet, Space, space_of
from kohort.algorithms.cuts.spine import spine_of
from kohort.card import Card
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution

LANES = 4  # nodes visited side by side between two looks at the clock; fixed, so that results do not vary
ZERO_NODES = 20_000  # of the search without suppression that seeds the one with it
# a cut is branched on for what it costs in times what it costs out, each at least this share of the best cost
LEAST_WITH, LEAST_WITHOUT = 1e-3, 1e-6


@dataclass(frozen=True)
class KOptimize:
    """The cut set of least discernibility, classification or average class size among all cut sets.

    Guarantee: when the search ends by itself the set is optimal; at a time limit or Ctrl-C the best so far comes
    back with a proven lower bound and the gap. Exponential in the alphabet at worst.

    Departures from the paper (docs/decisions/0010-k-optimize.md has the arguments): the printed PRUNE is
    corrected; tuples are collapsed to weighted distinct ones; bounds come from the local atoms of each head
    class and from pairs of cuts that clash; cuts are fixed in as well as out by bound; branching is on the cut
    that costs most either way; open nodes wait in a queue ordered by bound and are searched on all cores;
    descents give the first best cost.

    References: Bayardo, R. and Agrawal, R. Data privacy through optimal k-anonymization. ICDE 2005.
    """

    card: ClassVar = Card(
        "k-optimize",
        "the optimal set of cuts in the ordered domains, by branch and bound; anytime, with a proven gap",
        guarantee="optimal among all cut sets",
        taxonomy="AG_TS",
        paper="Bayardo and Agrawal 2005",
    )

    descents: int = 40  # two-phase descents that seed the search
    order: Mapping[str, Sequence[Label]] = field(default_factory=dict)  # column -> its ground values in order
    respect_hierarchy: bool = False  # only cuts that keep the labels of the hierarchy whole
    threads: int = 2

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the optimal set, or the best at the time limit."""
        space = space_of(problem, self.order, self.respect_hierarchy, self.card.name)
        incumbent = Incumbent(space, progress, problem.time_limit)
        offer_coarsest(space, incumbent)
        search = _Search(space, incumbent, self.threads)
        try:
            seed_search(space, incumbent, self.descents)
            if space.limit > 0 and self.descents:
                self._seed_from_zero_suppression(space, incumbent)
            search.run()
        except KeyboardInterrupt:
            incumbent.tell("interrupted")
        optimal = not search.open
        incumbent.bound = incumbent.cost if optimal else search.bound
        return incumbent.solution(
            optimal,
            nodes=search.nodes,
            bound=space.score(incumbent.bound),
            gap=incumbent.gap,
            open=len(search.open),
        )

    def _seed_from_zero_suppression(self, space: Space, incumbent: Incumbent) -> None:
        """Offer the optimum without suppression, or what is found of it: often the optimum with suppression too."""
        limit = None if incumbent.time_limit is None else 0.2 * (incumbent.time_limit - incumbent.elapsed)
        strict = Incumbent(replace(space, limit=0), incumbent.progress, limit)
        if incumbent.included is not None:
            strict.offer(*Moves(space).cost(incumbent.included), incumbent.included)
        _Search(strict.space, strict, self.threads).run(ZERO_NODES)
        if strict.included is not None:
            incumbent.offer(strict.cost, 0, strict.included)


class _Search:
    """The queue of open nodes, least bound first; a node fixes some cuts off the spine in or out."""

    def __init__(self, space: Space, incumbent: Incumbent, threads: int) -> None:
        self.space = space
        self.spine = spine_of(space, incumbent.included)
        self.incumbent = incumbent
        self.threads = threads
        self.open: list[tuple[float, int, CutSet]] = [
            (trivial_bound(space), 0, space.start[self.spine.cuts].copy())
        ]
        self.nodes = 0
        self._ticket = 0
        self._group = space.group[self.spine.cuts]

    @property
    def bound(self) -> float:
        """The least bound of any open node, at most the best cost: what is proved."""
        return min([bound for bound, _, _ in self.open[:1]] + [self.incumbent.cost])

    def run(self, most: float = float("inf")) -> None:
        """Search until nothing is open, the time is up, or `most` nodes are visited."""
        with ThreadPoolExecutor(self.threads) as pool:
            while self.open and not self.incumbent.late and self.nodes < most:
                taken = [heapq.heappop(self.open) for _ in range(min(LANES, len(self.open)))]
                try:
                    alone = len(taken) == 1
                    visits = [self._visit(taken[0])] if alone else list(pool.map(self._visit, taken))
                except KeyboardInterrupt:
                    for node in taken:
                        heapq.heappush(self.open, node)
                    raise
                for visit in visits:
                    self._absorb(visit)
                while self.open and self._closed(self.open[0][0]):
                    heapq.heappop(self.open)
                self.incumbent.bound = self.bound
                self.incumbent.tell(f"{self.nodes:,} nodes, {len(self.open):,} open")

    def _closed(self, bound: float) -> bool:
        return bound > min(self.incumbent.cost - 1 + 1e-6, NEVER / 2)

    def _visit(self, node: tuple[float, int, CutSet]) -> _Visit:
        """Bound a node, fix what the bounds allow until nothing changes, and choose the cut to branch on."""
        bound, _, status = node
        s, spine = self.space, self.spine
        best = float(self.incumbent.cost)
        visit = _Visit()
        while True:
            lower, with_cut, without_cut, useful, cost, before = evaluate(
                spine.codes, spine.place, s.weights, s.labels, spine.first, spine.begins, spine.ends,
                spine.places, spine.own, spine.least, s.metric, s.k, s.n_rows, s.limit,
                (s.n_rows, 1, 0)[s.metric], status, best,
            )  # fmt: skip
            visit.nodes += 1
            if cost < min(best, NEVER / 2):
                best = cost
                visit.cost, visit.included = cost, spine.included(status, before)
            bound = max(bound, lower)
            room = min(best - 1 + 1e-6, NEVER / 2)
            undecided = status == OPEN
            if bound > room or not undecided.any():
                return visit
            dear = undecided & (with_cut > room)
            needed = undecided & (without_cut > room)
            if not s.grouped and (s.metric != METRIC_CODES["average-class-size"] or s.limit == 0):
                dear |= undecided & (useful == 0)
            if not dear.any() and not needed.any():
                break
            for cuts, value in ((dear, OUT), (needed, IN)):
                for v in np.flatnonzero(cuts):
                    if not self._fix(int(v), value, status):
                        return visit
        gain = np.maximum(with_cut - bound, LEAST_WITH * best) * np.maximum(
            without_cut - bound, LEAST_WITHOUT * best
        )
        chosen = int(np.argmax(np.where(undecided, gain, -1.0)))
        for value, rise in ((IN, with_cut), (OUT, without_cut)):
            child = status.copy()
            if self._fix(chosen, value, child):
                visit.children.append((max(bound, float(rise[chosen])), child))
        return visit

    def _fix(self, v: int, value: int, status: CutSet) -> bool:
        """Fix cut v, with all that follows where cuts respect a hierarchy; return whether that is possible."""
        if not self.space.grouped:
            if status[v] not in (OPEN, value):
                return False
            status[v] = value
            return True
        parent = self.space.parent
        if value == IN:  # a group stands or falls as one, and needs the group of the label above
            g = int(self._group[v])
            follows = np.zeros(len(status), np.bool_)
            while g >= 0:
                follows |= self._group == g
                g = int(parent[g])
        else:
            below = {int(self._group[v])}
            for g in range(len(parent)):
                above = g
                while above >= 0 and above not in below:
                    above = int(parent[above])
                if above >= 0:
                    below.add(g)
            follows = np.isin(self._group, list(below))
        if (status[follows] == (OUT if value == IN else IN)).any():
            return False
        status[follows] = value
        return True

    def _absorb(self, visit: _Visit) -> None:
        self.nodes += visit.nodes
        if visit.included is not None and visit.cost < self.incumbent.cost:
            self.incumbent.offer(visit.cost, 0, visit.included)  # the kernel keeps the limit
        for bound, status in visit.children:
            if not self._closed(bound):
                self._ticket -= 1  # the youngest first among equals: deep nodes end sooner
                heapq.heappush(self.open, (bound, self._ticket, status))


@dataclass
class _Visit:
    """What one node gave: evaluations made, the best set seen, and the nodes below it."""

    nodes: int = 0
    cost: float = float("inf")
    included: CutSet | None = None
    children: list[tuple[float, CutSet]] = field(default_factory=list)


def trivial_bound(space: Space) -> float:
    """Return what no cut set can beat: k records in every class, no minority, or a class of every k records."""
    return float((space.n_rows * min(space.k, space.n_rows), 0, -(space.n_rows // space.k) - 1)[space.metric])


def seed_search(space: Space, incumbent: Incumbent, descents: int) -> None:
    """Give the search a good first cost: descents without suppression, at a larger k, and as asked."""
    generator = np.random.default_rng(space.problem.seed if space.problem.seed is not None else 0)
    moves = Moves(space)
    if space.n_cuts == 0 or descents == 0:
        incumbent.offer(*moves.cost(moves.empty()), moves.empty())
        return
    for tighter in (replace(space, limit=0), replace(space, k=2 * space.k)):
        other = Moves(tighter)
        best = Incumbent(tighter, incumbent.progress, incumbent.time_limit)
        for turn in range(descents // 4):
            if not incumbent.late:
                climb_once(other, best, generator, turn)
        if best.included is not None:
            descend(moves, best.included, incumbent)
    for turn in range(descents):
        if not incumbent.late:
            climb_once(moves, incumbent, generator, turn)
            incumbent.tell(f"seeding, descent {turn + 1}")
