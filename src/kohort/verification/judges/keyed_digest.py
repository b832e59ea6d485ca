"""Numbers that tell rows apart, by keys that nobody knows.

DuckDB's `hash` has no key: whoever writes a table can find texts that it takes for one another, whatever is laid over it
afterwards. So texts become numbers by MD5 behind a block of secret bits, of which nobody can find two that agree without
knowing these, and codes are numbers already. Numbers are then mixed with a secret one at every step.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

BLOCK = 32  # bytes, written as hex digits: one block of MD5
DIGESTS = 2  # of 64 bits each
TOGETHER = 64  # numbers that are mixed at a time: DuckDB ends at expressions of a thousand levels


def keyed_digests(numbers: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Return the SQL of two numbers of 64 bits for whole numbers, at least 0, and texts of a row; NULL where a number is."""
    block = secrets.token_hex(BLOCK)
    # a missing text and one that is spelled like it differ
    told = [f"md5_number_lower(concat('{block}', coalesce('=' || {text}, '')))" for text in texts]
    mixed = [_mixed([*(f"({number})::UBIGINT" for number in numbers), *told]) for _ in range(DIGESTS)]
    # the hash of NULL is a number like others, whatever was mixed in before it
    known = " AND ".join(f"({number}) IS NOT NULL" for number in numbers)
    return tuple(f"CASE WHEN {known} THEN {digest} END" if numbers else digest for digest in mixed)


def _mixed(numbers: Sequence[str]) -> str:
    """Return the SQL of a number for some; of many, of the numbers of some at a time."""
    if len(numbers) > TOGETHER:
        parts = [numbers[i : i + TOGETHER] for i in range(0, len(numbers), TOGETHER)]
        return _mixed([_mixed(part) for part in parts])
    state = _key()
    for number in numbers:
        state = f"hash(xor(hash(xor({state}, {number})), {_key()}))"
    return state


def _key() -> str:
    return f"{secrets.randbits(64)}::UBIGINT"
