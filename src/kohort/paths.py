"""What somebody names as a path, before anything is done with it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from kohort.errors import InputError

_SHOWN = 80  # characters of a path that is too long
_NEVER = {
    errno.ENAMETOOLONG: "is longer than the system takes; name a shorter one",
    errno.ELOOP: "leads through links that lead back to themselves; name another, or mend the links",
}


def usable(told: Any, what: str = "the path") -> Path:
    """Return what is named as a path, be there something or not; refuse what no system can look for.

    >>> usable("people.csv").name
    'people.csv'
    """
    if not isinstance(told, str | os.PathLike):
        raise InputError(
            f"{what} must be a path, as text or as a pathlib.Path, not {type(told).__name__}",
            code="system.refused",
        )
    path = Path(told)
    try:
        path.stat()
    except OSError as problem:
        if problem.errno in _NEVER:
            raise InputError(
                f"{what} {_short(path)} {_NEVER[problem.errno]}", code="system.refused"
            ) from None
    except ValueError:  # a character that is none for the system
        raise InputError(
            f"{what} holds a character that no path can have, such as the one of code 0; name another",
            code="system.refused",
        ) from None
    return path


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
