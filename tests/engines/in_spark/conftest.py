"""One Spark session for all: on this machine, or at the Connect server that KOHORT_SPARK names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from tests.engines.in_spark.small import SMALL

from kohort.table.cluster.session import SETTINGS, session


@pytest.fixture(scope="session", autouse=True)
def spark() -> Iterator[Any]:
    place = os.environ["KOHORT_SPARK"]
    if place.startswith("sc://"):
        made = session(remote=place)
    else:
        SETTINGS.update(SMALL)
        made = session(master=place)
    yield made
    made.stop()
