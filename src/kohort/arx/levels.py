"""`LevelFiles`: the hierarchies of a project, each read once, and altogether no more than a plan may hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kohort.arx.archive import Archive
from kohort.arx.attributes import Rows
from kohort.arx.quoting import Quoting
from kohort.errors import InputError

_MOST_BYTES, _MOST_CELLS = 1 << 26, 1 << 22


@dataclass
class LevelFiles:
    """What was read of an archive so far; a file that many columns name is written for each, and so counted for each."""

    archive: Archive
    quoting: Quoting
    refusal: Callable[[str], InputError]
    _read: dict[str, tuple[Rows | None, int, int]] = field(default_factory=dict)
    _bytes: int = 0
    _cells: int = 0

    def rows(self, ref: str) -> Rows | None:
        """Return the rows of a level file, None where there is none that can be read."""
        if ref not in self._read:
            self._read[ref] = self._levels(ref)
        rows, length, cells = self._read[ref]
        self._bytes += length
        self._demand(self._cells + cells)
        self._cells += cells
        return rows

    def _levels(self, ref: str) -> tuple[Rows | None, int, int]:
        content = self.archive.read(f"input/{ref}", _MOST_BYTES)
        if content is None:
            return None, 0, 0
        try:
            rows = tuple(self._split(content))
        except csv.Error:
            return None, len(content), 0
        return rows or None, len(content), sum(map(len, rows))

    def _split(self, content: bytes) -> Iterator[tuple[str, ...]]:
        """Yield the rows that are not empty; it stops as soon as they are too many."""
        text = io.TextIOWrapper(io.BytesIO(content), _encoding(content), "replace", newline="")
        cells = self._cells
        for row in self.quoting.cells(text):
            cells += len(row)
            self._demand(cells)
            if row:
                yield tuple(row)

    def _demand(self, cells: int) -> None:
        if self._bytes > _MOST_BYTES or cells > _MOST_CELLS:
            raise self.refusal(
                f"its hierarchies are longer than {_MOST_BYTES >> 20} MiB or {_MOST_CELLS:,} cells in all, "
                "counted for each column that names them"
            )


def _encoding(content: bytes) -> str:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"
