"""`Cut`: by which label every item is told, and what that loses."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.sets.baskets import Baskets
from kohort.sets.item_tree import ItemTree


class Cut:
    """One label for each item, the same in every set; raising a label takes all items under it along.

    Loss is the normalized certainty penalty (NCP): a label over u of |I| items costs u / |I| for each time that one of its
    items is held, an item itself nothing; as a share of the most, when everything is the root. It is kept in whole
    numbers, in units of 1 / |I|.
    """

    def __init__(self, tree: ItemTree, baskets: Baskets) -> None:
        self.tree = tree
        self.node_of_item: IntArray = tree.leaf_node.copy()
        occurrences = np.concatenate([[0], np.cumsum(baskets.counts(tree.n_items))])
        held = occurrences[tree.first + tree.leaves] - occurrences[tree.first]
        self.cost: IntArray = np.where(tree.leaves == 1, 0, held * tree.leaves)  # of a node as a label
        self.spent: IntArray = np.zeros_like(self.cost)  # under a node as items are told now
        self.standing: BoolArray = np.zeros(len(tree.labels), np.bool_)  # whether a node is a label now
        self.standing[tree.leaf_node] = True
        self._most = max(int(occurrences[-1]) * tree.n_items, 1)

    def raise_to(self, node: int) -> None:
        """Tell every item under a node by it."""
        tree = self.tree
        items = slice(tree.first[node], tree.first[node] + tree.leaves[node])
        self.standing[self.node_of_item[items]] = False
        self.standing[node] = True
        self.node_of_item[items] = node
        gained = self.cost[node] - self.spent[node]
        for above in tree.path(node):
            self.spent[above] += gained

    def lower(self, node: int) -> None:
        """Tell every item under a label by the node below it."""
        tree, below = self.tree, self.tree.children(node)
        for child in below.tolist():
            self.node_of_item[tree.first[child] : tree.first[child] + tree.leaves[child]] = child
        self.standing[node], self.standing[below] = False, True
        self.spent[below] = self.cost[below]
        for above in tree.path(node):
            self.spent[above] -= self.saving(node)

    def saving(self, node: int) -> int:
        """Return what is lost less if a label is lowered."""
        return int(self.cost[node] - self.cost[self.tree.children(node)].sum())

    @property
    def loss(self) -> float:
        """The NCP of the cut, from 0 to 1."""
        return float(self.spent[self.tree.root]) / self._most
