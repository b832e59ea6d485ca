"""What is done to a column whose cells are of several types, and the type that it is released in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.table.mixed import KINDS, cell_of, have_common, kind_of, typed
from kohort.table.table import Column


def kinds_in(column: Column) -> frozenset[str]:
    """Return the kinds of the cells of a mixed column, missing ones aside; of any other column, none."""
    if column.kinds is None:
        return frozenset()
    told = np.asarray(column.values.is_valid())[column.codes]
    return frozenset(KINDS[kind] for kind in np.unique(column.kinds[told]))


def unmixed(column: Column, kinds: frozenset[str]) -> Column:
    """Return the column in the type that cells of these kinds have in common, as texts where they have none.

    The kinds are those of all cells that are told; the column may be a piece that has fewer of them.
    """
    if column.kinds is None:
        return column
    if not kinds or not have_common(kinds):
        return replace(column, kinds=None)
    pairs, codes = np.unique(column.codes * np.int64(len(KINDS)) + column.kinds, return_inverse=True)
    places, numbers = np.divmod(pairs, len(KINDS))
    cells = [
        cell_of(column.texts[place], kind)
        for place, kind in zip(places.tolist(), numbers.tolist(), strict=True)
    ]
    return _coded(column.name, codes, typed(cells, kinds))


def by_kind(column: Column, changed: Callable[[Column], Column]) -> Column:
    """Return a column with a change made to it; to a mixed one, as if the cells of each kind were all there are.

    So what becomes of a cell says nothing about the cells of others.
    """
    if column.kinds is None:
        return changed(column)
    codes = np.zeros(len(column.codes), np.int64)
    texts: list[str | None] = []
    kinds: list[int] = []
    for number, kind in enumerate(KINDS):
        rows = np.flatnonzero(column.kinds == number)
        if not len(rows):
            continue
        part = Column(column.name, column.codes[rows], column.values, kinds=column.kinds[rows])
        made = changed(unmixed(part.compacted(), frozenset({kind})))
        codes[rows] = len(texts) + made.codes
        texts += made.texts
        kinds += [0 if cell is None else KINDS.index(kind_of(cell)) for cell in made.values.to_pylist()]
    told = _coded(column.name, codes, pa.array(texts, pa.string()))
    return replace(told, kinds=np.array(kinds, np.int8)[codes])


def _coded(name: str, codes: IntArray, values: pa.Array) -> Column:
    """Return the column of values that may be alike or unused."""
    return Column.from_arrow(name, pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), values))
