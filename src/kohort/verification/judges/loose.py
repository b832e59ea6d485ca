"""Judges that a table which stands by itself, whoever wrote it, is all that its file holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.table.catalog import catalog_table
from kohort.table.formats import DELIMITED, LOOKS
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.verdict import Verdict

AS_TEXT = "all of a text is in its cells; how single cells are quoted or spelled is not looked at here"
FOUND = "{} also holds: {}; take that out, or save the table alone"


def judge_loose(released: Any, rewritten: Callable[[], Verdict]) -> list[Verdict]:
    """Return whether a file holds nothing beside its table; nothing is said of frames and tables of a catalog.

    What is found by a look at its parts is told. Where nothing is, the file is held to what Kohort writes of its cells:
    only that shows that no byte of it says more.
    """
    if not isinstance(released, str | Path) or catalog_table(Path(released)) is not None:
        return []
    file = Path(released)
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
