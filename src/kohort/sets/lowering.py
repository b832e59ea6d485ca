"""Labels that were raised in vain are lowered again."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

import numpy as np

from kohort.sets.cut import Cut
from kohort.sets.item_holders import Holders
from kohort.sets.rare import rare_sets
from kohort.sets.set_problem import SetProblem


def lower(problem: SetProblem, cut: Cut, holders: Holders, pause: Callable[[], None]) -> int:
    """Lower labels of a cut as long as the promises stay kept, those that save most first; return how many were.

    What cannot be lowered now cannot be later, when others are lower still: so each label is tried once, and in the end no finer
    cut keeps the promises. Only the people who hold an item under the label are looked at, for all new combinations are theirs.
    """
    tree = cut.tree
    open_labels = [
        (-cut.saving(node), node) for node in np.unique(cut.node_of_item).tolist() if tree.leaves[node] > 1
    ]
    heapify(open_labels)
    lowered = 0
    while open_labels:
        _, node = heappop(open_labels)
        if _may_be_lowered(problem, cut, node, holders, pause):
            cut.lower(node)
            lowered += 1
            for below in tree.children(node).tolist():
                if tree.leaves[below] > 1:
                    heappush(open_labels, (-cut.saving(below), below))
    return lowered


def _may_be_lowered(
    problem: SetProblem, cut: Cut, node: int, holders: Holders, pause: Callable[[], None]
) -> bool:
    """Say whether every combination with a label right below a node would be held by nobody or by enough people."""
    tree, below = cut.tree, cut.tree.children(node)
    others = np.setdiff1d(np.unique(cut.node_of_item), node)
    place = np.zeros(len(tree.labels), np.int64)
    place[np.concatenate([below, others])] = np.arange(len(below) + len(others))
    label_of = place[cut.node_of_item]
    for code, child in enumerate(below.tolist()):
        label_of[tree.first[child] : tree.first[child] + tree.leaves[child]] = code
    people = problem.baskets.part(holders.under(node))
    sizes = range(1, problem.m + 1)
    return not any(
        len(rare_sets(people, label_of, len(below), size, problem.k(size), pause)[0]) for size in sizes
    )
