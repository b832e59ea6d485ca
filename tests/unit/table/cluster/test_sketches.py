"""Keys of rows counted by tasks: their sizes and the records of some are exact, their number is about right."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from kohort.table.cluster import keyed
from kohort.table.cluster.keyed import RowKeys, counted_keys, met_sizes, records_of, tallied
from kohort.table.cluster.pieces import OfBatches, PieceReader
from kohort.table.cluster.places import Places
from kohort.table.cluster.sketches import LEAST, MARGIN, estimates, sketches

NAMES = ("a", "b", "c")


def rows(n: int, values: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {name: rng.integers(0, values, n) for name in NAMES}


def tasks(cells: dict[str, np.ndarray], number: int) -> list[pa.RecordBatch]:
    """Return the rows as so many tasks are handed them; the last one none."""
    table = pa.record_batch({name: pa.array(own) for name, own in cells.items()})
    step = -(-table.num_rows // number)
    return [table.slice(i * step, step) for i in range(number)] + [table.slice(0, 0)]


def reader() -> PieceReader:
    return PieceReader(NAMES, (pa.int64(),) * 3, OfBatches(None), None, {})


def keys_by(values: int, *widths: int) -> RowKeys:
    """Return keys in which values are told by steps of these widths."""
    of = zip(NAMES, widths, strict=True)
    return RowKeys(
        tuple((name, pa.array(np.arange(values)), np.arange(values) // width) for name, width in of)
    )


def done(work: partial, cells: dict[str, np.ndarray], number: int) -> list[pa.RecordBatch]:
    return [told for batch in tasks(cells, number) for told in work(reader(), iter([batch]))]


@pytest.mark.parametrize("rows_of_a_tally", [1, 40, 10**6])
@pytest.mark.parametrize(
    ("n", "values", "widths"), [(300, 4, (1, 2, 4)), (500, 9, (1, 1, 1)), (1, 3, (1, 1, 1))]
)
def test_sizes_are_those_of_all_rows(monkeypatch, n, values, widths, rows_of_a_tally):
    monkeypatch.setattr(keyed, "ROWS_OF_A_TALLY", rows_of_a_tally)
    cells = rows(n, values, n)
    packets = done(partial(counted_keys, keys=keys_by(values, *widths), parts=3), cells, 4)
    found: dict[int, int] = {}
    # A part is met by one task, whole: here one task has them all.
    for batch in met_sizes(iter(packets)):
        for size, number in zip(batch.column("n").to_pylist(), batch.column("keys").to_pylist(), strict=True):
            found[size] = found.get(size, 0) + number
    told = np.stack([cells[name] // width for name, width in zip(NAMES, widths, strict=True)])
    sizes, number = np.unique(np.unique(told, axis=1, return_counts=True)[1], return_counts=True)
    assert found == dict(zip(sizes.tolist(), number.tolist(), strict=True))


@pytest.mark.parametrize("widths", [(1, 1, 1), (3, 1, 9), (9, 9, 9)])
def test_records_are_those_of_the_keys_that_are_told(widths):
    cells = rows(400, 9, 5)
    told = np.stack([cells[name] // width for name, width in zip(NAMES, widths, strict=True)])
    some = np.unique(told, axis=1)[:, ::2]
    keys = keys_by(9, *widths)
    values = {name: pa.array(np.arange(9)) for name in NAMES}
    work = partial(records_of, keys=keys, some=Places(keys.packing.words(list(some))), values=values)
    found = np.zeros((3, 9), np.int64)
    for batch in done(work, cells, 3):
        [j], [n] = batch.column("of").to_pylist(), batch.column("n").to_pylist()
        found[j] += np.frombuffer(n, np.int64)
    kept = [tuple(key) in set(map(tuple, some.T.tolist())) for key in told.T.tolist()]
    assert found.tolist() == [np.bincount(cells[name][kept], minlength=9).tolist() for name in NAMES]


def test_few_keys_are_counted_and_many_told_about():
    cells = rows(60_000, 40, 7)
    widths = [(1, 1, 1), (1, 2, 40), (40, 40, 40), (4, 4, 4)]
    shared: dict[bytes, np.ndarray] = {}
    keys = [
        RowKeys(
            tuple((name, values, shared.setdefault(own.tobytes(), own)) for name, values, own in key.coding)
        )
        for key in (keys_by(40, *width) for width in widths)
    ]
    told = estimates(pa.Table.from_batches(done(partial(sketches, keys=keys), cells, 5)), len(keys))
    for width, about in zip(widths, told, strict=True):
        stacked = np.stack([cells[name] // own for name, own in zip(NAMES, width, strict=True)])
        number = np.unique(stacked, axis=1).shape[1]
        assert about == number if number < LEAST else abs(about / MARGIN / number - 1) < 0.1


def test_nothing_is_no_key():
    assert [part.tolist() for part in tallied([np.zeros(0, np.int64)])[0]] == [[]]
    assert estimates(pa.table({"of": pa.array([], pa.int32()), "least": pa.array([], pa.binary())}), 2) == [
        0,
        0,
    ]
