"""Judges a folder by the names in it: plain files, those that belong there, and nothing else."""

from __future__ import annotations

import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from kohort.errors import InputError
from kohort.folders.release_folder import sha256, standing
from kohort.verification.judges.verdict import Verdict

FOLDER = "nothing else in the folder"


def entries(directory: Path) -> dict[str, str]:
    """Return what stands in a folder, hidden or not: `file` for a plain file, else what it is instead.

    Of a table in parts the parts are told.
    """
    try:
        return {name: _what(path.lstat().st_mode) for name, path in standing(directory).items()}
    except OSError as problem:
        raise InputError(
            f"{directory} cannot be looked into ({problem.strerror})", code="release.not-one", path=directory
        ) from None


def _what(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "device"


def judge_folder(found: Mapping[str, str], expected: Collection[str]) -> Verdict:
    """Return whether the folder holds the expected names, each a plain file, and no other.

    A link is no plain file, wherever it points: what it shows can change without a trace in the folder.
    """
    faults = [
        *(f"{name!r} is missing" for name in sorted(expected) if name not in found),
        *(f"{name!r} is a {found[name]}" for name in sorted(expected) if found.get(name, "file") != "file"),
        *(
            f"{name!r} ({found[name]}) does not belong there"
            for name in sorted(found)
            if name not in expected
        ),
    ]
    return Verdict(FOLDER, not faults, note="; ".join(faults))


def changed(directory: Path, digests: Mapping[str, str]) -> list[str]:
    """Return the names whose bytes are not those of the digest; links are not followed."""
    found = entries(directory)
    return [
        name
        for name, digest in sorted(digests.items())
        if found.get(name) != "file" or sha256(directory / name) != digest
    ]
