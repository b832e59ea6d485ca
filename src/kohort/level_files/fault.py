"""`Fault`: something that is wrong with a level file, told without a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Rows = Sequence[Sequence[str]]
_SHOWN = 5  # rows named


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a level file, where, and what to do about it."""

    what: str
    rows: tuple[int, ...]  # of the file, from 1, a header not counted
    found: int
    advice: str

    def __str__(self) -> str:
        """Return it in one line."""
        named = ", ".join(map(str, self.rows[:_SHOWN])) + (", …" if len(self.rows) > _SHOWN else "")
        where = f" (row{'s' if len(self.rows) > 1 else ''} {named})" if self.rows else ""
        return f"{self.what}{where}: {self.advice}"
