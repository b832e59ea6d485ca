"""References are counted wherever an array is made or handed back, and nowhere else."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core.compiler import Flags, compile_extra
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys
from numba.core.types import Array, float64, int64
from tests.contract.test_algorithms import frame_for, plan_for
from tests.unit.compiling.borrowing_kernels import (
    State,
    added,
    all_of_them,
    copied,
    filled,
    made,
    over_rows,
    packed,
    picked,
    row,
    summed,
    through_another,
)

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.compiling.compiler import InnerCompiler

STATE = types.NamedTuple((Array(float64, 2, "C"), Array(float64, 1, "C")), State)
BORROW: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (summed, (STATE,)),
    (over_rows, (STATE,)),
    (filled, (STATE, float64)),
]
HOLD: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (made, (int64,)),
    (row, (STATE, int64)),
    (through_another, (STATE,)),
    (copied, (STATE,)),
    (added, (STATE,)),
    (picked, (STATE, Array(int64, 1, "C"))),
    (packed, (STATE,)),
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
    all_of_them(state, np.array([2, 1]), 1000)
    assert arrays_alive() == before
    assert state.table.tolist()[1] == [0.0, 3.0]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_algorithm_keeps_arrays_or_gives_back_what_it_does_not_hold(name: str) -> None:
    kohort.anonymize(frame_for(name), plan_for(name))  # what is kept for good, such as tables of constants
    before = arrays_alive()
    kohort.anonymize(frame_for(name), plan_for(name))
    assert arrays_alive() == before
