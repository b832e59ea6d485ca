"""Truth proved where no row has a number: by what whoever made a release says that the rows of each class are told as.

The original's rows, told as is claimed, must hold every written row at least as often as it was written. Then each
written row can stand for an original row of its own; and it is true of that row, for the claim is judged first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy import Hierarchy, Label, meaning
from kohort.plurals import many
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.same_values import codes_among
from kohort.verification.judges.truth import PROMISE, UNMATCHED
from kohort.verification.judges.verdict import Verdict

TOLD = "told_as_claimed"  # the original's rows as they should stand in the written table


@dataclass(frozen=True, eq=False)
class ClaimedClasses:
    """What whoever made a release says of it: as what the rows of each class are told, the others being left out."""

    codes: IntArray  # int32 (classes, quasi-identifiers), at the levels
    levels: tuple[int, ...]
    labels: tuple[
        tuple[Label, ...] | None, ...
    ]  # by quasi-identifier: of each class; None where cells stay as they are


def judge_claimed(
    cells: CellsInCluster,
    hierarchies: Sequence[Hierarchy],
    declared: Sequence[str],
    claim: ClaimedClasses,
    beside: Sequence[str] = (),
) -> tuple[Verdict, int]:
    """Return whether the written rows are true of the original, and how many rows the claim says there are.

    The view `told_as_claimed` tells the original's rows as the written table should, with further columns of the
    original `beside` them.
    """
    for hierarchy, codes, level, labels in zip(
        hierarchies, claim.codes.T, claim.levels, claim.labels, strict=True
    ):
        if labels is not None and not _covers(hierarchy, codes, level, labels):
            note = f"column {hierarchy.name!r} holds a value that is not true of its row"
            return Verdict(PROMISE, False, note=note), -1
    _tell(cells, hierarchies, declared, claim, beside)
    places = ", ".join(cells.place(WRITTEN, name) for name in declared)
    found = cells.table(
        "SELECT CAST(sum(CASE WHEN written > told THEN 1 ELSE 0 END) AS BIGINT) AS more, CAST(sum(told) AS BIGINT) AS told, "
        "CAST(sum(written) AS BIGINT) AS written FROM (SELECT sum(written) AS written, sum(told) AS told FROM "
        f"(SELECT {places}, 1 AS written, 0 AS told FROM {WRITTEN} UNION ALL SELECT {places}, 0, 1 FROM {TOLD}) GROUP BY {places})"
    )
    more, n_rows, n_written = (int(found.column(i)[0].as_py()) for i in range(3))
    if more:
        return Verdict(PROMISE, False, note=UNMATCHED), n_rows
    return Verdict(
        PROMISE, True, note=f"every cell of {many(n_written, 'row')} covers the original value"
    ), n_rows


def _covers(hierarchy: Hierarchy, codes: IntArray, level: int, labels: Sequence[Label]) -> bool:
    """Say whether every label covers all ground values of the classes that are told by it."""
    of_ground = hierarchy.levels[level].of_ground
    for label, code in {(label, int(code)) for label, code in zip(labels, codes, strict=True)}:
        mask = meaning(hierarchy, label)
        if mask is None or not mask[of_ground == code].all():
            return False
    return True


def _tell(
    cells: CellsInCluster,
    hierarchies: Sequence[Hierarchy],
    declared: Sequence[str],
    claim: ClaimedClasses,
    beside: Sequence[str],
) -> None:
    tables, joins, same = {}, "", []
    told: dict[str, pa.Array] = {}
    covered = {hierarchy.name: j for j, hierarchy in enumerate(hierarchies)}
    for j, (hierarchy, labels) in enumerate(zip(hierarchies, claim.labels, strict=True)):
        name = hierarchy.name
        tables[f"truth_{j}"] = _codes(cells, hierarchy, claim.levels[j])
        joins += f" JOIN truth_{j} ON {ORIGINAL}.{cells.place(ORIGINAL, name)} = truth_{j}.text"
        told[f"b{j}"] = pa.array(np.ascontiguousarray(claim.codes[:, j]), pa.int32())
        same.append(f"truth_{j}.code = claimed.b{j}")
        if labels is not None:
            told[f"l{j}"] = pa.array(_written_codes(cells, name, labels), pa.int32())
    tables["claimed"] = pa.table(told)

    def cell(name: str) -> str:
        if name not in covered:
            return f"{ORIGINAL}.{cells.place(ORIGINAL, name)}"
        j = covered[name]
        return f"truth_{j}.same" if claim.labels[j] is None else f"claimed.l{j}"

    selected = [f"{cell(name)} AS {cells.place(WRITTEN, name)}" for name in declared]
    selected += [f"{ORIGINAL}.{cells.place(ORIGINAL, name)}" for name in beside]
    query = f"SELECT {', '.join(selected)} FROM {ORIGINAL}{joins} JOIN claimed ON {' AND '.join(same)}"
    cells.view(TOLD, query, tables)


def _codes(cells: CellsInCluster, hierarchy: Hierarchy, level: int) -> pa.Table:
    """Return for every text of the original its code at the level, and the code that the same text has where it is written."""
    texts = cells.texts(ORIGINAL, hierarchy.name)
    codes = hierarchy.levels[level].of_ground[hierarchy.encode(texts)]
    return pa.table(
        {
            "text": pa.array(np.arange(len(texts)), pa.int32()),
            "code": pa.array(codes, pa.int32()),
            "same": pa.array(_written_codes(cells, hierarchy.name, texts), pa.int32()),
        }
    )


def _written_codes(cells: CellsInCluster, name: str, texts: Sequence[Label]) -> IntArray:
    """Return the codes that texts have in the written table; -1 for one that does not stand there."""
    return codes_among(texts, cells.texts(WRITTEN, name)).astype(np.int32)
