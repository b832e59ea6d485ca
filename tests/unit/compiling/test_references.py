"""References are counted wherever an array is made or handed back, and nowhere else."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types
from numba.core.compiler import Flags, compile_extra
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys
from numba.core.types import Array, float64, int64
from tests.contract.test_algorithms import frame_for, plan_for

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.compiling import inner, kernel
from kohort.compiling.compiler import InnerCompiler


class State(NamedTuple):
    """A state as kernels have it."""

    table: Any
    line: Any


@inner
def _total(state: State) -> float:
    total = 0.0
    for i in range(len(state.table)):
        row = state.table[i]
        for j in range(len(row)):
            total += row[j]
    return total


@inner
def _over_rows(state: State) -> float:
    table, line = state
    total = 0.0
    for row in table:
        total += row[0]
    return total + line[-1]


@inner
def _filled(state: State, value: float) -> None:
    part = state.table[0, 1:]
    for i in range(len(part)):
        part[i] = value


@inner
def _made(n: int) -> Any:
    return np.zeros(n)


@inner
def _row(state: State, i: int) -> Any:
    return state.table[i]


@inner
def _through_another(state: State) -> float:
    return float(_made(3)[1] + _row(state, 0)[0])


@inner
def _copied(state: State) -> float:
    return float(state.line.copy()[0])


@inner
def _added(state: State) -> float:
    more = state.line + state.line
    return float(more[0])


@inner
def _picked(state: State, at: Any) -> float:
    some = state.line[at]
    return float(some[0])


@inner
def _packed(state: State) -> float:
    again = State(state.table, state.line)
    return float(again.line[0])


STATE = types.NamedTuple((Array(float64, 2, "C"), Array(float64, 1, "C")), State)
BORROW: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (_total, (STATE,)),
    (_over_rows, (STATE,)),
    (_filled, (STATE, float64)),
]
HOLD: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (_made, (int64,)),
    (_row, (STATE, int64)),
    (_through_another, (STATE,)),
    (_copied, (STATE,)),
    (_added, (STATE,)),
    (_picked, (STATE, Array(int64, 1, "C"))),
    (_packed, (STATE,)),
]


def counted(function: Callable[..., Any], kinds: tuple[Any, ...]) -> bool:
    """Tell whether references are counted in a function."""
    flags = Flags()
    flags.nrt = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    found = compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context,
        function,
        kinds,
        None,
        flags,
        {},
        pipeline_class=InnerCompiler,
    )
    return bool(found.target_context.enable_nrt)


@pytest.mark.parametrize(("function", "kinds"), BORROW)
def test_whoever_only_looks_at_arrays_does_not_count(
    function: Callable[..., Any], kinds: tuple[Any, ...]
) -> None:
    assert not counted(function, kinds)


@pytest.mark.parametrize(("function", "kinds"), HOLD)
def test_whoever_makes_or_returns_an_array_counts(
    function: Callable[..., Any], kinds: tuple[Any, ...]
) -> None:
    assert counted(function, kinds)


@kernel
def _all_of_them(state: State, at: Any, times: int) -> float:
    total = 0.0
    for _ in range(times):
        _filled(state, total)
        total = _total(state) + _over_rows(state) + _through_another(state) + _copied(state)
        total += _added(state) + _picked(state, at) + _packed(state)
        held = _row(state, 1)
        held[0] = _made(4)[2]
    return total


def arrays_alive() -> int:
    """Return how many arrays that kernels made are still held."""
    gc.collect()
    stats = rtsys.get_allocation_stats()
    return int(stats.mi_alloc - stats.mi_free)


@pytest.fixture(autouse=True)
def counting() -> Any:
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def test_every_array_that_a_kernel_made_is_given_back() -> None:
    state = State(np.arange(6.0).reshape(3, 2), np.arange(4.0))
    before = arrays_alive()
    _all_of_them(state, np.array([2, 1]), 1000)
    assert arrays_alive() == before
    assert state.table.tolist()[1] == [0.0, 3.0]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_algorithm_keeps_arrays_or_gives_back_what_it_does_not_hold(name: str) -> None:
    kohort.anonymize(frame_for(name), plan_for(name))  # what is kept for good, such as tables of constants
    before = arrays_alive()
    kohort.anonymize(frame_for(name), plan_for(name))
    assert arrays_alive() == before
