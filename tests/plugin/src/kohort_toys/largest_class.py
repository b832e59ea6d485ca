"""`largest-class`: how many records the largest class holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.card import Card
from kohort.metrics import Form, Outcome


@dataclass(frozen=True)
class LargestClass:
    """The share of records in the largest class; suppressed records count as one class that holds everybody.

    Complexity: linear in the classes.

    >>> from kohort.demo.ward import outcome
    >>> LargestClass().score(outcome())
    1.0

    References: none; it is a toy.
    """

    card: ClassVar = Card("largest-class", "the share of the largest class", paper="none")
    form: ClassVar = Form()

    @property
    def reads(self) -> frozenset[str]:
        """Only class sizes are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the share; 1 where anybody is suppressed."""
        largest = int(outcome.classes.rows.max(initial=0))
        return 1.0 if outcome.suppressed else largest / max(outcome.n_rows, 1)
