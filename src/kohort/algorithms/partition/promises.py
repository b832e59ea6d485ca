"""Cutting regions while every part keeps all promises, whatever the privacy models are."""

from __future__ import annotations

import numpy as np

from kohort.algorithms.partition.dimensions import Dimensions
from kohort.algorithms.partition.regions import Regions
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram, Holders
from kohort.models import PrivacyModel
from kohort.recode.problem import Problem


class Judge:
    """Tells which parts of a partition break a promise, from the histograms of their items alone."""

    def __init__(self, problem: Problem, by_rows: bool) -> None:
        self.problem = problem
        self.reads = frozenset[str]().union(*(model.reads for model in problem.models))
        self.by_rows = by_rows

    def failing(self, members: IntArray, part_of: IntArray, weights: IntArray, n_parts: int) -> BoolArray:
        """Mark the parts that fail; the base class or row `members[i]` is in part `part_of[i]`."""
        return broken_parts(self.problem, self._parts(members, part_of, weights, n_parts))

    def all_keep(self, members: IntArray, part_of: IntArray, weights: IntArray, n_parts: int) -> bool:
        """Tell whether the parts together keep every promise; of one about the table, a part alone may not."""
        return not self.problem.failing(self._parts(members, part_of, weights, n_parts)).any()

    def _parts(self, members: IntArray, part_of: IntArray, weights: IntArray, n_parts: int) -> Classes:
        problem = self.problem
        rows = np.bincount(part_of, weights, minlength=n_parts).astype(np.int64)
        people = self._people(members, part_of, n_parts)
        return Classes(
            codes=np.zeros((n_parts, len(problem.names)), np.int32),
            levels=problem.base.levels,
            sizes=rows if people is None else people.distinct(),
            rows=rows,
            sensitive={name: self._sensitive(name, members, part_of, n_parts) for name in self.reads},
            respondents=people,
            holders={
                name: self._holders(base, name, members, part_of, n_parts)
                for name, base in problem.base.holders.items()
                if name in self.reads
            },
        )

    def _sensitive(self, name: str, members: IntArray, part_of: IntArray, n_parts: int) -> Histogram:
        base = self.problem.base.sensitive[name]
        if self.by_rows:
            return Histogram.of(part_of, self.problem.sensitive[name][members], n_parts, base.size)
        return _gathered(base, members, part_of, n_parts)

    def _holders(
        self, base: Holders, name: str, members: IntArray, part_of: IntArray, n_parts: int
    ) -> Holders:
        if self.by_rows:
            assert self.problem.respondents is not None
            person, value = self.problem.respondents[members], self.problem.sensitive[name][members]
            return Holders.of(part_of, person, value, n_parts, base.pairs.n_values)
        return Holders(base.pairs, _gathered(base.entries, members, part_of, n_parts))

    def _people(self, members: IntArray, part_of: IntArray, n_parts: int) -> Histogram | None:
        base = self.problem.base.respondents
        if base is None:
            return None
        if self.by_rows:
            assert self.problem.respondents is not None
            return Histogram.of(part_of, self.problem.respondents[members], n_parts, base.size)
        return _gathered(base, members, part_of, n_parts)


def broken_parts(problem: Problem, parts: Classes) -> BoolArray:
    """Mark the parts that break a promise."""
    broken = np.zeros(len(parts), np.bool_)
    for model in problem.models:
        broken |= model.failing(parts) if model.card.classwise else _failing_alone(model, parts)
    return broken


def _failing_alone(model: PrivacyModel, parts: Classes) -> BoolArray:
    """Mark the parts that break, by themselves, a promise made about the table as a whole.

    An average over the table is kept when every part keeps it; this asks for more than the promise does.
    """
    return np.array([not model.holds(parts.kept(np.array([i]))) for i in range(len(parts))], np.bool_)


def _gathered(base: Histogram, members: IntArray, part_of: IntArray, n_parts: int) -> Histogram:
    """Return the histogram of the parts, reading the entries of their own classes only."""
    return base.kept(members).merged(part_of, n_parts)


def cut_by_promises(
    problem: Problem, dims: Dimensions, regions: Regions, k: int, relaxed: bool, watch: Watch
) -> Regions:
    """Return the regions cut until no cut is left whose parts all keep every promise.

    All regions try their next cut at once, so that a round costs one judgement of all parts; a region
    whose parts fail tries the cut after that one in the next round. Parts hold at least k records before
    they are judged. When it is over, what has been reached is returned: after any round every region keeps
    its promises.
    """
    from kohort.algorithms.partition.partition_kernels import cut_once
    from kohort.algorithms.partition.proposal_kernels import Rule

    judge = Judge(problem, relaxed)
    spare = regions.spare()
    rows = regions.rows()
    attempts = np.zeros(len(rows), np.int64)
    settled: list[IntArray] = []
    total = len(regions.ids)
    items, rule = regions.items(), Rule(k, relaxed)
    while len(rows) and not watch.over:
        parts, owner = cut_once(dims, items, spare, rows, attempts, rule)
        whole = np.bincount(owner, minlength=len(rows)) == 1
        good = ~whole
        good[owner[_broken(judge, regions, parts)]] = False
        again, new = ~whole & ~good, good[owner]
        if relaxed:
            _restore(regions, rows[again])
        settled.append(rows[whole])
        rows = np.concatenate([rows[again], parts[new]])
        attempts = np.concatenate([attempts[again] + 1, np.zeros(int(new.sum()), np.int64)])
        watch.update("partitioning", total - int((rows[:, 1] - rows[:, 0]).sum()), total)
    rows = np.concatenate([*settled, rows])
    return regions.cut(rows[np.argsort(rows[:, 0])])


def _broken(judge: Judge, regions: Regions, parts: IntArray) -> BoolArray:
    begin, sizes = parts[:, 0], parts[:, 1] - parts[:, 0]
    part_of = np.repeat(np.arange(len(parts)), sizes)
    items = np.arange(len(part_of)) + np.repeat(begin - (np.cumsum(sizes) - sizes), sizes)
    return judge.failing(regions.members[regions.ids[items]], part_of, regions.weights[items], len(parts))


def _restore(regions: Regions, rows: IntArray) -> None:
    """Put the records of regions that were cut in vain back in order: a dealt cut depends on it."""
    for start, end in rows[:, :2].tolist():
        order = start + np.argsort(regions.ids[start:end])
        regions.codes[start:end] = regions.codes[order]
        regions.ids[start:end] = regions.ids[order]
