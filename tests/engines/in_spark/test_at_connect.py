"""The same tests once more, by a process that reaches Spark through Connect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.engines.clusters.processes import run_tests_at

SHORT = ("tests/engines/in_spark/test_sessions.py::test_a_frame_of_spark_comes_back_as_one",)


def test_the_contract_holds_at_a_connect_server(
    tmp_path: Path, spark: Any, request: pytest.FixtureRequest
) -> None:
    service = getattr(
        spark._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$"
    )  # an object of Scala
    run_tests_at(f"sc://127.0.0.1:{getattr(service, 'MODULE$').localPort()}", tmp_path, request.config, SHORT)
