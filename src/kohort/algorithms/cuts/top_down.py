"""`top-down`: specialization of value hierarchies by information gain per anonymity loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.cover import Cover, Node, children
from kohort.algorithms.cuts.worth import granularity_gain, information_gain, target_of
from kohort.algorithms.nothing_found import nothing_found
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray
from kohort.card import Card
from kohort.models import Monotone
from kohort.recode import Problem, Solution
from kohort.typed import Named


@dataclass(frozen=True)
class TopDown:
    """A locally most specific subtree recoding: no single further specialization keeps every promise.

    Starts from the roots and parts, again and again, the label with the best gain / (anonymity loss + 1) among
    those whose parting keeps every promise with no more than the allowed records suppressed. Gain is information
    on the target, or granularity where there is none; anonymity loss is the fall of the smallest class. The stop
    rule is any model: where merging classes keeps all of them, a parting that fails once is never tried again;
    otherwise all are tried anew at each step.

    Anytime: at the time limit or Ctrl-C the specializations made so far are the answer.

    Complexity: each step looks once at the base classes below each candidate label.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("top-down")))
    >>> counted(release.table)
    {('20-39', '9413*'): 3, ('40-59', '9414*'): 3}

    References: Fung, B., Wang, K. and Yu, P. Top-down specialization for information and privacy preservation.
    ICDE 2005.
    """

    card: ClassVar = Card(
        "top-down",
        "value hierarchies are specialized from their roots by gain per anonymity loss",
        guarantee="none: no single further specialization is possible",
        taxonomy="AG_TS",
        way="whole columns, values cut where it pays",
        decides="class",
        paper="Fung, Wang and Yu 2005",
        bounds=("min_level", "max_level"),
        heeds=("target", "weight"),
    )

    target: Named | None = None  # class column; by default the objective's target, else granularity

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the recoding at which no candidate is left."""
        watch = Watch.of(problem, progress)
        target = target_of(problem, self.target, self.card.name)
        cover = Cover.at(problem, problem.highest)
        failing = cover.failing_rows(cover.class_of)
        if failing > problem.max_suppressed:
            met = f"the most general recoding, from which it starts, leaves {failing:,} in classes that break a promise"
            some = failing < problem.n_rows
            raise nothing_found(problem, self.card, met, {"suppressed": failing}, leaves_out=some)
        monotone = all(Monotone.SUPPRESSION in model.monotone for model in problem.models)
        search = _Specialization(problem, cover, failing, target, watch)
        steps = 0
        while not watch.over and search.step(keep_failed=not monotone):
            steps += 1
            watch.update(f"specialization {steps:,}, {len(search.candidates):,} candidates")
        decision = cover.decide()
        outcome = decision.apply(problem).outcome(problem)
        if not outcome.kept:
            met = f"after {steps:,} specializations every class still fails"
            with watch.or_unfinished(self.card.name):
                near = {"suppressed": outcome.suppressed}
                raise nothing_found(problem, self.card, met, near, leaves_out=False)
        score = problem.objective.score(outcome)
        return Solution(decision, score, facts={"steps": steps, "checked": search.checked, **watch.facts()})


class _Specialization:
    def __init__(
        self, problem: Problem, cover: Cover, failing: int, target: FloatArray | None, watch: Watch
    ) -> None:
        self.problem = problem
        self.watch = watch
        self.cover = cover
        self.failing = failing
        self.target = target
        self.checked = 0
        self.occurring = [np.unique(problem.base.codes[:, j]) for j in range(len(problem.names))]
        self.candidates: dict[Node, tuple[int, IntArray, IntArray, float]] = {}
        for j, hierarchy in enumerate(problem.hierarchies):
            level = problem.highest[j]
            for code in np.unique(hierarchy.levels[level].of_ground[self.occurring[j]]):
                self._add((j, level, int(code)))

    def step(self, keep_failed: bool) -> bool:
        """Part the best label that may be parted; return whether there was one, and time to find it."""
        smallest = int(
            np.bincount(self.cover.class_of, self.problem.base.sizes).min(initial=self.problem.n_rows)
        )
        ranked = sorted(self.candidates, key=lambda node: (-self._score(node, smallest), node))
        for node in ranked:
            if self.watch.over:
                return False
            below, rows, parts, _ = self.candidates[node]
            split = self._split(rows, parts)
            self.checked += 1
            failing = self.cover.failing_rows(split)
            if failing <= self._most_failing:
                self._part(node, below, split)
                self.failing = failing
                return True
            if not keep_failed:
                del self.candidates[node]
        return False

    @property
    def _most_failing(self) -> int:
        """How many rows may be left out: not all of them, once something is released."""
        released = self.failing < self.problem.n_rows
        return min(self.problem.max_suppressed, self.problem.n_rows - released)

    def _add(self, node: Node) -> None:
        j, level, code = node
        hierarchy = self.problem.hierarchies[j]
        found = children(hierarchy, level, code, self.occurring[j])
        if found is None or found[0] < self.problem.lowest[j]:
            return
        below, _ = found
        rows = self.cover.under(node)
        parts = hierarchy.levels[below].of_ground[self.problem.base.codes[rows, j]].astype(np.int64)
        self.candidates[node] = (below, rows, parts, self._gain(node, below, rows, parts))

    def _gain(self, node: Node, below: int, rows: IntArray, parts: IntArray) -> float:
        if self.target is not None:
            return information_gain(self.target, rows, parts)
        j, level, code = node
        hierarchy = self.problem.hierarchies[j]
        leaves = hierarchy.levels[below].leaves.astype(np.float64)
        whole = float(hierarchy.levels[level].leaves[code])
        weights = self.problem.base.rows[rows].astype(np.float64)
        return float(self.problem.weight[j]) * granularity_gain(weights, whole, parts, leaves, hierarchy.size)

    def _split(self, rows: IntArray, parts: IntArray) -> IntArray:
        split = self.cover.class_of.copy()
        pairs = split[rows] * (int(parts.max(initial=0)) + 1) + parts
        split[rows] = np.unique(pairs, return_inverse=True)[1].reshape(-1) + int(split.max(initial=-1)) + 1
        return split

    def _score(self, node: Node, smallest: int) -> float:
        _, rows, parts, gain = self.candidates[node]
        pairs = self.cover.class_of[rows] * (int(parts.max(initial=0)) + 1) + parts
        _, inverse = np.unique(pairs, return_inverse=True)
        least = int(np.bincount(inverse.reshape(-1), self.problem.base.sizes[rows]).min(initial=smallest))
        return gain / (smallest - least + 1)

    def _part(self, node: Node, below: int, split: IntArray) -> None:
        j = node[0]
        labels = np.unique(self.candidates[node][2])
        del self.candidates[node]
        self.cover.move(node, below)
        self.cover.class_of = np.unique(split, return_inverse=True)[1].reshape(-1)
        for code in labels:
            self._add((j, below, int(code)))
