"""A folder for tables that are written and not saved yet: where the system puts temporary files, unless it is gone."""

from __future__ import annotations

import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from kohort.errors import InputError
from kohort.folders.claims import Claim, claim
from kohort.table.scratch import PREFIX, sweep


class ScratchFolder:
    """A folder that only the owner can enter, gone when this is; of a cluster, all machines must see TMPDIR alike."""

    def __init__(self) -> None:
        sweep()
        try:
            self._claimed = claim(Path(tempfile.mkdtemp(prefix=PREFIX)))
        except OSError as problem:
            raise InputError(
                f"temporary files cannot be written in {tempfile.gettempdir()} ({problem.strerror}); set TMPDIR to a disk with "
                "more room",
                code="engine.no-room",
            ) from None
        self._end = weakref.finalize(self, _remove, self._claimed)

    def path(self, name: str) -> Path:
        """Return where a file of that name lies."""
        return self._claimed.folder / name


def _remove(held: Claim) -> None:
    with suppress(OSError):
        held.clear()
    held.close()
