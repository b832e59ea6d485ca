"""Cells that stand between other signs than `"`: written anew between `"`, which is what a plan reads."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kohort.errors import InputError

USUAL = '"'


@dataclass(frozen=True)
class Quoting:
    """How a project writes cells: what stands between them, around them, and before a sign that is meant as itself."""

    delimiter: str
    quote: str = USUAL
    escape: str = USUAL

    def cells(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Yield the rows of a file; what is no such file raises csv.Error."""
        escape = self.escape if self.escape not in (self.quote, USUAL, "") else None
        return csv.reader(lines, delimiter=self.delimiter, quotechar=self.quote, escapechar=escape)

    def requoted(self, content: bytes, refusal: Callable[[str], InputError]) -> bytes:
        """Return a file with its cells between `"` where it has them between another sign; else as it is.

        Only signs of ASCII are looked at, so whatever it is encoded in stays.
        """
        if self.quote == USUAL and self.escape in (USUAL, ""):
            return content
        text = io.TextIOWrapper(io.BytesIO(content.removeprefix(BOM_UTF8)), "latin-1", newline="")
        found = io.StringIO(newline="")
        writer = csv.writer(found, delimiter=self.delimiter, lineterminator="\n")
        try:
            writer.writerows(self.cells(text))
        except csv.Error:
            raise refusal(f"its cells are not written between {self.quote}, as it says") from None
        return found.getvalue().encode("latin-1")
