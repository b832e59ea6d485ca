"""Integer programs by HiGHS, which comes with the extra `solve`."""

from __future__ import annotations

import atexit
import weakref
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

import numpy as np

from kohort.algorithms.taxonomy import USUAL_CELLS
from kohort.algorithms.watch import Watch
from kohort.arrays import FloatArray, IntArray
from kohort.errors import InputError
from kohort.table.formats.extras import extra

_LOOK = 0.02  # seconds between two looks at whether it is over
_GRACE = 0.2  # seconds in which the solver may end by itself once it is


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
    highspy = _highspy(who)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    if watch.left is not None:
        solver.setOptionValue("time_limit", watch.left)

    over = Event()

    def look(event: Any) -> None:  # asked by the solver's thread, which signals do not concern
        event.data_in.user_interrupt = over.is_set()

    for question in _questions(solver):
        question.subscribe(look)
    solver.passModel(_model(highspy, program, integer))
    if start is not None:
        begin = highspy.HighsSolution()
        begin.col_value = start.tolist()
        solver.setSolution(begin)
    if not _ended(solver, watch, over):
        return None
    status = solver.getModelStatus()
    solution = solver.getSolution()
    info = solver.getInfo()
    proved = status == highspy.HighsModelStatus.kOptimal
    early = (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kInterrupt)
    if status in early and not (integer and solution.value_valid):
        return None
    if not proved and status not in early:
        raise InputError(
            f"{who}: the solver stopped without a solution ({solver.modelStatusToString(status)}); choose {USUAL_CELLS!r}",
            code="algorithm.no-solution",
            algorithm=who,
        )
    x = np.array(solution.col_value)
    value = float(program.costs @ x)
    return Answer(
        x=x,
        value=value,
        bound=value if proved else float(info.mip_dual_bound),
        duals=np.zeros(program.n_rows) if integer else np.array(solution.row_dual),
        proved=proved,
    )


def _ended(solver: Any, watch: Watch, over: Event) -> bool:
    """Run the solver until it ends by itself or has not heard, shortly after, that it is over; whether it ended.

    HiGHS asks whether to go on between its steps, and a step may take seconds, or minutes: its presolving of 100,000
    columns asks nothing and heeds no time limit. Then it is left behind: it ends at its next question, and what it finds
    is nobody's. It does not keep the program from ending meanwhile.
    """
    running = Thread(target=solver.run, name="HiGHS", daemon=True)
    running.start()
    try:
        while running.is_alive() and not watch.over:
            running.join(_LOOK)
    finally:
        over.set()
    running.join(_GRACE)
    if running.is_alive():
        atexit.register(_hush, weakref.ref(solver), running)
    return not running.is_alive()


def _hush(left: weakref.ref[Any], running: Thread) -> None:
    """Take the questions from a solver that was left behind: one that comes while Python ends would abort the program."""
    running.join(_GRACE)
    solver = left()
    if solver is not None:
        for question in _questions(solver):
            question.clear()


def _questions(solver: Any) -> tuple[Any, ...]:
    """Return the questions of a solver whether it is to go on."""
    return solver.cbMipInterrupt, solver.cbSimplexInterrupt, solver.cbIpmInterrupt


def _model(highspy: Any, program: Program, integer: bool) -> Any:
    n = len(program.costs)
    model = highspy.HighsLp()
    model.num_col_ = n
    model.num_row_ = program.n_rows
    model.col_cost_ = program.costs
    model.col_lower_ = np.zeros(n)
    model.col_upper_ = np.ones(n)
    model.row_lower_ = program.low
    model.row_upper_ = program.high
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = program.starts.astype(np.int32)
    model.a_matrix_.index_ = program.rows.astype(np.int32)
    model.a_matrix_.value_ = np.ones(len(program.rows))
    if integer:
        model.integrality_ = [highspy.HighsVarType.kInteger] * n
    return model


def _highspy(who: str) -> Any:
    return extra("highspy", "solve", who, algorithm=who)
