"""The type of a released column, settled where its values are: as `kohort.table.settling` has it, asked by SQL."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.cluster.cluster import Cluster
from kohort.table.settling import settled_kind

_STAYING = (pa.types.is_string, pa.types.is_large_string)
_EXACT = 2**53  # up to here a float that is a whole number is that number


def settled_kinds(
    cluster: Cluster,
    rows: str,
    columns: Mapping[str, tuple[str, pa.DataType]],
    numbered: Mapping[str, str],
) -> tuple[dict[str, IntArray], dict[str, str]]:
    """Return what rows hold of numbered columns, and the SQL type of others by their values: name -> what SQL calls it, its type.

    Texts stay what they are, and are left out.
    """
    asked = {name: (place, kind) for name, (place, kind) in columns.items() if not _stays(kind)}
    told = [f"count({place}), {_question(place, kind)}" for place, kind in asked.values()]
    told += [f"collect_set({place})" for place in numbered.values()]
    if not told:
        return {}, {}
    found = cluster.table(f"SELECT {', '.join(told)} {rows}").columns
    answers = [int(column[0].as_py() or 0) for column in found[: 2 * len(asked)]]
    kinds = {
        name: _kind(kind, bool(answers[2 * i]), answers[2 * i + 1])
        for i, (name, (_, kind)) in enumerate(asked.items())
    }
    sets = zip(numbered, found[2 * len(asked) :], strict=True)
    return {name: np.sort(np.array(column[0].as_py(), np.int64)) for name, column in sets}, kinds


def kind_of(values: pa.Array) -> str | None:
    """Return the SQL type of some values as they are released; None where they stay as they are."""
    if _stays(values.type):
        return None
    kind = settled_kind(values)
    if pa.types.is_null(kind):
        return "STRING"
    return _kind(kind, True, kind.scale if pa.types.is_decimal(kind) else 0)


def kind_in_sql(kind: pa.DataType) -> str:
    """Return what SQL calls a type that released labels tell (`kohort.table.typed_texts`)."""
    if pa.types.is_string(kind):
        return "STRING"
    return _kind(kind, True, kind.scale if pa.types.is_decimal(kind) else int(pa.types.is_date(kind)))


def _stays(kind: pa.DataType) -> bool:
    return any(stays(kind) for stays in _STAYING)


def _question(place: str, kind: pa.DataType) -> str:
    """Return what is asked of the values: for decimals how many places they need, else whether the lesser type holds all."""
    if pa.types.is_decimal(kind):
        places = "".join(
            # of one type: Spark would take the last places off to compare others
            f"WHEN {place} = try_cast(round({place}, {digits}) AS DECIMAL(38, {kind.scale})) THEN {digits} "
            for digits in range(max(kind.scale, 0))
        )
        places = f"WHEN {place} IS NULL THEN 0 {places}" if places else ""  # what is missing needs none
        return f"max(CASE {places}ELSE {max(kind.scale, 0)} END)" if places else f"max({kind.scale})"
    return f"min(CASE WHEN {place} IS NULL OR {_lesser(place, kind)} THEN 1 ELSE 0 END)"


def _lesser(place: str, kind: pa.DataType) -> str:
    if pa.types.is_floating(kind):
        return f"(abs({place}) < {_EXACT} AND {place} % 1 = 0)"
    if pa.types.is_uint64(kind):
        return f"{place} < {2**63}"
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return f"CAST(CAST({place} AS DATE) AS TIMESTAMP_NTZ) = {place}"
    return "true"


def _kind(kind: pa.DataType, some: bool, answer: int) -> str:
    """Return the type of values of a kind; where there are none, nothing of it may show."""
    if not some:
        return "STRING"
    if pa.types.is_boolean(kind):
        return "BOOLEAN"
    if pa.types.is_decimal(kind):
        return f"DECIMAL(38, {answer})"
    if pa.types.is_floating(kind):
        return "BIGINT" if answer else "DOUBLE"
    if pa.types.is_uint64(kind):
        return "BIGINT" if answer else "DECIMAL(20, 0)"
    if pa.types.is_integer(kind):
        return "BIGINT"
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is not None else "DATE" if answer else "TIMESTAMP_NTZ"
    if pa.types.is_date(kind):
        return "DATE"
    raise AssertionError(f"{kind} is not a type that Spark serves")  # refused where it is read
