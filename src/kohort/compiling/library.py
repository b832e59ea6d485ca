"""Where the code of kernels, and of what they call, is kept until it is machine code.

Left to itself, numba optimizes every function that a kernel calls, together with all that it calls in turn, and makes
machine code of it, which nobody runs: the kernel takes all of it in and is optimized with it once more. Here functions
stay as they were written down until a kernel takes them in, each of them once.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary


class Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that kernels call: it is not run where it stands."""

    def add_linking_library(self, library: Any) -> None:
        """Remember what the function calls, for whoever takes it in."""
        take_in(library, self._linking_libraries)

    def finalize(self) -> None:
        """Take it as it is: what it calls is found in the kernel."""
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Nowhere:
        """Return the memory in which the function has an address: none."""
        return Nowhere()


class Whole(JITCodeLibrary):  # type: ignore[misc]
    """A kernel with all that it calls."""

    def add_linking_library(self, library: Any) -> None:
        """Take a function in, and all that it calls."""
        take_in(library, self._linking_libraries)


class Nowhere:
    """Memory in which nothing has an address."""

    def set_env(self, name: str, environment: object) -> None:
        """Leave it to the kernel, which looks the environment up by its name."""


def take_in(library: Any, taken: list[Any]) -> None:
    """Add a function to those taken in, and all that it calls, unless they are."""
    library._ensure_finalized()
    further = library._linking_libraries if isinstance(library, Part) else ()
    taken += [each for each in (library, *further) if each not in taken]
