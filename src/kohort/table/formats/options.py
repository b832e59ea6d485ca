"""What a reader and a writer may be told; None means look for yourself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What the caller said about the file."""

    table: str | None = None  # the table of a database, the sheet of a workbook
    missing: tuple[str, ...] = ()  # texts that mean missing, beside blank ones
    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    expected: tuple[str, ...] = ()  # names that a header must hold, where the caller knows some
    unescape_formulas: bool = False


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """What the caller asked of the file."""

    name: str = "release"  # the table of a database, the sheet of a workbook
    escape_formulas: bool = True
