"""Row groups of very many columns: the same cells, decoded some columns at a time and so in little memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kohort.errors import InputError
from kohort.table.formats import parquet_blocks
from kohort.table.formats.parquet import decoded, opened_parquet
from kohort.table.formats.parquet_blocks import blocks_of
from kohort.table.formats.parquet_footer import weights_of_groups

ROWS, COLUMNS = 30_000, 150


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(3)
    path = tmp_path_factory.mktemp("wide") / "wide.parquet"
    cells: dict[str, pa.Array] = {f"f{i}": pa.array(rng.random(ROWS)) for i in range(COLUMNS)}
    cells["text"] = pa.array([None if i % 7 == 0 else f"t{i % 900}" for i in range(ROWS)])
    cells["coded"] = pa.array(["a", "b", None] * (ROWS // 3)).dictionary_encode()
    pq.write_table(pa.table(cells), path, row_group_size=ROWS - 1_000)  # and a small group
    return path


def test_cells_are_the_same_in_any_order_of_the_columns(wide: Path) -> None:
    groups = [blocks_of(wide, chunks) for chunks in weights_of_groups(wide)]
    assert len(groups[0]) > 2
    assert groups[1] == ()
    file = opened_parquet(wide)
    told = pq.read_table(wide).cast(file.schema_arrow)
    names = file.schema_arrow.names[::-1]
    start = 0
    for batch in decoded(file, wide, names, 1 << 16):
        assert pa.Table.from_batches([batch]).equals(told.select(names).slice(start, batch.num_rows))
        start += batch.num_rows
    assert start == ROWS


def test_what_is_decoded_at_a_time_fits_in_little_memory(wide: Path) -> None:
    def most(batches: Iterator[pa.RecordBatch]) -> int:
        return max(int(pa.total_allocated_bytes()) for _ in batches) - before

    file, before = opened_parquet(wide), int(pa.total_allocated_bytes())
    names = file.schema_arrow.names
    at_once = most(file.iter_batches(2048))
    assert at_once > parquet_blocks.AT_ONCE
    assert most(decoded(file, wide, names, 1 << 16)) < at_once / 2


def test_a_disk_without_room_is_no_damaged_file(wide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None: ...

        def tell(self) -> int:
            return 0

        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    file = opened_parquet(wide)
    with pytest.raises(InputError, match="temporary files"):
        list(decoded(file, wide, file.schema_arrow.names, 1 << 16))
