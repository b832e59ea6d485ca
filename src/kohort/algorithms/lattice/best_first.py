"""The search of lattices too large to be marked node by node: anytime, best first, from the top down."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kohort.algorithms.lattice.choice import TOLERANCE, best_of, infeasible, slack, solution_of
from kohort.algorithms.lattice.lattice import Vector
from kohort.algorithms.lattice.node_examiner import Weighed, weighed
from kohort.algorithms.lattice.node_faults import node_faults
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.lattice.packing import Packing
from kohort.algorithms.lattice.rolling import Rolling
from kohort.algorithms.lattice.terms import columns_of, terms_of
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.classes import Classes
from kohort.plurals import many
from kohort.recode import Solution

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Columns, Terms

OPEN = 200_000  # nodes waiting at most
PREFIXES = 24  # of one node at most that are kept
TIES = 10_000  # nodes remembered at most
PAUSE = 0.5  # seconds between two looks at all open nodes, for the bound that progress tells


class Found(NamedTuple):
    """What is known of an examined node."""

    score: float  # inf: not feasible
    under: float  # no specialization scores less; inf: none is feasible
    lost: int


class BestFirst:
    """Specializes the best open node first.

    Every node is reached once, from the top, by lowering attributes in a fixed order: a node's children lower
    the attribute lowered last or a later one. All nodes on that way generalize it, so a subtree is cut
    off where a promise that is monotone fails, or where the bound for all specializations is beaten. When
    no node is open the best is optimal; until then the least bound of the open nodes proves the gap.
    """

    def __init__(self, packing: Packing, memory: int, card: Card) -> None:
        self.packing, self.memory, self.card = packing, memory, card  # `card`: whose search it is
        self.columns: Columns = columns_of(packing)
        self.terms: Terms = terms_of(packing, self.columns)
        self.rolling = Rolling(packing)
        self.prefixes: dict[Vector, Classes] = {}
        self.held = 0
        self.checked = 0
        self.best = float("inf")
        self.ties: list[tuple[float, int, Vector]] = []
        self.nearest: tuple[int, Vector] | None = None
        self.dropped = float("inf")  # the least bound of nodes given up for want of room

    def run(self, watch: Watch) -> Solution:
        """Search until nothing is open or the watch says that it is over; the top is judged in any case."""
        heap: list[tuple[float, Vector, int, float]] = []
        top = self.packing.lattice.highest
        first = self.examine(top)
        heappush(heap, (first.score, top, 0, first.under))
        self.descend(top, first.score, watch)
        looked = watch.elapsed
        while heap and not watch.over:
            _, vector, last, under = heappop(heap)
            note = f"best first: {many(self.checked, 'node')} judged, {len(heap)} open"
            if watch.elapsed - looked > PAUSE:
                looked, bound = watch.elapsed, min(under, self._least(heap))
                watch.tell(note, best=self.best, bound=min(bound, self.best))
            else:
                watch.tell(note, best=self.best)
            if under > self.best + slack(self.best):
                continue
            heappush(heap, (-float("inf"), vector, last, under))  # open until its children are in
            waiting = self._examined(_children(vector, last), watch)
            if waiting is None:
                break
            heappop(heap)
            for child, j, found in waiting:
                self._open(heap, child, j, found)
        return self.conclude(self._least(heap), watch)

    def _least(self, heap: list[tuple[float, Vector, int, float]]) -> float:
        """Return what no node that is open or was dropped can score below."""
        return min([self.dropped, *(entry[3] for entry in heap)])

    def descend(self, vector: Vector, score: float, watch: Watch) -> None:
        """Walk down to the best specialization as long as that is better: a first good score."""
        while below := self._examined(_children(vector, 0), watch):
            found, _, lower = min((found.score, j, child) for child, j, found in below)
            if not found < score:
                return
            score, vector = found, lower

    def _examined(
        self, children: Iterator[tuple[Vector, int]], watch: Watch
    ) -> list[tuple[Vector, int, Found]] | None:
        """Judge the children of a node, of which there may be thousands; None where it is over before."""
        examined = []
        for child, j in children:
            if watch.over:
                return None
            examined.append((child, j, self.examine(child)))
        return examined

    def examine(self, vector: Vector) -> Found:
        """Judge a node."""
        problem, limit = self.packing.problem, self.terms.limit
        classes = self._classes(vector)
        self.checked += 1
        failing, firm, _, doomed = node_faults(problem, classes)
        lost = int(classes.rows[failing].sum())
        if self.nearest is None or lost < self.nearest[0]:
            self.nearest = lost, vector
        if doomed:
            return Found(float("inf"), float("inf"), lost)
        steps = np.array(vector, np.int64)
        if lost > limit or failing.all():
            return Found(float("inf"), -float("inf"), lost)
        found: Weighed = weighed(self.packing, self.terms, self.columns, steps, classes, failing, firm)
        score = self._height(vector) if np.isnan(found.score) else found.score
        if score <= self.best + slack(self.best):
            self.best = min(self.best, score)
            self.ties.append((score, lost, vector))
            if len(self.ties) > TIES:
                self.ties = [tie for tie in self.ties if tie[0] <= self.best + slack(self.best)][:TIES]
        return Found(score, found.under, lost)

    def conclude(self, bound: float, watch: Watch) -> Solution:
        """Return the best node found and what is proved about it."""
        packing = self.packing
        if not self.ties:
            assert self.nearest is not None
            nearest = judge(packing.problem, self._levels(self.nearest[1]))
            if watch.ended is not None and bound < float("inf"):  # what is open may hold
                raise watch.unfinished(self.card.name, {"suppressed": nearest.suppressed})
            raise infeasible(packing.problem, nearest, self.card)
        found, _, levels = best_of((score, lost, self._levels(vector)) for score, lost, vector in self.ties)
        bound = min(bound, self.best)
        proved = bound >= self.best - TOLERANCE * max(1.0, abs(self.best))
        nodes = len_of(packing)
        told = nodes if nodes < 2**63 else None  # thousands of attributes: a number of hundreds of digits
        facts: dict[str, Any] = {"nodes": told, "checked": self.checked, "search": "best-first"}
        if not proved:
            facts |= watch.facts(self.best, bound)
        return solution_of(packing.problem, levels, optimal=proved, facts=facts, score=found)

    def _open(
        self, heap: list[tuple[float, Vector, int, float]], vector: Vector, last: int, found: Found
    ) -> None:
        if found.under > self.best + slack(self.best):
            return
        heappush(heap, (found.score, vector, last, found.under))
        if len(heap) > OPEN:
            heap.sort()
            self.dropped = min([self.dropped, *(entry[3] for entry in heap[OPEN // 2 :])])
            del heap[OPEN // 2 :]

    def _levels(self, vector: Vector) -> Vector:
        levels = [0] * len(vector)
        for j, rungs, rung in zip(self.packing.order, self.packing.rungs, vector, strict=True):
            levels[j] = rungs[rung]
        return tuple(levels)

    def _height(self, vector: Vector) -> float:
        problem = self.packing.problem
        levels = self._levels(vector)
        step = problem.form.step
        return float(sum(level * step(h) for level, h in zip(levels, problem.hierarchies, strict=True)))

    def _classes(self, vector: Vector) -> Classes:
        """Roll the node up from its longest prefix, keeping the prefixes of the first half of attributes."""
        source, m = self.packing.bottom, len(vector)
        step = max(1, m // (2 * PREFIXES))
        for j in range(step, m // 2 + 1, step):
            prefix = vector[:j] + (0,) * (m - j)
            if not any(vector[j - step : j]):
                continue
            found = self.prefixes.get(prefix)
            if found is None:
                found = self.rolling.up(source, self._levels(prefix))
                self.held += found.codes.nbytes + 16 * len(found)
                if self.held > self.memory:
                    self.prefixes, self.held = {}, 0
                self.prefixes[prefix] = found
            source = found
        return self.rolling.up(source, self._levels(vector))


def len_of(packing: Packing) -> int:
    """Return the number of nodes, however large."""
    nodes = 1
    for size in packing.lattice.shape:
        nodes *= size
    return nodes


def _children(vector: Vector, last: int) -> Iterator[tuple[Vector, int]]:
    for j in range(last, len(vector)):
        if vector[j]:
            yield (*vector[:j], vector[j] - 1, *vector[j + 1 :]), j
