"""`ItemTree`: the labels by which items can be told, as the nodes of one tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.plurals import many


@dataclass(frozen=True, eq=False, repr=False)
class ItemTree:
    """The nodes of a hierarchy of items, numbered in the order of their labels.

    A node covers items that stand side by side: `leaves[node]` of them from `first[node]` on. Labels of several
    levels that cover the same items are one node, told by the lowest: it says as much and is nearer to the item.
    """

    name: str
    labels: tuple[str, ...]  # ascending
    first: IntArray  # int64
    leaves: IntArray  # int64
    parent: IntArray  # int64; the root is its own
    leaf_node: IntArray  # int64: item code -> node

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> ItemTree:
        """Return the tree of a hierarchy; a label must have one meaning, for all levels are mixed in one set."""
        label_of: dict[tuple[int, int], str] = {}
        meanings: dict[str, set[tuple[int, int]]] = {}
        for level in hierarchy.levels:
            firsts = np.unique(level.of_ground, return_index=True)[1].tolist()
            for label, first, leaves in zip(level.labels, firsts, level.leaves.tolist(), strict=True):
                text = "" if label is None else label
                label_of.setdefault((first, leaves), text)
                meanings.setdefault(text, set()).add((first, leaves))
        unclear = sum(len(meant) > 1 for meant in meanings.values())
        if unclear:
            raise InputError(
                f"column {hierarchy.name!r}: "
                f"{many(unclear, 'label of its hierarchy stands', 'labels of its hierarchy stand')} for "
                "different items at different levels, and sets mix the levels; give every label one meaning",
                code="hierarchy.unclear-labels",
                column=hierarchy.name,
                found=unclear,
            )
        nodes = sorted(label_of, key=label_of.__getitem__)
        number = {node: i for i, node in enumerate(nodes)}
        return cls(
            hierarchy.name,
            tuple(label_of[node] for node in nodes),
            np.array([first for first, _ in nodes], np.int64),
            np.array([leaves for _, leaves in nodes], np.int64),
            _parents(nodes),
            np.array([number[item, 1] for item in range(hierarchy.size)], np.int64),
        )

    @property
    def n_items(self) -> int:
        """The number of items that the hierarchy knows."""
        return len(self.leaf_node)

    @cached_property
    def root(self) -> int:
        """The node over all items."""
        return int(np.argmax(self.leaves))

    def children(self, node: int) -> IntArray:
        """Return the nodes right below a node."""
        own = self.parent == node
        own[self.root] = False
        return np.flatnonzero(own)

    def path(self, node: int) -> Iterator[int]:
        """Yield a node and those above it, up to the root."""
        while node != self.root:
            yield node
            node = int(self.parent[node])
        yield node


def _parents(nodes: list[tuple[int, int]]) -> IntArray:
    """Return the least node that covers more than each; nodes are nested or apart."""
    inward = sorted(range(len(nodes)), key=lambda i: (nodes[i][0], -nodes[i][1]))
    parent, above = np.zeros(len(nodes), np.int64), [inward[0]]
    for i in inward:
        while nodes[above[-1]][0] + nodes[above[-1]][1] <= nodes[i][0]:
            above.pop()
        parent[i] = above[-1]
        above.append(i)
    return parent
