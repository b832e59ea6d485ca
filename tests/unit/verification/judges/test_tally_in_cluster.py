"""What executors count is there, and is what the rows hold: alone, beside the original by labels, and as it is claimed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.reference.cluster import PlayedCluster, PlayedSource
from tests.unit.verification.judges.test_in_cluster import (
    DECLARED,
    HIERARCHIES,
    QUASI,
    Case,
    table_of,
    true_of,
)

from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN
from kohort.verification.judges.cells_in_cluster import CellsInCluster
from kohort.verification.judges.tallies_on_disk import tally_of
from kohort.verification.judges.tally import Tally
from kohort.verification.judges.truth_by_class import tally_as_claimed


def cells_of(
    case: Case, apart: tuple[str, ...] = tuple(QUASI), together: tuple[str, ...] = ()
) -> CellsInCluster:
    cells = CellsInCluster(PlayedCluster(), apart, together)  # type: ignore[arg-type]
    cells.put(WRITTEN, PlayedSource(table_of(case.written)), DECLARED)  # type: ignore[arg-type]
    cells.put(ORIGINAL, PlayedSource(table_of(case.original)), DECLARED)  # type: ignore[arg-type]
    return cells


def told(cells: CellsInCluster, tally: Tally) -> Counter[tuple[Any, ...]]:
    """Return how many rows the tally says each class has."""
    texts = [cells.texts(WRITTEN, name) for name in tally.quasi]
    return Counter(
        {
            tuple(own[code] for own, code in zip(texts, codes, strict=True)): rows
            for codes, rows in zip(tally.labels.tolist(), tally.rows.tolist(), strict=True)
        }
    )


def check(cells: CellsInCluster, tally: Tally | None, case: Case) -> Tally:
    """Compare a tally with the written rows."""
    assert tally is not None
    rows = list(zip(*(case.written[name] for name in DECLARED), strict=True))
    assert told(cells, tally) == Counter(row[:2] for row in rows)
    assert tally.n_written == len(rows)
    owner, _, held = tally.held["ill"]
    found = Counter(zip(owner.tolist(), held.tolist(), strict=True))
    classes = {key: i for i, key in enumerate(told(cells, tally))}
    assert found == Counter(
        (classes[key], n) for (key, _), n in Counter((row[:2], row[2]) for row in rows).items()
    )
    return tally


@pytest.mark.parametrize("together", [(), ("ill",), ("ill", "ward")])
def test_what_is_written(together: tuple[str, ...]) -> None:
    chance = Random(f"written {together}")
    for _ in range(6):
        case = Case(chance)
        cells = cells_of(case, together=together)
        tally = check(cells, cells.tallied(QUASI, ["ill"]), case)
        assert (tally.true, tally.n_original) == (None, 0)


def test_where_there_is_no_room_it_is_counted_elsewhere() -> None:
    cells = cells_of(Case(Random("no room")))
    assert cells.tallied(QUASI, ["ill"]) is not None
    assert cells.tallied(QUASI, ["ill"], room=0) is None


@pytest.mark.parametrize("together", [(), ("ill",)])
def test_what_is_written_beside_the_original(together: tuple[str, ...]) -> None:
    chance, seen = Random(f"beside {together}"), Counter[bool | None]()
    for number in range(24):
        case = Case(chance)
        if number % 2:
            at = chance.randrange(len(case.rows))
            case.written["ill"][at] = chance.choice(["flu", "gout", None])
        cells = cells_of(case, together=together)
        found = tally_of(cells, QUASI, ["ill"], HIERARCHIES)
        if found is None:
            continue  # labels of several levels, of which it is open by which a row is told
        tally = check(cells, found, case)
        assert tally.n_original == len(case.original["who"])
        seen[tally.true] += 1
        assert tally.true is _true(case)
    assert min(seen[True], seen[False]) > 2


def _true(case: Case) -> bool:
    """Say whether nothing is told more often than it is true of rows that a label covers."""
    codes = [case._codes(j) for j in range(2)]
    of_code = [
        {int(codes[j][i]): case.written[name][at] for at, i in enumerate(case.rows)}
        for j, name in enumerate(QUASI)
    ]
    rows = Counter[tuple[Any, ...]]()
    for i in range(len(case.original["who"])):
        key = [of_code[j].get(int(codes[j][i]), ("nobody",)) for j in range(2)]
        rows[*key, case.original["ill"][i], case.original["ward"][i]] += 1
    return Counter(zip(*(case.written[name] for name in DECLARED), strict=True)) <= rows


@pytest.mark.parametrize("together", [(), ("ill", "ward")])
def test_what_is_written_as_it_is_claimed(together: tuple[str, ...]) -> None:
    chance, seen = Random(f"claimed {together}"), Counter[bool | None]()
    for number in range(24):
        case = Case(chance)
        if number % 2:
            at = chance.randrange(len(case.rows))
            case.written["ward"][at] = chance.choice(["1", "2", None])
        cells = cells_of(case, together=together)
        tally = check(cells, tally_as_claimed(cells, case.claim(), HIERARCHIES, ["ill"]), case)
        seen[tally.true] += 1
        assert tally.true is true_of(case)
    assert min(seen[True], seen[False]) > 2


def test_nothing_is_counted_where_rows_are_not_found_again() -> None:
    case = Case(Random(5))
    for shelf in (WRITTEN, ORIGINAL):
        cells = cells_of(case)
        labels = {name: np.full(len(cells.texts(ORIGINAL, name)), -1, np.int32) for name in QUASI}
        assert cells.tallied(QUASI, ["ill"], labels) is not None
        cells._n_rows[shelf] += 1
        assert cells.tallied(QUASI, ["ill"], labels) is None
        assert (cells.tallied(QUASI, ["ill"]) is None) is (shelf == WRITTEN)
        claimed = tally_as_claimed(cells, case.claim(), HIERARCHIES, ["ill"])
        assert (claimed is None) is (shelf == WRITTEN)
    cells = cells_of(case)
    cells._n_rows[WRITTEN] = 0
    assert cells.tallied(QUASI, ["ill"]) is None


def test_nothing_is_counted_where_a_column_has_no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(Random(6))
    cells = cells_of(case)
    for shelf in (WRITTEN, ORIGINAL):
        own = cells._few[shelf].pop("ward")
        assert (cells.tallied(QUASI, ["ill"]) is None) is (shelf == WRITTEN)
        assert tally_as_claimed(cells, case.claim(), HIERARCHIES, ["ill"]) is None
        cells._few[shelf]["ward"] = own
    monkeypatch.setattr("kohort.verification.judges.tally.BITS", 1)
    assert cells.tallied(QUASI, ["ill"]) is None
