"""Paths of values (`kohort.hierarchy.value_paths`) as DuckDB holds them beside rows.

Rows that carry the paths of their values are keyed at a node by one AND, where each column would have to be joined
with its codes there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy.value_paths import Path
from kohort.table.packing import Packing


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths of several columns in few numbers: the columns `p0`, `p1` and so on of rows."""

    paths: tuple[Path, ...]
    packing: Packing

    @classmethod
    def of(cls, rungs: Mapping[str, Sequence[IntArray]]) -> Paths | None:
        """Return the paths of columns whose codes at every level are told, each called `path_J`; None where one has none."""
        paths = [Path.of(own) for own in rungs.values()]
        told = tuple(path for path in paths if path is not None)
        if len(told) < len(paths):
            return None
        sizes = tuple(1 << path.bits for path in told)
        return cls(told, Packing(tuple(f"path_{j}" for j in range(len(told))), sizes))

    @property
    def places(self) -> list[str]:
        """What SQL calls the numbers."""
        return [f"p{i}" for i in range(len(self.packing.names))]

    def at(self, levels: Sequence[int]) -> PathsAtNode:
        """Return the keys at a node."""
        return PathsAtNode(self, tuple(levels))


@dataclass(frozen=True, eq=False)
class PathsAtNode:
    """Paths as they are cut at a node: equal where the codes are."""

    whole: Paths
    levels: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the keys."""
        return self.whole.packing.names

    def expressions(self) -> list[str]:
        """Return the SQL of each key over the columns of paths, under its name."""
        masks = np.array([[path.mask(level) for path, level in self._columns]])
        keys = self.whole.packing.packed(masks)
        return [
            f"{place} & {keys.column(name)[0].as_py()} AS {name}"
            for place, name in zip(self.whole.places, self.names, strict=True)
        ]

    def unpacked(self, table: pa.Table) -> list[IntArray]:
        """Return the codes of every column from the keys."""
        parts = self.whole.packing.unpacked(table)
        return [path.codes(own, level) for (path, level), own in zip(self._columns, parts, strict=True)]

    def packed(self, codes: IntArray) -> pa.Table:
        """Return the keys of codes, a row for each."""
        masked = [path.masked(codes[:, j], level) for j, (path, level) in enumerate(self._columns)]
        return self.whole.packing.packed(np.column_stack(masked))

    @property
    def is_ordered(self) -> bool:
        """Whether keys stand in the order of the codes."""
        return all(path.is_ordered(level) for path, level in self._columns)

    @property
    def _columns(self) -> list[tuple[Path, int]]:
        return list(zip(self.whole.paths, self.levels, strict=True))
