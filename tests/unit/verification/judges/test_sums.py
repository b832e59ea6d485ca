"""Sums of digests say "the same rows" of classes that hold the same rows, and of no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import duckdb
import pytest

from kohort.verification.judges.keyed_digest import keyed_digests
from kohort.verification.judges.sums_on_disk import same_sums

Row = tuple[str | None, int | None]


class Told:
    """A store of two columns: a label, and the code of what stands beside it."""

    def __init__(self, written: Sequence[Row], true: Sequence[Row], digested: bool = True) -> None:
        self._connection, self._digested = duckdb.connect(), digested
        for name, rows in (("written", written), ("true", true)):
            self._connection.execute(f'CREATE TABLE "{name}" (label VARCHAR, code INTEGER)')
            self._connection.executemany(f'INSERT INTO "{name}" VALUES (?, ?)', [list(row) for row in rows])

    def digests(self, _: str, names: Sequence[str]) -> tuple[str, ...] | None:
        return keyed_digests(names, []) if self._digested else None

    def keys(self, _: str, names: Sequence[str]) -> dict[str, str]:
        return {name: name for name in names}

    def number(self, query: str) -> int:
        [[found]] = self._connection.sql(query).fetchall()
        return int(found)


def judged(written: Sequence[Row], true: Sequence[Row], digested: bool = True) -> bool:
    told = Told(written, true, digested)
    return same_sums(told, '"true"', ["label"], ["code"])  # type: ignore[arg-type]


def test_classes_hold_the_same_rows_or_not() -> None:
    """Every written class is held to the original's, which may have more classes than those."""
    cells = [("a", 0), ("a", 1), ("b", 0)]
    seen = Counter[bool]()
    for written, true in product(product(cells, repeat=2), product(cells, repeat=3)):
        labels = {label for label, _ in written}
        expected = Counter(written) == Counter(row for row in true if row[0] in labels)
        assert judged(written, true) is expected, (written, true)
        seen[expected] += 1
    assert min(seen.values()) > 10


@pytest.mark.parametrize("rows", [[("a", None)], [("a", None), ("a", 1)], [("a", 1), ("b", None)]])
def test_nothing_is_said_where_a_cell_is_not_known(rows: list[Row]) -> None:
    """A sum passes over it: the sums agree, and what they are of may differ."""
    assert judged(rows, rows) is False


def test_nothing_is_said_without_digests() -> None:
    rows: list[Row] = [("a", 1)]
    assert judged(rows, rows) is True
    assert judged(rows, rows, digested=False) is False
