"""Average risk: over all records, the mean chance of naming the right person is at most a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.models.model import Monotone, Reference
from kohort.models.sensitive import number
from kohort.models.threshold import at_most, rational


@dataclass(frozen=True)
class AverageRisk:
    """The mean of 1/|class| over respondents, classes / respondents, is at most `risk`.

    This is a promise about the table, not about each class by itself. Where it is broken, the smallest
    classes are marked, equal sizes together, until the rest keeps it: no other choice of equally many
    classes leaves a lower average. Combined with other models it must be judged on the classes that
    those leave (`classwise` is False), which is what `Problem.failing` does.

    References: El Emam, Dankar. Protecting privacy using k-anonymity. JAMIA 15(5), 2008.
    """

    risk: float

    card: ClassVar = Card(
        "average-risk",
        "the average chance of re-identifying a record is at most a threshold",
        guarantee="who links the whole table gets at most that share of the records right, on average",
        paper="El Emam and Dankar 2008",
    )
    bounds_linking: ClassVar[bool] = True
    classwise: ClassVar[bool] = False

    def __post_init__(self) -> None:
        number("average-risk", "risk", self.risk, above=0, most=1)

    @property
    def monotone(self) -> Monotone:
        """Merging lowers the number of classes; what must be suppressed where it fails may grow."""
        return Monotone.GENERALIZATION

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"average risk of at most {self.risk:g}"

    @property
    def reads(self) -> frozenset[str]:
        """No sensitive attribute is looked at."""
        return frozenset()

    def bind(self, reference: Reference) -> AverageRisk:  # noqa: ARG002
        """Return self: the table is judged by itself."""
        return self

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the smallest classes without which the average risk is met; none where it is met as it is."""
        sizes, counts = np.unique(classes.sizes, return_counts=True)
        kept = np.cumsum(counts[::-1])[::-1]
        people = np.cumsum((sizes * counts)[::-1])[::-1]
        met = np.flatnonzero(at_most(kept, people, rational(self.risk)))
        return classes.sizes < (sizes[met[0]] if len(met) else np.iinfo(np.int64).max)

    def achieved(self, classes: Classes) -> float:
        """Return the average risk."""
        return len(classes) / float(classes.sizes.sum()) if len(classes) else -inf

    def holds(self, classes: Classes) -> bool:
        """Whether the average risk is at most the threshold."""
        return not self.failing(classes).any()
