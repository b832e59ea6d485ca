"""Judges a written table where Spark reads it: group-bys over its cells, and joins with those of the original.

Nothing here comes from whoever made the release but the claim as what the rows of each class are told. Both tables are
read anew, and everything is compared by what it says.
"""

from __future__ import annotations

from dataclasses import dataclass

from kohort.plurals import many
from kohort.table.cluster.cluster import Cluster
from kohort.table.cluster.source import ClusterSource
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.claims import Claim
from kohort.verification.judges.classes_on_disk import RowsOnDisk, named_only
from kohort.verification.judges.declared_columns import judge_shape
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.truth_by_class import TOLD, judge_claimed, tally_as_claimed
from kohort.verification.judges.truth_on_disk import true_of_all
from kohort.verification.judges.verdict import Verdict
from kohort.verification.judges.written import Promised, judge_cells, untold


@dataclass(frozen=True, eq=False)
class ClusterSources:
    """What is compared: the written table, the original, and as what the original's rows are said to be told."""

    cluster: Cluster
    written: ClusterSource
    original: ClusterSource
    claim: Claim


def judge_in_cluster(sources: ClusterSources, promised: Promised) -> Judged:
    """Return the verdicts on promises, shape, truth and suppression of a written table, and what it says."""
    written, declared, respondent = sources.written, promised.declared, promised.respondent
    shape = judge_shape(named_only(written.names), declared)
    if not shape.holds:
        return Judged([shape], untold)
    people = [] if respondent is None else [respondent]
    # What is told coarsely is compared by its texts: the original's are worked out anew, and have no other type.
    together = dict.fromkeys([*promised.sensitive, *promised.coarse])
    cells = CellsInCluster(sources.cluster, promised.quasi, list(together))
    n_written = cells.put(WRITTEN, written, declared)
    cells.put(ORIGINAL, sources.original, list(dict.fromkeys([*declared, *people])))
    tally = (
        None
        if respondent is not None
        else tally_as_claimed(cells, sources.claim, promised.hierarchies, promised.sensitive)
    )
    if tally is not None and tally.true and tally.n_original == n_written:
        rows = RowsOnDisk(cells, WRITTEN, tally=tally)
        return judge_cells(rows, promised, n_written, shape, true_of_all(n_written))
    truth, n_claimed = judge_claimed(cells, promised.hierarchies, declared, sources.claim, people)
    if n_claimed not in (n_written, -1):
        note = f"{many(n_written, 'row was', 'rows were')} written instead of {n_claimed:,}"
        return Judged([Verdict(shape.promise, False, note=note)], untold)
    if truth.holds and respondent is not None:
        # The rows as claimed are those that were written, and theirs are the people.
        rows = RowsOnDisk(cells, TOLD, cells.place(ORIGINAL, respondent))
    else:
        rows = RowsOnDisk(cells, WRITTEN)
    return judge_cells(rows, promised, n_written, shape, truth)
