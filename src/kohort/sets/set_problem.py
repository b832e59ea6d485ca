"""`SetProblem`: what a search for a cut is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kohort.arrays import IntArray
from kohort.sets.baskets import Baskets
from kohort.sets.item_tree import ItemTree
from kohort.sets.k_m import KM


@dataclass(frozen=True, eq=False, repr=False)
class SetProblem:
    """People's sets of items, coded as the leaves of a tree, and the promises to be kept."""

    baskets: Baskets
    tree: ItemTree
    models: Sequence[KM]
    time_limit: float | None = None  # seconds

    @property
    def m(self) -> int:
        """The size of the largest combination that a promise speaks of and somebody may hold."""
        return min(max(model.m for model in self.models), int(self.baskets.sizes.max(initial=1)))

    def k(self, size: int) -> int:
        """Return how many people must hold a combination of so many labels if anybody does."""
        return max(model.k for model in self.models if model.m >= size)


@dataclass(frozen=True, eq=False, repr=False)
class SetSolution:
    """The node by which each item is told."""

    node_of_item: IntArray
    loss: float  # normalized certainty penalty, from 0 to 1
    facts: Mapping[str, int] = field(default_factory=dict)
    stopped: str | None = None  # why the search was over before its end
