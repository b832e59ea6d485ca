"""Numbers of a workbook that are shown with zeros in front (`00042`, by the number format `00000`): told as they are shown.

Such a format is given to codes (postcodes, municipalities) whose zeros were lost once. As a number 42 is another code, and
is counted and generalized as one. Of other formats nothing is told: they show a number in another way, not another code.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

SUFFIXES = (".xlsx", ".xlsm")
_ZEROS = re.compile(r"(0{2,30})(;@)?")  # 1 zero is any whole number; Excel holds 15 digits
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_PIECE = 1 << 16  # bytes

Attributes = dict[str, str]


def as_shown(path: Path, sheet: str, start: tuple[int, int], rows: list[list[Any]]) -> list[list[Any]]:
    """Return the rows of a sheet, the first of which stands at `start`, with such numbers as texts."""
    if path.suffix.lower() not in SUFFIXES:
        return rows
    try:
        with ZipFile(path) as book:
            widths = _widths(book)
            for row, column, width in _styled(book, sheet, widths) if widths else ():
                row, column = row - start[0], column - start[1]
                if 0 <= row < len(rows) and 0 <= column < len(rows[row]):
                    rows[row][column] = _padded(rows[row][column], width)
    except (BadZipFile, KeyError, ValueError, NotImplementedError, expat.ExpatError):
        pass  # a workbook without styles, or one that its reader takes in another way
    return rows


def _padded(cell: Any, width: int) -> Any:
    if type(cell) not in (int, float) or cell != cell // 1:
        return cell
    return f"{'-' if cell < 0 else ''}{abs(int(cell)):0{width}}"


def _widths(book: ZipFile) -> dict[str, int]:
    """Return how many digits are shown by each style of cells that shows zeros in front."""
    formats: dict[str, int] = {}
    inside, styles = False, iter(range(1 << 16))
    found: dict[str, int] = {}

    def begun(name: str, told: Attributes) -> None:
        nonlocal inside
        if name == "numFmt" and (zeros := _ZEROS.fullmatch(told.get("formatCode", ""))):
            formats[told.get("numFmtId", "")] = len(zeros[1])
        elif name in ("cellXfs", "cellStyleXfs"):
            inside = name == "cellXfs"
        elif name == "xf" and inside:
            style = str(next(styles))
            if told.get("numFmtId") in formats:
                found[style] = formats[told["numFmtId"]]

    def ended(name: str) -> None:
        nonlocal inside
        inside = inside and name != "cellXfs"

    _parse(book, "xl/styles.xml", begun, ended)
    return found


def _styled(book: ZipFile, sheet: str, widths: dict[str, int]) -> Iterator[tuple[int, int, int]]:
    """Return row and column of the cells that have such a style, from 0 on, with the digits it shows."""
    places: list[tuple[int, int, int]] = []
    row, column = -1, -1

    def begun(name: str, told: Attributes) -> None:
        nonlocal row, column
        if name == "row":
            row, column = int(told["r"]) - 1 if "r" in told else row + 1, -1
        elif name == "c":
            at = _PLACE.fullmatch(told.get("r", ""))
            row, column = (int(at[2]) - 1, _number(at[1])) if at else (row, column + 1)
            if told.get("s") in widths:
                places.append((row, column, widths[told["s"]]))

    _parse(book, _part_of(book, sheet), begun)
    return iter(places)


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _part_of(book: ZipFile, sheet: str) -> str:
    """Return the part of the workbook that holds a sheet."""
    known: dict[str, str] = {}
    targets: dict[str, str] = {}

    def named(name: str, told: Attributes) -> None:
        if name == "sheet":
            known[told.get("name", "")] = next((v for k, v in told.items() if k.endswith(":id")), "")

    def related(name: str, told: Attributes) -> None:
        if name == "Relationship":
            targets[told.get("Id", "")] = told.get("Target", "")

    _parse(book, "xl/workbook.xml", named)
    _parse(book, "xl/_rels/workbook.xml.rels", related)
    target = targets[known[sheet]]
    return target[1:] if target.startswith("/") else posixpath.normpath(f"xl/{target}")


def _parse(
    book: ZipFile, part: str, begun: Callable[[str, Attributes], None], ended: Callable[[str], object] = str
) -> None:
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, told: begun(name.rpartition(":")[2], told)
    parser.EndElementHandler = lambda name: ended(name.rpartition(":")[2])
    with book.open(part) as file:
        while piece := file.read(_PIECE):
            parser.Parse(piece, False)
    parser.Parse(b"", True)
