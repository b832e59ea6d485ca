"""Pages and plots that commands write where they are told: over their like, and over nothing else."""

from __future__ import annotations

from pathlib import Path

from kohort.errors import InputError
from kohort.folders.own_files import write_private
from kohort.folders.release_folder import refuse_within

PAGE, PLOT = "page", "plot"


def demand_place(path: Path | None, what: str) -> None:
    """Refuse, before anything is read, a place in a release, and where something else than a page or plot stands."""
    if path is None:
        return
    refuse_within(path)
    if path.exists() and not _is_drawn(path):
        raise InputError(
            f"{path} exists and is no {what}, so it is not written over; name another file for the {what}",
            code="file.unwritable",
            path=path,
        )


def write_page(path: Path, text: str, what: str) -> None:
    """Write a page or plot about the original, for its owner alone."""
    demand_place(path, what)
    try:
        write_private(path, text)
    except OSError as problem:
        raise InputError(
            f"{path}: the {what} cannot be written ({problem.strerror})", code="file.unwritable", path=path
        ) from None


def _is_drawn(path: Path) -> bool:
    """Say whether a file is empty or begins as HTML and SVG do; what is no file is left to whoever writes."""
    if not path.is_file():
        return True
    with path.open("rb") as file:
        return file.read(1) in (b"", b"<")
