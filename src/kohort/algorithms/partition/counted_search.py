"""Mondrian on rows that are elsewhere and too many to hold: cut from counts, and finished where the rows are.

A region that holds more than some records is cut from the counts of its attributes, and of the sensitive values in the parts,
which are all that a cut depends on. What is left is cut by the same kernels where its rows are. A cut looks at nothing
outside its region, so the boxes are those of a search that holds all tuples.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kohort.algorithms.partition.coupling import coupled_regions
from kohort.algorithms.partition.cut_tree import CutTree
from kohort.algorithms.partition.dimensions import Dimensions
from kohort.algorithms.partition.finishing import Finishing
from kohort.algorithms.partition.layout import dimensions
from kohort.algorithms.partition.promises import broken_parts
from kohort.algorithms.partition.regions import node_boxes
from kohort.algorithms.watch import Watch
from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes, Histogram
from kohort.errors import InputError
from kohort.recode.boxes import BoxStyles
from kohort.recode.counted_boxes import CountedBoxes
from kohort.recode.decision import Solution
from kohort.recode.nodes import RegionRows
from kohort.recode.on_grid import moves
from kohort.recode.problem import Problem


@dataclass(frozen=True, eq=False)
class Region:
    """A box, and how many records are in it."""

    number: int  # in the tree
    records: int
    low: IntArray
    high: IntArray


def search_counted(
    problem: Problem, rows: RegionRows, watch: Watch, by_tree: bool, told: BoxStyles
) -> Solution:
    """Partition the records into boxes that keep every promise, where they are, and score the release of them."""
    dims, tree, cells = cut_cells(problem, rows, watch, by_tree, rows.most)
    boxes = {cell.number: (cell.low, cell.high) for cell in cells}
    finish = Finishing.of(problem, dims, boxes)
    return scored(problem, CountedBoxes(rows.finished(tree, finish), told), watch)


def scored(problem: Problem, decision: CountedBoxes, watch: Watch, **facts: Any) -> Solution:
    """Return the solution of a decision about rows that are elsewhere."""
    settled = decision.settled(problem)
    score = problem.objective.score(decision.apply(settled).outcome(settled))
    return Solution(decision, score, facts={"groups": len(decision.rows.told), **facts, **watch.facts()})


def cut_cells(
    problem: Problem, rows: RegionRows, watch: Watch, by_tree: bool, most: int
) -> tuple[Dimensions, CutTree, list[Region]]:
    """Cut the records into regions of at most so many that keep every promise, from counts; return how they are told apart."""
    classes = problem.at(problem.highest)
    if broken_parts(problem, classes).any():  # by itself, which a promise about the table need not forbid
        raise InputError(
            "[recode] algorithm: a group breaks a promise before the first cut, and to leave it out, or to weigh it against "
            "others, takes the distinct tuples of the table in memory, and they do not fit there; allow more memory, or raise "
            "max_level",
            code="engine.no-bottom",
        )
    dims = dimensions(problem, by_tree, _ends(problem))
    tree = CutTree.of(problem, classes.codes)
    low, high = node_boxes(problem, classes.codes)
    first = [Region(i, int(n), low[i], high[i]) for i, n in enumerate(classes.rows)]
    watch.update("partitioning")
    return dims, tree, _Cutting(problem, dims, tree, rows, watch, most).cells(first)


def _ends(problem: Problem) -> list[tuple[int, int]]:
    """Return the least and the greatest code of every attribute, as the search sees them."""
    assert problem.nodes is not None
    seen = (
        onto[np.flatnonzero(totals)]
        for onto, totals in zip(moves(problem), problem.nodes.totals, strict=True)
    )
    return [(int(codes.min()), int(codes.max())) for codes in seen]


@dataclass(frozen=True, eq=False)
class _Cutting:
    problem: Problem
    dims: Dimensions
    tree: CutTree
    rows: RegionRows
    watch: Watch
    most: int  # records of a region that is cut no further

    def cells(self, regions: list[Region]) -> list[Region]:
        """Return regions cut until each is small enough, or cannot be cut; or until it is over."""
        cells: list[Region] = []
        while regions:
            large = [region for region in regions if region.records > self.most]
            cells += [region for region in regions if region.records <= self.most]
            if not large or self.watch.over:
                return cells + large
            whole, regions = self._cut(large)
            cells += whole
            self.watch.update("partitioning", sum(c.records for c in cells), self.problem.n_rows)
        return cells

    def _cut(self, regions: list[Region]) -> tuple[list[Region], list[Region]]:
        """Return the regions that cannot be cut, and the parts of the others; best cuts first, one job for all that try one."""
        from kohort.algorithms.partition.partition_kernels import cut_once
        from kohort.algorithms.partition.proposal_kernels import Rule

        counted = self.rows.marginals(self.tree, [region.number for region in regions])
        low, high = (np.array([getattr(r, end) for r in regions], np.int64) for end in ("low", "high"))
        laid = coupled_regions(counted, low, high)
        items, spare, rule = laid.items(), laid.spare(), Rule(self.problem.crowd, relaxed=False)
        rows, left = laid.rows(), np.arange(len(regions))
        attempts = np.zeros(len(regions), np.int64)
        whole: list[Region] = []
        made: list[Region] = []
        while len(left):
            parts, owner = cut_once(self.dims, items, spare, rows, attempts, rule)
            alone = np.bincount(owner, minlength=len(left)) == 1
            whole += [regions[i] for i in left[alone]]
            proposed = [
                _parts(regions[left[i]], parts[owner == i], laid.weights) for i in np.flatnonzero(~alone)
            ]
            good = self._keep(proposed)
            made += [
                part
                for parts_of, kept in zip(proposed, good, strict=True)
                if kept
                for part in self._made(parts_of)
            ]
            again = np.flatnonzero(~alone)[~good]
            rows, left, attempts = rows[again], left[again], attempts[again] + 1
        return whole, made

    def _keep(self, proposed: list[_Parts]) -> BoolArray:
        """Mark the cuts all parts of which keep every promise."""
        if self.problem.by_size or not proposed:
            return np.ones(len(proposed), np.bool_)
        tried = self.tree.copy()
        numbers = [number for parts in proposed for number in parts.cut(tried)]
        records = np.array([part.records for parts in proposed for part in parts.boxes], np.int64)
        q = len(self.problem.names)
        reads = frozenset[str]().union(*(model.reads for model in self.problem.models))
        classes = Classes(
            codes=np.zeros((len(numbers), q), np.int32),
            levels=(0,) * q,
            sizes=records,
            rows=records,
            sensitive={name: self._histogram(tried, numbers, name) for name in sorted(reads)},
        )
        broken = broken_parts(self.problem, classes)
        of_cut = np.repeat(np.arange(len(proposed)), [len(parts.boxes) for parts in proposed])
        return np.asarray(np.bincount(of_cut, broken, minlength=len(proposed)) == 0)

    def _histogram(self, tree: CutTree, numbers: list[int], name: str) -> Histogram:
        place, value, records = self.rows.values(tree, numbers, name)
        return Histogram.of(
            place, value.astype(np.int32), len(numbers), self.problem.base.sensitive[name].size, records
        )

    def _made(self, parts: _Parts) -> list[Region]:
        numbers = parts.cut(self.tree)
        return [replace(box, number=number) for box, number in zip(parts.boxes, numbers, strict=True)]


@dataclass(frozen=True, eq=False)
class _Parts:
    """A cut that is proposed."""

    region: Region
    attribute: int
    boxes: list[Region]  # without numbers yet

    def cut(self, tree: CutTree) -> list[int]:
        """Cut the region in a tree; return the numbers of the parts."""
        return tree.cut(
            self.region.number, self.attribute, [int(box.high[self.attribute]) for box in self.boxes]
        )


def _parts(region: Region, rows: IntArray, weights: IntArray) -> _Parts:
    """Return the parts that the kernel tells by (start, end, low …, high …), and along which attribute they lie."""
    q = len(region.low)
    low, high = rows[:, 2 : 2 + q], rows[:, 2 + q :]
    attribute = int(np.flatnonzero(low[0] != low[-1])[0])
    boxes = [
        Region(-1, int(weights[start:end].sum()), low[i], high[i])
        for i, (start, end) in enumerate(rows[:, :2].tolist())
    ]
    return _Parts(region, attribute, boxes)
