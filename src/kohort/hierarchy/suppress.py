"""Contents or not told: ground values, then `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kohort.card import Card
from kohort.hierarchy.builder import finished, told
from kohort.hierarchy.domain import Label
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.scale import scale_of


@dataclass(frozen=True)
class Suppress:
    """Two levels: the values as they are, and `*` for all of them.

    Complexity: linear in the distinct values.

    >>> sexes = Suppress().build("sex", ["f", "m"], [1, 1])
    >>> [level.labels for level in sexes.levels]
    [('f', 'm'), ('*',)]

    References: Ciriani, V. et al. k-Anonymity, 2007, section 3: attribute suppression.
    """

    card: ClassVar[Card] = Card(
        "suppress",
        "the value, or * for every value: for few values that no label tells together",
        told="as they are or as *",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:  # noqa: ARG002
        """Return the hierarchy over the values of the table."""
        ground = sorted(told(texts))  # nobody declares an order: that of the rows must not become one
        return finished(name, ground, [], None in texts, scale_of(ground, declared=False, closed=False))
