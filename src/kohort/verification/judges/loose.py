"""Judges that a table which stands by itself, whoever wrote it, is all that its file holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.table.catalog import catalog_table
from kohort.table.formats import DELIMITED, LOOKS, READERS
from kohort.table.formats.options import ReadingOptions
from kohort.table.spellings import several_spellings
from kohort.table.streaming import STREAMS
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.verdict import Verdict

SPELLED = "every value is spelled in one way"
TWO_WAYS = (
    "{} hold values that are read as one and spelled in several ways, by which people can be told apart"
)
FOLDER = "not judged: the spellings of folders of text are not looked at"
AS_TEXT = "all of a text is in its cells; how single cells are quoted is not looked at"
FOUND = "{} also holds: {}; take that out, or save the table alone"


def judge_loose(released: Any, rewritten: Callable[[], Verdict]) -> list[Verdict]:
    """Return whether a file holds nothing beside its table; nothing is said of frames and tables of a catalog.

    What is found by a look at its parts is told. Where nothing is, the file is held to what Kohort writes of its cells:
    only that shows that no byte of it says more.
    """
    file = _file(released)
    if file is None:
        return []
    suffix = file.suffix.lower()
    if suffix in DELIMITED:
        return [Verdict(BESIDE, True, note=AS_TEXT)]
    try:
        found = LOOKS[suffix](file) if suffix in LOOKS else []
    except InputError as problem:
        return [Verdict(BESIDE, None, note=f"not judged: {problem}")]
    if found:
        return [Verdict(BESIDE, False, note=FOUND.format(repr(file.name), "; ".join(found)))]
    return [rewritten()]


def judge_spellings(released: Any, options: Callable[[Path], Sequence[ReadingOptions]]) -> list[Verdict]:
    """Return whether no two spellings in a file are read as one value: whoever sees the file would tell people apart by them.

    The file is read by the first of the options by which it can be.
    """
    file = _file(released)
    if file is None:
        return []
    if file.suffix.lower() not in (STREAMS.keys() - DELIMITED if file.is_dir() else READERS):
        return [Verdict(SPELLED, None, note=FOLDER)]
    try:
        found = _spellings(file, options(file))
    except InputError as problem:
        return [Verdict(SPELLED, None, note=f"not judged: {problem}")]
    names = ", ".join(map(repr, found))
    return [Verdict(SPELLED, not found, note=TWO_WAYS.format(names) if found else "")]


def _spellings(file: Path, options: Sequence[ReadingOptions]) -> list[str]:
    """Return the columns that are spelled in several ways, as the file is read by the first of the options by which it can be."""
    *earlier, last = options
    for told in earlier:
        with suppress(InputError):
            return several_spellings(file, told)
    return several_spellings(file, last)


def _file(released: Any) -> Path | None:
    """Return where a table stands that is a file, or a folder of its parts."""
    if not isinstance(released, str | Path) or catalog_table(Path(released)) is not None:
        return None
    return Path(released)
