"""`apriori`: labels are raised until every combination, smaller ones first, is held often enough."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.watch import Watch
from kohort.arrays import IntArray
from kohort.card import Card
from kohort.errors import InfeasibleError
from kohort.plurals import many
from kohort.sets.cut import Cut
from kohort.sets.item_holders import Holders
from kohort.sets.lowering import lower
from kohort.sets.rare import rare_sets
from kohort.sets.rare_kernels import next_standing
from kohort.sets.set_problem import SetProblem, SetSolution


@dataclass(frozen=True)
class Apriori:
    """One label for each item, the same in all sets, such that every k^m promise is kept (AA of the paper).

    For sizes 1 to m: combinations of labels that too few people hold are counted; rarest first, each whose labels
    still stand is raised to the cheapest product of their ancestors (by NCP, then by name) that k people hold together; and
    again, counting only what was raised, until there are none. Raising never makes a combination rarer, so smaller
    sizes stay kept. Items are left out only as far as everything becomes the root.

    Where we depart from the paper: a label that was raised for a combination which later rises would have mended is lowered
    again (`kohort.sets.lowering`).

    Guarantee: the promise, and no finer cut keeps it; another cut may lose less. Stopped early, everything is the
    root, which always holds, or where labels were being lowered already, no more are.

    Complexity: per count as many steps as people hold combinations of that size; at most one rise and one lowering per
    label.

    >>> import pyarrow as pa
    >>> from kohort import Plan, anonymize
    >>> tree = {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}
    >>> columns = {"basket": {"role": "set", "separator": ";", "hierarchy": tree}}
    >>> plan = Plan(columns, [{"model": "k-m", "k": 2, "m": 1}], {"shape": "sets"}, {"algorithm": "apriori"})
    >>> baskets = pa.table({"basket": ["a1;b1", "a2;b1", "b1"]})
    >>> sorted(anonymize(baskets, plan).table["basket"].to_pylist())
    ['A;b1', 'A;b1', 'b1']

    References: Terrovitis, M., Mamoulis, N. and Kalnis, P. Privacy-preserving anonymization of set-valued data.
    PVLDB 1(1), 2008.
    """

    card: ClassVar = Card(
        "apriori",
        "raises the labels of rare combinations of items, smaller combinations first",
        guarantee="minimal where the search ends by itself: no finer labels would keep the promise",
        paper="Terrovitis, Mamoulis and Kalnis 2008",
    )

    def solve(self, problem: SetProblem, progress: Progress) -> SetSolution:
        """Return a cut that keeps every promise, or raise InfeasibleError where too few people hold anything."""
        demand_people(problem)
        search = _Search(problem, Watch(progress, progress.stop, problem.time_limit))
        try:
            for size in range(1, problem.m + 1):
                search.settle(size)
        except _OverError:
            search.cut.raise_to(problem.tree.root)
        else:
            search.lower()
        return search.solution()


def demand_people(problem: SetProblem) -> None:
    """Refuse where so few people hold anything that not even the root, in place of every item, would hide them."""
    k, holding = problem.k(1), problem.baskets.holding
    if 0 < holding < k:
        raise InfeasibleError(
            f"no recoding meets {' and '.join(model.label for model in problem.models)}: only "
            f"{'1 person holds' if holding == 1 else f'{holding:,} people hold'} any item, and {k:,} "
            f"must; the nearest, one label for all items, is held by {holding:,}: lower k, or add people",
            {"people": holding, "k": k},
            code="infeasible.too-few-rows",
            models=[model.label for model in problem.models],
        )


class _OverError(Exception):
    """The search must end now."""


@dataclass
class _Search:
    problem: SetProblem
    watch: Watch
    size: int = 1
    counts: int = 0
    rises: int = 0
    lowered: int = 0
    kept: bool = False  # whether the cut as it stands keeps every promise; the root always does

    def __post_init__(self) -> None:
        self.tree = self.problem.tree
        self.cut = Cut(self.tree, self.problem.baskets)
        self.holders = Holders(self.tree, self.problem.baskets)

    def settle(self, size: int) -> None:
        """Raise labels until every combination of that size is held by nobody or by k people."""
        self.size = size
        fresh = np.unique(self.cut.node_of_item)
        while len(fresh):
            nodes, rare, complete = self._rare(fresh)
            raised = self._raise(nodes, rare, self.problem.k(size))
            fresh = raised if complete else np.unique(self.cut.node_of_item)

    def _rare(self, fresh: IntArray) -> tuple[IntArray, IntArray, bool]:
        """Return the labels, fresh ones first, and the rare combinations of them as places among these."""
        others = np.setdiff1d(np.unique(self.cut.node_of_item), fresh)
        nodes = np.concatenate([fresh, others])
        place = np.zeros(len(self.tree.labels), np.int64)
        place[nodes] = np.arange(len(nodes))
        self.counts += 1
        label_of = place[self.cut.node_of_item]
        k = self.problem.k(self.size)
        rare, complete = rare_sets(self.problem.baskets, label_of, len(fresh), self.size, k, self._pause)
        return nodes, rare, complete

    def _raise(self, nodes: IntArray, rare: IntArray, k: int) -> IntArray:
        """Raise the rare combinations whose labels still stand, one after the other; return the new labels."""
        raised: set[int] = set()
        standing, at = self.cut.standing[nodes], 0
        while (at := int(next_standing(rare, standing, at))) < len(rare):
            for node in self.holders.rise(self.cut, nodes[rare[at]], k):
                if not self.cut.standing[node]:
                    self.cut.raise_to(node)
                    raised.add(node)
                    self.rises += 1
            standing = self.cut.standing[nodes]
        return np.array(sorted(node for node in raised if self.cut.standing[node]), np.int64)

    def lower(self) -> None:
        """Lower what was raised in vain, as long as there is time."""
        self.kept = True
        with suppress(_OverError):
            self.lowered = lower(self.problem, self.cut, self.holders, self._pause)

    def _pause(self) -> None:
        note = f"combinations of {self.size}, {many(self.rises, 'label')} raised"
        self.watch.tell(note, best=self.cut.loss if self.kept else 1.0)
        if self.watch.over:
            raise _OverError

    def solution(self) -> SetSolution:
        """Return the cut as it stands."""
        facts = {"counts": self.counts, "rises": self.rises, "lowered": self.lowered}
        return SetSolution(self.cut.node_of_item, self.cut.loss, facts, self.watch.ended)
