"""Functions that only look at arrays do not count who holds them.

numba counts for every variable: an array that is read through a state of twenty is counted up and down forty times,
most of which LLVM has to find superfluous again. Whoever makes no array and returns none holds what its caller holds, for
as long as its caller does, so nothing need be counted in it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.types.containers import BaseTuple, Pair
from numba.core.types.iterators import ArrayIterator
from numba.core.types.npytypes import Array

GIVEN = (ir.Var, ir.Arg, ir.Const, ir.Global, ir.FreeVar)
# expressions that hand on what was there before, and make nothing
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
    """Tell whether a function, its types known, makes no array, puts none anywhere and returns none."""
    models, kinds = state.targetctx.data_model_manager, state.typemap
    instructions = [each for block in state.func_ir.blocks.values() for each in block.body]
    held = [kinds[each.target.name] for each in instructions if _makes(each, kinds)]
    put = [kinds[each.value.name] for each in instructions if isinstance(each, ir.SetItem | ir.StaticSetItem)]
    return not any(models[kind].contains_nrt_meminfo() for kind in (state.return_type, *held, *put))


def _makes(instruction: Any, kinds: Any) -> bool:
    """Tell whether a variable is given what may be new: no part of what was there, and no view of it."""
    if not isinstance(instruction, ir.Assign) or isinstance(instruction.value, GIVEN):
        return False
    made = instruction.value
    if not isinstance(made, ir.Expr) or made.op not in HANDED_ON:
        return True
    owner = kinds[made.value.name]
    if made.op == "getattr":
        return not isinstance(owner, BaseTuple)
    if made.op == "getitem":
        return not isinstance(owner, BaseTuple | Array) or _holds_array(kinds[made.index.name])
    return not isinstance(owner, BaseTuple | Array | ArrayIterator | Pair)


def _holds_array(index: Any) -> bool:
    parts = index.types if isinstance(index, BaseTuple) else (index,)
    return any(isinstance(part, Array) for part in parts)
