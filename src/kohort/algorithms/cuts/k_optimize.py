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
from kohort.algorithms.cuts.search_kernels import search_slice
from kohort.algorithms.cuts.space import CutSet, Space, space_of
from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.hierarchy import Label
from kohort.recode import Problem, Solution

LANES = 4  # nodes searched side by side between two looks at the clock; fixed, so that results do not vary
SLICE = 400  # search nodes per lane and turn
ZERO_NODES = 20_000  # of the search without suppression that seeds the one with it
MOST_PAIRED = 1500  # cuts; above, the matrices of pairs would take more than they give


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
    """The queue of open nodes, least bound first, and the slices that work it off."""

    def __init__(self, space: Space, incumbent: Incumbent, threads: int) -> None:
        self.space = space
        self.incumbent = incumbent
        self.threads = threads
        self.open: list[tuple[float, int, CutSet]] = [(trivial_bound(space), 0, space.start)]
        self.nodes = 0
        # clashes are frequent only where hardly anything may be suppressed
        self.paired = space.limit < space.k and space.n_cuts <= MOST_PAIRED
        self._ticket = 0

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
                    results = [self._slice(taken[0])] if alone else list(pool.map(self._slice, taken))
                except KeyboardInterrupt:
                    for node in taken:
                        heapq.heappush(self.open, node)
                    raise
                for result in results:
                    self._absorb(*result)
                while self.open and self._closed(self.open[0][0]):
                    heapq.heappop(self.open)
                self.incumbent.bound = self.bound
                self.incumbent.tell(f"{self.nodes:,} nodes, {len(self.open):,} open")

    def _closed(self, bound: float) -> bool:
        return bound > self.incumbent.cost - 1 + 1e-6

    def _slice(self, node: tuple[float, int, CutSet]) -> tuple[float, CutSet, int, CutSet, FloatArray]:
        bound, _, status = node
        s = self.space
        room = 2 * (s.n_cuts + SLICE) + 4
        open_status = np.zeros((room, s.n_cuts), np.uint8)
        open_bound = np.zeros(room)
        found = np.zeros(s.n_cuts, np.uint8)
        capacity = min(len(s.codes) * (s.n_cuts + 2), max(8 * len(s.codes), 1 << 20))
        cost, nodes, n_open = search_slice(
            s.codes, s.weights, s.labels, s.first, s.group, s.parent, s.grouped, s.metric, s.k, s.n_rows,
            s.limit, status, bound, float(self.incumbent.cost), SLICE, capacity, self.paired,
            open_status, open_bound, found,
        )  # fmt: skip
        return cost, found, nodes, open_status[:n_open], open_bound[:n_open]

    def _absorb(
        self, cost: float, found: CutSet, nodes: int, open_status: CutSet, open_bound: FloatArray
    ) -> None:
        self.nodes += nodes
        if cost < self.incumbent.cost:
            self.incumbent.offer(cost, 0, found)  # the kernel keeps the limit
        for status, bound in zip(open_status, open_bound, strict=True):
            if not self._closed(bound):
                self._ticket -= 1  # the youngest first among equals: deep nodes end sooner
                heapq.heappush(self.open, (float(bound), self._ticket, status.copy()))


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
