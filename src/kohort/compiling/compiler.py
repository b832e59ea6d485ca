"""numba's compiler, asked to do nothing twice and nothing in vain.

numba compiles a function once for each set of options that it is called under: here kernels and what they call look alike
to those that they call. It takes 27 steps, most of them for what kernels do not have (closures, comprehensions,
`with`); here it takes those that remain, and whoever writes such a kernel is told that it cannot be compiled.
What it knows of types it is asked once (`signatures`), and code is optimized once (`library`).

All this leans on names inside numba: it serves the version that it was written for and tested with, and with any other
kernels are compiled as numba does it, which takes longer and gives the same.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.targetconfig import ConfigStack

from kohort.compiling.library import Part
from kohort.compiling.signatures import signatures

STEPS: tuple[Any, ...] = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,  # indices and exponents that are written out
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.InlineOverloads,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles what Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a kernel, and tell the functions in it where their environments are."""
        know(self.state)
        self.state.library = JITCodeLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        found = super().compile_extra(function)
        for environment in found._find_referenced_environments():
            found.codegen.set_env(environment.env_name, environment)
        return found

    def define_pipelines(self) -> Any:
        """Return the steps of compiling; what is called on the way sees the options of any other caller."""
        shown = ConfigStack().top()
        shown.no_cpython_wrapper, shown.release_gil = True, False
        return [pipeline(STEPS)]


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles what kernels call, as far as they need it."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function."""
        know(self.state)
        self.state.library = Part(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> Any:
        """Return the steps of compiling."""
        return [pipeline(STEPS)]


def know(state: Any) -> None:
    """Let a compiler know what others have found out, and not look for news on the way."""
    state.typingctx = state.targetctx.typing_context = signatures()
    state.targetctx.refresh = nothing_new


def nothing_new() -> None:
    """Stand for a look at all that has been registered: it was taken when the compiler was made."""


def pipeline(steps: tuple[Any, ...]) -> Any:
    """Return the steps as numba wants them."""
    found = PassManager("nopython")
    for step in steps:
        found.add_pass(step, step.name())
    found.finalize()
    return found
