"""Which Arrow types a column may have, and the one form in which text arrives."""

from __future__ import annotations

import pyarrow as pa

from kohort.errors import InputError

_SUPPORTED = (
    pa.types.is_null,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_date,
    pa.types.is_time,
    pa.types.is_timestamp,
    pa.types.is_duration,
    pa.types.is_string,
)


def settled(name: str, array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the array with text as plain strings, or say why its type cannot be a column.

    Distinct spellings of one type (large strings, string views, half floats, milliseconds as dates) become one,
    so that the type a table came in makes no difference.
    """
    kind = array.type
    if isinstance(kind, pa.DictionaryType):
        return _settled_dictionary(name, array, kind)
    plain = _plain(kind)
    if plain is not None:
        return array.cast(plain)
    if not any(accepts(kind) for accepts in _SUPPORTED):
        raise InputError(
            f"column {name!r} has the type {kind}, which is no single value per cell that could be recoded; "
            "allowed are text, numbers, decimals, dates, times, durations and booleans: convert it or leave it out"
        )
    return array


def _plain(kind: pa.DataType) -> pa.DataType | None:
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_date64(kind):
        return pa.date32()
    return None


def _settled_dictionary(name: str, array: pa.ChunkedArray, kind: pa.DictionaryType) -> pa.ChunkedArray:
    settled(name, pa.chunked_array([], kind.value_type))
    plain = _plain(kind.value_type) or kind.value_type
    chunks = [
        pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(plain), safe=False)
        for chunk in array.chunks
    ]
    return pa.chunked_array(chunks, pa.dictionary(kind.index_type, plain))
