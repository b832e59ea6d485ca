"""Kernel of the truth check: which released label stands beside which original value."""

from __future__ import annotations

from kohort.arrays import BoolArray, IntArray
from kohort.compiling import kernel


@kernel
def mark_pairs(labels: IntArray, values: IntArray, rows: IntArray, seen: BoolArray) -> None:
    """Mark in `seen` (label, value) every pair of a released label and the value of the row it came from."""
    for i in range(len(rows)):
        seen[labels[i], values[rows[i]]] = True
