"""What not every Spark serves, told by name: a server that speaks Connect may be of another making, with gaps of its own.

Nobody is asked what he is called: what fails is named, and where a type tells that cells would be lost, it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from kohort.errors import InputError

_RARE = (pa.types.is_float16, pa.types.is_time, pa.types.is_duration, pa.types.is_decimal256)
_INSTEAD = "use the memory or the duckdb engine"


@contextmanager
def unread(path: Path, schema: pa.Schema) -> Iterator[None]:
    """Name the columns of a file that cannot be read, where some are of a kind that not every Spark reads."""
    kinds = {field.name: _rare(field.type) for field in schema if _rare(field.type)}
    with _told(
        f"{path} has columns that this Spark does not read: {_listed(kinds)}; convert them, or {_INSTEAD}",
        bool(kinds),
    ):
        yield


@contextmanager
def unnumbered() -> Iterator[None]:
    """Say what the place of a row in its file is asked for, where it is not told."""
    with _told(
        f"people are named by the file and the place in it of each row, which this Spark does not tell; {_INSTEAD}"
    ):
        yield


def refuse_narrowed(path: Path, schema: pa.Schema, told: Mapping[str, pa.DataType]) -> None:
    """Refuse whole numbers without a sign that are read as numbers with one, in no more room: the largest would be lost."""
    kinds = {
        name: f"{schema.field(name).type} as {kind}"
        for name, kind in told.items()
        if name in schema.names and _is_narrower(schema.field(name).type, kind)
    }
    if kinds:
        raise _refused(
            f"{path} has columns whose numbers this Spark would lose: {_listed(kinds)}; convert them, or {_INSTEAD}"
        )


def _is_narrower(own: pa.DataType, told: pa.DataType) -> bool:
    if not (pa.types.is_unsigned_integer(own) and pa.types.is_signed_integer(told)):
        return False
    return bool(told.bit_width <= own.bit_width)


def _rare(kind: pa.DataType) -> str:
    if isinstance(kind, pa.DictionaryType):
        return "categories"
    if any(is_rare(kind) for is_rare in _RARE):
        return str(kind)
    return "nanoseconds" if pa.types.is_timestamp(kind) and kind.unit == "ns" else ""


def _listed(kinds: Mapping[str, str]) -> str:
    return ", ".join(f"{name!r} ({kind})" for name, kind in kinds.items())


@contextmanager
def _told(what: str, asked: bool = True) -> Iterator[None]:
    try:
        yield
    except InputError as problem:
        if not asked or problem.code != "engine.executors":
            raise
        raise _refused(what) from None


def _refused(what: str) -> InputError:
    return InputError(what, code="engine.format", engine="spark")
