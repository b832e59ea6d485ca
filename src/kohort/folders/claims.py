"""Folders that belong to one running process; what a killed one leaves is told from what another one works in.

The lock in a folder notes which folder it is (its inode). What was copied, or came in an archive, is another one: nobody
takes it for what a killed process left, removes it or puts anything of it anywhere, for it may be what others made up.
"""

from __future__ import annotations

import os
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
_LONGEST = 32  # digits of an inode, and more
_OF_PARTS = ("part-", "_", ".")  # parts of tables, and marks and sums beside them
PARTS = "parts-"  # begins what others write for it: they may go on when it is dead, and make the folder anew for that


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
            os.mkdir(folder, 0o700)
        except FileExistsError:
            if not is_claim(folder):
                raise
        try:
            return _claimed(folder)
        except FileNotFoundError:
            continue  # its owner removed it just now


def abandoned(folder: Path) -> Claim | None:
    """Return a folder that a dead process left, now this one's; None where there is none."""
    try:
        return _claimed(folder) if is_claim(folder) else None
    except (BusyError, OSError):
        return None


def is_claim(folder: Path) -> bool:
    """Say whether a folder is one that Kohort works in: ours, and empty yet or with a lock in it that notes this folder.

    What others write for Kohort may come before the lock, and is known by its names.
    """
    try:
        told = os.lstat(folder)
        if not stat.S_ISDIR(told.st_mode) or told.st_uid != getattr(os, "geteuid", lambda: told.st_uid)():
            return False
        names = os.listdir(folder)
        parts = [folder / name for name in names if name.startswith(PARTS)]
        if not all(map(_holds_parts, parts)):
            return False
        if len(names) == len(parts):
            return True
        noted = _noted(folder / LOCK)
        return noted == told.st_ino or (noted is None and len(names) == len(parts) + 1)
    except (OSError, ValueError):
        return False


def _noted(lock: Path) -> int | None:
    """Return of which folder a lock is; None where its maker was killed before that was noted."""
    if not stat.S_ISREG(os.lstat(lock).st_mode):
        raise ValueError("no plain file")
    with lock.open("rb") as file:
        told = file.read(_LONGEST)
    return int(told) if told else None


def _holds_parts(folder: Path) -> bool:
    """Say whether all below a folder is called as those call it who write tables in parts."""
    found = [name for _, _, names in os.walk(folder) for name in names]
    return stat.S_ISDIR(os.lstat(folder).st_mode) and all(name.startswith(_OF_PARTS) for name in found)


def _claimed(folder: Path) -> Claim:
    """Return a folder that is this process's now, noted in its lock."""
    handle = _locked(folder, os.O_CREAT)
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
