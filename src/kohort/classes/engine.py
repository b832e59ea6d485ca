"""`Engine`: whoever keeps the rows of a table, and does what takes a pass over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kohort.arrays import BoolArray, IntArray
from kohort.classes.classes import Classes
from kohort.table import Column
from kohort.table.counted import CountedColumn


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """Some released rows in the order of the release, each with the base class that it belongs to."""

    row: IntArray  # the number of each row in the original
    class_of: IntArray
    person: IntArray | None  # a pseudonym per row, where people are counted
    columns: Mapping[str, Column]  # the values as they stand in the original


class Engine(Protocol):
    """Keeps the rows; hands out values with counts, classes, and the rows that are released.

    Everything else (hierarchies, search, decision) happens on `Classes`, so an engine is these few passes.
    Whatever the engine, the classes are the same, tuple by tuple, as those of `classes_of_rows`.
    """

    @property
    def n_rows(self) -> int:
        """The number of records."""

    def column(self, name: str) -> CountedColumn:
        """Return the distinct values of a column that is coded, with their counts."""

    def alone(self, name: str) -> int:
        """Return how many rows hold a value that no other row has, or no other person where people are named."""

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody."""

    def reduce(self, ground: Mapping[str, IntArray], sensitive: Sequence[str]) -> Classes:
        """Return the classes of the rows, with a histogram of every sensitive column, and people if named.

        `ground` maps each quasi-identifier's values, as `column` tells them, to ground codes.
        """

    def placed(self, released: BoolArray, columns: Sequence[str], shuffle: bool) -> Iterator[PlacedRows]:
        """Yield the rows of the `released` base classes (of the last `reduce`), in the order of the release."""
