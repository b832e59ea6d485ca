"""A table of empty sets keeps its promise: nobody holds any combination."""

from __future__ import annotations

import pyarrow as pa

from kohort.sets.judges.judge import judge_promise, told_sets
from kohort.sets.k_m import KM
from kohort.table import Table


def test_nobody_holds_anything() -> None:
    from kohort.sets.judges.judge import EMPTY

    table = Table.from_arrow(pa.table({"basket": [EMPTY, EMPTY]}))
    verdict = judge_promise(told_sets(table, "basket", " "), KM(3, 2))
    assert (verdict.holds, verdict.note) == (True, "nobody holds anything")
