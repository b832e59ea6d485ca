"""`bottom-up`: generalization of value hierarchies by records rescued per information lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.cuts.cover import Cover, Node, labels_at
from kohort.algorithms.cuts.worth import granularity_gain, information_gain, target_of
from kohort.algorithms.nothing_found import nothing_found
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray
from kohort.card import Card
from kohort.classes import group
from kohort.hierarchy import Hierarchy
from kohort.plurals import many
from kohort.recode import Problem, Solution
from kohort.typed import Named

_NOTHING = 1e-290  # lost where nothing is: far below any loss, whatever the weights


@dataclass(frozen=True)
class BottomUp:
    """A subtree recoding reached from the ground values by the generalizations that cost least per rescue.

    While more records than allowed stand in classes that break a promise, the label is put in place of the
    labels below it that rescues most records per information lost (on the target, or granularity where there
    is none). Departure from the paper: the gain is the number of records rescued, where the paper counts the
    rise of the smallest class, because ties at the smallest class make most single steps worth nothing there;
    where no step rescues any record, the one that merges most classes per loss goes first. Works with any
    model; a model that merging can break may send it to the roots although a solution exists on the way.

    Anytime: from the time limit or Ctrl-C on whole attributes go to their highest level, the most detailed first,
    until every promise is kept.

    Complexity: each step looks once at the base classes below each candidate label.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("bottom-up")))
    >>> counted(release.table)
    {('30-39', '9413*'): 3, ('50-59', '9414*'): 3}

    References: Wang, K., Yu, P. and Chakraborty, S. Bottom-up generalization: a data mining solution to privacy
    protection. ICDM 2004.
    """

    card: ClassVar = Card(
        "bottom-up",
        "value hierarchies are generalized from their leaves by records rescued per information lost",
        guarantee="none: the first recoding on its path that keeps every promise",
        taxonomy="AG_TS",
        decides="class",
        paper="Wang, Yu and Chakraborty 2004",
        bounds=("min_level", "max_level"),
        heeds=("target", "weight"),
    )

    target: Named | None = None  # class column; by default the objective's target, else granularity

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the first recoding on the path that keeps every promise."""
        watch = Watch.of(problem, progress)
        target = target_of(problem, self.target, self.card.name)
        cover = Cover.at(problem, problem.lowest)
        search = _Generalization(problem, cover, target, watch)
        steps, fewest = 0, problem.n_rows
        most = min(problem.max_suppressed, problem.n_rows - 1)  # an empty table is no release
        while (failing := cover.failing_rows(cover.class_of)) > most:
            hurried, fewest = watch.over, min(fewest, failing)
            found = search.raise_attribute() if hurried else search.step()
            watch.update(f"generalization {steps + 1:,}, {many(failing, 'record')} failing")
            if not found and (hurried or not watch.over):
                met = f"the most general recoding, at which it ends, leaves {failing:,} in classes that break a promise"
                with watch.or_unfinished(self.card.name):
                    some = fewest < problem.n_rows
                    raise nothing_found(problem, self.card, met, {"suppressed": failing}, leaves_out=some)
            steps += found
        decision = cover.decide()
        score = problem.objective.score(decision.apply(problem).outcome(problem))
        return Solution(
            decision,
            score,
            facts={
                "steps": steps,
                "checked": search.checked,
                "hurried": watch.ended is not None,
                **watch.facts(),
            },
        )


class _Generalization:
    def __init__(self, problem: Problem, cover: Cover, target: FloatArray | None, watch: Watch) -> None:
        self.problem = problem
        self.watch = watch
        self.cover = cover
        self.target = target
        self.checked = 0
        self.by_size, self.k = problem.by_size, problem.crowd

    def step(self) -> bool:
        """Put the best label in place of those below it; return whether there was one, and time to find it."""
        before = self._failing(self.cover.class_of)
        n_classes = len(np.unique(self.cover.class_of))
        best: tuple[float, Node, IntArray] | None = None
        for node in self._candidates():
            if self.watch.over:
                return False
            rows = self.cover.under(node)
            merged = self._merge(node, rows)
            self.checked += 1
            rescued = before - self._failing(merged)
            fewer = n_classes - len(np.unique(merged))
            score = (rescued + fewer / (len(merged) + 1)) / max(self._loss(node, rows), _NOTHING)
            if best is None or score > best[0]:
                best = (score, node, merged)
        if best is None:
            return False
        self.cover.move(best[1], best[1][1])
        self.cover.class_of = np.unique(best[2], return_inverse=True)[1].reshape(-1)
        return True

    def raise_attribute(self) -> bool:
        """Put the attribute that stands most detailed at its highest level; return whether there was one."""
        cover, problem = self.cover, self.problem
        standing = [
            len(np.unique(labels_at(hierarchy, depths)[np.unique(problem.base.codes[:, j])]))
            if (depths < problem.highest[j]).any()
            else 0
            for j, (hierarchy, depths) in enumerate(zip(problem.hierarchies, cover.depths, strict=True))
        ]
        if not any(standing):
            return False
        j = int(np.argmax(standing))
        cover.depths[j][:] = problem.highest[j]
        mapped = np.column_stack([own[problem.base.codes[:, i]] for i, own in enumerate(cover.blocks())])
        cover.class_of = group(mapped)[1].astype(np.int64)
        return True

    def _candidates(self) -> list[Node]:
        """Return the labels one level above what stands now: each label whose children all stand, or stood."""
        found: list[Node] = []
        for j, (hierarchy, depths) in enumerate(
            zip(self.problem.hierarchies, self.cover.depths, strict=True)
        ):
            for level in range(1, self.problem.highest[j] + 1):
                above = hierarchy.levels[level].of_ground
                highest = np.full(len(hierarchy.levels[level].labels), -1)
                np.maximum.at(highest, above, depths)
                found += [(j, level, int(code)) for code in np.flatnonzero(highest == level - 1)]
        return found

    def _merge(self, node: Node, rows: IntArray) -> IntArray:
        """Return the classes when the labels below the node become one: only classes there can merge."""
        j = node[0]
        base = self.problem.base.codes[rows]
        keys = np.zeros(len(rows), np.int64)
        for i, (hierarchy, depths) in enumerate(
            zip(self.problem.hierarchies, self.cover.depths, strict=True)
        ):
            if i != j:
                labels = _standing(hierarchy, depths, base[:, i])
                keys = keys * (int(labels.max(initial=0)) + 1) + labels
                keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
        merged = self.cover.class_of.copy()
        merged[rows] = keys + int(merged.max(initial=-1)) + 1
        return merged

    def _failing(self, class_of: IntArray) -> int:
        if not self.by_size:
            return self.cover.failing_rows(class_of)
        sizes = np.bincount(class_of, self.problem.base.sizes)
        return int(sizes[sizes < self.k].sum())

    def _loss(self, node: Node, rows: IntArray) -> float:
        j, level, code = node
        hierarchy = self.problem.hierarchies[j]
        ground = self.problem.base.codes[rows, j]
        depths = self.cover.depths[j]
        if self.target is not None:
            return information_gain(self.target, rows, _standing(hierarchy, depths, ground))
        standing = np.stack([own.leaves[own.of_ground[ground]] for own in hierarchy.levels])
        leaves = standing[depths[ground], np.arange(len(ground))]
        weights = self.problem.base.rows[rows].astype(np.float64)
        whole = float(hierarchy.levels[level].leaves[code])
        parts = np.arange(len(rows))
        return float(
            self.problem.weight[j]
            * granularity_gain(weights, whole, parts, leaves.astype(np.float64), hierarchy.size)
        )


def _standing(hierarchy: Hierarchy, depths: IntArray, ground: IntArray) -> IntArray:
    """Return a number for the label that stands for each of some ground codes: the same for the same label of a level."""
    labels = np.stack([own.of_ground[ground] for own in hierarchy.levels])
    return np.asarray(depths[ground] * hierarchy.size + labels[depths[ground], np.arange(len(ground))])
