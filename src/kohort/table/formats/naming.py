"""The names in a file: which table, which columns, and whether a header can serve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.options import ReadingOptions

UNNAMED = "unnamed"  # and the place of a column


def chosen(path: Path, what: str, available: Sequence[str], asked: str | None) -> str:
    """Return the table (or sheet) asked for; the only one where none is asked for."""
    if asked is None and len(available) == 1:
        return available[0]
    if asked is not None and asked in available:
        return asked
    if not available:
        raise InputError(
            f"{path} holds no {what}; there is nothing to release", code="table.empty", path=path
        )
    problem = f"{path} holds several {what}s" if asked is None else f"{path} has no {what} {asked!r}"
    raise InputError(
        f"{problem}; state one of them as table ([input] table in a plan): {', '.join(available)}",
        code="table.several-parts",
        path=path,
        value=asked,
        allowed=available,
    )


def program(path: Path, name: str | None) -> InputError:
    """Return the error about a view that is named: it is a program, and none is run for a stranger."""
    return InputError(
        f"{path}: {name!r} is a view or a virtual table, which runs what its author wrote; store its rows "
        "as a table (CREATE TABLE … AS SELECT …) and name that",
        code="table.view",
        path=path,
    )


def computed(path: Path, table: str) -> InputError:
    """Return the error about a table of which a column is computed at each reading."""
    return InputError(
        f"{path}: a column of {table!r} is generated whenever it is read, which runs what its author wrote; store its "
        "rows as a table (CREATE TABLE … AS SELECT …) and name that",
        code="table.view",
        path=path,
    )


def quoted(name: str) -> str:
    """Return the name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def wanted(path: Path, names: Sequence[str], columns: Sequence[str] | None) -> list[str]:
    """Return the columns to read, all of them where none are named."""
    for name in columns or ():
        if name not in names:
            raise InputError(
                f"{path} has no column {name!r}; it has: {', '.join(names)}",
                code="table.unknown-column",
                path=path,
                column=name,
                allowed=names,
            )
    return list(names if columns is None else columns)


def numbered(count: int) -> tuple[str, ...]:
    """Return the names of columns that have none."""
    return tuple(f"column{i}" for i in range(1, count + 1))


def names_in(rows: Sequence[Sequence[str]], options: ReadingOptions) -> tuple[str, ...]:
    """Return the names in the first row; an empty one in the first place, or above nothing in the last, is made up.

    R's `write.csv` and `to_csv` of pandas number the rows in a first column without a name, and where every line ends
    with a delimiter there is a last one. They are called `unnamed1` and so on, by their place: nothing is left out
    unseen, and no plan releases them unless it names them.
    """
    header, *body = rows
    names = [name.strip() if options.trim else name for name in header]
    last = len(names) - 1
    places = [0] if any(row[last:] and row[last].strip() for row in body) else [0, last]
    if any(name.strip() for name in names):
        for place in places:
            names[place] = names[place] if names[place].strip() else f"{UNNAMED}{place + 1}"
    return tuple(names)


def check_header(place: str, names: Sequence[str]) -> None:
    """Refuse a header with an empty or a repeated name, or with a zero byte in one."""
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise InputError(
                f"{place}: field {position} of the header is empty; every column needs a name: give it one, or pass over "
                "rows of a title with skip",
                code="table.header",
                path=place,
            )
        if "\0" in name:
            raise InputError(
                f"{place}: field {position} of the header holds a zero byte; rename the column",
                code="table.header",
                path=place,
            )
    places: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        places.setdefault(name, []).append(position)
    doubled = next((where for where in places.values() if len(where) > 1), None)
    if doubled is not None:  # told by their places: what stands there may be somebody's row
        raise InputError(
            f"{place}: more than one column has the same name, such as columns {doubled[0]} and {doubled[1]}; column names "
            "must be distinct: rename one of them",
            code="table.repeated-name",
            path=place,
        )
