"""`Holders`: who holds an item under each node of a tree, as bitmaps."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.sets.baskets import Baskets
from kohort.sets.cut import Cut
from kohort.sets.item_tree import ItemTree
from kohort.sets.lift_kernels import Nodes, cheapest_rise, mark


class Holders:
    """Bitmaps of people by node, each filled when it is first asked for; pages that are not cost no memory."""

    def __init__(self, tree: ItemTree, baskets: Baskets) -> None:
        self._tree = tree
        order = np.argsort(baskets.items, kind="stable")
        self._people: IntArray = baskets.people[order]
        counts = baskets.counts(tree.n_items)
        self._starts: IntArray = np.concatenate([[0], np.cumsum(counts)])
        self._bits = np.zeros((len(tree.labels), -(-baskets.n_people // 64)), np.uint64)
        self._filled: BoolArray = np.zeros(len(tree.labels), np.bool_)

    def rise(self, cut: Cut, labels: IntArray, k: int) -> list[int]:
        """Return the nodes to which a combination of labels is raised most cheaply, so that k people hold it.

        The cheapest by NCP, then the first by name; none where not even k people hold anything.
        """
        tree = self._tree
        for node in {above for label in labels.tolist() for above in tree.path(label)}:
            self._fill(node)
        nodes = Nodes(tree.first, tree.leaves, tree.parent, cut.cost, cut.spent, self._bits)
        found: list[int] = cheapest_rise(nodes, labels, k).tolist()
        return found

    def under(self, node: int) -> IntArray:
        """Return the people who hold an item under a node."""
        holding = np.zeros(self._bits.shape[1] * 64, np.bool_)
        holding[self._held(node)] = True
        return np.flatnonzero(holding)

    def _held(self, node: int) -> IntArray:
        """Return a person for each time that an item under a node is held."""
        first, leaves = self._tree.first[node], self._tree.leaves[node]
        return self._people[self._starts[first] : self._starts[first + leaves]]

    def _fill(self, node: int) -> None:
        if not self._filled[node]:
            mark(self._bits[node], self._held(node))
            self._filled[node] = True
