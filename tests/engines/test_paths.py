"""What a mask leaves of paths is equal where codes are, at every node, and tells them again."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from kohort.arrays import IntArray
from kohort.engines.duckdb.paths import Paths
from kohort.hierarchy import value_paths as module
from kohort.hierarchy.value_paths import Path


def drawn_rungs(chance: Random, values: int, height: int) -> tuple[IntArray, ...]:
    """Return nested codes in an order that means nothing; a value more than one code has at the bottom, too."""
    rungs = [np.array([chance.randrange(values) for _ in range(values)], np.int32)]
    for _ in range(height):
        above = np.array([chance.randrange(1 + values // 3) for _ in range(values)], np.int32)
        rungs.append(above[rungs[-1]])
    return tuple(rungs)


def columns(chance: Random) -> dict[str, tuple[IntArray, ...]]:
    return {name: drawn_rungs(chance, chance.randint(1, 40), chance.randint(0, 3)) for name in "abc"}


@pytest.mark.parametrize("dense", [0, 1 << 22])
def test_paths_at_a_node_are_its_codes(monkeypatch: pytest.MonkeyPatch, dense: int) -> None:
    monkeypatch.setattr(module, "DENSE", dense)
    chance, ordered = Random(1), set()
    for _ in range(12):
        rungs = columns(chance)
        told = Paths.of(rungs)
        assert told is not None
        rows = np.column_stack([[chance.randrange(len(own[0])) for _ in range(60)] for own in rungs.values()])
        carried = np.column_stack([path.of_value[rows[:, j]] for j, path in enumerate(told.paths)])
        [numbers] = told.packing.packed(carried).columns
        for levels in product(*(range(len(own)) for own in rungs.values())):
            at = told.at(levels)
            codes = np.column_stack(
                [
                    own[level][rows[:, j]]
                    for j, (own, level) in enumerate(zip(rungs.values(), levels, strict=True))
                ]
            )
            [expression] = at.expressions()
            place, mask, name = expression.replace(" AS ", " & ").split(" & ")
            assert (place, name) == ("p0", "k0")
            keys = np.asarray(numbers) & int(mask)
            assert np.column_stack(at.unpacked(pa.table({name: keys}))).tolist() == codes.tolist()
            assert at.packed(codes).column(name).to_pylist() == keys.tolist()
            by_key = codes[np.argsort(keys, kind="stable")].tolist()
            assert not at.is_ordered or by_key == sorted(by_key)
            ordered.add(at.is_ordered)
    assert ordered == {True, False}


def test_columns_without_paths_have_none() -> None:
    parted = (np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32))  # one below, two above
    assert Path.of(parted) is None
    assert Paths.of({"a": parted, "b": (np.arange(3, dtype=np.int32),)}) is None
    wide = [np.arange(2048, dtype=np.int32) for _ in range(3)]
    flat = np.zeros(2048, np.int32)
    assert Path.of([*wide, flat]) is not None, "a value that is its own parent takes no bits"
    values = np.arange(1 << 11, dtype=np.int32)
    steps = [values, values >> 1, values >> 2, flat]
    found = Path.of(steps)
    assert found is not None
    assert (found.bits, found.below) == (11, (0, 1, 2, 11))


def test_paths_of_too_many_bits_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rungs = (np.arange(9, dtype=np.int32), np.arange(9, dtype=np.int32) // 2)
    assert Path.of(rungs) is not None
    monkeypatch.setattr(module, "MOST_BITS", 3)
    assert Path.of(rungs) is None


def test_many_columns_take_several_numbers() -> None:
    rungs = {f"c{j}": (np.arange(1 << 9, dtype=np.int32),) for j in range(9)}
    told = Paths.of(rungs)
    assert told is not None
    assert told.places == ["p0", "p1"]
    at = told.at((0,) * 9)
    codes = np.column_stack([np.arange(9)] * 9)
    assert np.column_stack(at.unpacked(at.packed(codes))).tolist() == codes.tolist()
