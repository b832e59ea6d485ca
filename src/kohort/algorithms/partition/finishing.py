"""A region cut to boxes where its rows are: by the same kernels, from the same counts, as where all tuples are held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from kohort.algorithms.algorithm import Silent
from kohort.algorithms.partition.dimensions import Dimensions
from kohort.algorithms.partition.promises import Judge, cut_by_promises
from kohort.algorithms.partition.regions import Regions, cut_by_size
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, group
from kohort.errors import VerificationError
from kohort.recode.counted_boxes import numbers_of
from kohort.recode.nodes import Lines
from kohort.recode.on_grid import on_grid
from kohort.recode.problem import Problem


@dataclass(frozen=True, eq=False)
class Finishing:
    """Cuts regions, each by itself; it is sent to where the rows are."""

    problem: Problem  # without classes
    dims: Dimensions
    sizes: Mapping[str, int]  # of the domains of the values that promises look at
    boxes: Mapping[int, tuple[IntArray, IntArray]]  # low and high of every region

    @classmethod
    def of(
        cls, problem: Problem, dims: Dimensions, boxes: Mapping[int, tuple[IntArray, IntArray]]
    ) -> Finishing:
        """Return what cuts the regions of a problem; of its rows nothing goes along."""
        reads = frozenset[str]().union(*(model.reads for model in problem.models))
        sizes = {name: problem.base.sensitive[name].size for name in sorted(reads)}
        q, nothing = len(problem.names), np.zeros(0, np.int64)
        empty = Classes(np.zeros((0, q), np.int32), (0,) * q, nothing, nothing)
        return cls(
            replace(problem, base=empty, nodes=None, time_limit=None, sensitive={}), dims, sizes, boxes
        )

    def __call__(self, lines: Lines) -> tuple[IntArray, IntArray]:
        """Return the box of every line of a region, and the numbers of every box."""
        ground, class_of = group(lines.ground)
        problem, of_grid = on_grid(replace(self.problem, base=self._classes(lines, ground, class_of)))
        low, high = self.boxes[lines.region]
        n = len(problem.base)
        regions = Regions(
            codes=problem.base.codes.copy(),
            weights=problem.base.rows.astype(np.int64),
            ids=np.arange(n),
            ends=np.array([n], np.int64),
            low=low[None, :],
            high=high[None, :],
            members=np.arange(n),
        )
        regions = self._cut(problem, regions)
        box_of = regions.region_of(n)[of_grid]
        self._keep(problem, regions)
        told = numbers_of(problem.hierarchies, ground, box_of, regions.low, regions.high)
        return box_of[class_of], told

    def _cut(self, problem: Problem, regions: Regions) -> Regions:
        if problem.by_size:
            return cut_by_size(self.dims, regions, problem.crowd)
        watch = Watch.of(problem, Silent())
        return cut_by_promises(problem, self.dims, regions, problem.crowd, relaxed=False, watch=watch)

    def _keep(self, problem: Problem, regions: Regions) -> None:
        part_of = np.repeat(np.arange(len(regions.ends)), np.diff(np.append(0, regions.ends)))
        failing = Judge(problem, by_rows=False).failing(
            regions.members[regions.ids], part_of, regions.weights, len(regions.ends)
        )
        if failing.any():
            raise VerificationError(
                "Mondrian made a group that breaks a promise; nothing was released", code="verify.failed"
            )

    def _classes(self, lines: Lines, ground: IntArray, class_of: IntArray) -> Classes:
        n = len(ground)
        rows = np.bincount(class_of, lines.records, minlength=n).astype(np.int64)
        sensitive = {
            name: Histogram.of(class_of, lines.values[name].astype(np.int32), n, size, lines.records)
            for name, size in self.sizes.items()
        }
        return Classes(ground, (0,) * ground.shape[1], rows, rows, sensitive)
