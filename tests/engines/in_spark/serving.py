"""Where the Java of the tests serves Connect."""

from __future__ import annotations

from typing import Any


def address(spark: Any) -> str:
    """Return the address of the Connect server in the process of a session."""
    room = "org.apache.spark.sql.connect.service"
    service = getattr(spark._jvm, f"{room}.SparkConnectService$")  # an object of Scala
    return f"sc://127.0.0.1:{getattr(service, 'MODULE$').localPort()}"
