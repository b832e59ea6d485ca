"""What a store says of two small files: codes, keys, digests, classes and the tally, whichever way the files are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.table.scratch import Scratch
from kohort.table.streaming import open_released, open_stream
from kohort.table.typed_source import TypedSource, UntypedError
from kohort.verification.judges import cell_store
from kohort.verification.judges.cell_store import ORIGINAL, WRITTEN, CellStore

CELLS: Mapping[str, list[Any]] = {
    "town": ["Ayr", "Oban", "Ayr", None],
    "ill": ["flu", "flu", "flu", "gout"],
    "pay": [1.5, 2.0, 1.5, None],
}
TRUE: Mapping[str, list[Any]] = {
    "town": ["Oban", "Ayr", "Ayr", None, "Bude"],
    "ill": ["flu", "flu", "flu", "gout", "gout"],
    "pay": [2.0, 1.5, 1.5, None, 7.25],
}
NAMES = tuple(CELLS)


@contextmanager
def stored(folder: Path, foreign: bool = False, original: bool = True) -> Iterator[CellStore]:
    with Scratch() as scratch:
        cells = CellStore(scratch, ["town"], ["ill"], foreign)
        for shelf, told in ((WRITTEN, CELLS), (ORIGINAL, TRUE))[: 1 + original]:
            path = folder / f"{shelf}.parquet"
            pyarrow.parquet.write_table(pa.table(dict(told)), path)
            reading = open_released if shelf == WRITTEN else open_stream
            assert cells.put(shelf, reading(path), NAMES) == len(told["town"])
        yield cells


def rows_of(cells: CellStore, shelf: str) -> Counter[tuple[Any, ...]]:
    """Return the rows of a file, codes as their texts."""
    places = [cells.place(shelf, name) for name in NAMES]
    found = cells.table(f"SELECT {', '.join(places)} FROM {shelf}").to_pylist()

    def cell(row: dict[str, Any], name: str, place: str) -> Any:
        return cells.texts(shelf, name)[row[place]] if cells.is_coded(shelf, name) else row[place]

    return Counter(
        tuple(cell(row, name, place) for name, place in zip(NAMES, places, strict=True)) for row in found
    )


def as_texts(told: Mapping[str, Sequence[Any]]) -> Counter[tuple[Any, ...]]:
    spelled = {1.5: "1.5", 2.0: "2", 7.25: "7.25"}
    return Counter(tuple(spelled.get(cell, cell) for cell in row) for row in zip(*told.values(), strict=True))


@pytest.fixture(params=["by values", "many values", "foreign", "piece by piece", "too late"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every way in which a file comes into the store."""

    def untyped(*_: Any) -> None:
        raise UntypedError

    if request.param == "many values":  # no column has few: what is not asked for by name stays text
        monkeypatch.setattr(TypedSource, "has_few", lambda *_: False)
    if request.param == "piece by piece":
        monkeypatch.setattr(CellStore, "_read_values", untyped)
    if request.param == "too late":  # once its values were read
        monkeypatch.setattr(TypedSource, "write", untyped)
    return str(request.param)


def test_cells_are_what_the_files_say(way: str, tmp_path: Path) -> None:
    with stored(tmp_path, foreign=way == "foreign") as cells:
        assert rows_of(cells, WRITTEN) == as_texts(CELLS)
        assert rows_of(cells, ORIGINAL) == as_texts(TRUE)
        for shelf, told in ((WRITTEN, CELLS), (ORIGINAL, TRUE)):
            for name in ("town", "ill"):
                column = cells.column(shelf, name)
                texts = column.values.to_pylist()
                assert dict(zip(texts, column.totals.tolist(), strict=True)) == Counter(told[name])
        assert cells.is_coded(WRITTEN, "pay") is (way in ("by values", "foreign", "too late"))


def test_keys_and_digests_are_equal_where_cells_are(way: str, tmp_path: Path) -> None:
    with stored(tmp_path, foreign=way == "foreign") as cells:
        for names in (NAMES, ("town",), ("pay",), ("ill", "pay")):
            expected = sorted(Counter(zip(*(CELLS[name] for name in names), strict=True)).values())
            keys = ", ".join(cells.keys(WRITTEN, names).values())
            for by in (keys, *cells.digests(WRITTEN, names)):
                found = cells.table(f"SELECT count(*) AS n FROM {WRITTEN} GROUP BY {by}")["n"].to_pylist()
                assert sorted(found) == expected, names


def test_the_tally_is_what_the_files_hold(way: str, tmp_path: Path) -> None:
    """Before rows are on disk and after it; none where a column is kept as texts."""
    labels = {"Ayr": "Ayr", "Oban": "Oban", None: None}
    with stored(tmp_path, foreign=way == "foreign") as cells:
        codes = {text: code for code, text in enumerate(cells.texts(WRITTEN, "town"))}
        label_of = np.array([codes[labels[t]] if t in labels else -1 for t in cells.texts(ORIGINAL, "town")])
        for laid in (False, True):
            if laid:
                cells.number(f"SELECT count(*) FROM {WRITTEN}")
            for told in (None, {"town": label_of}):
                tally = cells.tallied(["town"], ["ill"], told)
                if not cells.is_coded(WRITTEN, "pay"):
                    assert tally is None
                    continue
                assert tally is not None
                towns = [cells.texts(WRITTEN, "town")[code] for (code,) in tally.labels.tolist()]
                assert dict(zip(towns, tally.rows.tolist(), strict=True)) == Counter(CELLS["town"])
                assert (tally.n_written, tally.n_original) == (4, 0 if told is None else 5)
                assert tally.true is (None if told is None else True)
                assert cells.tallied(["town"], ["ill"], told, room=0) is None


def test_no_tally_without_a_key_in_one_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with stored(tmp_path, original=False) as cells:
        assert cells.tallied(["town"], ["ill"]) is not None
        monkeypatch.setattr("kohort.verification.judges.tally.BITS", 1)
        assert cells.tallied(["town"], ["ill"]) is None


@pytest.mark.parametrize("shelf", [WRITTEN, ORIGINAL])
def test_no_tally_where_rows_are_not_found_again(shelf: str, tmp_path: Path) -> None:
    """Such as those of a file that was exchanged since its rows were counted."""
    with stored(tmp_path) as cells:
        told = {"town": np.full(len(cells.texts(ORIGINAL, "town")), -1, np.int32)}
        assert cells.tallied(["town"], ["ill"], told) is not None
        cells._n_rows[shelf] += 1
        assert cells.tallied(["town"], ["ill"], told) is None
        cells._n_rows[WRITTEN] = 0
        assert cells.tallied(["town"], ["ill"]) is None


def test_no_tally_where_the_original_tells_a_column_otherwise_or_not_at_all(tmp_path: Path) -> None:
    with stored(tmp_path) as cells:
        told = {"town": np.zeros(len(cells.texts(ORIGINAL, "town")), np.int32)}
        for other in ({(ORIGINAL, "ill"): cells._list("ill")}, {}):
            texts = {key: own for key, own in cells._texts.items() if key != (ORIGINAL, "ill")}
            kept, cells._texts = cells._texts, texts | other
            assert cells.tallied(["town"], ["ill"], told) is None
            cells._texts = kept
        place = cells._places.pop((ORIGINAL, "ill"))
        assert cells.tallied(["town"], ["ill"], told) is None
        cells._places[ORIGINAL, "ill"] = place
        assert cells.tallied(["town"], ["ill"], told) is not None


def test_classes_are_numbered_once(tmp_path: Path) -> None:
    with stored(tmp_path, original=False) as cells:
        for quasi, rows in ((["town"], [1, 1, 2]), (["town", "ill"], [1, 1, 2]), (["ill"], [1, 3])):
            table = cells.number_classes(WRITTEN, quasi)
            found = cells.table(f"SELECT class, n FROM {table} ORDER BY class").to_pydict()
            assert (found["class"], sorted(found["n"])) == ([*range(len(rows))], rows)
            cells.table(f"SELECT * FROM {table}")
            cells._scratch.run(f"DELETE FROM {table}")
            assert cells.number_classes(WRITTEN, quasi) == table
            assert cells.number(f"SELECT count(*) FROM {table}") == 0, "counted once"
            cells._numbered.clear()


@pytest.mark.parametrize("foreign", [False, True])
def test_what_others_wrote_is_copied_before_it_is_asked(
    foreign: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their files may tell other numbers beside their rows than the rows hold; the original's are its owner's."""
    copied = []
    own = cell_store.own_copy
    monkeypatch.setattr(cell_store, "own_copy", lambda stream, path: copied.append(path) or own(stream, path))
    with stored(tmp_path, foreign=foreign) as cells:
        assert rows_of(cells, WRITTEN) == as_texts(CELLS)
    assert len(copied) == foreign
