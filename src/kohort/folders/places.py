"""Where a path leads, whatever links are on the way."""

from __future__ import annotations

import os
from pathlib import Path

from kohort.errors import InputError


def resolved(path: Path) -> Path:
    """Return where a path leads; links that lead in a circle stay, and whoever opens them is told by the system.

    >>> resolved(Path("/tmp/../etc"))
    PosixPath('/etc')
    """
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        raise InputError(
            "a path holds a sign that no file can be called by (NUL); name another",
            code="table.no-file",
        ) from None
