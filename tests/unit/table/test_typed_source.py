"""What DuckDB reads of a Parquet file, with Python reading distinct values only, is what Python reads of every row."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.table import Column, Table
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream, open_stream
from kohort.table.typed_source import TypedSource, UntypedError

MOMENT = dt.datetime(2020, 1, 31, 5, 6, 7, 8)
TEXTS = ["x", " x", "X", "", " ", "\u200b", "\u200bx", "-99", "1,5", "a\x00b", "e\u0301", "\u00e9", "'", None]
# by kind: served by DuckDB, and cells
SERVED: dict[str, tuple[pa.DataType, list[Any]]] = {
    "texts": (pa.string(), TEXTS),
    "large texts": (pa.large_string(), TEXTS),
    "coded texts": (pa.dictionary(pa.int32(), pa.string()), TEXTS),
    "bytes": (pa.int8(), [-99, 0, 127, None]),
    "whole": (pa.int64(), [-(2**63), -99, 2**53 + 1, 0, None]),
    "unsigned": (pa.uint64(), [2**64 - 1, 0, None]),
    "singles": (pa.float32(), [0.1, -0.0, 0.0, float("nan"), float("inf"), -99.0, None]),
    "doubles": (pa.float64(), [0.1, -0.0, 0.0, float("nan"), float("-inf"), 77.0, None]),
    "truths": (pa.bool_(), [True, False, None]),
    "days": (pa.date32(), [dt.date(1, 1, 1), dt.date(2020, 1, 31), dt.date(9999, 12, 31), None]),
    "moments": (pa.timestamp("us"), [MOMENT, dt.datetime(1, 1, 1), None]),
    "nothing": (pa.null(), [None]),
    "decimals": (pa.decimal128(9, 2), [Decimal("-99.00"), Decimal("0.10"), None]),
}
PIECEWISE: dict[str, tuple[pa.DataType, list[Any]]] = {
    "zoned": (pa.timestamp("us", "Europe/Zurich"), [MOMENT, None]),
    "spans": (pa.duration("ms"), [dt.timedelta(1), None]),
    "halves": (pa.float16(), [np.float16(0.5), None]),
    "long decimals": (pa.decimal256(60, 2), [Decimal("1.25"), None]),
}
OPTIONS: list[dict[str, Any]] = [{}, {"missing": ["", "-99", "0.1"]}, {"trim": True}, {"decimal": ","}, {"fold": ["cell"]}]  # fmt: skip


def column_of(kind: pa.DataType, cells: list[Any]) -> pa.Array:
    drawn = np.random.default_rng(1).integers(0, len(cells), 90)
    return pa.array([cells[i] for i in drawn], kind)


def written(folder: Path, column: pa.Array, name: str = "cell") -> Path:
    path = folder / "typed.parquet"
    pyarrow.parquet.write_table(pa.table({name: column}), path, row_group_size=20)
    return path


def in_pieces(stream: TableStream) -> list[str | None]:
    return [text for piece in stream.pieces(["cell"]) for text in texts_of(piece["cell"])]


def texts_of(column: Column) -> list[str | None]:
    return [column.texts[code] for code in column.codes]


def made_of(source: TypedSource, scratch: Scratch, how: str) -> list[Any]:
    if how == "left":
        source.leave("made", "cell")
    elif how == "told":
        source.tell("made", "cell", Column.to_arrow)
    else:
        raw, column = source.values("cell")
        source.code("made", "cell", raw, column.codes)
    path = scratch.path("made.parquet")
    assert source.write(path, "row") == 90
    cells = scratch.table(f"SELECT made FROM read_parquet('{path}') ORDER BY row").column("made")
    if how != "coded":
        return texts_of(Table.from_arrow(pa.table({"made": cells}))["made"])
    return [column.texts[code] for code in cells.to_pylist()]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_cells_are_those_of_pieces(tmp_path: Path, options: dict[str, Any]) -> None:
    with Scratch() as scratch:
        for told, (kind, cells) in SERVED.items():
            stream = open_stream(written(tmp_path, column_of(kind, cells)), **options)
            expected = in_pieces(stream)
            for how in ("left", "told", "coded"):
                source = TypedSource(scratch, stream, ["cell"])
                if how == "left" and not source.is_plain("cell"):
                    continue
                assert made_of(source, scratch, how) == expected, (told, how)


def test_values_are_counted_in_the_order_in_which_they_occur(tmp_path: Path) -> None:
    with Scratch() as scratch:
        for told, (kind, cells) in SERVED.items():
            stream = open_stream(written(tmp_path, column_of(kind, cells)), missing=["-99"], trim=True)
            _, column = TypedSource(scratch, stream, ["cell"]).values("cell")
            texts = in_pieces(stream)
            assert list(column.texts) == list(dict.fromkeys(texts)), told
            assert [texts.count(text) for text in column.texts] == column.counts().tolist(), told


def test_most_columns_are_left_as_they_are(tmp_path: Path) -> None:
    with Scratch() as scratch:
        plain = {
            told
            for told, (kind, cells) in SERVED.items()
            if TypedSource(scratch, open_stream(written(tmp_path, column_of(kind, cells))), ["cell"]).is_plain("cell")
        }  # fmt: skip
    assert plain == set(SERVED) - {"decimals", "nothing"}


@pytest.mark.parametrize("told", PIECEWISE)
def test_types_that_duckdb_has_not_are_read_in_pieces(tmp_path: Path, told: str) -> None:
    stream = open_stream(written(tmp_path, column_of(*PIECEWISE[told])))
    with Scratch() as scratch, pytest.raises(UntypedError):
        TypedSource(scratch, stream, ["cell"])


def test_files_that_duckdb_takes_for_others_are_read_in_pieces(tmp_path: Path) -> None:
    column = pa.array(["x"])
    alike = tmp_path / "alike.parquet"
    pyarrow.parquet.write_table(pa.table({"cell": column, "Cell": column}), alike)
    empty, numbered, odd = (
        tmp_path / "empty.parquet",
        tmp_path / "numbered.parquet",
        tmp_path / "o[d].parquet",
    )
    pyarrow.parquet.write_table(pa.table({"cell": column.slice(1)}), empty)
    pyarrow.parquet.write_table(pa.table({"File_Row_Number": column}), numbered)
    pyarrow.parquet.write_table(pa.table({"cell": column}), odd)
    with Scratch() as scratch:
        for path, name in ((alike, "cell"), (empty, "cell"), (numbered, "File_Row_Number"), (odd, "cell")):
            with pytest.raises(UntypedError):
                TypedSource(scratch, open_stream(path), [name])


def test_a_damaged_file_is_left_to_pieces(tmp_path: Path) -> None:
    path = written(tmp_path, column_of(*SERVED["texts"]))
    stream = open_stream(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])
    with Scratch() as scratch, pytest.raises(UntypedError):
        TypedSource(scratch, stream, ["cell"]).values("cell")


# by kind: what the statistics of a file promise, and what it holds
LIES: dict[str, tuple[pa.DataType, list[Any], list[Any]]] = {
    "whole": (pa.int64(), [5, 6, 7], [5, 2**40, 300]),
    "halved": (pa.int32(), [5, 6, 7], [-(2**31), 6, 2**31 - 1]),
    "small": (pa.int8(), [1, 2, 3], [127, -128, 3]),
    "unsigned": (pa.uint64(), [1, 2, 3], [2**64 - 1, 2, 0]),
    "doubles": (pa.float64(), [0.5, 1.0], [1e300, float("nan")]),
    "texts": (pa.string(), ["aa", "ab"], ["zz", "\x00a"]),
    "days": (
        pa.date32(),
        [dt.date(2020, 1, 1), dt.date(2020, 1, 2)],
        [dt.date(1, 1, 1), dt.date(9999, 1, 1)],
    ),
    "moments": (pa.timestamp("us"), [MOMENT, MOMENT], [dt.datetime(1, 1, 1), dt.datetime(9999, 1, 1)]),
}


def lying(folder: Path, kind: pa.DataType, promised: list[Any], held: list[Any], rows: int) -> Path:
    """Write the rows of one file under the statistics of another, which is as long."""
    parts = []
    for cells in (held, promised):
        path = folder / "lying.parquet"
        column = pa.array([cells[i % len(cells)] for i in range(rows)], kind)
        pyarrow.parquet.write_table(
            pa.table({"cell": column}), path, compression="none", use_dictionary=False
        )
        written = path.read_bytes()
        end = len(written) - 8 - int.from_bytes(written[-8:-4], "little")
        parts.append((written[:end], written[end:]))
    path.write_bytes(parts[0][0] + parts[1][1])
    return path


@pytest.mark.parametrize("told", LIES)
def test_statistics_that_lie_are_not_believed(tmp_path: Path, told: str) -> None:
    """DuckDB would count in too few bits, and write beside its memory."""
    stream = open_stream(lying(tmp_path, *LIES[told], rows=3000))
    expected = in_pieces(stream)
    with Scratch() as scratch:
        source = TypedSource(scratch, stream, ["cell"])
        raw, column = source.values("cell")
        assert [expected.count(text) for text in column.texts] == column.counts().tolist()
        source.code("made", "cell", raw, column.codes)
        source.write(scratch.path("made.parquet"), "row")
        made = scratch.table(f"SELECT made FROM read_parquet('{scratch.path('made.parquet')}') ORDER BY row")
        assert [column.texts[code] for code in made.column("made").to_pylist()] == expected
