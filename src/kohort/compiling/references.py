"""Functions that only look at arrays do not count who holds them.

numba counts for every variable: an array that is read through a state of twenty is counted up and down forty times,
most of which LLVM has to find superfluous again. Whoever makes no array and returns none holds what its caller holds, for
as long as its caller does, so nothing need be counted in it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import AnalysisPass, register_pass

# Expressions that hand on what was there before, and make nothing.
HANDED_ON = (
    "getattr",
    "getitem",
    "static_getitem",
    "exhaust_iter",
    "getiter",
    "iternext",
    "pair_first",
    "cast",
)


@register_pass(mutates_CFG=False, analysis_only=True)
class BorrowedReferences(AnalysisPass):  # type: ignore[misc]
    """Has nothing counted in a function that only borrows."""

    _name = "kohort_borrowed_references"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Decide for the function that is compiled; nothing of it is changed."""
        if only_borrows(state):
            state.targetctx.enable_nrt = False
        return False


def only_borrows(state: Any) -> bool:
    """Tell whether a function, its types known, makes no array and returns none."""
    models = state.targetctx.data_model_manager

    def counted(kind: Any) -> bool:
        return bool(models[kind].contains_nrt_meminfo())

    if counted(state.return_type):
        return False
    for block in state.func_ir.blocks.values():
        for assign in block.find_insts(ir.Assign):
            made = isinstance(assign.value, ir.Expr) and not _hands_on(assign.value, state.typemap)
            if made and counted(state.typemap[assign.target.name]):
                return False
    return True


def _hands_on(expression: Any, kinds: Any) -> bool:
    """Tell whether an expression gives a part of what it is given, or a view of it."""
    if expression.op not in HANDED_ON:
        return False
    owner = kinds[expression.value.name]
    if expression.op == "getattr":
        return isinstance(owner, types.BaseTuple)
    if expression.op in ("getitem", "static_getitem"):
        index = kinds[expression.index.name] if expression.op == "getitem" else None
        return not _holds_array(index)
    return isinstance(owner, types.BaseTuple | types.Array | types.ArrayIterator | types.Pair)


def _holds_array(index: Any) -> bool:
    parts = index.types if isinstance(index, types.BaseTuple) else (index,)
    return any(isinstance(part, types.Array) for part in parts)
