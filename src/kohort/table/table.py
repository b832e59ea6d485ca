"""`Table`: immutable columns of integer codes over distinct values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kohort.arrays import IntArray
from kohort.errors import InputError
from kohort.table.blanks import without_blanks
from kohort.table.kinds import check_kind, encodable, plain
from kohort.table.mixed import MIXED, told_apart
from kohort.table.moments import check_moments
from kohort.table.texts import texts_of

_ROWS_PER_CHUNK = 1 << 22


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute: a code per row into the distinct `values`.

    Missing is a value: a null stands among `values` (at most once) and has a code like any other. A text in which
    nothing is seen is missing (`kohort.table.blanks`).
    `values` keep the type they were read with, so a ZIP read as text stays text. Where cells are of several types they are
    texts, and `kinds` tells of each row which type its cell had (`kohort.table.mixed`).
    """

    name: str
    codes: IntArray = field(repr=False)  # int32, one per row
    values: pa.Array = field(repr=False)  # distinct, one may be null; no log and no notebook shows them
    kinds: IntArray | None = field(default=None, repr=False, kw_only=True)

    @cached_property
    def texts(self) -> tuple[str | None, ...]:
        """The distinct values as text, None for missing: what hierarchies and labels speak."""
        return texts_of(self.values)

    def counts(self) -> IntArray:
        """Return how many rows hold each distinct value; counted once."""
        return self._counts

    @cached_property
    def _counts(self) -> IntArray:
        return np.bincount(self.codes, minlength=len(self.values))

    def to_arrow(self) -> pa.Array:
        """Return the column decoded, in the type it was read with."""
        return self.values.take(pa.array(self.codes))

    def compacted(self) -> Column:
        """Return the column without the values that no row holds."""
        used = self.counts() > 0
        if used.all():
            return self
        codes = (np.cumsum(used) - 1).astype(np.int32)[self.codes]
        return Column(self.name, codes, self.values.filter(pa.array(used)), kinds=self.kinds)

    @classmethod
    def from_arrow(cls, name: str, array: pa.Array | pa.ChunkedArray) -> Column:
        """Encode an Arrow array, nulls as an explicit value."""
        return _encode(name, array)


@dataclass(frozen=True, eq=False)
class Table:
    """A table about people, column by column."""

    columns: Mapping[str, Column]
    n_rows: int

    @classmethod
    def of(cls, columns: Iterable[Column], n_rows: int) -> Table:
        """Return a table of the columns given, in that order."""
        return cls({column.name: column for column in columns}, n_rows)

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Table:
        """Encode every column of an Arrow table."""
        names = table.column_names
        check_distinct(names)
        return cls.of((_encode(name, table.column(name)) for name in names), table.num_rows)

    def to_arrow(self) -> pa.Table:
        """Return the table decoded; nothing but values and names goes along."""
        return pa.table({name: _decoded(column) for name, column in self.columns.items()})

    def __getitem__(self, name: str) -> Column:
        try:
            return self.columns[name]
        except KeyError:
            raise InputError(
                f"there is no column {name!r}; the table has: {', '.join(self.columns)}",
                code="table.unknown-column",
                column=name,
                allowed=list(self.columns),
            ) from None

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns.values())

    def __len__(self) -> int:
        return self.n_rows

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(self.columns)


def _decoded(column: Column) -> pa.ChunkedArray:
    """Decode some million rows at a time: one Arrow array holds at most 2 GiB of text."""
    starts = range(0, max(len(column.codes), 1), _ROWS_PER_CHUNK)
    pieces = (pa.array(column.codes[start : start + _ROWS_PER_CHUNK]) for start in starts)
    return pa.chunked_array([column.values.take(piece) for piece in pieces], column.values.type)


def _encode(name: str, array: pa.Array | pa.ChunkedArray) -> Column:
    if isinstance(array, pa.Array):
        array = pa.chunked_array([array])
    check_kind(name, array.type)
    if array.type == MIXED:
        texts, kinds = told_apart(array.chunks)
        return replace(_encode(name, texts), kinds=kinds)
    fresh = not pa.types.is_dictionary(array.type)
    coded = (
        encodable(array).dictionary_encode(null_encoding="encode") if fresh else array.unify_dictionaries()
    )
    dictionary = coded.chunk(0).dictionary if coded.num_chunks else pa.array([], coded.type.value_type)
    indices = [chunk.indices for chunk in coded.chunks]
    codes = pa.chunked_array(indices or [pa.array([], pa.int32())]).combine_chunks()
    check_moments(name, dictionary)
    told = plain(dictionary)
    values = without_blanks(told)
    # Arrow codes all chunks by one dictionary, distinct and used; only floats and blank texts have values that are alike.
    if fresh and values is told and not pa.types.is_floating(values.type):
        return Column(name, _numpy(codes), values)
    return _normalised(name, codes, values)


def _normalised(name: str, indices: pa.Array, dictionary: pa.Array) -> Column:
    """Return the column with every value distinct and used, and nulls coded once.

    A dictionary that came from outside may hold unused or repeated entries and may mask nulls in its
    indices instead of its values. A NaN is a null, a negative zero is a zero.
    """
    if indices.null_count:
        null_code = len(dictionary)
        dictionary = pa.concat_arrays([dictionary, pa.nulls(1, dictionary.type)])
        indices = indices.fill_null(null_code)
    codes = _numpy(indices)
    if pa.types.is_floating(dictionary.type):
        dictionary = _without_nan(dictionary)
    recoded = dictionary.dictionary_encode(null_encoding="encode")
    if len(recoded.dictionary) < len(dictionary):  # repeated entries
        codes = _numpy(recoded.indices)[codes]
        dictionary = recoded.dictionary
    used = np.bincount(codes, minlength=len(dictionary)) > 0
    if not used.all():
        codes = (np.cumsum(used) - 1).astype(np.int32)[codes]
        dictionary = dictionary.filter(pa.array(used))
    return Column(name, codes, dictionary)


def _without_nan(values: pa.Array) -> pa.Array:
    numbers = pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
    return pc.add(numbers, pa.scalar(0, values.type))


def _numpy(indices: pa.Array) -> IntArray:
    """Return whole numbers without nulls as int32.

    Read from the buffer: Arrow's own conversion imports pandas where it is installed, which takes longer than
    many a release.
    """
    kind = np.dtype(str(indices.type))
    _, numbers = indices.buffers()
    if numbers is None:  # no rows at all
        return np.zeros(0, np.int32)
    start = indices.offset * kind.itemsize
    return np.frombuffer(numbers, kind, len(indices), start).astype(np.int32, copy=False)


def check_distinct(names: Sequence[str]) -> None:
    """Refuse columns of the same name."""
    doubled = sorted(name for name, times in Counter(names).items() if times > 1)
    if doubled:
        raise InputError(
            f"the table has more than one column named {', '.join(map(repr, doubled))}; "
            "column names must be distinct: rename one of them",
            code="table.repeated-name",
            columns=doubled,
        )
