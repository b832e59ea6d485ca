"""Texts that a format cannot give back as they are: refused by column, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kohort.errors import InputError
from kohort.table.table import Table

UNHOLDABLE: Mapping[str, tuple[str, str]] = {  # suffix -> the texts as a pattern, and in words
    ".xlsx": (
        r"[\x{fffe}\x{ffff}]",
        "texts with signs that are none (U+FFFE, U+FFFF), which a sheet does not keep",
    ),
    ".sav": (r" \z|\x00", "texts that end with a blank or hold a zero byte, which SPSS does not keep"),
    ".dta": (r"\x00", "texts that hold a zero byte, which Stata does not keep"),
}


def check_texts(table: Table, path: Path) -> None:
    """Refuse a table with texts that would come back as others: the release would not be what was judged."""
    suffix = path.suffix.lower()
    pattern, what = UNHOLDABLE.get(suffix, ("", ""))
    for column in table if pattern else ():
        if not pa.types.is_string(column.values.type):
            continue
        found = pc.sum(pc.match_substring_regex(column.values, pattern)).as_py()
        if found:
            raise InputError(
                f"{path.name}: column {column.name!r} has {what}; clean the column, or write csv or parquet instead",
                code="table.beyond-format",
                path=path,
                format=suffix,
                column=column.name,
                found=found,
            )
