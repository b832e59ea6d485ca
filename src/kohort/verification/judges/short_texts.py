"""Long texts told by a digest of a key that nobody knows: whoever compares cells need not hold them.

Texts that are compared as they are, and counted where rows are, may be letters of several pages. Whether two are the same is
told as well by MD5 behind a block of secret bits (`keyed_digest` says why): two that differ agree once in 2^128.
Short ones stay as they are, numbers spelled in two ways among them.
"""

from __future__ import annotations

import hashlib
import secrets

import pyarrow as pa
import pyarrow.compute as pc

from kohort.verification.judges.keyed_digest import BLOCK

LONG = 64  # bytes; twice those of a digest


def new_block() -> str:
    """Return a block of secret bits, for the files that are compared with one another."""
    return secrets.token_hex(BLOCK)


def shortened_in_sql(text: str, block: str) -> str:
    """Return what DuckDB tells a text by: the same as `shortened` does."""
    return f"CASE WHEN strlen({text}) > {LONG} THEN md5(concat('{block}', {text})) ELSE {text} END"


def shortened(texts: pa.Array, block: str) -> pa.Array:
    """Return the texts, of long ones the digests.

    >>> short, long, other, nothing = shortened(pa.array(["a", "b" * 65, "c" * 65, None]), new_block()).to_pylist()
    >>> short, len(long), long == other, nothing
    ('a', 32, False, None)
    """
    long = pc.fill_null(pc.greater(pc.binary_length(texts), LONG), False)
    if not pc.any(long).as_py():
        return texts
    start = hashlib.md5(block.encode(), usedforsecurity=False)
    return pc.replace_with_mask(
        texts, long, pa.array([_digest(start, t) for t in texts.filter(long).to_pylist()])
    )


def _digest(start: hashlib._Hash, text: str) -> str:
    state = start.copy()
    state.update(text.encode())
    return state.hexdigest()
