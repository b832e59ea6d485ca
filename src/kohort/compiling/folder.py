"""Where compiled kernels are kept: a folder that nobody but its owner can write to, for what is in it is executed.

It is looked at once and read from later, so nobody else may be able to put another in its place meanwhile: every
folder above it is looked at too, whoever named it, from the root down and before anything is made in it.
"""

from __future__ import annotations

import logging
import os
import stat
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

from numba import config

from kohort.version import __version__

if sys.platform != "win32":
    import grp
    import pwd

ROOT = Path(__file__).parents[1]

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@cache
def kernel_folder() -> Path | None:
    """Return the folder of this version, interpreter and place of installation; None, with a word, if there is none.

    Processors are told apart by numba itself, in the index of every kernel.
    """
    installed = sha256(str(ROOT).encode()).hexdigest()[:12]
    # Links are followed once and for all: where they lead later does not matter.
    own = Path(os.path.realpath(config.CACHE_DIR or user_cache())) / "kohort"
    folder = own / f"kernels-{__version__}-{sys.implementation.cache_tag}-{installed}"
    try:
        for place in reversed(own.parents):
            make_private(place)
            refuse_open(place)
        for place in (own, folder):
            make_private(place)
            refuse_shared(place)
        refuse_read_only(folder)
    except OSError as problem:
        logging.getLogger("kohort").warning(
            "kernels are compiled anew in every process, because they cannot be kept: %s; set NUMBA_CACHE_DIR to a "
            "folder that you alone can write to",
            problem,
        )
        return None
    return folder


def user_cache() -> Path:
    """Return the folder in which the system keeps caches of this user."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".cache"


def make_private(folder: Path) -> None:
    """Make a folder for its owner alone, if it is missing."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, exist_ok=True)


def refuse_read_only(folder: Path) -> None:
    """Refuse a folder in which nothing can be kept."""
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} cannot be written to")


def refuse_shared(folder: Path) -> None:
    """Refuse a folder that is a link, belongs to somebody else, or that others may write to."""
    if sys.platform == "win32":  # the folder of the user's own profile: rights are inherited from it
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} is not a folder of yours")
    if found.st_mode & OTHERS_WRITE:
        raise PermissionError(f"others may write to {folder}")


def refuse_open(folder: Path) -> None:
    """Refuse a folder in which somebody else, root aside, could replace what is ours by something of theirs.

    In a sticky folder, such as /tmp, things are replaced by their owner and by the folder's alone.
    """
    if sys.platform == "win32":
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (0, os.geteuid()):
        raise PermissionError(f"{folder} is neither a folder of yours nor of root")
    if found.st_mode & stat.S_ISVTX:
        return
    if found.st_mode & stat.S_IWOTH:
        raise PermissionError(f"anybody may write to {folder}")
    if found.st_mode & stat.S_IWGRP and not is_private(found.st_gid):
        raise PermissionError(f"a group may write to {folder}")


def is_private(group: int) -> bool:
    """Tell whether a group is the user's own: the primary one, of the user's name, and nobody else's.

    The name counts because systems with a directory of users do not list all whose primary group it is.
    """
    if sys.platform == "win32":
        return False
    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    if user.pw_gid != group or found.gr_name != user.pw_name:
        return False
    members = {*found.gr_mem, *(each.pw_name for each in pwd.getpwall() if each.pw_gid == group)}
    return members <= {user.pw_name}
