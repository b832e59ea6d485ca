"""Files that nobody but their owner may read, from the first byte."""

from __future__ import annotations

import os
from pathlib import Path


def owners_only(path: str, flags: int) -> int:
    """Open a file for `open(…, opener=…)`; a new one is its owner's alone, one that was there keeps its permissions."""
    return os.open(path, flags, 0o600)


def write_private(path: Path, text: str) -> None:
    """Write a text that tells of the original, for whoever holds that."""
    with open(path, "w", encoding="utf-8", newline="", opener=owners_only) as file:
        file.write(text)
