"""Rows as bytes: what comes out is what went in, whatever the pieces were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort.table import Column, Table
from kohort.table.cluster import bundles as room
from kohort.table.cluster.bundles import OfBundles, bundles, values_along

CELLS = pa.table(
    {
        "text": pa.array(["a", None, "b", "a", "ä", None, "b"]),
        "number": pa.array([1.5, None, 0.0, 2.0**53, 1.5, -1.0, None]),
        "day": pa.array([1, 2, None, 1, 1, 3, 3], pa.date32()),
    }
)


class Reader:
    """Pieces of two rows, each coded by itself."""

    names, held = tuple(CELLS.column_names), tuple(CELLS.schema.types)

    def pieces(self, _: Any) -> Iterator[tuple[list[Column], tuple[()]]]:
        for start in range(0, len(CELLS), 2):
            yield list(Table.from_arrow(CELLS.slice(start, 2))), ()


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_rows_come_out_as_they_went_in(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ROWS_OF_A_BUNDLE", rows)
    found = list(bundles(Reader(), iter(()), whose="me", most=100))  # type: ignore[arg-type]
    assert len(found) == {1: 4, 3: 2, 100: 1}[rows] + 3
    pieces = [piece for piece, _ in OfBundles().pieces(["day", "text", "number"], iter(found))]
    assert pa.concat_tables([piece.to_arrow() for piece in pieces]) == CELLS.select(["day", "text", "number"])
    for piece in pieces:
        for column in piece:  # every value once, and missing is one
            assert len(column.values) == len(column.values.unique())
            assert (np.bincount(column.codes, minlength=len(column.values)) > 0).all()


@pytest.mark.parametrize("size", [256, 257, 65_537])
def test_codes_are_as_wide_as_there_are_values(size: int) -> None:
    class One:
        names, held = ("n",), (pa.int64(),)

        def pieces(self, _: Any) -> Iterator[tuple[list[Column], tuple[()]]]:
            yield [Column.from_arrow("n", pa.array(range(size)))], ()

    bundle, _ = bundles(One(), iter(()), whose="me", most=0)  # type: ignore[arg-type]
    [(piece, _)] = OfBundles().pieces(["n"], iter([bundle]))
    assert piece.to_arrow().column("n").to_pylist() == list(range(size))


@pytest.mark.parametrize("rows", [1, 3, 100])
@pytest.mark.parametrize("most", [100, 4, 3, 0])
def test_values_come_along_unless_they_are_too_many(
    rows: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ROWS_OF_A_BUNDLE", rows)
    tasks = [list(bundles(Reader(), iter(()), whose="me", most=most)) for _ in range(2)]  # type: ignore[arg-type]
    told = pa.Table.from_batches([batch for task in tasks for batch in task])
    told = told.filter(told.column("of").is_valid())
    found = values_along(told, CELLS.column_names, CELLS.schema.types)
    for name, column in zip(CELLS.column_names, found, strict=True):
        cells = CELLS.column(name).to_pylist()
        if len({*cells}) > most:
            assert column is None
        else:
            assert column is not None
            counts = dict(zip(column.values.to_pylist(), column.totals.tolist(), strict=True))
            assert counts == {cell: 2 * cells.count(cell) for cell in cells}


def test_of_no_rows_no_values_are_told() -> None:
    class Nothing:
        names, held = ("n", "t"), (pa.int64(), pa.string())

        def pieces(self, _: Any) -> Iterator[tuple[list[Column], tuple[()]]]:
            return iter(())

    told = pa.Table.from_batches(bundles(Nothing(), iter(()), whose="me", most=5))  # type: ignore[arg-type]
    found = values_along(told, ["n", "t"], [pa.int64(), pa.string()])
    assert [(column.values.type, len(column.values)) for column in found if column] == [
        (pa.int64(), 0),
        (pa.string(), 0),
    ]
