"""Attacks that are group-bys, and the audit of a table, tell in Spark what they tell in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.engines.conftest import people
from tests.engines.test_commands import test_attacks_are_the_same as attacked_alike

import kohort


@pytest.mark.long
def test_attacks_are_the_same(tmp_path: Path) -> None:
    attacked_alike(tmp_path, "spark")


@pytest.mark.long
def test_audits_of_a_data_frame_are_the_same(spark: Any) -> None:
    table = people(5, 150)
    asked = {"quasi": ["age", "zip"], "sensitive": ["illness"]}
    frame = spark.createDataFrame(table)
    assert kohort.audit(frame, **asked, engine="spark") == kohort.audit(table, **asked)
