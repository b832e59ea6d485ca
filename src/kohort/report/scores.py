"""Which metrics say something of a release: those of generalization are silent about perturbed values."""

from __future__ import annotations

from kohort.facts import ReleaseFacts

OF_SIZES = (
    "discernibility",
    "average-class-size",
    "max-distribution",
    "min-suppression",
)  # of classes and rows alone


def measures(facts: ReleaseFacts, metric: str) -> bool:
    """Tell whether a metric measures what was done: steps and labels of hierarchies are not, where values are perturbed."""
    return facts.algorithm.truthful or metric in OF_SIZES
