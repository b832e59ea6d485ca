"""Nodes examined by any models and any objective, class by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kohort.algorithms.lattice.counted_nodes import CountedNodes
from kohort.algorithms.lattice.finite import bounding, finite
from kohort.algorithms.lattice.masked_nodes import MaskedNodes, masks_of
from kohort.algorithms.lattice.node_faults import node_faults
from kohort.algorithms.lattice.node_outcome import NodeOutcome
from kohort.algorithms.lattice.packing import Packing
from kohort.algorithms.lattice.prefixes import Prefixes
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.classes import Classes
from kohort.metrics import Adds
from kohort.recode import Problem

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Columns, Frame, Marks, Terms

TIE = 1e-12


class NodeExaminer:
    """Examines nodes by rolling classes up and asking every model.

    What is handed down to specializations follows from the models' flags, as `node_faults` tells.
    """

    portion = 1  # judging a node takes long enough for a look at the clock after each

    def __init__(self, packing: Packing, terms: Terms, columns: Columns, marks: Marks, memory: int) -> None:
        from kohort.algorithms.lattice.sweep_kernels import Frame

        self.packing, self.problem = packing, packing.problem
        self.frame: Frame = Frame(
            np.array(packing.lattice.shape, np.int64), np.array(packing.lattice.strides, np.int64)
        )
        self.terms, self.columns, self.marks = terms, columns, marks
        self.order = np.array(packing.order, np.int64)
        self.state = np.array([len(packing.lattice) - 1, 0, 0, 0, 0], np.int64)
        paths = masks_of(packing, terms)
        self.source: Prefixes | CountedNodes | MaskedNodes
        if packing.problem.nodes is not None:
            self.source = CountedNodes(packing, terms, marks, self.state)
        elif paths is not None:
            self.source = MaskedNodes(packing, paths, terms, marks, self.state, memory)
        else:
            self.source = Prefixes(packing, self.frame, terms, marks, self.state, memory)
        self.best = np.array([np.inf, TIE])

    @property
    def checked(self) -> int:
        """The number of nodes judged."""
        return int(self.state[1])

    @property
    def position(self) -> int:
        """The node that the sweep has come to, -1 at its end."""
        return int(self.state[0])

    def examine(self, node: int) -> float:
        """Judge a node and mark what follows; return its score, inf where it is not feasible."""
        if np.isnan(self.marks.score[node]):
            score = self._judge(node)
            self.marks.score[node] = score
            self.best[0] = min(self.best[0], score)
        return float(self.marks.score[node])

    def advance(self, budget: int) -> bool:
        """Sweep on, reading about `budget` classes; return whether the lattice is done."""
        from kohort.algorithms.lattice.sweep_kernels import WORK, scan

        vector = np.empty(len(self.order), np.int64)
        lowest = np.zeros(2)
        stop = self.state[WORK] + budget
        while self.state[WORK] < stop:
            cutoff = self.best[0] + TIE * max(1.0, abs(self.best[0]))
            node = int(scan(self.frame, self.marks, self.terms, self.state, vector, cutoff, lowest))
            if node < 0:
                return True
            if self.source.beaten(node, cutoff):
                self.marks.score[node] = np.inf
                continue
            self.marks.score[node] = score = self._judge(node)
            self.best[0] = min(self.best[0], score)
        return False

    def _judge(self, node: int) -> float:
        classes = self.source.classes(node)
        self.state[1] += 1
        if classes is None:
            return float(np.inf)
        found = node_faults(self.problem, classes)
        lost = int(classes.rows[found.failing].sum())
        marks, limit = self.marks, self.terms.limit
        marks.lost[node] = lost
        marks.least[node] = max(int(marks.least[node]), limit + 1 if found.doomed else found.least)
        if lost > limit or found.failing.all():
            return float(np.inf)
        return self._score(node, classes, found.failing, found.firm)

    def _score(self, node: int, classes: Classes, failing: BoolArray, firm: BoolArray) -> float:
        from kohort.algorithms.lattice import sweep_kernels as kernels

        vector = np.array(self.packing.lattice.vector(node), np.int64)
        found = weighed(self.packing, self.terms, self.columns, vector, classes, failing, firm)
        marks = self.marks
        if self.terms.kind in (kernels.CLASSES, kernels.TUPLES, kernels.OTHER):
            marks.under[node] = max(marks.under[node], found.under)
        elif firm.any():
            kernels.hand_down(marks.gains, node, found.sure)
        return float(marks.prior[node]) if self.terms.kind == kernels.HEIGHT else found.score


class Weighed(NamedTuple):
    """A feasible node's score, and what follows for its specializations."""

    score: float
    under: float  # no specialization scores less
    sure: FloatArray  # what suppression adds at every specialization


def weighed(
    packing: Packing,
    terms: Terms,
    columns: Columns,
    vector: IntArray,
    classes: Classes,
    failing: BoolArray,
    firm: BoolArray,
) -> Weighed:
    """Score a feasible node (nan for heights, which need no classes) and bound its specializations."""
    from kohort.algorithms.lattice.sweep_kernels import HEIGHT

    found = _weighed(packing, terms, columns, vector, classes, failing, firm)
    if terms.kind != HEIGHT:
        finite(packing.problem, found.score)
    bounding(packing.problem, found.under)
    bounding(packing.problem, found.sure)
    return found


def _weighed(
    packing: Packing,
    terms: Terms,
    columns: Columns,
    vector: IntArray,
    classes: Classes,
    failing: BoolArray,
    firm: BoolArray,
) -> Weighed:
    from kohort.algorithms.lattice import sweep_kernels as kernels

    gains, sure = np.zeros(len(vector)), np.zeros(len(vector))
    if terms.kind == kernels.OTHER:
        # A NodeOutcome takes classes in lexicographic order, as `Classes.rollup` gives them.
        order = np.lexsort(classes.codes.T[::-1])
        judged = NodeOutcome(packing.problem, classes.kept(order), failing[order])
        return Weighed(judged.score, _under(packing.problem, int(classes.rows[firm].sum())), sure)
    if terms.kind == kernels.HEIGHT:
        return Weighed(np.nan, -np.inf, sure)
    met = kernels.Judged(
        np.ascontiguousarray(classes.codes, np.int32),
        np.ascontiguousarray(classes.rows, np.int64),
        failing.astype(np.int8) + firm,
    )
    order = np.array(packing.order, np.int64)
    kept, fitting, squares = kernels.weigh(terms, columns, met, vector, order, gains, sure)
    lost, least = int(classes.rows[failing].sum()), int(classes.rows[firm].sum())
    n = terms.records
    if terms.kind == kernels.DISCERNIBILITY:
        return Weighed(float(squares + n * lost), n * least + terms.least_size * (n - least), sure)
    if terms.kind == kernels.CLASSES:
        return Weighed(float(n / (kept + (lost > 0))), n / (fitting + 1), sure)
    if terms.kind == kernels.TUPLES:
        return Weighed(-float(kept), -float(fitting), sure)
    if terms.kind == kernels.SUPPRESSION:
        return Weighed(float(lost), float(least), sure)
    under = float(kernels.score_of(terms, terms.floors, np.zeros_like(vector), sure))
    return Weighed(float(kernels.score_of(terms, terms.totals, vector, gains)), under, sure)


def _under(problem: Problem, least: int) -> float:
    """Return what no specialization can score less than when `least` records are surely suppressed."""
    form = problem.form
    if form.left_out is not None:
        sizes = np.array([hierarchy.size for hierarchy in problem.hierarchies], np.float64)
        return form.left_out(sizes, problem.n_rows, least)
    return float(least) if form.adds is Adds.MINORITIES else -np.inf
