"""`Nodes`: whoever counts a table at the nodes of its lattice, where its distinct tuples are too many to hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from kohort.arrays import BoolArray, IntArray
from kohort.classes import Classes
from kohort.hierarchy import Hierarchy, Label


class Released(Protocol):
    """One quasi-identifier as it is released: the code of each class, and the labels."""

    @property
    def codes(self) -> IntArray:
        """The released code of every class."""

    @property
    def labels(self) -> tuple[Label, ...]:
        """The released values, spelled."""


class Assigning(Protocol):
    """Tells the region of tuples, and what the search sees of them; it may be sent to where the rows are."""

    def assigned(self, ground: IntArray) -> tuple[IntArray, IntArray]:
        """Return the codes that the search sees, and the number of the region, of each tuple of ground codes."""


class Lines(NamedTuple):
    """Some rows of one region, counted: tuples of ground codes with the values that stand beside them."""

    region: int
    ground: IntArray  # (lines, quasi-identifiers)
    values: Mapping[str, IntArray]
    records: IntArray


# What cuts a region: returns the box of each of its lines, and the numbers by which each box is told.
Finish = Callable[[Lines], tuple[IntArray, IntArray]]


class BoxedRows(Protocol):
    """Rows that are in boxes, where they are; a box is told by its numbers (`kohort.recode.counted_boxes`)."""

    @property
    def told(self) -> IntArray:
        """The numbers of every box, (boxes, numbers)."""

    def classes(self, codes: IntArray, order: IntArray, levels: tuple[int, ...]) -> Classes:
        """Return the boxes as classes, in an order and with codes that are told; rows are then written by them."""

    def joint(self, j: int, codes: IntArray) -> IntArray:
        """Return (ground code, released code, records) of attribute j, the released code of every class being told."""


class RegionRows(Protocol):
    """The rows of a table where they are, counted by regions of the quasi-identifiers."""

    most: int  # records of a region that is cut where it is, without a look from here

    def marginals(
        self, tree: Assigning, regions: Sequence[int]
    ) -> list[tuple[tuple[IntArray, IntArray], ...]]:
        """Return, for every region and attribute, the codes that occur in it, ascending, and the records of each."""

    def values(
        self, tree: Assigning, regions: Sequence[int], name: str
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return (place of the region in `regions`, value, records) of a column that is counted."""

    def finished(self, tree: Assigning, finish: Finish) -> BoxedRows:
        """Cut every region to boxes, where its rows are."""


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

    def joint(
        self, classes: Classes, kept: BoolArray, j: int, released: Released, hierarchy: Hierarchy
    ) -> IntArray:
        """Return (ground code, released code, records) of attribute j among the kept classes, released as is told."""

    @property
    def regions(self) -> RegionRows | None:
        """Who counts regions of the rows, where these are counted and cut where they are."""

    def sizes(self) -> tuple[IntArray, IntArray]:
        """Return the sizes that classes have at the bottom, and how many have each."""

    def settled(self, levels: Sequence[int]) -> Classes:
        """Return the classes at `levels`, about which the rows are then decided."""
