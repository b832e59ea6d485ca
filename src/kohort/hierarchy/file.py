"""Level files: one row per ground value, one column per level."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.domain import Label
from kohort.hierarchy.file_labels import declared_bounds
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.numerals import canonical
from kohort.paths import usable
from kohort.table.blanks import is_blank

_DELIMITERS = (";", "\t", ",", "|")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods begin, and .xls

_MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class File:
    r"""A table of labels: the ground value first, its label at every level, the same root in every row.

    The delimiter (`;`, tab, `,`, `|`), the encoding (UTF-8, UTF-16 with its mark, else Windows-1252) and
    whether there is a header are found out unless told. The first row is a header where its last cell
    differs from the root that all other rows share, or its first cell is the column's name and no value
    of the table. A missing value is a row whose first cell is empty, or of blanks only; where the column has missing
    values and the file has no such row, their path is added: missing at every level below the root.

    Labels that say where numbers begin and end (`20-39`, `[20, 40)`, `<18`, `>=90`, `90+`) are taken at their word, if
    that is true of the numbers under them: intervals end there, and no interval ends within `>=90`. The ground values
    are those of the file: what it lists may be told where k people share it.

    Texts must match exactly, but for the zeros that end a fraction: where the file says `39` and the
    table `39.0`, the value is spelled as in the table. `01234` never matches `1234`.

    Complexity: linear in the cells of the file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "zip.csv").write_text("94138;9413*;*\n94141;9414*;*\n", encoding="utf-8")
    ...     zips = File("zip.csv", base=Path(folder)).build("zip", ["94138"], [1])
    >>> [level.labels for level in zips.levels]
    [('94138', '94141'), ('9413*', '9414*'), ('*',)]

    References: the level files of ARX (Prasser, F. et al., 2014) have this form.
    """

    path: str | None = None  # left out in public: where the file is is not told
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    base: Path = Path()  # what `path` is relative to: the plan's directory

    card: ClassVar[Card] = Card(
        "file",
        "a level file: one row per ground value, one column per level",
        measures=True,
        told="by labels of a list that is not public",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:  # noqa: ARG002
        """Return the hierarchy of the file, whether or not every value of the table is in it."""
        known = set(texts)
        rows = self.rows(name, known)
        if not rows:
            raise InputError(
                f"column {name!r}: its level file {self.path} holds no row; give it one row per ground value",
                code="hierarchy.empty",
                column=name,
                path=self.path,
            )
        paths: list[tuple[Label, ...]] = [_path(row) for row in rows]
        if None in known:
            paths = _with_missing(paths)
        return Hierarchy.from_rows(name, _respelled(paths, known), declared_bounds)

    def rows(self, name: str, known: set[Label]) -> list[list[str]]:
        """Return the cells below the header, as they stand in the file; `known` are the values of the table."""
        rows = self._rows(name)
        headed = _has_header(name, rows, known) if self.header is None else self.header
        return rows[1:] if headed else rows

    def _rows(self, name: str) -> list[list[str]]:
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise InputError(
                f'column {name!r}: hierarchy.delimiter must be one character, such as ";"',
                code="hierarchy.wrong-option",
                column=name,
                option="delimiter",
            )
        if not self.path:
            raise InputError(
                f'column {name!r}: a hierarchy of kind "file" needs hierarchy.path: where its level file is',
                code="hierarchy.wrong-option",
                column=name,
                hierarchy=self.card.name,
                option="path",
            )
        try:
            return _parsed(self._text(name, self.base / self.path), self.delimiter)
        except csv.Error as error:
            raise InputError(
                f"column {name!r}: its level file {self.path} is not a table of text cells ({error})",
                code="hierarchy.unreadable-file",
                column=name,
                path=self.path,
            ) from None

    def _text(self, name: str, path: Path) -> str:
        usable(path, f"column {name!r}: its level file")
        try:
            if path.exists() and (not path.is_file() or path.stat().st_size > _MOST_BYTES):
                raise InputError(
                    f"column {name!r}: its level file {self.path} is no plain file of at most {_MOST_BYTES >> 20} MiB",
                    code="hierarchy.unreadable-file",
                    column=name,
                    path=self.path,
                )
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"column {name!r}: its level file {path} cannot be read ({error.strerror}); "
                "hierarchy.path is relative to the plan's directory",
                code="hierarchy.unreadable-file",
                column=name,
                path=path,
            ) from None
        if content.startswith(_WORKBOOKS):
            raise InputError(
                f"column {name!r}: its level file {path} is a workbook of a spreadsheet program; save the sheet as CSV, and name "
                "that file",
                code="hierarchy.unreadable-file",
                column=name,
                path=path,
            )
        try:
            return content.decode(self.encoding or _encoding(content))
        except (UnicodeError, LookupError):  # codecs fail in either way
            tried = repr(self.encoding) if self.encoding else "UTF-8, UTF-16 or Windows-1252"
            raise InputError(
                f"column {name!r}: its level file {path} is not text in {tried}; save it as CSV in UTF-8, or set "
                "hierarchy.encoding to the one that it is in",
                code="hierarchy.unreadable-file",
                column=name,
                path=path,
                option="encoding",
                value=self.encoding,
            ) from None


def _encoding(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _parsed(text: str, delimiter: str | None) -> list[list[str]]:
    text = text.removeprefix("\ufeff")
    found = delimiter or _sniffed(text)
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=found) if row]


def _sniffed(text: str) -> str:
    """Return the delimiter that splits the first rows into the same number (> 1) of cells."""
    sample = "\n".join(text.splitlines()[:200])

    def regularity(delimiter: str) -> tuple[bool, bool]:
        widths = {len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row}
        return len(widths) == 1 and widths != {1}, max(widths, default=0) > 1

    return max(_DELIMITERS, key=regularity)  # the first of equals


def _has_header(name: str, rows: Sequence[Sequence[str]], known: set[Label]) -> bool:
    if len(rows) < 2 or rows[0][0] in known:
        return False
    roots = {row[-1] for row in rows[1:]}
    named = rows[0][0].strip().casefold() == name.strip().casefold()
    return named or (len(roots) == 1 and rows[0][-1] not in roots)


def _path(row: Sequence[str]) -> tuple[Label, ...]:
    """Return the labels of a row; in that of the missing value, which starts blank, blank ones are missing too."""
    return tuple(None if is_blank(label) else label for label in row) if is_blank(row[0]) else tuple(row)


def _with_missing(paths: list[tuple[Label, ...]]) -> list[tuple[Label, ...]]:
    """Return the paths with one for the missing value: the row that is there, or an added one."""
    width = len(paths[0])
    if width == 1 or any(path[0] is None for path in paths):
        return paths  # with nothing above the ground the missing value is reported as not covered
    return [*paths, (None,) * (width - 1) + (paths[0][-1],)]


def _respelled(paths: list[tuple[Label, ...]], known: set[Label]) -> list[tuple[Label, ...]]:
    """Return the paths with ground values spelled as in the table where only a fraction's zeros differ."""
    grounds = {path[0] for path in paths}
    foreign = [text for text in known if text is not None and text not in grounds]
    spellings: dict[str, list[str]] = {}
    for text in sorted(foreign):
        spellings.setdefault(canonical(text), []).append(text)
    if not spellings:
        return paths
    respelled: list[tuple[Label, ...]] = []
    for path in paths:
        found = spellings.get(canonical(path[0]), []) if path[0] is not None else []
        kept = [path] if not found or path[0] in known else []
        respelled += kept + [(text, *path[1:]) for text in found]
    return respelled
