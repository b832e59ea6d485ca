"""Released rows as numbers, which are shuffled and ordered, and spelled out by the executors that write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from kohort.engines.spark.keys import Digit, Keys
from kohort.table.cluster.failures import handed_over


@dataclass(frozen=True, eq=False)
class Cell:
    """A released column: a digit of a key with the value of each number, or what SQL calls the cell itself."""

    place: str  # what SQL calls the column when it is spelled out
    kind: str  # and its type
    digit: Digit | None = None
    values: pa.Array | None = None  # by their numbers, none that is not released
    sql: str = ""


@dataclass(frozen=True, eq=False)
class Spelling:
    """All columns of a release. Numbers, and so keys and the order by them, follow from released values alone."""

    cells: tuple[Cell, ...]

    @cached_property
    def _keys(self) -> Keys | None:
        digits = [cell.digit for cell in self.cells if cell.digit is not None]
        return Keys(digits) if digits else None

    @property
    def selected(self) -> dict[str, str]:
        """What is selected of rows: the place -> its SQL."""
        keys = [] if self._keys is None else self._keys.sql
        told = {f"p{i}": key for i, key in enumerate(keys)}
        return told | {cell.place: cell.sql for cell in self.cells if cell.digit is None}

    @property
    def schema(self) -> str:
        """The keys, the columns as they are spelled out, and their types."""
        keys = [f"p{i} bigint" for i in range(self.n_keys)]
        return ", ".join([*keys, *(f"{cell.place} {cell.kind}" for cell in self.cells)])

    @property
    def n_keys(self) -> int:
        """How many keys hold the digits of a row."""
        return 0 if self._keys is None else len(self._keys.sql)

    def spelled(self, columns: Sequence[pa.Array]) -> list[pa.Array]:
        """Return the columns of rows, spelled out."""
        keys = [column.to_numpy() for column in columns[: self.n_keys]]
        numbers = iter(() if self._keys is None else self._keys.codes(keys))
        others = iter(columns[self.n_keys :])
        return [
            next(others) if cell.values is None else cell.values.take(pa.array(next(numbers)))
            for cell in self.cells
        ]


@handed_over
def spelled_out(spelling: Spelling, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the keys of rows, every cell as it is released, and what else stands beside: run by the executors."""
    for batch in batches:
        cells = dict(
            zip((cell.place for cell in spelling.cells), spelling.spelled(batch.columns), strict=True)
        )
        own = dict(zip(batch.schema.names, batch.columns, strict=True))
        keys = {name: own[name] for name in batch.schema.names[: spelling.n_keys]}
        beside = {name: column for name, column in own.items() if name not in keys and name not in cells}
        told = keys | cells | beside
        yield pa.RecordBatch.from_arrays(list(told.values()), names=list(told))
