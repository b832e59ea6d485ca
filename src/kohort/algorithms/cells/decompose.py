"""A tree cut into parts of bounded size, for the forest algorithm of Aggarwal et al."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

Tree = dict[int, set[int]]  # vertex -> neighbours


def largest_part(k: int) -> int:
    """Return the size that no part exceeds."""
    return max(2 * k - 1, 3 * k - 5)


def decompose(tree: Tree, vertices: Sequence[int], k: int) -> list[list[int]]:
    """Return the vertices of one tree (at least k) in parts of k to max(2k − 1, 3k − 5).

    The edges of the tree can be dealt to the parts so that each part stays connected, if need be through a
    vertex of another part (a Steiner vertex), and no edge is dealt twice: so the parts weigh no more than
    the tree. `tree` loses the edges that are cut.

    Walk from any vertex towards its largest branch until the tree can be cut at an edge with k vertices on
    both sides, or all branches are smaller than k. The former is repeated on both sides. In the latter case
    branches are dealt out around the vertex once and for all; unlike the paper, which cuts in two and
    continues, so that a Steiner vertex never stands in a tree that is still to be cut: there the argument
    for 3k − 5 fails (branches of 3, 3 and 2 around a Steiner vertex, k = 4).
    """
    parts: list[list[int]] = []
    waiting = [list(vertices)]
    while waiting:
        part = waiting.pop()
        if len(part) <= largest_part(k):
            parts.append(part)
            continue
        centre, branch = _cut_place(tree, part, k)
        if branch is None:
            parts += _deal([_reach(tree, n, centre) for n in sorted(tree[centre])], centre, k)
        else:
            tree[centre].discard(branch)
            tree[branch].discard(centre)
            waiting += [_reach(tree, centre), _reach(tree, branch)]
    return parts


def _cut_place(tree: Tree, part: list[int], k: int) -> tuple[int, int | None]:
    """Return (vertex, neighbour) of an edge to cut, or (vertex, None) where all branches are below k."""
    order, parent = _preorder(tree, part[0])
    below = dict.fromkeys(order, 1)
    for vertex in reversed(order):
        if vertex in parent:
            below[parent[vertex]] += below[vertex]
    centre = part[0]
    while True:
        sizes = {n: below[n] if parent.get(n) == centre else len(part) - below[centre] for n in tree[centre]}
        branch = max(sizes, key=lambda n: (sizes[n], -n))
        if len(part) - sizes[branch] < k:
            centre = branch
        elif sizes[branch] >= k:
            return centre, branch
        else:
            return centre, None


def _preorder(tree: Tree, root: int) -> tuple[list[int], dict[int, int]]:
    order: list[int] = []
    parent: dict[int, int] = {}
    stack = [root]
    while stack:
        vertex = stack.pop()
        order.append(vertex)
        for neighbour in tree[vertex]:
            if parent.get(vertex) != neighbour:
                parent[neighbour] = vertex
                stack.append(neighbour)
    return order, parent


def _reach(tree: Tree, start: int, without: int | None = None) -> list[int]:
    """Return the vertices that can be reached from `start` without passing `without`."""
    seen = {start}
    stack = [start]
    while stack:
        for neighbour in tree[stack.pop()]:
            if neighbour not in seen and neighbour != without:
                seen.add(neighbour)
                stack.append(neighbour)
    return sorted(seen)


def _deal(branches: list[list[int]], centre: int, k: int) -> list[list[int]]:
    """Return branches, each smaller than k, and their centre in parts of k to max(2k − 1, 3k − 5)."""
    branches.sort(key=len)
    parts = []
    size = 1 + sum(map(len, branches))
    while size > 3 * k - 3:  # a part takes at most 2k − 2, so k or more stay
        part = _take(branches, k)
        parts.append(part)
        size -= len(part)
    if size <= largest_part(k):
        return [*parts, [centre, *chain(*branches)]]
    if len(branches[-1]) == k - 1:
        first = branches.pop()
        return [*parts, [*first, centre], [*chain(*branches)]]
    first = _take(branches, k - 1)  # at most 2k − 4
    rest = [*chain(*branches)]
    (first if len(first) < len(rest) else rest).append(centre)
    return [*parts, first, rest]


def _take(branches: list[list[int]], enough: int) -> list[int]:
    """Take branches, largest first, until they hold enough vertices."""
    part: list[int] = []
    while len(part) < enough:
        part += branches.pop()
    return part
