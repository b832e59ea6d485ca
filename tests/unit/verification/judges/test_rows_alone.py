"""Rows that no other row equals, against plain counting; keys that fit one number and keys that do not."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from kohort.classes.alone import Told
from kohort.table import Table
from kohort.verification.judges import rows_alone as module
from kohort.verification.judges.contents import contents_of
from kohort.verification.judges.rows_alone import rows_alone


def told(columns: dict[str, list[str | None]], hidden: tuple[str, ...] = ()) -> dict[str, Told | None]:
    table = Table.from_arrow(
        pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    )
    found = rows_alone(table, table["zip"].codes, ["zip"], hidden)
    return {"quasi": found.quasi, "one": found.one, "two": found.two, "everything": found.everything}


@pytest.mark.parametrize("key_bits", [module.KEY_BITS, 3, 0], ids=["fit", "some fit", "fit in nothing"])
def test_rows_are_alone_that_occur_once(key_bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEY_BITS", key_bits)
    chance = Random(1)
    for _ in range(60):
        rows = chance.randint(1, 9)
        cells = {
            name: [chance.choice(("a", "b", "c", None)) for _ in range(rows)]
            for name in ("zip", "ill", "pay")
        }

        def alone(*names: str, cells: dict[str, list[str | None]] = cells) -> int:
            counted = Counter(zip(*(cells[name] for name in ("zip", *names)), strict=True))
            return sum(many == 1 for many in counted.values())

        worst = min([("ill",), ("pay",)], key=lambda names: (-alone(*names), names))
        assert told(cells) == {
            "quasi": Told((), alone()),
            "one": Told(worst, alone(*worst)),
            "two": Told(("ill", "pay"), alone("ill", "pay")),
            "everything": Told(("ill", "pay"), alone("ill", "pay")),
        }


def test_codes_of_many_values_are_kept_apart() -> None:
    """Three columns of 2²² codes leave no room in 64 bits for a first one: rows that differ there are not the same."""
    first, many = np.array([1, 2, 0], np.int32), np.array([0, 0, (1 << 22) - 1], np.int32)
    assert module._once([first, many, many, many]) == 3


def test_hidden_columns_are_nothing_that_anybody_knows() -> None:
    cells: dict[str, list[str | None]] = {"zip": ["a", "a"], "ill": ["x", "x"], "group": ["1", "2"]}
    assert told(cells)["everything"] == Told(("group", "ill"), 2)
    assert told(cells, hidden=("group",))["everything"] == Told(("ill",), 0)


def test_of_no_rows_none_is_alone() -> None:
    empty = Table.from_arrow(pa.table({"zip": pa.array([], pa.string()), "ill": pa.array([], pa.string())}))
    found = contents_of(empty, ["zip"], ["ill"])
    assert found.rows == 0
    assert found.standing.quasi == Told((), 0)
    assert found.standing.everything == Told(("ill",), 0)
