"""`TextWeight`: what the texts of rows on disk take, where they stand closest together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.table.piece_bytes import PIECE, rows_within
from kohort.table.scratch import ROWS, Scratch

SHORT = (
    PIECE // ROWS
)  # bytes of the texts of a row, so that nobody minds: a piece of as many rows as ever is small enough
WIDE = 512  # bytes of the cells of a row, texts aside, that DuckDB orders as they are
TOGETHER = 2048  # rows that DuckDB holds at a time


@dataclass(frozen=True)
class TextWeight:
    """Bytes of the texts of rows, and of a row where they are the most."""

    total: int
    width: float

    @classmethod
    def of(cls, scratch: Scratch, rows: str, places: Sequence[str], number: str) -> TextWeight:
        """Return what some columns of text of rows take; `number` tells which stand together.

        Complexity: a pass over the columns, and one more where a text is longer than `SHORT`.
        """
        if not places:
            return cls(0, 0)
        size = " + ".join(f"coalesce(strlen({place}), 0)" for place in places)
        longest = scratch.number(f"SELECT coalesce(max({size}), 0) FROM {rows}")
        if longest <= SHORT:
            return cls(0, longest)
        found = scratch.table(
            "SELECT sum(own)::BIGINT AS total, max(own)::BIGINT AS most FROM "
            f"(SELECT sum({size}) AS own FROM {rows} GROUP BY {number} // {TOGETHER})"
        )
        total, most = (int(found.column(name)[0].as_py()) for name in ("total", "most"))
        return cls(total, most / TOGETHER)

    def beside(self, rows: int, width: int) -> TextWeight:
        """Return the same with what cells take that are no texts, where they are so many that it matters."""
        return self if width <= WIDE else TextWeight(self.total + rows * width, self.width + width)

    @property
    def is_short(self) -> bool:
        """Whether DuckDB orders such rows as they are."""
        return self.width <= SHORT

    @property
    def rows(self) -> int:
        """How many rows are a piece."""
        return rows_within(ROWS, self.width)
