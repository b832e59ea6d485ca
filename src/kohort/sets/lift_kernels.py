"""Kernels on bitmaps of people, one per node of a tree of items; imported where they are called."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kohort.arrays import BitArray, IntArray
from kohort.compiling import inner, kernel

ONE, TWO, FOUR, EIGHT, SIXTEEN, THIRTY_TWO = (np.uint64(1 << i) for i in range(6))
PAIRS, FOURS, BYTES = (
    np.uint64(0x5555555555555555),
    np.uint64(0x3333333333333333),
    np.uint64(0x0F0F0F0F0F0F0F0F),
)
LOW = np.uint64(127)


class Nodes(NamedTuple):
    """What a rise is chosen by: the tree, what labels would cost, and who holds an item under each node."""

    first: IntArray
    leaves: IntArray
    parent: IntArray
    cost: IntArray  # of a node as a label
    spent: IntArray  # under it as items are told now
    bits: BitArray  # (n_nodes, words), uint64


@inner
def ones(word: np.uint64) -> int:
    """Return how many bits of a word are set: counted in pairs, fours, bytes, then added up."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & FOURS) + ((word >> TWO) & FOURS)
    word = (word + (word >> FOUR)) & BYTES
    word = word + (word >> EIGHT)
    word = word + (word >> SIXTEEN)
    word = word + (word >> THIRTY_TWO)
    return int(word & LOW)


@kernel
def mark(bits: BitArray, people: IntArray) -> None:
    """Set the bits of these people."""
    for person in people:
        bits[person >> 6] |= ONE << np.uint64(person & 63)


@inner
def together(bits: BitArray, nodes: IntArray, n: int, enough: int) -> int:
    """Return how many people hold an item under each of the first n nodes; counting ends when these are enough."""
    held = 0
    for start in range(0, bits.shape[1], 64):
        for word in range(start, min(start + 64, bits.shape[1])):
            common = bits[nodes[0], word]
            for i in range(1, n):
                common &= bits[nodes[i], word]
            held += ones(common)
        if held >= enough:
            break
    return held


@inner
def topmost(tree: Nodes, chosen: IntArray, kept: IntArray) -> int:
    """Put the chosen nodes that lie under no other into `kept`, each once and ascending; return their number."""
    n = 0
    for i in range(len(chosen)):
        node = chosen[i]
        covered = False
        for j in range(len(chosen)):
            other = chosen[j]
            inside = (
                tree.first[other] <= tree.first[node]
                and tree.first[node] + tree.leaves[node] <= tree.first[other] + tree.leaves[other]
            )
            if inside and (other != node or j < i):
                covered = True
        if not covered:
            at = n
            while at > 0 and kept[at - 1] > node:
                kept[at] = kept[at - 1]
                at -= 1
            kept[at] = node
            n += 1
    return n


@inner
def before(a: IntArray, n_a: int, b: IntArray, n_b: int) -> bool:
    """Say whether the first n_a numbers of a come before the first n_b of b."""
    for i in range(min(n_a, n_b)):
        if a[i] != b[i]:
            return bool(a[i] < b[i])
    return n_a < n_b


@kernel
def cheapest_rise(tree: Nodes, labels: IntArray, k: int) -> IntArray:
    """Return the nodes to raise a rare combination to: held together by k people, least cost, then first by name.

    All products of the labels' ancestors are looked at. None are returned where not even the root is held by k.
    """
    chosen = labels.copy()
    kept = np.zeros(len(labels), np.int64)
    best = np.full(len(labels), -1, np.int64)
    least, n_best = np.int64(-1), 0
    while True:
        place = 0  # the next product: the first label that can rise does, those before it start again
        while place < len(labels) and tree.parent[chosen[place]] == chosen[place]:
            chosen[place] = labels[place]
            place += 1
        if place == len(labels):
            break
        chosen[place] = tree.parent[chosen[place]]
        n = topmost(tree, chosen, kept)
        cost = np.int64(0)
        for i in range(n):
            cost += tree.cost[kept[i]] - tree.spent[kept[i]]
        better = least < 0 or cost < least or (cost == least and before(kept, n, best, n_best))
        if better and together(tree.bits, kept, n, k) >= k:
            least, n_best = cost, n
            for i in range(n):
                best[i] = kept[i]
    found = np.empty(n_best, np.int64)
    for i in range(n_best):
        found[i] = best[i]
    return found
