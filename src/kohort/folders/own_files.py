"""Files that nobody but their owner may read, from the first byte; those of the user's places stand whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = (
    ".kohort-"  # what a file is called until all of it is written; what a killed run leaves may be removed
)
OWNERS, EVERYBODYS = 0o600, 0o644
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)  # of disks that know none


def owners_only(path: str, flags: int) -> int:
    """Open a file for `open(…, opener=…)`; a new one is its owner's alone, one that was there keeps its permissions."""
    return os.open(path, flags, OWNERS)


def write_private(path: Path, text: str) -> None:
    """Write a text that tells of the original, for whoever holds that, in a folder that is renamed when it is whole."""
    with open(path, "w", encoding="utf-8", newline="", opener=owners_only) as file:
        file.write(text)


def put(path: Path, text: str) -> None:
    """Write a text in the place of what stands there, its owner's alone where nothing does.

    It is written beside it, and takes its name when it is whole and on the disk: whatever fails or kills meanwhile, what
    stood there stands. A link stays one; what is no file (a terminal, a pipe) is written to.
    """
    if path.exists() and not path.is_file():
        write_private(path, text)
        return
    place = Path(os.path.realpath(path))
    with _beside(place, text.encode(), OWNERS) as staged:
        if place.exists():
            staged.chmod(place.stat().st_mode & 0o777)
        staged.replace(place)
    _flush_folder(place.parent)


def add(path: Path, content: bytes, mode: int = OWNERS) -> None:
    """Write a new file, whole or not at all; raise FileExistsError where anything stands, as it is then left."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with _beside(path, content, mode) as staged:
        try:
            os.link(staged, path)
        except OSError as problem:
            if problem.errno not in _NO_LINKS:
                raise
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
            staged.replace(path)
    try:
        _flush_folder(path.parent)
    except BaseException:  # who is told that it was not written finds nothing
        path.unlink(missing_ok=True)
        raise


@contextmanager
def _beside(place: Path, content: bytes, mode: int) -> Iterator[Path]:
    """Yield a file of the content in the same folder, on the disk, and take it away unless it was renamed."""
    staged = place.with_name(f"{PREFIX}{secrets.token_hex(8)}")
    handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield staged
    finally:
        staged.unlink(missing_ok=True)


def _flush_folder(folder: Path) -> None:
    """See to it that a name is on the disk too; where a system knows no way, the file stands all the same."""
    if os.name != "posix":  # pragma: no cover - Windows knows no handles of folders
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
