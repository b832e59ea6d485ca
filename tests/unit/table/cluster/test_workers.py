"""A process of Spark that does several tasks is not looked through for what it has imported; no other process is touched."""

from __future__ import annotations

import subprocess
import sys

import pytest

TOLD = "import gc; from kohort.table.cluster.workers import settle; settle(); settle(); print(gc.get_freeze_count() > 0)"


@pytest.mark.parametrize(("env", "frozen"), [({}, "False"), ({"SPARK_REUSE_WORKER": "1"}, "True")])
def test_only_what_spark_uses_again_is_settled(env: dict[str, str], frozen: str) -> None:
    done = subprocess.run([sys.executable, "-c", TOLD], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == frozen
