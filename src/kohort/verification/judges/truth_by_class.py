"""Truth proved where no row has a number: by what whoever made a release says that the rows of each class are told as.

The original's rows, told as is claimed, must hold every written row at least as often as it was written. Then each
written row can stand for an original row of its own; and it is true of that row, for the claim is judged first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kohort.hierarchy import Hierarchy
from kohort.plurals import many
from kohort.table.packing import Packing
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster, ToldAs
from kohort.verification.judges.claims import CLAIMED, Claim, ClaimedClasses, ValuesAt, written_codes
from kohort.verification.judges.tally import Tally
from kohort.verification.judges.truth import PROMISE, UNMATCHED
from kohort.verification.judges.verdict import Verdict

TWICE = "an original row was released more than once"
TOLD = "told_as_claimed"  # the original's rows as they should stand in the written table


def judge_claimed(
    cells: CellsInCluster,
    hierarchies: Sequence[Hierarchy],
    declared: Sequence[str],
    claim: Claim,
    beside: Sequence[str] = (),
) -> tuple[Verdict, int]:
    """Return whether the written rows are true of the original, and how many rows the claim says there are.

    The view `told_as_claimed` tells the original's rows as the written table should, with further columns of the
    original `beside` them.
    """
    claim.lay(cells, hierarchies)
    fault = _fault_of(claim, cells, hierarchies)
    if fault is not None:
        return fault, -1
    _tell(cells, hierarchies, declared, claim, beside)
    cell_of = _packed(cells, declared)
    selected = ", ".join(f"{sql} AS {place}" for place, sql in cell_of.items())
    found = cells.table(
        "SELECT CAST(sum(CASE WHEN written > told THEN 1 ELSE 0 END) AS BIGINT) AS more, CAST(sum(told) AS BIGINT) AS told, "
        "CAST(sum(written) AS BIGINT) AS written FROM (SELECT sum(written) AS written, sum(told) AS told FROM "
        f"(SELECT {selected}, 1 AS written, 0 AS told FROM {WRITTEN} UNION ALL SELECT {selected}, 0, 1 FROM {TOLD}) "
        f"GROUP BY {', '.join(cell_of)})"
    )
    more, n_rows, n_written = (int(found.column(i)[0].as_py()) for i in range(3))
    if more:
        return Verdict(PROMISE, False, note=UNMATCHED), n_rows
    return Verdict(
        PROMISE, True, note=f"every cell of {many(n_written, 'row')} covers the original value"
    ), n_rows


def _fault_of(claim: Claim, cells: CellsInCluster, hierarchies: Sequence[Hierarchy]) -> Verdict | None:
    """Return what is false of a claim, whatever was written."""
    if not claim.is_told_once(cells):
        return Verdict(PROMISE, False, note=TWICE)
    for j, hierarchy in enumerate(hierarchies):
        if claim.labels[j] is not None and not claim.covers(cells, hierarchy, j):
            return Verdict(
                PROMISE, False, note=f"column {hierarchy.name!r} holds a value that is not true of its row"
            )
    return None


def tally_as_claimed(
    cells: CellsInCluster, claim: Claim, hierarchies: Sequence[Hierarchy], watched: Sequence[str]
) -> Tally | None:
    """Return what the written table holds beside the original's rows as they are claimed to be told.

    None where that is not counted so, or something is false of the claim.
    """
    if not isinstance(claim, ClaimedClasses) or _fault_of(claim, cells, hierarchies) is not None:
        return None
    values = {
        hierarchy.name: ValuesAt.of(cells, hierarchy, level)
        for hierarchy, level in zip(hierarchies, claim.levels, strict=True)
    }
    labels = {
        hierarchy.name: written_codes(cells, hierarchy.name, told)
        for hierarchy, told in zip(hierarchies, claim.labels, strict=True)
        if told is not None
    }
    same = {name: own.same for name, own in values.items() if name not in labels}
    return cells.tallied_as(
        ToldAs({name: own.codes for name, own in values.items()}, claim.codes, labels, same), watched
    )


def _packed(cells: CellsInCluster, declared: Sequence[str]) -> dict[str, str]:
    """Return what is compared of a row: as few numbers as hold its codes, each of which may be none, and all other cells."""
    coded = [name for name in declared if cells.is_coded(WRITTEN, name)]
    sizes = tuple(
        len(cells.texts(WRITTEN, name)) + 1 for name in coded
    )  # -1 is a text that does not stand there
    codes = [f"CAST({cells.place(WRITTEN, name)} AS BIGINT) + 1" for name in coded]
    told = {}
    for i, positions in enumerate(Packing(tuple(coded), sizes).keys() if coded else []):
        key = codes[positions[0]]
        for j in positions[1:]:
            key = f"({key}) * {sizes[j]} + {codes[j]}"
        told[f"key{i}"] = key
    return told | {
        f"cell{i}": cells.place(WRITTEN, name) for i, name in enumerate(declared) if name not in coded
    }


def _tell(
    cells: CellsInCluster,
    hierarchies: Sequence[Hierarchy],
    declared: Sequence[str],
    claim: Claim,
    beside: Sequence[str],
) -> None:
    tables, joins, same, exact = {}, "", [], {}
    covered = {hierarchy.name: j for j, hierarchy in enumerate(hierarchies)}
    for j, hierarchy in enumerate(hierarchies):
        values, place = ValuesAt.of(cells, hierarchy, claim.levels[j]), cells.place(ORIGINAL, hierarchy.name)
        exact[j] = f"{CLAIMED}.s{j}"
        if claim.is_here and values.is_one_each:
            same.append(f"{ORIGINAL}.{place} = {CLAIMED}.t{j}")
        elif claim.is_here and values.is_one_for_all and claim.labels[j] is not None:
            same.append(f"{CLAIMED}.b{j} = {values.codes[0]}")
        else:
            tables[f"truth_{j}"], exact[j] = _codes(values), f"truth_{j}.same"
            joins += f" JOIN truth_{j} ON {ORIGINAL}.{place} = truth_{j}.text"
            same.append(f"truth_{j}.code = {CLAIMED}.b{j}")

    def cell(name: str) -> str:
        if name not in covered:
            return f"{ORIGINAL}.{cells.place(ORIGINAL, name)}"
        j = covered[name]
        return exact[j] if claim.labels[j] is None else f"{CLAIMED}.l{j}"

    selected = [f"{cell(name)} AS {cells.place(WRITTEN, name)}" for name in declared]
    selected += [f"{ORIGINAL}.{cells.place(ORIGINAL, name)}" for name in beside]
    query = f"SELECT {', '.join(selected)} FROM {ORIGINAL}{joins} JOIN {CLAIMED} ON {' AND '.join(same)}"
    cells.view(TOLD, query, tables)


def _codes(values: ValuesAt) -> pa.Table:
    """Return what is known of every text, for the cluster to join rows with."""
    return pa.table(
        {
            "text": pa.array(np.arange(len(values.codes)), pa.int32()),
            "code": pa.array(values.codes, pa.int32()),
            "same": pa.array(values.same, pa.int32()),
        }
    )
