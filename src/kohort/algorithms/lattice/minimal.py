"""All k-minimal vectors (Samarati, D4.3)."""

from __future__ import annotations

from collections.abc import Callable

from kohort.algorithms.lattice.lattice import Lattice, Vector
from kohort.algorithms.watch import Watch


def all_minimal(
    lattice: Lattice, holds: Callable[[Vector], bool], watch: Watch | None = None
) -> tuple[Vector, ...]:
    """Return every vector that holds while none below it does, in lexicographic order; fewer where it is over before.

    Heights are gone up breadth first; a vector above one that holds is not asked, because `holds` must
    be monotone under generalization.
    """
    found: list[Vector] = []
    held: set[Vector] = set()  # of the height below: holds, or generalizes one that does
    for height in range(lattice.height + 1):
        now = set()
        for levels in lattice.at(height):
            if watch is not None and watch.over:
                return tuple(sorted(found))
            if any(lower in held for lower in lattice.below(levels)):
                now.add(levels)
            elif holds(levels):
                now.add(levels)
                found.append(levels)
        held = now
    return tuple(sorted(found))
