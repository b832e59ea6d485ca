"""Where the code of functions that kernels call is kept until a kernel takes it in.

Left to itself, numba makes machine code of every function that a kernel calls, which nobody runs: the kernel takes the
function in and is optimized with it once more. Here such a function is optimized as far as it helps the kernel:
what it calls is put in its place, and references that are counted up and down in vain are seen and dropped. In a
kernel of several functions nobody finds them any more, and a search spends nine tenths of its time counting. Its loops are
left as they are: unrolled ones are not vectorized in the kernel.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary, _parse_refprune_flags

LEVEL = 1  # of optimizing: the least that puts functions in their place; the kernel is optimized as usual


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that kernels call: it is not run where it stands."""

    def finalize(self) -> None:
        """Take in what it calls, and prune references; no machine code is made."""
        self._finalize_dynamic_globals()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        builder = binding.create_pass_builder(self._codegen._tm, _options())
        passes = builder.getModulePassManager()
        passes.add_refprune_pass(_parse_refprune_flags())
        passes.run(self._final_module, builder)
        self._finalized = True

    @property
    def codegen(self) -> Nowhere:
        """Return the memory in which the function has an address: none."""
        return Nowhere()


class Nowhere:
    """Memory in which nothing has an address."""

    def set_env(self, name: str, environment: object) -> None:
        """Leave it to the kernel, which looks the environment up by its name."""


def _options() -> Any:
    options = binding.create_pipeline_tuning_options(speed_level=LEVEL)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = options.loop_interleaving = False
    return options
