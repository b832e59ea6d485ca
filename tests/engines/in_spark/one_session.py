"""One Spark session for all: on this machine, or at the Connect server that KOHORT_SPARK names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from tests.engines.in_spark.small import SERVING, SMALL

from kohort.table.cluster.session import SETTINGS, session

PLACE = os.environ["KOHORT_SPARK"]
AFAR = PLACE.startswith("sc://")


@pytest.fixture(scope="session", autouse=True)
def spark() -> Iterator[Any]:
    if AFAR:
        made = session(remote=PLACE)
    else:
        SETTINGS.update(SMALL | SERVING)
        made = session(master=PLACE)
    yield made
    made.stop()
