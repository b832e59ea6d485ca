"""Judges that a file holds its table and nothing beside it, where its rows are not held."""

from __future__ import annotations

from pathlib import Path

from kohort.errors import KohortError
from kohort.folders.parts import is_numbered, parts_of
from kohort.folders.release_folder import sha256
from kohort.table.appending import TableWriter
from kohort.table.streaming import TableStream, as_spelled, open_released
from kohort.verification.judges.beside import BESIDE, CHANGED, DELIMITED
from kohort.verification.judges.verdict import Verdict

IN_MEMORY = "not judged: {} is compared with what is written of its cells byte by byte, in memory; use the memory engine"


def judge_beside_streamed(written: TableStream, folder: Path) -> Verdict:
    """Return whether a file is what Kohort writes of its cells: delimited text is rewritten to `folder` piece by piece.

    Of a text in parts, each is; nothing else may stand beside them.
    """
    file = written.path
    if file.suffix not in DELIMITED:
        return Verdict(BESIDE, None, note=IN_MEMORY.format(repr(file.name)))
    try:
        same = (not file.is_dir() or is_numbered(file)) and all(
            is_rewritten(open_released(part), folder) for part in parts_of(file)
        )
    except KohortError:
        same = False
    return Verdict(BESIDE, same, note="" if same else CHANGED.format(repr(file.name)))


def is_rewritten(written: TableStream, folder: Path) -> bool:
    """Say whether a delimited file comes out the same, byte by byte, where its cells are written anew to `folder`."""
    file, spelled = written.path, as_spelled(written)
    copy = folder / f"copy{file.suffix}"
    with TableWriter(copy, escape_formulas=False) as writer:
        for piece in spelled.pieces(spelled.names):
            writer.append(piece)
    return sha256(copy) == sha256(file)
