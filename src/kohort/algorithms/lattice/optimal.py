"""`optimal`: the best full-domain recoding, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.best_first import BestFirst, len_of
from kohort.algorithms.lattice.choice import best_of, infeasible, lattice_of, nearest_miss, slack, solution_of
from kohort.algorithms.lattice.counting import Counting
from kohort.algorithms.lattice.lattice import Lattice
from kohort.algorithms.lattice.marks import blank_marks
from kohort.algorithms.lattice.masked_nodes import masks_of
from kohort.algorithms.lattice.node_examiner import NodeExaminer
from kohort.algorithms.lattice.packing import Packing, pack
from kohort.algorithms.lattice.terms import by_sizes, columns_of, terms_of
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InputError
from kohort.recode import Problem, Solution

Examiner = Counting | NodeExaminer

FEW = 64  # nodes below which a first good score is not worth looking for
PAUSE = 0.5  # seconds between two bounds that progress tells
PREFIXES = 1 << 28  # bytes for counted prefixes


@dataclass(frozen=True)
class Optimal:
    """The best node of the lattice, proved, for any objective and any list of models.

    The lattice is swept from the top down by descending index, so that all generalizations of a node come
    before it. A node is counted only if what is known by then cannot rule it out. Write v ≤ w when w
    generalizes v, F(u) for the records suppressed at u, n for the records.

    Feasibility. Where suppression is monotone (k-anonymity, distinct l-diversity, …), a class that passes
    passes after any merger, so v ≤ u implies F(u) ⊆ F(v): |F(u)| above the limit rules out every v ≤ u.
    Where nothing may be suppressed, models monotone under generalization do the same. For t-closeness,
    convexity bounds |F(v)| from u's classes (`closeness`). Other models prune nothing.

    Score, from below. With suppression no score is monotone: F shrinks upwards while values coarsen. But a
    record kept at w ≥ v costs at least what it costs when kept at v, and a suppressed one at least as
    much (or the lesser of both where suppression is made cheaper), so the score at v with nothing
    suppressed bounds all w ≥ v. For `loss` and `precision` it is a sum over attributes that needs no
    counting: the prior of every node. For `discernibility` it is Σ|E|² of v; for the number of classes, a class
    released at w contains one released at v or consists of small ones, k records at least. These are known
    at the prefixes that nodes are counted from.

    Score, from above. Records in F(u) are suppressed at every v ≤ u and cost as such; for loss and
    precision, each attribute's cost of v is at least its prior plus what F(u) adds at u, because values at v
    are finer than at u and so leave more to lose. These gains are handed down, attribute by attribute,
    the greatest of all generalizations. For discernibility n·|F(u)| + k·(n − |F(u)|), for the number of
    classes Σ⌊|E|/k⌋ over the classes of u that may survive.

    `entropy`, `ambiguity`, `classification` and `information-loss` have bounds of the same kinds (`terms`,
    `node_examiner`); an objective without any is scored at every feasible node.

    A first good score comes from walking down from the top along the best specializations. Bounds are
    compared with a tie's width to spare, so rounding prunes nothing and all ties are met (`choice.best_of`).

    Complexity: at most nodes × distinct tuples; on Adult (12,960 nodes, 19,502 tuples) a few hundred nodes, each read
    from a prefix of a few thousand classes. Lattices of more than `nodes` nodes are searched best first
    (`best_first`), which says so in its facts. A time limit or an interrupt returns the best node so far,
    with the bound that the rest cannot go below.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("optimal")))
    >>> release.levels, release.suppressed
    ({'age': 1, 'zip': 1}, 0)

    References: Kohlmayer et al. Flash: efficient, stable and optimal k-anonymity. PASSAT 2012. El Emam et al. A
    globally optimal k-anonymity method for the de-identification of health data. JAMIA 16(5), 2009.
    """

    memory: int = PREFIXES
    nodes: int = 5_000_000  # larger lattices are searched best first, without marking every node
    patience: float = 60.0  # seconds for these where the problem sets no time limit

    card: ClassVar = Card(
        "optimal",
        "the level vector of least loss within the suppression limit",
        guarantee="optimal where the search ends by itself",
        taxonomy="AG_TS",
        way="whole columns, each at one level",
        decides="class",
        work=150,
        work_ends=PREFIXES,
        paper="after Kohlmayer et al. 2012 (Flash) and El Emam et al. 2009 (OLA)",
        bounds=("min_level", "max_level"),
        levels=True,
        every_node=True,
        heeds=("objective",),
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best node; ties as in `choice.best_of`."""
        watch = Watch.of(problem, progress)
        lattice_of(problem)
        packing = pack(problem)
        if len_of(packing) > self.nodes:
            _demand_bottom(problem, len_of(packing), self.nodes)
            watch.time_limit = self.patience if problem.time_limit is None else problem.time_limit
            return BestFirst(packing, self.memory, self.card).run(watch)
        return search(packing, self.memory, watch, self.card)


def _demand_bottom(problem: Problem, nodes: int, most: int) -> None:
    """Refuse a lattice that takes the bottom to be searched, where that is not at hand."""
    if problem.nodes is not None:
        raise InputError(
            f"the lattice has {nodes:,} nodes; where distinct tuples do not fit in memory, at most {most:,} are searched: "
            "allow more memory, bound levels by min_level and max_level, or release fewer quasi-identifiers",
            code="engine.no-bottom",
            found=nodes,
            most=most,
        )


def search(packing: Packing, memory: int, watch: Watch, card: Card) -> Solution:
    """Return the best node of a packing; the top is judged in any case. `card` is whose search it is."""
    examiner = examiner_of(packing, memory)
    watch.update("searching the lattice", 0, len(packing.lattice))
    if len(packing.lattice) > FEW:
        descend(packing.lattice, examiner, watch)
    else:
        examiner.examine(len(packing.lattice) - 1)
    done = complete(examiner, len(packing.lattice), watch)
    return conclude(packing, examiner, watch, card, done=done)


def examiner_of(packing: Packing, memory: int) -> Examiner:
    """Return who examines the nodes of a problem."""
    from kohort.algorithms.lattice.sweep_kernels import OTHER

    columns = columns_of(packing)
    terms = terms_of(packing, columns)
    marks = blank_marks(packing, terms)
    classwise = by_sizes(packing) is None or terms.kind == OTHER or packing.problem.nodes is not None
    kind = NodeExaminer if classwise or masks_of(packing, terms) is not None else Counting
    return kind(packing, terms, columns, marks, memory)


def descend(lattice: Lattice, examiner: Examiner, watch: Watch) -> None:
    """Walk down from the top to the best specialization, as long as that is better: a first good score."""
    node = len(lattice) - 1
    score = examiner.examine(node)
    while not watch.over:
        below = [lattice.index(vector) for vector in lattice.below(lattice.vector(node))]
        judged = [(examiner.examine(lower), lower) for lower in below if not watch.over]
        if not judged:
            return
        best, node = min(judged)
        if not best < score:
            return
        score = best


def complete(examiner: Examiner, nodes: int, watch: Watch) -> bool:
    """Sweep to the end (True) or until it is over (False)."""
    looked, bound = watch.elapsed, -float("inf")
    while not examiner.advance(examiner.portion):
        if watch.over:
            return False
        best = float(examiner.best[0])
        if watch.elapsed - looked > PAUSE and np.isfinite(best):
            looked, bound = watch.elapsed, bound_of(examiner)
        watch.tell("searching the lattice", nodes - examiner.position, nodes, best, min(bound, best))
    return True


def conclude(packing: Packing, examiner: Examiner, watch: Watch, card: Card, *, done: bool) -> Solution:
    """Return the winner among the nodes examined, with what is proved about it."""
    problem, marks = packing.problem, examiner.marks
    facts: dict[str, Any] = {"nodes": len(packing.lattice), "checked": examiner.checked, "search": "sweep"}
    best = float(examiner.best[0])
    if not np.isfinite(best):
        counted = np.flatnonzero(marks.lost >= 0)  # of equal misses the coarsest
        miss = nearest_miss(problem, marks.lost[counted], lambda i: packing.vector(int(counted[i])))
        if not done:
            raise watch.unfinished(card.name, {"suppressed": miss.suppressed})
        raise infeasible(problem, miss, card)
    tied = np.flatnonzero(marks.score <= best + slack(best))
    winner = best_of((marks.score[i], int(marks.lost[i]), packing.vector(int(i))) for i in tied)
    if not done:
        facts |= watch.facts(best, bound_of(examiner))
    return solution_of(problem, winner[2], optimal=done, facts=facts, score=winner[0])


def bound_of(examiner: Examiner) -> float:
    """Return what no node can score below, examined or not: -inf where the objective has no bound."""
    from kohort.algorithms.lattice.sweep_kernels import scan

    best = float(examiner.best[0])
    lowest = np.array([np.inf, 1.0])
    vector = np.empty(len(examiner.frame.sizes), np.int64)
    scan(examiner.frame, examiner.marks, examiner.terms, examiner.state.copy(), vector, best, lowest)
    return min(best, float(lowest[0]))
