"""The file that a release was made from, known again by its bytes."""

from __future__ import annotations

from pathlib import Path

from kohort.folders.release_folder import sha256

MOST = 1 << 28  # bytes up to which nobody waits for a digest


def file_digest(path: Path) -> str | None:
    """Return the digest of a file; None where it is none, cannot be read, or is large."""
    try:
        return sha256(path) if path.is_file() and path.stat().st_size <= MOST else None
    except OSError:
        return None
