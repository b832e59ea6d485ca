"""How much memory the labels of a hierarchy take, from what a plan says of it, before it is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kohort.hierarchy.build import UNTOLD, builder_of
from kohort.hierarchy.builder import told
from kohort.hierarchy.domain import Label
from kohort.hierarchy.file import File
from kohort.hierarchy.intervals import MOST_GROUND, Intervals
from kohort.hierarchy.mask import LONGEST, Mask
from kohort.hierarchy.prefix import Prefix

# Measured, rather too high: bytes of a label beside its letters, of a value at a level, and of a cell of a level file.
PER_LABEL, PER_PLACE, PER_CELL = 200, 8, 130
PER_BOUNDS = 250  # of an interval, beside its label
PER_GROUND = 600  # of a number of a domain that no row holds
INCLUDED = 300  # of each value, in what it is charged anyway: a few levels
_PIECE = 1 << 20


def label_bytes(
    name: str, spec: Mapping[str, Any] | None, texts: Sequence[Label], base: Path = Path()
) -> int:
    """Return how many bytes the labels of these distinct values take at all levels, beyond a few of these.

    Hierarchies with few levels, or of which nothing is known, have none. Labels of characters hidden or kept are counted.

    >>> label_bytes("zip", {"kind": "mask"}, ["94138", "94141"])
    489
    """
    builder, values = builder_of(name, spec or UNTOLD, base), told(texts)
    if isinstance(builder, File):
        return _of_file(base / (builder.path or ""))
    ground = len(values)
    levels: list[tuple[int, int]] = []  # labels, and what each takes beside PER_LABEL
    if isinstance(builder, Mask):
        longest = min(builder.length or max(map(len, values), default=0), LONGEST)  # longer ones are refused
        steps = builder.steps or range(1, longest - max(builder.keep, 1) + 1)
        shown = [longest - hidden for hidden in steps if hidden < longest]
        levels = [(n, longest) for n in _beginnings(values, shown, builder.side == "right")]
    elif isinstance(builder, Prefix) and builder.lengths and not builder.separator:
        levels = list(zip(_beginnings(values, builder.lengths, True), builder.lengths, strict=True))
    elif isinstance(builder, Prefix) and builder.lengths:
        levels = [(len(values), max(map(len, values), default=0))] * len(builder.lengths)
    elif isinstance(builder, Intervals):
        ground = _numbers(builder, values)
        beside = PER_BOUNDS + 2 * max(map(len, values), default=0)
        levels = [(_intervals(builder, width, ground), beside) for width in builder.widths]
    labels = sum(n * (PER_LABEL + beside) for n, beside in levels)
    above = labels + len(levels) * ground * PER_PLACE - ground * INCLUDED
    return max(above, 0) + (ground - len(values)) * PER_GROUND


def _beginnings(values: Sequence[str], lengths: Iterable[int], first: bool) -> list[int]:
    """Return how many different beginnings of each length the values have, or ends."""
    column = pa.array(values, pa.string())
    return [
        pc.count_distinct(
            pc.utf8_slice_codeunits(column, 0, n) if first else pc.utf8_slice_codeunits(column, -n)
        ).as_py()
        if n > 0
        else 1
        for n in lengths
    ]


def _numbers(builder: Intervals, values: Sequence[str]) -> int:
    """Return how many ground values intervals have: all whole numbers of a domain, where it declares one for whole numbers."""
    if builder.domain is None or len(builder.domain) != 2 or any("." in text for text in values):
        return len(values)
    return max(len(values), min(int(builder.domain[1] - builder.domain[0]) + 1, MOST_GROUND))


def _intervals(builder: Intervals, width: float, values: int) -> int:
    if builder.domain is None or len(builder.domain) != 2 or width <= 0:
        return values
    return min(values, int((builder.domain[1] - builder.domain[0]) / width) + 2)


def _of_file(path: Path) -> int:
    """Return what the cells of a level file take, by the signs that may stand between them; its reader says what is wrong."""
    rows = signs = size = 0
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                rows, size = rows + piece.count(b"\n"), size + len(piece)
                signs += max(map(piece.count, (b";", b"\t", b",", b"|")))
    except OSError:
        return 0
    return (rows + signs + 1) * PER_CELL + 2 * size
