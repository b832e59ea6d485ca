"""Chance from the operating system, for whatever nobody may be able to draw again.

The order of released rows, the numbers and members of groups and pseudonyms hide who is who, so they come from
here and never from a plan's seed: whoever knew the seed, or tried a million, would undo them. Every number is
drawn from the system itself, not from a generator that it started, for generators can be wound back by those who
see enough of what they drew. Searches may draw from the seed, since what they find is released anyway.
"""

from __future__ import annotations

import os
import secrets

import numpy as np

from kohort.arrays import IntArray


def permutation(n: int) -> IntArray:
    """Return the numbers below n in an order that nobody can draw again."""
    from kohort.chance_kernels import dealt_by

    return np.asarray(dealt_by(np.frombuffer(os.urandom(8 * n), np.uint64)))


def shuffled(values: IntArray) -> IntArray:
    """Return the values in such an order."""
    return np.asarray(values[permutation(len(values))])


def below(n: int) -> int:
    """Return a number below n, each equally likely."""
    return secrets.randbelow(n)
