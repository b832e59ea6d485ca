"""`Nodes`: whoever counts a table at the nodes of its lattice, where its distinct tuples are too many to hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes


class Nodes(Protocol):
    """The classes of a table at any node that fits, the same as those of its distinct tuples rolled up to it."""

    @property
    def totals(self) -> tuple[IntArray, ...]:
        """The records per ground code of each attribute."""

    @property
    def counted(self) -> int:
        """The number of nodes counted so far where the rows are; all others were rolled up from these."""

    def reading(self, names: Collection[str]) -> Nodes:
        """Return the same for a search that looks at these columns only."""

    def at(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, in lexicographic order; raises InputError where there is no room for them."""

    def refuted(self, levels: Sequence[int], least_size: int, limit: int) -> int | None:
        """Return how many records are in classes of fewer than `least_size`, where that is more than `limit`.

        Their classes at finer levels are no larger, so no promise of such a size is kept there either. None where it is not
        known without a look at the classes, which are then to be had.
        """

    def records(self, classes: Classes, kept: BoolArray) -> tuple[IntArray, ...]:
        """Return, per attribute, the records per ground code in the kept ones of the classes at a node."""

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at the bottom, and how many have each."""

    def settled(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, about which the rows are then decided."""
