"""Pages and plots that commands write where they are told: over their like, and over nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from kohort.errors import InputError
from kohort.folders.own_files import put
from kohort.folders.release_folder import refuse_within

PAGE, PLOT = "page", "plot"
MARK = "<!-- drawn by Kohort -->"  # at the end of every page and plot that a command writes


def demand_place(path: Path | None, what: str) -> None:
    """Refuse, before anything is read, a place in a release, and where something else stands than what a command drew."""
    if path is None:
        return
    refuse_within(path)
    if path.exists() and not _is_drawn(path):
        raise InputError(
            f"{path} exists and is no page or plot that this version of Kohort drew, so it is not written over; name another file "
            f"for the {what}, or move that one away",
            code="file.unwritable",
            path=path,
        )


def write_page(path: Path, text: str, what: str) -> None:
    """Write a page or plot about the original, for its owner alone."""
    demand_place(path, what)
    try:
        put(path, f"{text.rstrip()}\n{MARK}\n")
    except OSError as problem:
        raise InputError(
            f"{path}: the {what} cannot be written ({problem.strerror})", code="file.unwritable", path=path
        ) from None


def _is_drawn(path: Path) -> bool:
    """Say whether a file is empty or ends with the mark; what is no file is left to whoever writes."""
    if not path.is_file():
        return True
    end = f"\n{MARK}\n".encode()
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - len(end), 0))
            return file.read() in (b"", end)
    except OSError:
        return False
