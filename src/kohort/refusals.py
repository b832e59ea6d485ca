"""Why the system refused to read or write a file, in its own words, and what to do about it."""

from __future__ import annotations

import errno
import os

_ROOM, _LEAVE = "make room on its disk", "see to it that you may read and write it and its folder"
REMEDIES = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: "see to it that files may grow so large",
    errno.EROFS: "see to it that its disk may be written to",
    errno.EACCES: _LEAVE,
    errno.EPERM: _LEAVE,
    errno.EIO: "its disk fails, so use another one",
}
_OTHERWISE = {"fsync failed": errno.EIO}  # as DuckDB says it


def cause_of(problem: Exception) -> int | None:
    """Return the number of the system's reason behind an error, also where a library tells it in its message only.

    None: it is not known that the system refused anything.
    """
    told = getattr(problem, "errno", None)
    known = {os.strerror(number): number for number in REMEDIES} | _OTHERWISE
    found = [number for words, number in known.items() if words in str(problem)]
    return told if isinstance(told, int) else next(iter(found), None)


def reason(problem: Exception) -> str:
    """Return why the system refused, in its words and without a path."""
    number = cause_of(problem)
    return type(problem).__name__ if number is None else os.strerror(number)


def remedy(problem: Exception) -> str:
    """Return what to do about it."""
    return REMEDIES.get(cause_of(problem) or 0, "see to it that it can be written there")
