"""What the way to Java logs is written nowhere while Spark is at work; what others log is."""

from __future__ import annotations

import logging

import pytest

from kohort.table.cluster.silence import LOGGERS, WAYS, unlogged


def say(path: str) -> None:
    record = logging.LogRecord("root", logging.ERROR, path, 1, f"said by {path}", None, None)
    logging.getLogger().handle(record)


def test_only_the_way_to_java_is_silent_and_only_meanwhile(caplog: pytest.LogCaptureFixture) -> None:
    root = logging.getLogger()
    before = list(root.handlers), list(root.filters)
    with unlogged(logging.getLogger):
        say("/lib/py4j/clientserver.py")
        for name in (*LOGGERS, *WAYS):
            logging.getLogger(name).error("a cell")
        say("/lib/other/module.py")
    assert caplog.messages == ["said by /lib/other/module.py"]
    assert (list(root.handlers), list(root.filters)) == before
    say("/lib/py4j/clientserver.py")
    assert len(caplog.messages) == 2
