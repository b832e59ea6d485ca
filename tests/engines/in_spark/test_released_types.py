"""Released labels have the type that they tell, where executors write them as in memory: whoever climbed, and whoever is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from tests.contract.test_released_types import KINDS, people, plan_of, source_of

from kohort.algorithms import Silent
from kohort.errors import InfeasibleError
from kohort.pipeline import make_release
from kohort.release.release import Release

HELD = [kind for kind in KINDS if kind not in ("times", "durations")]  # which Spark refuses by name


def released(source: Path, plan: Any, engine: str, folder: Path) -> pyarrow.Table | None:
    """Return the released rows in the order of their cells; None where the plan cannot be kept."""
    try:
        Release.written(make_release(source, plan, Silent(), engine), folder)
    except InfeasibleError:
        return None
    table = pyarrow.parquet.read_table(folder / "table.parquet")
    return table.sort_by([(name, "ascending") for name in table.column_names])


@pytest.mark.parametrize("kind", HELD)
def test_equal_texts_have_the_type_that_they_have_in_memory(kind: str, tmp_path: Path) -> None:
    plan = plan_of("datafly", kind).with_settings({"output.shuffle": True})
    for variant in (
        1,
        2,
        3,
        7,
    ):  # at level 0, at level 1 for somebody's sake, at level 0 with others' values, at level 1
        source = tmp_path / f"{variant}.parquet"
        pyarrow.parquet.write_table(source_of(people(kind, variant, mixed=False)).to_arrow(), source)
        memory, spark = (
            released(source, plan, engine, tmp_path / f"{variant} {engine}") for engine in ("memory", "spark")
        )
        assert (memory is None) == (spark is None)
        if memory is not None and spark is not None:
            assert spark.schema.remove_metadata() == memory.schema.remove_metadata()
            assert spark.equals(memory)
