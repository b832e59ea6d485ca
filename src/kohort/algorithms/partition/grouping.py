"""Rows of a region grouped where they are, by an algorithm that looks at single rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kohort.algorithms.algorithm import Algorithm, Silent
from kohort.algorithms.watch import unwatched
from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.chance import below
from kohort.classes import Classes, Histogram, group
from kohort.errors import InfeasibleError
from kohort.recode.counted_boxes import numbers_of
from kohort.recode.groups import Groups
from kohort.recode.nodes import Lines
from kohort.recode.problem import Problem

UNIT = 1_000_000  # losses are told in whole numbers of this part of a cell


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups the rows of regions, each by itself; it is sent to where the rows are.

    Rows of one tuple stay together: where the algorithm parts them, all go where most of them are, and groups that break a
    promise then are merged with their nearest. Whoever does it again, because an executor was lost, does the same: lines are
    put in order, chance is drawn before, and no clock is looked at.

    The regions that are `tried` are also cut once more, and the two parts grouped by themselves, to see what a cut costs: the
    numbers of each group end with the loss of its region's rows as they are released, and with that of the two parts.
    """

    problem: Problem  # without classes
    algorithm: Algorithm
    sizes: Mapping[str, int]  # of the domains of the values that are counted
    tried: frozenset[int]

    @classmethod
    def of(cls, problem: Problem, algorithm: Algorithm, tried: Collection[int]) -> Grouping:
        """Return what groups the rows of a problem; of these nothing goes along."""
        sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
        q, nothing = len(problem.names), np.zeros(0, np.int64)
        empty = Classes(np.zeros((0, q), np.int32), (0,) * q, nothing, nothing)
        seed = below(1 << 62) if problem.seed is None else problem.seed
        alone = replace(problem, base=empty, nodes=None, time_limit=None, sensitive={}, seed=seed)
        return cls(alone, algorithm, sizes, frozenset(tried))

    def __call__(self, lines: Lines) -> tuple[IntArray, IntArray]:
        """Return the group of every line of a region, and the numbers of every group."""
        problem, order, class_of = self._problem(lines)
        group_of, loss = self._grouped(problem)
        apart = self._apart(problem, loss) if lines.region in self.tried else 0.0
        n_groups, q = int(group_of.max()) + 1, len(problem.names)
        ends = np.zeros((n_groups, q), np.int64)
        told = numbers_of(problem.hierarchies, problem.base.codes, group_of, ends, ends)
        losses = [round(share * UNIT) if apart else 0 for share in (loss, apart)]
        box = np.empty(len(order), np.int64)
        box[order] = group_of[class_of]
        return box, np.column_stack([told, np.tile(losses, (n_groups, 1))])

    def _grouped(self, problem: Problem) -> tuple[IntArray, float]:
        """Return the group of every tuple, and the loss of the rows as they are released then."""
        decision = self.algorithm.solve(problem, Silent()).decision
        assert isinstance(decision, Groups)
        of_tuple = _together(decision.group_of, problem.class_of, len(problem.base))
        if (of_tuple[problem.class_of] != decision.group_of).any():
            decision = self._mended(problem, of_tuple, decision.tight)
            of_tuple = _together(decision.group_of, problem.class_of, len(problem.base))
        told = Groups(of_tuple[problem.class_of], np.ones(problem.n_rows, np.bool_), decision.tight)
        shares = [
            (column.leaves[column.codes] - 1).sum() / max(hierarchy.size - 1, 1)
            for column, hierarchy in zip(told.apply(problem).columns, problem.hierarchies, strict=True)
        ]
        group_of = np.unique(of_tuple, return_inverse=True)[1].reshape(-1)
        return group_of, float(sum(shares)) / len(problem.names)

    def _mended(self, problem: Problem, of_tuple: IntArray, tight: bool) -> Groups:
        from kohort.algorithms.clustering.demands import demands_of
        from kohort.algorithms.clustering.settlement import settle

        demands = demands_of(problem, self.algorithm.card.name)
        settled = settle(problem, demands, of_tuple[problem.class_of], tight, unwatched()).decision
        assert isinstance(settled, Groups)
        return settled

    def _apart(self, problem: Problem, whole: float) -> float:
        """Return the loss where the two parts of a cut are grouped by themselves: the first that can be made."""
        for left in _cuts(problem):
            try:
                return sum(self._grouped(_part(problem, mine))[1] for mine in (left, ~left))
            except InfeasibleError:
                continue
        return whole

    def _problem(self, lines: Lines) -> tuple[Problem, IntArray, IntArray]:
        """Return the problem of the rows of a region, the order in which lines were put, and the tuple of each line in it."""
        order = np.lexsort((*lines.values.values(), *lines.ground.T[::-1]))
        ground, class_of = group(lines.ground[order])
        line_of = np.repeat(np.arange(len(order)), lines.records[order])
        values = {name: held[order][line_of].astype(np.int32) for name, held in lines.values.items()}
        rows = class_of[line_of]
        return self._of(ground, rows, values), order, class_of

    def _of(self, ground: IntArray, rows: IntArray, values: Mapping[str, IntArray]) -> Problem:
        return replace(
            self.problem,
            base=classes_of(ground, rows, values, self.sizes),
            class_of=rows,
            sensitive=values,
        )


def classes_of(
    ground: IntArray, rows: IntArray, values: Mapping[str, IntArray], sizes: Mapping[str, int]
) -> Classes:
    """Return the classes of tuples, from the tuple and the values of each row."""
    counts = np.bincount(rows, minlength=len(ground)).astype(np.int64)
    sensitive = {name: Histogram.of(rows, held, len(ground), sizes[name]) for name, held in values.items()}
    return Classes(ground, (0,) * ground.shape[1], counts, counts, sensitive)


def _together(group_of: IntArray, class_of: IntArray, n_classes: int) -> IntArray:
    """Return for every tuple the group that most of its rows are in, the least of several."""
    groups, numbered = np.unique(group_of, return_inverse=True)
    pairs, counts = np.unique(class_of * len(groups) + numbered.reshape(-1), return_counts=True)
    owner, held = np.divmod(pairs, len(groups))
    best = np.lexsort((held, -counts, owner))
    first = np.unique(owner[best], return_index=True)[1]
    assert len(first) == n_classes
    chosen: IntArray = groups[held[best][first]]
    return chosen


def _cuts(problem: Problem) -> list[BoolArray]:
    """Return cuts of the rows at the middle of each attribute, the widest first, as a share of its domain."""
    codes, found = problem.codes, []
    width: FloatArray = np.array(
        [np.ptp(codes[:, j]) / h.size for j, h in enumerate(problem.hierarchies)], np.float64
    )
    for j in np.argsort(-width, kind="stable").tolist():
        left = codes[:, j] <= np.quantile(codes[:, j], 0.5, method="lower")
        if not left.all():
            found.append(left)
    return found


def _part(problem: Problem, mine: BoolArray) -> Problem:
    """Return the problem of some of the rows."""
    kept, rows = np.unique(problem.class_of[mine], return_inverse=True)
    values = {name: held[mine] for name, held in problem.sensitive.items()}
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    base = classes_of(problem.base.codes[kept], rows.reshape(-1), values, sizes)
    return replace(problem, base=base, class_of=rows.reshape(-1), sensitive=values)
