"""Quality metrics, one per file; `METRICS` are Kohort's own, `AVAILABLE_METRICS` all that a plan can name as objective."""

from __future__ import annotations

from collections.abc import Container

from kohort.metrics.ambiguity import Ambiguity
from kohort.metrics.average_class_size import AverageClassSize
from kohort.metrics.classification import Classification
from kohort.metrics.discernibility import Discernibility
from kohort.metrics.entropy import Entropy
from kohort.metrics.form import Adds, Form
from kohort.metrics.information_loss import InformationLoss
from kohort.metrics.loss import Loss
from kohort.metrics.metric import Metric
from kohort.metrics.outcome import Outcome
from kohort.metrics.precision import Precision
from kohort.metrics.preferences import (
    MaxDistribution,
    MinAbsoluteDistance,
    MinRelativeDistance,
    MinSuppression,
)
from kohort.third_parties import Available

METRICS: dict[str, type[Metric]] = {
    metric.card.name: metric
    for metric in (
        Loss,
        Discernibility,
        AverageClassSize,
        Precision,
        Classification,
        Ambiguity,
        Entropy,
        InformationLoss,
        MinAbsoluteDistance,
        MinRelativeDistance,
        MaxDistribution,
        MinSuppression,
    )
}

AVAILABLE_METRICS: Available[type[Metric]] = Available("kohort.metrics", METRICS, METRICS.__getitem__, Metric)


def metrics_that_add(ways: Container[Adds]) -> list[str]:
    """Return the names of the metrics whose scores add up in one of these ways, in the order of the registry."""
    return [name for name, kind in METRICS.items() if kind.form.adds in ways]


__all__ = [
    "AVAILABLE_METRICS",
    "METRICS",
    "Adds",
    "Ambiguity",
    "AverageClassSize",
    "Classification",
    "Discernibility",
    "Entropy",
    "Form",
    "InformationLoss",
    "Loss",
    "MaxDistribution",
    "Metric",
    "MinAbsoluteDistance",
    "MinRelativeDistance",
    "MinSuppression",
    "Outcome",
    "Precision",
    "metrics_that_add",
]
