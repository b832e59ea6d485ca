"""`outliers`: nothing is generalized, failing tuples are suppressed (_TS)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import lattice_of, solution_of
from kohort.algorithms.lattice.counted_nodes import refuted
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.nothing_found import nothing_found
from kohort.card import Card
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Outliers:
    """The table as it is, without the records in failing classes.

    There is one such table, so it is optimal for its taxonomy model; the suppression limit applies. Where
    least levels are required, records stand at these.

    Complexity: linear in the distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("outliers", names=["zip", "ill"], max_suppression=0.5)))
    >>> counted(release.table, ["zip"]), release.suppressed
    ({('94138',): 2, ('94142',): 2}, 2)

    References: Ciriani et al., k-Anonymity, 2007, section 3.
    """

    card: ClassVar = Card(
        "outliers",
        "generalizes nothing and suppresses the records in failing classes",
        guarantee="optimal (there is one such table)",
        taxonomy="_TS",
        decides="class",
        paper="Ciriani et al. 2007, section 3",
        bounds=("min_level", "max_level"),
        levels=True,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the table's own level vector."""
        lowest = lattice_of(problem).lowest
        progress.update("judging the table as it is", 0, 1)
        least = refuted(problem, lowest)
        judged = judge(problem, lowest) if least is None else None
        if judged is None or not judged.feasible:
            lost = judged.suppressed if judged is not None else least or 0
            every = lost == problem.n_rows
            more = "at least " if judged is None and not problem.by_size else ""
            met = (
                f"it generalizes nothing, and so suppresses {'every record' if every else f'{more}{lost:,}'}"
            )
            near = {"suppressed": lost, "share": lost / problem.n_rows}
            raise nothing_found(problem, self.card, met, near, leaves_out=not every)
        return solution_of(problem, lowest, optimal=True, facts={"nodes": 1, "checked": 1})
