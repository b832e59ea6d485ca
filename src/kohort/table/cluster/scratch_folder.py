"""A folder for tables that are written and not saved yet: where the system puts temporary files, unless it is gone."""

from __future__ import annotations

import weakref
from contextlib import suppress
from pathlib import Path

from kohort.folders.claims import Claim
from kohort.table.scratch import claimed_folder, sweep


class ScratchFolder:
    """A folder that only the owner can enter, gone when this is; of a cluster, all machines must see TMPDIR alike."""

    def __init__(self) -> None:
        sweep()
        self._claimed = claimed_folder()
        (self._claimed.folder / "tables").mkdir()
        self._end = weakref.finalize(self, _remove, self._claimed)

    def path(self, name: str) -> Path:
        """Return where a file of that name lies."""
        return self._claimed.folder / "tables" / name


def _remove(held: Claim) -> None:
    with suppress(OSError):
        held.clear()
    held.close()
