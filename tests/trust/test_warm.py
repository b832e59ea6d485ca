"""What is read apart is read by processes that begin warm, in a whole run too; where lines are counted, by fresh ones."""

from __future__ import annotations

from importlib import import_module

import coverage  # as other tests import it, which does not mean that it counts


def test_reading_apart_begins_warm_unless_lines_are_counted() -> None:
    apart = import_module("kohort.table.formats.apart")
    counts = coverage.Coverage.current() is not None
    assert (apart._served.__module__ == apart.__name__) is counts
