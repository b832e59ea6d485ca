"""The same tests once more, by a process that reaches Spark through Connect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.engines.clusters.processes import run_tests_at
from tests.engines.in_spark.serving import address

_SESSIONS = "tests/engines/in_spark/test_sessions.py"
SHORT = (
    f"{_SESSIONS}::test_a_frame_of_spark_comes_back_as_one",
    f"{_SESSIONS}::test_paths_begin_where_they_are_named",
)


def test_the_contract_holds_at_a_connect_server(
    tmp_path: Path, spark: Any, request: pytest.FixtureRequest
) -> None:
    run_tests_at(address(spark), tmp_path, request.config, SHORT)
