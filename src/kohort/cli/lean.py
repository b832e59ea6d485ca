"""A quick start: libraries that the command line does not use are not loaded on behalf of others."""

from __future__ import annotations

import sys

UNUSED = ("pandas", "scipy")


def start_lean() -> None:
    """Load pyarrow and numba without the large libraries that they would load if they can.

    pyarrow imports pandas on its first conversion, to recognise dataframes, and numba imports scipy with its
    first kernel, for linear algebra; a command needs neither, and they take as long as a whole release.
    Afterwards both can be imported as usual by whoever does need them.
    """
    hidden = [name for name in UNUSED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment] # an import of it fails as if it were not there
    try:
        import pyarrow as pa
        from numba.core.registry import cpu_target

        pa.scalar(0)
        cpu_target.target_context.refresh()
    finally:
        for name in hidden:
            del sys.modules[name]
