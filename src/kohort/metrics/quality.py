"""Accuracy and completeness of a release (Samarati, section 6): the more, the better."""

from __future__ import annotations

import numpy as np

from kohort.metrics.outcome import Outcome


def accuracy(outcome: Outcome) -> float:
    """Return 1 − the height of the generalization over the height of the whole lattice.

    For recodings that are not full-domain, the mean over released records. 1 where nothing was generalized or
    nothing could be. Where the outcome does not tell the hierarchies' heights, attributes count alike.
    """
    steps = np.ones(len(outcome.domain)) if outcome.heights is None else outcome.heights.astype(np.float64)
    if outcome.kept == 0 or steps.sum() == 0:
        return 1.0
    climbed = (outcome.classes.rows @ outcome.depth) / outcome.kept
    return float(1 - climbed @ steps / steps.sum())


def completeness(outcome: Outcome) -> float:
    """Return the share of records that are released."""
    return outcome.kept / outcome.n_rows if outcome.n_rows else 1.0
