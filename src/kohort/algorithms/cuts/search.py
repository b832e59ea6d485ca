"""`Search`: branch and bound over the cuts off the spine, best bound first, several nodes side by side."""

from __future__ import annotations

import heapq
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from kohort.algorithms.cuts.cut_set import CutSet
from kohort.algorithms.cuts.incumbent import Incumbent
from kohort.algorithms.cuts.region_kernels import IN, NEVER, OPEN, OUT
from kohort.algorithms.cuts.space import CLASSES, trivial_bound
from kohort.algorithms.cuts.spine import Spine
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.plurals import many

LANES = 16  # nodes visited side by side between two looks at the clock; fewer where a node takes long
LONG = 1 << 22  # of nodes side by side: intervals of the spine times cuts off it

_Node = tuple[float, int, CutSet, IntArray]  # bound, ticket, status of the cuts, intervals still of interest


class Search:
    """The queue of open nodes, least bound first; a node fixes some cuts off the spine in or out."""

    def __init__(self, spine: Spine, incumbent: Incumbent, threads: int) -> None:
        self.space = space = spine.space
        self.spine = spine
        self.incumbent = incumbent
        self.threads = threads
        intervals = np.arange(len(self.spine.begins))
        self.open: list[_Node] = [(trivial_bound(space), 0, space.start[self.spine.cuts].copy(), intervals)]
        self.nodes = 0
        self._ticket = 0
        self._group = space.group[self.spine.cuts]
        # by the table alone, not by timing, so that results do not vary
        self.lanes = int(np.clip(LONG // max(1, len(intervals) * spine.n_cuts), 2, LANES))

    @property
    def bound(self) -> float:
        """The least bound of any open node, at most the best cost: what is proved."""
        return min([node[0] for node in self.open[:1]] + [self.incumbent.cost])

    def run(self, most: float = float("inf")) -> None:
        """Search until nothing is open, the time is up, or `most` nodes are visited."""
        with ThreadPoolExecutor(self.threads) as pool:
            while self.open and not self.incumbent.late and self.nodes < most:
                taken = [heapq.heappop(self.open) for _ in range(min(self.lanes, len(self.open)))]
                alone = len(taken) == 1
                visits = [self._visit(taken[0])] if alone else list(pool.map(self._visit, taken))
                for visit in visits:
                    self._absorb(visit)
                while self.open and self._closed(self.open[0][0]):
                    heapq.heappop(self.open)
                self.incumbent.bound = self.bound
                self.incumbent.tell(f"{many(self.nodes, 'node')}, {len(self.open):,} open")

    def _closed(self, bound: float) -> bool:
        return bound > min(self.incumbent.cost - 1 + 1e-6, NEVER / 2)

    def _visit(self, node: _Node) -> _Visit:
        """Bound a node, fix what the bounds allow until nothing changes, and choose the cut to branch on."""
        bound, _, status, intervals = node
        s, spine = self.space, self.spine
        best = float(self.incumbent.cost)
        visit = _Visit()
        while True:
            lower, with_cut, without_cut, useful, cost, before, kept = spine.evaluate(status, intervals, best)
            visit.nodes += 1
            intervals = intervals[kept]
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
            if not s.grouped and (s.metric != CLASSES or s.limit == 0):
                dear |= undecided & (useful == 0)
            if not dear.any() and not needed.any():
                break
            for cuts, value in ((dear, OUT), (needed, IN)):
                for v in np.flatnonzero(cuts):
                    if not self._fix(int(v), value, status):
                        return visit
        chosen = self._branch(with_cut - bound, without_cut - bound, undecided, best)
        for value, rise in ((IN, with_cut), (OUT, without_cut)):
            child = status.copy()
            if self._fix(chosen, value, child):
                visit.children.append((max(bound, float(rise[chosen])), child, intervals))
        return visit

    def _branch(
        self, dearer_in: FloatArray, dearer_out: FloatArray, undecided: BoolArray, best: float
    ) -> int:
        """Return the cut to branch on, from what each costs in and out.

        What a cut costs out counts most. What it costs in counts where nothing may be suppressed: there one cut
        in rules many out.
        """
        if self.space.limit == 0:
            score = np.minimum(dearer_in, 0.2 * abs(best)) + 10 * dearer_out
        else:
            score = np.maximum(dearer_in, 0.3 * abs(best)) * np.maximum(dearer_out, 1e-6 * abs(best))
        return int(np.argmax(np.where(undecided, score, -1.0)))

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
        for bound, status, intervals in visit.children:
            if not self._closed(bound):
                self._ticket -= 1  # the youngest first among equals: deep nodes end sooner
                heapq.heappush(self.open, (bound, self._ticket, status, intervals))


@dataclass
class _Visit:
    """What one node gave: evaluations made, the best set seen, and the nodes below it."""

    nodes: int = 0
    cost: float = float("inf")
    included: CutSet | None = None
    children: list[tuple[float, CutSet, IntArray]] = field(default_factory=list)
