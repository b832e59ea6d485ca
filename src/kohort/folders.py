"""The folders of a release: staged under another name, then renamed; nothing that is not Kohort's is touched."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kohort.errors import InputError

MANIFEST = "manifest.json"
AUDIT = "audit.json"
REPORT = "report.html"


def refuse_foreign(place: Path) -> None:
    """Refuse to write over a file, or over a directory that is not an earlier release or audit."""
    if place.is_dir() and not place.is_symlink():
        known = {MANIFEST, AUDIT}
        names = {entry.name for entry in place.iterdir()}
        if not names or names & known:
            return
        raise InputError(f"{place} exists and is not an earlier release; name another directory with -o")
    if place.exists() or place.is_symlink():
        raise InputError(f"{place} exists and is not a directory; name another directory with -o")


@contextmanager
def staging(final: Path) -> Iterator[Path]:
    """Yield a fresh directory beside `final`, readable by nobody else and gone afterwards."""
    stage = final.with_name(f".{final.name}.staging-{secrets.token_hex(4)}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        stage.mkdir(mode=0o700)
    except OSError as problem:
        raise InputError(f"{final}: the release cannot be written there ({problem.strerror})") from None
    try:
        yield stage
    except OSError as problem:
        raise InputError(f"{final}: the release cannot be written there ({problem.strerror})") from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def take_name(stage: Path, final: Path) -> None:
    """Rename the staged directory to its final name, moving an earlier release out of the way first."""
    if final.exists():
        old = final.with_name(f".{final.name}.old-{secrets.token_hex(4)}")
        final.rename(old)
        stage.rename(final)
        shutil.rmtree(old)
    else:
        stage.rename(final)


def open_to_others(stage: Path) -> None:
    """Give the public files the permissions that the user's umask allows."""
    umask = os.umask(0)
    os.umask(umask)
    for path in stage.iterdir():
        path.chmod(0o666 & ~umask)
    stage.chmod(0o777 & ~umask)


def write_text(path: Path, text: str) -> None:
    """Write a file that nobody else may read yet."""
    with open(path, "w", encoding="utf-8", opener=_secret) as file:
        file.write(text)


def _secret(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def sha256(path: Path) -> str:
    """Return the digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
