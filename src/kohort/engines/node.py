"""`Node`: what every value of the quasi-identifiers becomes, at a node of the lattice or within a set of cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy
from kohort.table import Table


@dataclass(frozen=True, eq=False)
class Node:
    """A code per distinct value of every quasi-identifier, in the order in which a profile tells the values.

    Rows of equal codes are one class there. An engine needs nothing else of hierarchies to count it.
    """

    codes: Mapping[str, IntArray]  # quasi-identifier -> code per distinct value
    levels: tuple[int, ...]
    # in a lattice: the codes at every level, the same for all its nodes
    rungs: Mapping[str, tuple[IntArray, ...]] | None = None

    @classmethod
    def ground(cls, table: Table, hierarchies: Sequence[Hierarchy]) -> Node:
        """Return the node at the bottom, where every value stands for itself; refuses values without a place."""
        columns = ((hierarchy, table[hierarchy.name]) for hierarchy in hierarchies)
        codes = {h.name: h.encode(column.texts, column.counts()) for h, column in columns}
        rungs = {h.name: tuple(level.of_ground[codes[h.name]] for level in h.levels) for h in hierarchies}
        return cls(codes, (0,) * len(hierarchies), rungs)

    @classmethod
    def of_values(cls, table: Table, names: Sequence[str]) -> Node:
        """Return the node at which every value of a column is a code of its own, whatever it means."""
        codes = {name: np.arange(len(table[name].values), dtype=np.int32) for name in names}
        return cls(codes, (0,) * len(names))

    def at_levels(self, hierarchies: Sequence[Hierarchy], levels: Sequence[int]) -> Node:
        """Return the node at `levels`, from the one at the bottom."""
        codes = {
            h.name: h.levels[level].of_ground[self.codes[h.name]]
            for h, level in zip(hierarchies, levels, strict=True)
        }
        return Node(codes, tuple(levels), self.rungs)

    def at_cuts(self, blocks: Sequence[IntArray]) -> Node:
        """Return the node at which ground code g of attribute j is in block `blocks[j][g]`, from the bottom."""
        codes = {
            name: own[ground].astype(np.int32)
            for (name, ground), own in zip(self.codes.items(), blocks, strict=True)
        }
        return Node(codes, self.levels)
