"""Where the code of functions that kernels call is kept until a kernel takes it in.

Left to itself, numba makes machine code of every function that a kernel calls, which nobody runs: the kernel takes the
function in and is optimized with it once more. Here such a function is optimized as far as it helps the kernel:
what it calls is put in its place, and references that are counted up and down in vain are seen and dropped. In a
kernel of several functions nobody finds them any more, and a search spends nine tenths of its time counting.
"""

from __future__ import annotations

from numba.core.codegen import JITCodeLibrary

LEVEL = 1  # of optimizing: the least that puts functions in their place; the kernel is optimized as usual


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that kernels call: it is not run where it stands."""

    def finalize(self) -> None:
        """Take in what it calls, and prune references; no machine code is made."""
        self._finalize_dynamic_globals()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=LEVEL
        )
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
