"""`Crowds`: which released rows stand together by what another table than theirs tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kohort.arrays import IntArray
from kohort.table import Column


class Lines(NamedTuple):
    """The values of a column, each told of a crowd and of so many of its rows."""

    owners: IntArray  # the crowd that each line is about
    values: Column  # per line
    counts: IntArray


@dataclass(frozen=True, eq=False)
class Crowds:
    """A class for every row, and for some columns what the classes hold instead of what the rows do.

    The quasi-identifiers stand in the rows as they are.
    """

    class_of: IntArray  # int64, per row
    number: int
    told: Mapping[str, Lines]  # the columns that stand apart
    links: frozenset[str]  # columns of the rows that say nothing but which crowd it is
