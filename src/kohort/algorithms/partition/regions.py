"""The regions that Mondrian starts from, and those it ends with."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from kohort.algorithms.equal_rows import by_text
from kohort.algorithms.nothing_found import nothing_found
from kohort.algorithms.partition.dimensions import Dimensions
from kohort.arrays import BoolArray, IntArray
from kohort.card import Card
from kohort.recode.levels import base_to_node
from kohort.recode.problem import Problem

if TYPE_CHECKING:
    from kohort.algorithms.partition.partition_kernels import Spare
    from kohort.algorithms.partition.proposal_kernels import Items

Found = TypeVar("Found")
_MANY = 100_000  # items from which a second thread is worth its start


@dataclass(eq=False)
class Regions:
    """Items in the order of their regions, and the box of each region.

    An item is a distinct tuple or a record; region i holds the items from ends[i - 1]
    to ends[i]. The arrays of items are moved by the kernels, so they belong to this search alone.
    """

    codes: IntArray  # int32 (n_items, n_qi)
    weights: IntArray  # int64, records per item
    ids: IntArray  # int64, the place each item had before the first cut
    ends: IntArray  # int64 (n_regions)
    low: IntArray  # int64 (n_regions, n_qi)
    high: IntArray  # int64 (n_regions, n_qi)
    members: IntArray  # int64, base class or row of the item with each id

    @property
    def starts(self) -> IntArray:
        """Where each region begins."""
        return np.append(0, self.ends[:-1]).astype(np.int64)

    def rows(self) -> IntArray:
        """Return the regions as the kernels take them: (start, end, low …, high …) each."""
        return np.column_stack([self.starts, self.ends, self.low, self.high])

    def cut(self, rows: IntArray) -> Regions:
        """Return the same items in the regions of `rows`, which lie one after another."""
        q = self.codes.shape[1]
        return replace(self, ends=rows[:, 1], low=rows[:, 2 : 2 + q], high=rows[:, 2 + q :])

    def items(self) -> Items:
        """Return the items as the kernels take them."""
        from kohort.algorithms.partition.proposal_kernels import Items

        return Items(self.codes, self.weights, self.ids)

    def spare(self) -> Spare:
        """Return room for the kernels to move items through."""
        from kohort.algorithms.partition.partition_kernels import Spare
        from kohort.algorithms.partition.proposal_kernels import Items

        n = len(self.ids)
        room = Items(np.empty_like(self.codes), np.empty(n, np.int64), np.empty(n, np.int64))
        return Spare(room, np.empty(n, np.int64))

    def region_of(self, n_members: int) -> IntArray:
        """Return the region of each of `n_members` base classes or rows; 0 for those that are in none."""
        regions = np.zeros(n_members, np.int64)
        regions[self.members[self.ids]] = np.repeat(
            np.arange(len(self.ends)), np.diff(np.append(0, self.ends))
        )
        return regions


def first_regions(problem: Problem, by_rows: bool, card: Card) -> tuple[Regions, BoolArray]:
    """Return the regions of the coarsest node allowed, and the rows or base classes that are released.

    That is the whole table, unless the plan bounds levels from above. Regions that break a promise are
    suppressed, within the limit.
    """
    node = base_to_node(problem, problem.highest)
    classes = problem.at(problem.highest)
    failing = problem.failing(classes)
    suppressed = int(classes.rows[failing].sum())
    if suppressed > problem.max_suppressed or failing.all():
        met = f"before the first cut {suppressed:,} are in groups that fail"
        near = {"suppressed": suppressed, "rows": problem.n_rows}
        raise nothing_found(problem, card, met, near, leaves_out=not failing.all())
    kept = ~failing[node]
    if by_rows:
        kept = kept[problem.class_of]
        members = np.flatnonzero(kept)
        # Equal tuples stand side by side, and among them equal sensitive values, whatever the row order.
        read = sorted(frozenset[str]().union(*(model.reads for model in problem.models)))
        keys = [*(by_text(problem, name)[members] for name in sorted(read)), problem.class_of[members]]
        if len(classes) > 1:
            keys.append(node[problem.class_of[members]])
        members = members[np.lexsort(keys)]
        owner = problem.class_of[members]
        weights = np.ones(len(members), np.int64)
    else:
        owner = np.flatnonzero(kept)
        owner = owner[np.argsort(node[owner], kind="stable")]
        members, weights = owner, problem.base.rows[owner].astype(np.int64)
    nodes, counts = np.unique(node[owner], return_counts=True)
    low, high = node_boxes(problem, classes.codes[nodes])
    codes = np.ascontiguousarray(problem.base.codes[owner], np.int32)
    ids = np.arange(len(members))
    return Regions(codes, weights, ids, np.cumsum(counts).astype(np.int64), low, high, members), kept


def node_boxes(problem: Problem, codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last ground code under each label of the coarsest node."""
    low, high = np.empty(codes.shape, np.int64), np.empty(codes.shape, np.int64)
    for j, (hierarchy, level) in enumerate(zip(problem.hierarchies, problem.highest, strict=True)):
        domain = hierarchy.levels[level]
        first = np.full(len(domain.labels), hierarchy.size)
        last = np.zeros(len(domain.labels), np.int64)
        np.minimum.at(first, domain.of_ground, np.arange(hierarchy.size))
        np.maximum.at(last, domain.of_ground, np.arange(hierarchy.size))
        low[:, j], high[:, j] = first[codes[:, j]], last[codes[:, j]]
    return low, high


def cut_by_size(dims: Dimensions, regions: Regions, k: int) -> Regions:
    """Return the regions cut until every further cut would leave fewer than k records on a side.

    Large tables are cut by several threads, each with its own regions: the answer is the same.
    """
    from kohort.algorithms.partition.partition_kernels import partition
    from kohort.algorithms.partition.proposal_kernels import Rule

    items, spare, rule = regions.items(), regions.spare(), Rule(k, relaxed=False)
    if not _worthwhile(regions):
        return regions.cut(partition(dims, items, spare, regions.rows(), rule, 0))
    rows = partition(dims, items, spare, regions.rows(), rule, _share(regions))

    def cut(a: int, b: int) -> IntArray:
        return partition(dims, items, spare, rows[a:b], rule, 0)

    return regions.cut(np.concatenate(_together(cut, rows[:, 1])))


def deal_by_size(dims: Dimensions, regions: Regions, k: int) -> Regions:
    """Return the regions cut, or dealt, until every further cut would leave fewer than k records on a side.

    A tuple may come to stand in several regions, with some of its records in each.
    """
    from kohort.algorithms.partition.deal_kernels import deal
    from kohort.algorithms.partition.proposal_kernels import Rule

    rule = Rule(k, relaxed=True)
    ids, weights, rows = regions.ids, regions.weights, regions.rows()
    if not _worthwhile(regions):
        ids, weights, rows = deal(dims, regions.codes, ids, weights, rows, rule, 0)
    else:
        ids, weights, rows = deal(dims, regions.codes, ids, weights, rows, rule, _share(regions))

        def cut(a: int, b: int) -> tuple[IntArray, IntArray, IntArray]:
            first, last = rows[a, 0], rows[b - 1, 1]
            mine = ids[first:last], weights[first:last], _moved(rows[a:b], -first)
            return deal(dims, regions.codes, *mine, rule, 0)

        done = _together(cut, rows[:, 1])
        before = np.cumsum([0] + [len(found) for found, _, _ in done])[:-1]
        rows = np.concatenate([_moved(found, by) for (_, _, found), by in zip(done, before, strict=True)])
        ids, weights = (np.concatenate([found[part] for found in done]) for part in (0, 1))
    return replace(regions.cut(rows), ids=ids, weights=weights)


def _moved(rows: IntArray, by: int) -> IntArray:
    """Return the regions with their items `by` places later."""
    moved = rows.copy()
    moved[:, :2] += by
    return moved


def _worthwhile(regions: Regions) -> bool:
    return (os.cpu_count() or 1) > 1 and len(regions.ids) >= _MANY


def _share(regions: Regions) -> int:
    """Return the records that a thread may be left with in one region."""
    return int(regions.weights.sum()) // (8 * (os.cpu_count() or 1))


def _together(cut: Callable[[int, int], Found], ends: IntArray) -> list[Found]:
    """Let every thread cut its own run of regions, with about as many items as the others have."""
    threads = os.cpu_count() or 1
    shares = np.searchsorted(ends, np.linspace(0, ends[-1], threads + 1)[1:-1])
    bounds = [0, *shares.tolist(), len(ends)]
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(cut, a, b) for a, b in pairwise(bounds) if b > a]
        return [job.result() for job in jobs]


def rows_dealt(problem: Problem, regions: Regions) -> IntArray:
    """Return the region of every row, where tuples stand in several: its rows go to them in their order."""
    from kohort.algorithms.partition.deal_kernels import hand_out

    owner = regions.members[regions.ids]
    region_of = np.repeat(np.arange(len(regions.ends)), np.diff(np.append(0, regions.ends)))
    order = np.argsort(owner, kind="stable")
    records = np.bincount(owner, regions.weights, minlength=len(problem.base)).astype(np.int64)
    starts = np.append(0, np.cumsum(records))
    return hand_out(
        problem.class_of.astype(np.int64), starts, np.repeat(region_of[order], regions.weights[order])
    )
