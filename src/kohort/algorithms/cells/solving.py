"""The solver's own process: HiGHS solves what standard input asks for and answers on standard output.

HiGHS asks whether to go on between its steps, and a step may take seconds, or minutes: its presolving of 100,000
columns asks nothing and heeds no time limit. A thread that does not listen cannot be ended, a process can: see
`solver.py`, which starts this file by its path, so nothing of Kohort is loaded here.
"""

from __future__ import annotations

import os
import sys
from io import BytesIO
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

SOLVE, STOP = b"?", b"!"  # what standard input asks for
_LENGTH = 8


class Asked(NamedTuple):
    """An integer program, or its relaxation, as it goes through the pipe; `seconds` and `start` may be empty."""

    costs: npt.NDArray[np.float64]
    starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    integer: npt.NDArray[np.bool_]  # one value
    seconds: npt.NDArray[np.float64]
    start: npt.NDArray[np.float64]


class Answered(NamedTuple):
    """What the solver found: x and duals are empty where it found none."""

    x: npt.NDArray[np.float64]
    duals: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]  # one value
    proved: npt.NDArray[np.bool_]  # one value
    early: npt.NDArray[np.bool_]  # one value: whether it was over before the end
    status: npt.NDArray[np.str_]  # one value: the solver's own word


def put(pipe: BinaryIO, arrays: tuple[npt.NDArray[Any], ...]) -> None:
    """Write arrays, with their length in bytes before them."""
    packed = BytesIO()
    for array in arrays:
        np.lib.format.write_array(packed, array, allow_pickle=False)
    pipe.write(len(packed.getbuffer()).to_bytes(_LENGTH, "little"))
    pipe.write(packed.getbuffer())
    pipe.flush()


def taken(pipe: BinaryIO, n: int) -> list[npt.NDArray[Any]]:
    """Read as many arrays; raises ValueError where the other side has ended."""
    packed = BytesIO(pipe.read(int.from_bytes(pipe.read(_LENGTH), "little")))
    return [np.lib.format.read_array(packed, allow_pickle=False) for _ in range(n)]


def main() -> None:
    """Serve until standard input ends, whatever the solver is doing then."""
    asked: SimpleQueue[Asked] = SimpleQueue()
    over = Event()
    Thread(target=_listen, args=(asked, over), daemon=True).start()
    while True:
        put(sys.stdout.buffer, _solved(asked.get(), over))


def _listen(asked: SimpleQueue[Asked], over: Event) -> None:
    pipe = sys.stdin.buffer
    while word := pipe.read(1):
        if word == SOLVE:
            program = Asked(*taken(pipe, len(Asked._fields)))
            over.clear()
            asked.put(program)
        else:
            over.set()
    os._exit(0)


def _solved(asked: Asked, over: Event) -> Answered:
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    if len(asked.seconds):
        solver.setOptionValue("time_limit", float(asked.seconds[0]))

    def look(event: Any) -> None:
        event.data_in.user_interrupt = over.is_set()

    for question in (solver.cbMipInterrupt, solver.cbSimplexInterrupt, solver.cbIpmInterrupt):
        question.subscribe(look)
    solver.passModel(_model(highspy, asked))
    if len(asked.start):
        begin = highspy.HighsSolution()
        begin.col_value = asked.start.tolist()
        solver.setSolution(begin)
    solver.run()
    status, solution = solver.getModelStatus(), solver.getSolution()
    proved = status == highspy.HighsModelStatus.kOptimal
    early = status in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kInterrupt)
    integer = bool(asked.integer[0])
    found = proved or (early and integer and solution.value_valid)
    return Answered(
        x=np.array(solution.col_value if found else [], np.float64),
        duals=np.array(solution.row_dual if found and not integer else [], np.float64),
        bound=np.array([solver.getInfo().mip_dual_bound], np.float64),
        proved=np.array([proved]),
        early=np.array([early]),
        status=np.array([solver.modelStatusToString(status)]),
    )


def _model(highspy: Any, asked: Asked) -> Any:
    n = len(asked.costs)
    model = highspy.HighsLp()
    model.num_col_ = n
    model.num_row_ = len(asked.low)
    model.col_cost_ = asked.costs
    model.col_lower_ = np.zeros(n)
    model.col_upper_ = np.ones(n)
    model.row_lower_ = asked.low
    model.row_upper_ = asked.high
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = asked.starts.astype(np.int32)
    model.a_matrix_.index_ = asked.rows.astype(np.int32)
    model.a_matrix_.value_ = np.ones(len(asked.rows))
    if asked.integer[0]:
        model.integrality_ = [highspy.HighsVarType.kInteger] * n
    return model


if __name__ == "__main__":
    main()
