"""`columns`: whole columns are suppressed or kept (_AS)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.lattice.choice import lattice_of
from kohort.algorithms.lattice.optimal import search
from kohort.algorithms.lattice.packing import pack
from kohort.algorithms.nothing_found import nothing_found
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InfeasibleError
from kohort.recode import Problem, Solution


@dataclass(frozen=True)
class Columns:
    """The best set of columns to suppress; no record is left out, whatever the suppression limit.

    Each attribute stands at its lowest level or, suppressed, at its root: 2^m nodes, searched like
    `optimal`. A column whose greatest allowed level is below its root is kept.

    Complexity: at most 2^m nodes of m attributes × distinct tuples.

    >>> from kohort import Plan, anonymize
    >>> from kohort.demo.ward import WARD, counted, ward_plan
    >>> release = anonymize(WARD, Plan(**ward_plan("columns", names=["zip", "ill"])))
    >>> counted(release.table, ["zip"])
    {('*',): 6}

    References: Ciriani et al., k-Anonymity, 2007, section 3. Minimising the number of suppressed
    attributes is NP-hard (Meyerson and Williams 2004).
    """

    memory: int = 1 << 28  # bytes for counted prefixes

    card: ClassVar = Card(
        "columns",
        "suppresses the columns whose loss is least, whole, and generalizes nothing",
        guarantee="optimal where the search ends by itself",
        taxonomy="_AS",
        decides="class",
        paper="Ciriani et al. 2007, section 3",
        bounds=("min_level", "max_level"),
        levels=True,
        heeds=("objective",),
        leaves_out=False,
    )

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        """Return the best choice of columns."""
        watch = Watch.of(problem, progress)
        lattice_of(problem)
        whole = replace(problem, max_suppressed=0)
        rungs = tuple(
            (low, hierarchy.height) if low < high == hierarchy.height else (low,)
            for low, high, hierarchy in zip(problem.lowest, problem.highest, problem.hierarchies, strict=True)
        )
        try:
            return search(pack(whole, rungs), self.memory, watch, self.card)
        except InfeasibleError as none:
            met = "it leaves no record out, whatever the limit, and no choice of whole columns is enough"
            raise nothing_found(problem, self.card, met, none.nearest, leaves_out=False) from None
