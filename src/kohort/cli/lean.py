"""A quick start: libraries that the command line does not use are not loaded on behalf of others."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder

UNUSED = ("pandas", "scipy", "cffi", "coverage")


class _Absent(MetaPathFinder):
    """Says of the unused libraries that they are not installed."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> None:  # noqa: ARG002
        if name in UNUSED:
            raise ModuleNotFoundError(f"{name} is not used by this command", name=name)


def start_lean() -> None:
    """Load pyarrow and numba without the large libraries that they would load if they can.

    pyarrow imports pandas on its first conversion, to recognise dataframes, and numba imports scipy with its
    first kernel, for linear algebra, cffi for pointers, and coverage to trace itself; a command needs none of them, and
    they take as long as a whole release. Afterwards all can be imported as usual by whoever does need them.
    """
    gc.set_threshold(100_000)  # a command makes few cycles; looking for them takes a twentieth of its time
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        import pyarrow as pa
        from numba.core.registry import cpu_target

        pa.scalar(0)
        cpu_target.target_context.refresh()
    finally:
        sys.meta_path.remove(absent)
