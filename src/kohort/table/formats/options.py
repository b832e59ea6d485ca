"""What a reader and a writer may be told; None means look for yourself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What the caller said about the file."""

    table: str | None = None  # the table of a database, the sheet of a workbook
    missing: tuple[str, ...] = ()  # texts that mean missing, beside blank ones
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    skip: int = 0  # lines of a text, rows of a sheet, above the first one that counts
    columns: tuple[str, ...] | None = None
    expected: tuple[str, ...] = ()  # names that a header must hold, where the caller knows some
    unescape_formulas: bool = False
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by column, beside `missing`
    decimal: Literal[".", ","] | None = (
        None  # the sign in front of a fraction; there are marks between thousands
    )
    trim: bool = False  # blanks at the ends of names and cells do not count
    fold: tuple[str, ...] = ()  # columns in which case and blanks do not count


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """What the caller asked of the file."""

    name: str = "release"  # the table of a database, the sheet of a workbook
    escape_formulas: bool = True
