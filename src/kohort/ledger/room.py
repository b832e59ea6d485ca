"""Room that is held beside a ledger from before a release is recorded until it stands: to take it out again on a full disk."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from kohort.errors import InputError
from kohort.ledger.connection import own_draft
from kohort.refusals import reason, remedy

_LEAST = 1 << 22  # bytes: DuckDB takes blocks of 256 kB, for each of a few tables
_OF_A_CELL = 16  # what the log holds of a cell that is written, and of one that is taken out


class Room:
    """A file of nothing that holds so many bytes of the disk; one that a killed run left is swept as its drafts are."""

    def __init__(self, ledger: Path, cells: int) -> None:
        self._place = ledger.with_name(own_draft(ledger))
        try:
            ledger.parent.mkdir(parents=True, exist_ok=True)
            self._hold(_LEAST + _OF_A_CELL * cells)
        except BaseException as problem:
            self.free()
            if not isinstance(problem, OSError):
                raise
            raise InputError(
                f"{ledger}: no room can be held beside the ledger to take a release out of it again ({reason(problem)}); no "
                f"release in it was changed: {remedy(problem)}, then do the same again",
                code="ledger.refused",
                path=ledger,
            ) from None

    def free(self) -> None:
        """Give the room back."""
        with suppress(OSError):
            self._place.unlink(missing_ok=True)

    def _hold(self, size: int) -> None:
        handle = os.open(self._place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "posix_fallocate"):
                try:
                    os.posix_fallocate(file.fileno(), 0, size)
                except OSError as problem:
                    if problem.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS):
                        raise
                else:
                    return
            for start in range(0, size, _LEAST):
                file.write(bytes(min(_LEAST, size - start)))
