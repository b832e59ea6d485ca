"""How large classes are, on a doubling grid."""

from __future__ import annotations

import numpy as np

from kohort.arrays import BoolArray
from kohort.classes import Classes
from kohort.facts.figures import Sizes


def class_sizes(classes: Classes) -> tuple[Sizes, ...]:
    """Return the histogram of class sizes on a doubling grid."""
    sizes = classes.sizes
    if not len(sizes):
        return ()
    grid = np.floor(np.log2(sizes)).astype(np.int64)
    steps = range(int(grid.min()), int(grid.max()) + 1)
    return tuple(_step(classes, step, grid == step) for step in steps)


def _step(classes: Classes, step: int, inside: BoolArray) -> Sizes:
    """Return the classes of 2^step to 2^(step + 1) - 1, the ends drawn in to the sizes that there are."""
    return Sizes(
        least=int(max(2**step, classes.sizes.min())),
        most=int(min(2 ** (step + 1) - 1, classes.sizes.max())),
        classes=int(inside.sum()),
        records=int(classes.rows[inside].sum()),
    )
