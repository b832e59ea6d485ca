"""numba's compiler, asked to do nothing twice.

numba compiles a function once for each set of options that it is called under: here kernels and what they call look alike
to those that they call. What it knows of types it is asked once (`signatures`), and code is optimized once (`library`).
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import Compiler
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import AnnotateTypes

from kohort.compiling.library import Part, Whole
from kohort.compiling.references import BorrowedReferences
from kohort.compiling.signatures import signatures


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Compiles what Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a kernel, and tell the functions in it where their environments are."""
        self.state.typingctx = self.state.targetctx.typing_context = signatures()
        self.state.library = Whole(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        found = super().compile_extra(function)
        for environment in found._find_referenced_environments():
            found.codegen.set_env(environment.env_name, environment)
        return found

    def define_pipelines(self) -> Any:
        """Return the steps of compiling; what is called on the way sees the options of any other caller."""
        shown = ConfigStack().top()
        shown.no_cpython_wrapper, shown.release_gil = True, False
        return super().define_pipelines()


class InnerCompiler(Compiler):  # type: ignore[misc]
    """Compiles what kernels call, as far as they need it."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function."""
        self.state.typingctx = self.state.targetctx.typing_context = signatures()
        self.state.library = Part(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> Any:
        """Return the steps of compiling, with one more before code is made."""
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.add_pass_after(BorrowedReferences, AnnotateTypes)
            each.finalize()
        return pipelines
