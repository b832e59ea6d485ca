"""`TextRoom`: how much of the texts of a column may be in memory at a time, where they are only carried along."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from kohort.errors import InputError
from kohort.plurals import many
from kohort.table.budget import LEAST, PROCESS, Budget
from kohort.table.formats.parquet_footer import (
    BrokenFooterError,
    ChunkWeight,
    largest_page,
    weights_of_groups,
)
from kohort.table.text_weight import TOGETHER
from kohort.table.typed_source import is_parquet_file

# Of one run, of 10,000 rows of 300 columns; wider and longer tables were refused by it, and not measured beyond.
PER_TOLD = (
    400  # bytes of a cell while whole rows are judged, in each of the rows that a thread looks at together
)
SHARE = 4  # of what is left beside the program, one part: readers hold what they decode several times


@dataclass(frozen=True)
class TextRoom:
    """Refuses by name the column of which as much as is decoded at a time does not fit."""

    left: int  # bytes beside the program

    @classmethod
    def of(cls, budget: Budget) -> TextRoom:
        """Return the room that a budget leaves."""
        return cls(budget.left)

    def check_file(self, path: Path, columns: frozenset[str]) -> None:
        """Refuse a Parquet file with a page, or with so long texts, that it cannot be read within the bound.

        Only its footer and the heads of its pages are read. Other files are read by bytes whatever they hold, and a broken one
        is refused by who reads it.
        """
        if not is_parquet_file(path):
            return
        try:
            for chunk in (chunk for group in weights_of_groups(path, columns) for chunk in group):
                self._check_chunk(path, chunk)
        except (BrokenFooterError, OSError):
            return

    def check_width(self, name: str, width: float) -> None:
        """Refuse texts of so many bytes each: DuckDB holds some thousand at a time."""
        self._demand(
            name,
            width * TOGETHER,
            f"has texts of {many(round(width), 'byte')}, some thousand of which are held at a time",
            "leave it out",
        )

    def most_columns(self, threads: int) -> int:
        """Return how many columns that are compared as texts can be judged at a time: all cells of some thousand rows are held."""
        return self.left // (TOGETHER * PER_TOLD * threads)

    def check_columns(self, columns: int, threads: int) -> None:
        """Refuse more columns of very many values than can be judged."""
        if columns > self.most_columns(threads):
            held = columns * TOGETHER * PER_TOLD * threads
            raise InputError(
                f"{columns:,} columns of very many values are carried along, and {self.most_columns(threads):,} are judged "
                f"within the {self.left / 1e6:,.0f} MB that are left for that; allow at least {_enough(held)} of memory, "
                "or leave some out",
                code="engine.out-of-memory",
                found=columns,
            )

    def _check_chunk(self, path: Path, chunk: ChunkWeight) -> None:
        self.check_width(chunk.name, chunk.texts / max(chunk.cells, TOGETHER))
        if chunk.texts * SHARE > self.left:
            page = largest_page(path, chunk)
            told = f"stands in {path.name} with {page / 1e6:,.0f} MB in one page, which is read at once"
            self._demand(chunk.name, page, told, "write the file with smaller pages or row groups")

    def _demand(self, name: str, held: float, told: str, instead: str) -> None:
        if held * SHARE > self.left:
            enough = _enough(held * SHARE)
            raise InputError(
                f"column {name!r} {told}, more than fits in the {self.left / SHARE / 1e6:,.0f} MB that are left for that; "
                f"allow at least {enough} of memory, or {instead}",
                code="engine.out-of-memory",
                column=name,
                found=int(held),
            )


def _enough(held: float) -> str:
    """Return the least memory, spelled, that leaves so many bytes beside the program."""
    return f"{ceil(max(PROCESS + held, LEAST) / 1e8) / 10}GB"


def decoded_bytes(path: Path) -> int:
    """Return about how many bytes the cells of a file take: those of the file, or of Parquet those that its footer tells."""
    stored = path.stat().st_size
    if not is_parquet_file(path):
        return stored
    try:
        return max(stored, sum(chunk.texts for group in weights_of_groups(path) for chunk in group))
    except BrokenFooterError:
        return stored
