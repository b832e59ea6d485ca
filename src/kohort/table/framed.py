"""Records as a frame of the kind that the caller has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from kohort.table.table import Table

Records = list[dict[str, Any]]


def framed(records: Records, like: Any) -> Any:
    """Return a frame of the kind of `like` with a row for each record; the records, where `like` is a path.

    What stands in a table within a record becomes a column of its own, named `levels.zip`; lists are spelled as JSON.
    """
    if isinstance(like, str | Path | Table):
        return records
    from kohort.table.frames import way_back  # brings narwhals, which paths do without

    flat = [dict(_flat(record)) for record in records]
    names = dict.fromkeys(name for record in flat for name in record)
    return way_back(like)(pa.table({name: _array([record.get(name) for record in flat]) for name in names}))


def _flat(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", json.dumps(value) if isinstance(value, list | tuple) else value


def _array(values: Sequence[Any]) -> pa.Array:
    """Return the values as one column, as texts where they are of several types."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else str(value) for value in values])
