"""What a reader and a writer may be told; None means look for yourself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict


class HowToRead(TypedDict, total=False):
    """What a caller says of a file, or a plan for it; what is not said is looked for, or is not so."""

    table: str | None
    missing: Sequence[str] | None
    delimiter: str | None
    quote: str | None
    encoding: str | None
    header: bool | None
    skip: int
    footer: int
    missing_in: Mapping[str, Sequence[str]]
    decimal: Literal[".", ","] | None
    trim: bool
    fold: Sequence[str]
    columns: Sequence[str] | None
    expected: Sequence[str]
    unescape_formulas: bool


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
    footer: int = 0  # rows at the end, filled ones of a sheet, that are nobody's
    columns: tuple[str, ...] | None = None
    expected: tuple[str, ...] = ()  # names that a header must hold, where the caller knows some
    unescape_formulas: bool = False
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by column, beside `missing`
    decimal: Literal[".", ","] | None = (
        None  # the sign in front of a fraction; there are marks between thousands
    )
    trim: bool = False  # blanks at the ends of names and cells do not count
    fold: tuple[str, ...] = ()  # columns in which case and blanks do not count

    def markers(self, column: str) -> tuple[str, ...]:
        """Return the texts that mean missing in a column."""
        return *self.missing, *self.missing_in.get(column, ())


def reading_options(told: HowToRead) -> ReadingOptions:
    """Return what was told as readers take it; a word that says nothing to them is refused, as of any function."""
    unknown = sorted(told.keys() - HowToRead.__annotations__.keys())
    if unknown:
        raise TypeError(
            f"unexpected: {', '.join(unknown)}; what may be said of a file: {', '.join(HowToRead.__annotations__)}"
        )
    columns = told.get("columns")
    return ReadingOptions(
        table=told.get("table"),
        missing=tuple(told.get("missing") or ()),
        delimiter=told.get("delimiter"),
        quote=told.get("quote"),
        encoding=told.get("encoding"),
        header=told.get("header"),
        skip=told.get("skip", 0),
        footer=told.get("footer", 0),
        columns=None if columns is None else tuple(columns),
        expected=tuple(told.get("expected", ())),
        unescape_formulas=told.get("unescape_formulas", False),
        missing_in={name: tuple(texts) for name, texts in told.get("missing_in", {}).items()},
        decimal=told.get("decimal"),
        trim=told.get("trim", False),
        fold=tuple(told.get("fold", ())),
    )


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """What the caller asked of the file."""

    name: str = "release"  # the table of a database, the sheet of a workbook
    escape_formulas: bool = True
