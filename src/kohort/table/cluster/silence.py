"""What Spark and the way to it write to Python's loggers, kept out of them: it quotes cells, or tells how they are made."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "pyspark.sql.connect.logging")
WAYS = ("py4j.java_gateway", "py4j.clientserver")


@contextmanager
def unlogged(own: Callable[[str], logging.Logger]) -> Iterator[None]:
    """Let nothing of it be written meanwhile, whatever else is; Spark's `own` loggers take words that others do not."""
    loggers = [*map(own, LOGGERS), *map(logging.getLogger, WAYS)]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        with _unrooted():
            yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


@contextmanager
def _unrooted() -> Iterator[None]:
    """Keep the way to Java, which Ctrl-C cuts, from the logger of everybody; it would give that a handler, too."""
    root, nowhere, refusal = logging.getLogger(), logging.NullHandler(), _Refusal()
    root.addFilter(refusal)
    root.addHandler(nowhere)
    try:
        yield
    finally:
        root.removeHandler(nowhere)
        root.removeFilter(refusal)


class _Refusal(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record is of others than the way to Java."""
        return "py4j" not in Path(record.pathname).parts
