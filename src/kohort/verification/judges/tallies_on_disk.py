"""Truth of a release whose labels are disjoint, without a look at single rows: every tuple is told at most as often as it is true.

Where no two released labels of a column have a value in common, an original row can be told in one way only. So an assignment
of released rows to original ones exists exactly where each combination of labels, with what is released as it is, stands in the
release at most as often as in the original told by these labels: one GROUP BY over both files, and nothing in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, meaning
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells import Cells
from kohort.verification.judges.sums_on_disk import same_sums
from kohort.verification.judges.tally import Tally


def told_no_more_than_true(cells: Cells, hierarchies: Sequence[Hierarchy], carried: Sequence[str]) -> bool:
    """Say whether labels are disjoint and no tuple is told more often than it is true; False leaves it open.

    Cells that are released as they are count as the same only where their texts are: another spelling of a number leaves it open.
    """
    joins, told = ORIGINAL, []
    for j, hierarchy in enumerate(hierarchies):
        label_of = _label_of(cells, hierarchy)
        if label_of is None:
            return False
        # rows that no label covers are told by none
        true = np.flatnonzero(label_of >= 0)
        cells.keep(f"label_{j}", pa.table({f"true_{j}": true, f"told_{j}": label_of[true]}))
        joins += f" JOIN label_{j} ON {cells.place(ORIGINAL, hierarchy.name)} = true_{j}"
        told.append(f"told_{j} AS {cells.place(WRITTEN, hierarchy.name)}")
    told += [f"{cells.place(ORIGINAL, name)} AS {cells.place(WRITTEN, name)}" for name in carried]
    as_told = f"(SELECT {', '.join(told)} FROM {joins}) AS told"
    quasi = [hierarchy.name for hierarchy in hierarchies]
    same = bool(quasi) and same_sums(cells, as_told, quasi, carried)
    return same or _no_more(cells, as_told, [*quasi, *carried])


def tally_of(
    cells: Cells,
    quasi: Sequence[str],
    watched: Sequence[str],
    hierarchies: Sequence[Hierarchy] | None,
    room: int | None = None,
) -> Tally | None:
    """Return what the written table holds, beside the original where its hierarchies are told; None where that is not counted so.

    Labels must be disjoint, or it stays open what an original row is told by.
    """
    label_of = {}
    for hierarchy in hierarchies or ():
        labels = _label_of(cells, hierarchy)
        if labels is None:
            return None
        label_of[hierarchy.name] = labels
    return cells.tallied(quasi, watched, None if hierarchies is None else label_of, room)


def _no_more(cells: Cells, as_told: str, names: Sequence[str]) -> bool:
    """Say whether no tuple of the written table is more frequent in it than among the original's rows as they are told."""
    keys = cells.keys(WRITTEN, names)
    told = ", ".join(f"{key} AS {name}" for name, key in keys.items())
    both = f"SELECT {told}, 1 AS n FROM {as_told} UNION ALL SELECT {told}, -1 AS n FROM {WRITTEN}"
    more = f"SELECT 1 FROM ({both}) GROUP BY {', '.join(keys)} HAVING sum(n) < 0"
    return cells.number(f"SELECT count(*) FROM ({more})") == 0


def _label_of(cells: Cells, hierarchy: Hierarchy) -> IntArray | None:
    """Return the released label of each original text, -1 for one that none covers; None where labels overlap or mean nothing."""
    label_of = np.full(hierarchy.size, -1, np.int32)
    for code, text in enumerate(cells.texts(WRITTEN, hierarchy.name)):
        mask = meaning(hierarchy, text)
        if mask is None or (label_of[mask] >= 0).any():
            return None
        label_of[mask] = code
    return label_of[hierarchy.encode(cells.texts(ORIGINAL, hierarchy.name))]
