"""Files as a plan says they are read, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kohort.plan import Plan
from kohort.preparation.sources import how_to_read
from kohort.table.streaming import TableStream, open_stream


def stream_of(source: str | Path, plan: Plan | None, expected: Sequence[str] = ()) -> TableStream:
    """Return the file to be read piece by piece; the same cells as `read_source` finds."""
    return open_stream(source, **how_to_read(plan, expected))
