"""Cells that are read as one value though a file spells them in several ways: whoever looks at the file tells them apart.

An escaped formula and the same text without its apostrophe, blanks of any length, `0.0` and `-0.0`, not a number and nothing, the
number 1 and the text `1`, two codes with one label, two kinds of missing: a table that others wrote may mark people by them, and
classes, values and truth are counted of what is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kohort.table.formats.options import ReadingOptions
from kohort.table.spelled_cells import distinct_cells
from kohort.table.texts import texts_of


def several_spellings(path: Path, options: ReadingOptions) -> list[str]:
    """Return the columns of a file in which two spellings are read as one value.

    Complexity: linear in the cells; held are the distinct ones that are read otherwise than they are spelled.
    """
    found: dict[str, _Retold] = {}
    for name, spelled, read in distinct_cells(path, options):
        found.setdefault(name, _Retold()).add(spelled, read)
    asked = {name: retold for name, retold in found.items() if retold.spelling_of and not retold.doubled}
    if asked:
        for name, spelled, read in distinct_cells(path, options):
            if name in asked:
                asked[name].meet(spelled, read)
    return [name for name, retold in found.items() if retold.doubled]


@dataclass(eq=False)
class _Retold:
    """What is read otherwise than it is spelled in a column: the value, and its spelling."""

    spelling_of: dict[str | int | None, str | None] = field(default_factory=dict)
    doubled: bool = False

    def add(self, spelled: pa.Array, read: pa.Array) -> None:
        """Take in distinct cells, as they are spelled and as they are read."""
        changed = pc.invert(pc.fill_null(pc.equal(spelled, read), False))
        changed = pc.and_(changed, pc.is_valid(spelled))
        if not pc.any(changed).as_py():
            return
        pairs = zip(read.filter(changed).to_pylist(), texts_of(spelled.filter(changed)), strict=True)
        for value, spelling in pairs:
            if self.spelling_of.setdefault(value, spelling) != spelling:
                self.doubled = True

    def meet(self, spelled: pa.Array, read: pa.Array) -> None:
        """Look whether a value that was read otherwise than spelled also stands in the column as it is."""
        same = spelled.filter(pc.fill_null(pc.equal(spelled, read), False))
        values = [value for value in self.spelling_of if value is not None]
        if values and pc.any(pc.is_in(same, pa.array(values, spelled.type))).as_py():
            self.doubled = True
        if None in self.spelling_of and spelled.null_count:
            self.doubled = True
