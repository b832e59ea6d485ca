"""Where compiled kernels are kept: a folder that nobody but its owner can write to, for what is in it is executed."""

from __future__ import annotations

import logging
import os
import stat
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from numba import config

ROOT = Path(__file__).parents[1]

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@cache
def kernel_folder() -> Path | None:
    """Return the folder of this version, interpreter and place of installation; None, with a word, if there is none.

    Processors are told apart by numba itself, in the index of every kernel.
    """
    installed = sha256(str(ROOT).encode()).hexdigest()[:12]
    root = Path(config.CACHE_DIR) if config.CACHE_DIR else user_cache()
    try:
        own = root / "kohort"
        folder = own / f"kernels-{version('kohort')}-{sys.implementation.cache_tag}-{installed}"
        make_private(folder)
        refuse_shared(own)
        refuse_shared(folder)
        if not config.CACHE_DIR:
            refuse_open_parents(own)
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
    """Make a folder, and the folders above it that are missing, for the owner alone; see that it can be written to."""
    for place in (*reversed(folder.parents), folder):
        if not place.is_dir():
            place.mkdir(mode=0o700, exist_ok=True)
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


def refuse_open_parents(folder: Path) -> None:
    """Refuse a folder that anybody could replace by another: one above it is open to all, and not sticky."""
    if sys.platform == "win32":
        return
    for place in folder.resolve().parents:
        mode = place.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise PermissionError(f"anybody may write to {place}")
