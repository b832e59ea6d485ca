"""Tables that a catalog knows by name: `table:schema.name` where a path could stand, and what a release tells of one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from kohort.errors import InputError

CATALOG = "table:"
POINTER = ".catalog"  # the suffix of what stands in a release for a table that stands in a catalog
_TEMPORARY = ("global_temp", "local", "session")  # schemas of views that go with a session
UNFINISHED = "kohort_unfinished_"  # begins the name of a table that is no release
_WORD = r"[A-Za-z0-9_]+"


def _any_case(name: str) -> str:
    return "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in name)


_NO_VIEW = "|".join(map(_any_case, _TEMPORARY))
_NO_RELEASE = rf"({_WORD}\.){{1,2}}{_any_case(UNFINISHED)}"
NAME = rf"^(?!({_WORD}\.)?({_NO_VIEW})\.{_WORD}$)(?!{_NO_RELEASE}){_WORD}(\.{_WORD}){{1,2}}$(?!\n)"
_LONGEST = 1 << 24  # bytes of a pointer


def catalog_table(path: Path) -> str | None:
    """Return the name of the table that is meant, wherever relative paths start; None where a file is.

    >>> catalog_table(Path("plans") / "table:health.people"), catalog_table(Path("people.csv"))
    ('health.people', None)
    """
    return path.name.removeprefix(CATALOG) if path.name.startswith(CATALOG) else None


def check_target(name: str) -> None:
    """Refuse a name under which no table can be released: views of a session hide those without a schema."""
    if re.search(NAME, name) is None:
        unfinished = re.match(_NO_RELEASE, name) is not None
        raise InputError(
            f"[output] table is {name!r}; "
            + (
                f"what begins with {UNFINISHED} is told from releases by that, and nobody keeps it: name another"
                if unfinished
                else "write it as schema.name or catalog.schema.name, of letters, digits and _"
            ),
            code="plan.wrong-value",
            section="output",
            option="table",
            value=name,
        )


class Pointer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a release tells of a table in a catalog: its name, and what it holds, in whatever order."""

    table: str
    columns: tuple[tuple[str, str], ...]  # names, and the types as Spark calls them
    rows: int
    digest: str  # of columns and rows: `kohort.table.cluster.row_digests`

    def text(self) -> str:
        """Return it as it is written."""
        return json.dumps(msgspec.to_builtins(self), indent=2, ensure_ascii=False) + "\n"


def read_pointer(path: Path) -> Pointer:
    """Return what stands in a release for a table; it holds that and nothing else, byte for byte."""
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST)
        found = msgspec.json.decode(text, type=Pointer)
        same = found.text().encode() == text
    except (OSError, ValueError, RecursionError):  # msgspec's own errors are values, too
        same = False
    if not same:
        raise InputError(
            f"{path} is not what kohort writes of a table in a catalog; have the release handed over again",
            code="table.damaged",
            path=path,
        )
    check_target(found.table)
    return found
