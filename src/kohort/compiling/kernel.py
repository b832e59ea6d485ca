"""`kernel` and `inner`: the one place that knows how numba is asked to compile.

A kernel is what Python calls. It is kept on disk, lets other threads run, and is compiled once for each combination of
argument types it is called with: callers hand over arrays of one type and layout. What kernels call in turn is
`inner`: nothing is made for Python to call it by (unpacking a state of twenty arrays takes as long to compile as a
kernel), an integer that is written out counts as any other integer, and called from Python it is a plain function.

Three things that look harmless take seconds to compile and are left out of kernels: assignments to slices (they bring
along the formatting of texts, for a message that nobody sees), `sort`, and indexing by an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from numba import config, njit
from numba.extending import register_jitable

from kohort.compiling.cache import KernelCache
from kohort.compiling.compiler import InnerCompiler, KernelCompiler
from kohort.compiling.folder import kernel_folder
from kohort.compiling.notice import watch

P = ParamSpec("P")
R = TypeVar("R")

OPTIONS: dict[str, Any] = {
    "error_model": "numpy",  # kernels divide by what is not zero; asking each time takes code
    "no_cfunc_wrapper": True,  # nor does C call them
}
OF_KERNELS: dict[str, Any] = OPTIONS | {"nogil": True, "pipeline_class": KernelCompiler}
OF_INNER: dict[str, Any] = OPTIONS | {"pipeline_class": InnerCompiler}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function when Python first calls it, and keep what was compiled."""
    if config.DISABLE_JIT:
        return function
    watch()
    compiled: Any = njit(**OF_KERNELS)(function)
    if kernel_folder() is not None:
        compiled._cache = KernelCache(function)
    found: Callable[P, R] = compiled
    return found


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into the kernels that call it."""
    found: Callable[P, R] = register_jitable(**OF_INNER)(function)
    return found


@inner
def whole(number: int) -> int:
    """Return a number that is written out as one like any other, for states that are made inside kernels."""
    return number
