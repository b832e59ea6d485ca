"""What somebody names as a path, before anything is done with it: whether there can be such a path, and where it leads."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from kohort.errors import InputError

UNNAMEABLE = "holds a sign that no file can be called by (NUL)"
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
    except ValueError:
        raise _unnameable(what) from None
    _demand_text(path, what)
    return path


def named(told: Any, what: str) -> Path:
    """Return what is named as the path of a file; refuse what has no name of its own, such as `.` and `/`.

    >>> named("team.key", "the key").name
    'team.key'
    """
    path = usable(told, what)
    if not path.name:
        raise InputError(f"{what} {path} is a folder; name a file", code="system.refused")
    return path


def _demand_text(path: Path, what: str) -> None:
    """Refuse a path that is no text: readers and documents spell it as one. The folder we are in belongs to it."""
    try:
        os.path.abspath(path).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{what} {_short(path)!r} stands at a path with a name that is not UTF-8 text, which not every reader of tables "
            "opens; rename that folder or file",
            code="system.refused",
        ) from None
    except FileNotFoundError:  # the folder we are in is gone: whoever opens the path is told
        pass


def resolved(path: Path) -> Path:
    """Return where a path leads, whatever links are on the way; links that lead in a circle stay, and whoever opens them is told.

    >>> resolved(Path("/tmp/../etc"))
    PosixPath('/etc')
    """
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        raise _unnameable("the path") from None


def _unnameable(what: str) -> InputError:
    return InputError(f"{what} {UNNAMEABLE}; name another", code="system.refused")


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
