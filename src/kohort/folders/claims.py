"""Folders that belong to one running process; what a killed one leaves is told from what another one works in.

The lock in a folder notes which folder it is (its inode). What was copied, or came in an archive, is another one: nobody
takes it for what a killed process left, removes it or puts anything of it anywhere, for it may be what others made up.
Names alone tell nothing: without such a lock a folder is somebody else's, whatever it and its files are called. Only who
needs that very folder takes over one in which a killed process had come no further than to make it.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path

if (
    sys.platform == "win32"
):  # pragma: no cover - there a file that is open cannot be removed, which tells as much

    def _hold(handle: int) -> None:
        """Hold nothing."""

else:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def _hold(handle: int) -> None:
        flock(handle, LOCK_EX | LOCK_NB)


LOCK = "kohort.lock"  # held by the owner of the folder as long as it lives
_ALONE = 0o700
_LONGEST = 32  # digits of an inode, and more
PARTS = (
    "parts-"  # begins what others write for it, who may go on when it is dead; none of them makes a folder
)
_TOKEN = "[0-9a-f]{16}"  # as drawn by `secrets.token_hex(8)`
_OF_PARTS = re.compile(PARTS + _TOKEN)
_PART = re.compile(
    rf"part-([0-9]{{5,}}|{_TOKEN})\.(parquet|csv|tsv)|{_TOKEN}|\.nfs[0-9a-f]+"
)  # whole, begun, or removed by NFS while open


class BusyError(Exception):
    """Another process owns the folder."""


class Claim:
    """A folder of this process: nobody else can enter it, and no other Kohort takes it while this one lives."""

    def __init__(self, folder: Path, handle: int) -> None:
        self.folder, self._handle = folder, handle

    def empty(self) -> None:
        """Remove everything in the folder but the lock."""
        for entry in list(os.scandir(self.folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            elif entry.name != LOCK:
                os.unlink(entry.path)

    def clear(self) -> None:
        """Remove the folder. The lock goes last: whoever is killed meanwhile leaves a folder that can be told."""
        self.empty()
        os.unlink(self.folder / LOCK)
        os.rmdir(self.folder)
        self.close()

    def close(self) -> None:
        """Leave the folder to whoever comes next."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def claim(folder: Path) -> Claim:
    """Make a folder, or take over what a dead process left; FileExistsError where it is not Kohort's."""
    while True:
        try:
            os.mkdir(folder, _ALONE)
        except FileExistsError:
            if not is_claim(folder, begun=True):
                raise
        try:
            return _claimed(folder)
        except FileNotFoundError:
            continue  # its owner removed it just now


def abandoned(folder: Path) -> Claim | None:
    """Return a folder that a dead process left, now this one's; None where there is none."""
    try:
        return _claimed(folder, 0) if is_claim(folder) else None
    except (BusyError, OSError):
        return None


def is_claim(folder: Path, begun: bool = False) -> bool:
    """Say whether a folder is one that Kohort works in: ours, with a lock in it that notes this folder.

    One that was `begun` and no more is as Kohort makes it, and nothing is in it but a lock without a note, if that.
    """
    try:
        told = os.lstat(folder)
        if not stat.S_ISDIR(told.st_mode) or told.st_uid != getattr(os, "geteuid", lambda: told.st_uid)():
            return False
        names = os.listdir(folder)
        noted = _noted(folder / LOCK) if LOCK in names else None
        if noted is None:
            return begun and {*names} <= {LOCK} and _as_made(told)
        return noted == told.st_ino and all(
            _holds_parts(folder / name) for name in names if name.startswith(PARTS)
        )
    except (OSError, ValueError):
        return False


def _as_made(told: os.stat_result) -> bool:
    """Say whether a folder is its owner's alone."""
    return os.name != "posix" or stat.S_IMODE(told.st_mode) & 0o777 == _ALONE


def _noted(lock: Path) -> int | None:
    """Return of which folder a lock is; None where its maker was killed before that was noted."""
    if not stat.S_ISREG(os.lstat(lock).st_mode):
        raise ValueError("no plain file")
    with lock.open("rb") as file:
        told = file.read(_LONGEST)
    return int(told) if told else None


def _holds_parts(folder: Path) -> bool:
    """Say whether a folder and all in it are what those make who write tables in parts."""
    if not _OF_PARTS.fullmatch(folder.name) or not stat.S_ISDIR(os.lstat(folder).st_mode):
        return False
    return all(
        entry.is_file(follow_symlinks=False) and _PART.fullmatch(entry.name) for entry in os.scandir(folder)
    )


def _claimed(folder: Path, flags: int = os.O_CREAT) -> Claim:
    """Return a folder that is this process's now, noted in its lock."""
    handle = _locked(folder, flags)
    try:
        if not os.fstat(handle).st_size:
            os.write(handle, b"%d" % os.lstat(folder).st_ino)
    except OSError:
        with suppress(OSError):
            if os.listdir(folder) == [LOCK]:  # of a disk without room for a number
                Claim(folder, -1).clear()
        os.close(handle)
        raise
    return Claim(folder, handle)


def _locked(folder: Path, flags: int) -> int:
    """Return a handle of the folder's lock, which this process holds now."""
    place = folder / LOCK
    handle = os.open(place, os.O_RDWR | flags | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        _hold(handle)
        if not os.path.samestat(os.fstat(handle), os.stat(place)):
            raise FileNotFoundError(place)  # it was removed when we waited
    except BlockingIOError:
        os.close(handle)
        raise BusyError(str(folder)) from None
    except OSError:
        os.close(handle)
        raise
    return handle
