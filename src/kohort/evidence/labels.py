"""Which label most records hold, and in which order people expect labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kohort.arrays import IntArray
from kohort.hierarchy import Label


def natural(label: Label) -> tuple[bool, list[tuple[float, str]]]:
    """Return what puts labels in the order in which people expect them: 5 to 9 before 10 to 14, missing last."""
    parts = re.findall(r"(\d+(?:\.\d+)?)|(\D+)", label or "")
    return label is None, [(float(number), "") if number else (-1.0, text) for number, text in parts]


def most_frequent(labels: Sequence[Label], records: IntArray) -> int | None:
    """Return the code of the label that most records hold, missing values apart; of equal ones the first as people sort.

    >>> import numpy as np
    >>> most_frequent(("10-19", None, "5-9"), np.array([4, 9, 4]))
    2
    """
    told = [code for code, label in enumerate(labels) if label is not None and records[code] > 0]
    return min(told, key=lambda code: (-int(records[code]), natural(labels[code])), default=None)
