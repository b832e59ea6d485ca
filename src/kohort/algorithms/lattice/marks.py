"""What the search knows of every node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kohort.algorithms.lattice.packing import Packing

if TYPE_CHECKING:
    from kohort.algorithms.lattice.sweep_kernels import Marks, Terms


def blank_marks(packing: Packing, terms: Terms) -> Marks:
    """Return the marks of a search that has counted nothing."""
    from kohort.algorithms.lattice.sweep_kernels import MEAN, PRODUCT, Marks
    from kohort.algorithms.lattice.terms import prior_of

    n, m = len(packing.lattice), len(packing.order)
    handed = terms.kind in (PRODUCT, MEAN)  # other objectives have no gains to hand down
    return Marks(
        prior=prior_of(packing, terms),
        beyond=np.full(n, -np.inf),
        under=np.full(n, -np.inf),
        least=np.zeros(n, np.int64),
        gains=np.zeros((n if handed else 1, m), np.float32),
        score=np.full(n, np.nan),
        lost=np.full(n, -1, np.int64),
    )
