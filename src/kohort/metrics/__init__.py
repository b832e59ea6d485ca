"""Quality metrics, one per file; `METRICS` is what a plan can name as objective."""

from __future__ import annotations

from kohort.metrics.loss import Loss
from kohort.metrics.metric import Metric
from kohort.metrics.outcome import Outcome

METRICS: dict[str, type[Metric]] = {metric.card.name: metric for metric in (Loss,)}

__all__ = ["METRICS", "Loss", "Metric", "Outcome"]
