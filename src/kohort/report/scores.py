"""Which metrics say something of a release: those of generalization are silent about perturbed values."""

from __future__ import annotations

from kohort.facts import ReleaseFacts
from kohort.metrics import metrics_that_add
from kohort.metrics.form import OF_SIZES


def measures(facts: ReleaseFacts, metric: str) -> bool:
    """Tell whether a metric measures what was done: steps and labels of hierarchies are not, where values are perturbed."""
    return facts.algorithm.truthful or metric in metrics_that_add(OF_SIZES)
