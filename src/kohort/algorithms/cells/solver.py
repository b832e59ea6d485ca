"""Integer programs by HiGHS, which comes with the extra `solve`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kohort.algorithms.cells.solver_process import answered
from kohort.algorithms.cells.solving import Asked
from kohort.algorithms.taxonomy import USUAL_CELLS
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.table.formats.extras import extra


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise costs · x over 0 ≤ x ≤ 1, where each row's sum of its columns lies between low and high.

    Column j stands in the rows `rows[starts[j]:starts[j + 1]]`, with coefficient 1.
    """

    costs: FloatArray  # (n_columns)
    starts: IntArray  # (n_columns + 1)
    rows: IntArray
    low: FloatArray  # (n_rows)
    high: FloatArray  # (n_rows)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.low)


@dataclass(frozen=True, eq=False)
class Answer:
    """The best x found, a lower bound on the costs of any, and the duals where x may be fractional."""

    x: FloatArray
    value: float
    bound: float
    duals: FloatArray  # (n_rows), 0 for integer programs
    proved: bool


def solve(
    program: Program,
    integer: bool,
    who: str,
    watch: Watch,
    start: FloatArray | None = None,
) -> Answer | None:
    """Return the answer of HiGHS, begun at `start` where that is given; None where it is over before there is one.

    `who` asks, for the message where the solver is not installed.
    """
    extra("highspy", "solve", who, algorithm=who)
    found = answered(_asked(program, integer, watch.left, start), watch, who)
    if found is None:
        return None
    if not len(found.x):
        if found.early[0]:
            return None
        raise InputError(
            f"{who}: the solver stopped without a solution ({found.status[0]}); choose {USUAL_CELLS!r}",
            code="algorithm.no-solution",
            algorithm=who,
        )
    value = float(program.costs @ found.x)
    return Answer(
        x=found.x,
        value=value,
        bound=value if found.proved[0] else float(found.bound[0]),
        duals=np.zeros(program.n_rows) if integer else found.duals,
        proved=bool(found.proved[0]),
    )


def _asked(program: Program, integer: bool, seconds: float | None, start: FloatArray | None) -> Asked:
    return Asked(
        costs=np.ascontiguousarray(program.costs, np.float64),
        starts=np.ascontiguousarray(program.starts, np.int64),
        rows=np.ascontiguousarray(program.rows, np.int64),
        low=program.low,
        high=program.high,
        integer=np.array([integer]),
        seconds=np.array([] if seconds is None else [seconds], np.float64),
        start=np.array([] if start is None else start, np.float64),
    )
