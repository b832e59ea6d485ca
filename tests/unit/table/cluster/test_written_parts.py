"""Parts that executors write: a killed driver leaves them under names by which the next run knows them for Kohort's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from kohort.folders.claims import claim, is_claim
from kohort.folders.parts import part_name
from kohort.table.cluster.packets import packed
from kohort.table.cluster.writing import FORMS, _tidy, written


class Spelled:
    """Rows as they are; what comes after the first of them is lost."""

    schema = pa.schema([("town", pa.string())])

    def __init__(self, fails: bool) -> None:
        self.fails = fails

    def in_order(self, rows: pa.Table) -> pa.Table:
        return rows.sort_by("town")

    def spelled(self, rows: pa.Table) -> Iterator[pa.Table]:
        yield rows
        if self.fails:
            raise KeyboardInterrupt


def put(folder: Path, suffix: str, fails: bool) -> Path:
    """Let an executor write the parts 3 and 100000 below the workshop of a release; return where they come to be."""
    begun, aside = folder / f"parts-{0:016x}", folder / f"parts-{1:016x}"
    for place in (begun, aside):
        place.mkdir(parents=True)
    batches = [packed(part, pa.table({"town": ["b", f"a{part}"]})) for part in (100_000, 3)]
    list(written(Spelled(fails), str(begun), str(aside), suffix, iter(batches)))
    return aside


@pytest.mark.parametrize("suffix", FORMS)
def test_what_is_begun_is_known_for_kohorts(tmp_path: Path, suffix: str) -> None:
    owner = claim(tmp_path / "work")
    with pytest.raises(KeyboardInterrupt):
        put(tmp_path / "work", suffix, fails=True)
    del owner
    assert [place.name for place in (tmp_path / "work").rglob("part-*")]
    assert is_claim(tmp_path / "work")


@pytest.mark.parametrize("suffix", FORMS)
def test_parts_are_numbered_in_the_order_of_their_numbers(tmp_path: Path, suffix: str) -> None:
    aside = put(tmp_path / "work", suffix, fails=False)
    before = {part: (aside / part_name(part, suffix)).read_bytes() for part in (3, 100_000)}
    _tidy(aside, [3, 100_000], suffix)
    assert [(aside / part_name(i, suffix)).read_bytes() for i in range(2)] == list(before.values())
    if suffix == ".csv":
        assert before[3] == b"town\na3\nb\n"
