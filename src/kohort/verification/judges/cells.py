"""`Cells`: a written table and its original where they are counted, whoever counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy import Label
from kohort.table.counted import CountedColumn
from kohort.verification.judges.tally import Tally


class Cells(Protocol):
    """Both tables, asked by SQL; cells are what they say."""

    def column(self, shelf: str, name: str) -> CountedColumn:
        """Return the texts of a coded column that a table holds, with how many rows hold each."""

    def place(self, shelf: str, name: str) -> str:
        """Return what SQL calls a column."""

    def is_coded(self, shelf: str, name: str) -> bool:
        """Say whether a column is kept as codes of its texts."""

    def texts(self, shelf: str, name: str) -> tuple[Label, ...]:
        """Return the texts of a coded column, by code."""

    def keys(self, shelf: str, names: Sequence[str]) -> dict[str, str]:
        """Return keys that are equal where the cells of columns are: the SQL of each, by its name."""

    def digests(self, shelf: str, names: Sequence[str]) -> tuple[str, ...] | None:
        """Return the SQL of numbers that differ, all but surely, where cells do, by keys that nobody knows; None for none."""

    def number_classes(self, view: str, quasi: Sequence[str]) -> str:
        """Number the classes that the released labels of a view's rows form; return the table of labels, keys, `n` and `class`."""

    def number_people(self, view: str, who: str) -> str | None:
        """Number the people of a view's rows from 0; return the SQL of these rows with their `person`; None for no numbers."""

    def tallied(
        self,
        quasi: Sequence[str],
        watched: Sequence[str],
        label_of: Mapping[str, IntArray] | None = None,
        room: int | None = None,
    ) -> Tally | None:
        """Return what the written table holds by one look at its rows, and whether it is true of the original's told by labels.

        None where there is no room, or rows are not looked at like that.
        """

    def keep(self, name: str, table: pa.Table) -> None:
        """Make an Arrow table a table that queries may name."""

    def table(self, query: str) -> pa.Table:
        """Return the result of a query over what was put in."""

    def number(self, query: str) -> int:
        """Return the one whole number that a query asks for."""
