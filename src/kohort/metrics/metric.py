"""What a quality metric is."""

from __future__ import annotations

from typing import ClassVar, Protocol

from kohort.card import Card
from kohort.metrics.form import Form
from kohort.metrics.outcome import Outcome


class Metric(Protocol):
    """How much a release has lost; lower is better.

    Implementations are frozen dataclasses whose fields are the options a plan may give.
    """

    card: ClassVar[Card]
    form: ClassVar[Form]  # how the score adds up, and what bounds it: what searches need to know

    @property
    def reads(self) -> frozenset[str]:
        """Columns beside the quasi-identifiers whose histograms it needs (the target of `classification`)."""

    def score(self, outcome: Outcome) -> float:
        """Return the loss of the outcome."""
