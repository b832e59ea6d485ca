"""Functions that borrow arrays, and others that hold them, for `test_references`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kohort.compiling import inner, kernel


class State(NamedTuple):
    """A state as kernels have it."""

    table: Any
    line: Any


@inner
def summed(state: State) -> float:
    total = 0.0
    for i in range(len(state.table)):
        row = state.table[i]
        for j in range(len(row)):
            total += row[j]
    return total


@inner
def over_rows(state: State) -> float:
    table, line = state
    total = 0.0
    for row in table:
        total += row[0]
    return total + line[-1]


@inner
def filled(state: State, value: float) -> None:
    part = state.table[0, 1:]
    for i in range(len(part)):
        part[i] = value


@inner
def made(n: int) -> Any:
    return np.zeros(n)


@inner
def row(state: State, i: int) -> Any:
    return state.table[i]


@inner
def through_another(state: State) -> float:
    return float(made(3)[1] + row(state, 0)[0])


@inner
def copied(state: State) -> float:
    return float(state.line.copy()[0])


@inner
def added(state: State) -> float:
    more = state.line + state.line
    return float(more[0])


@inner
def picked(state: State, at: Any) -> float:
    some = state.line[at]
    return float(some[0])


@inner
def packed(state: State) -> float:
    again = State(state.table, state.line)
    return float(again.line[0])


@kernel
def all_of_them(state: State, at: Any, times: int) -> float:
    total = 0.0
    for _ in range(times):
        filled(state, total)
        total = summed(state) + over_rows(state) + through_another(state) + copied(state)
        total += added(state) + picked(state, at) + packed(state)
        held = row(state, 1)
        held[0] = made(4)[2]
    return total
