"""A release folder, opened: its manifest, the private audit beside it, its plan and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kohort.errors import InputError
from kohort.folders.release_folder import AUDIT, DOCUMENTS, MANIFEST, private_of
from kohort.paths import usable
from kohort.plan import Plan
from kohort.release.documents import SeenAudit, SeenManifest, load_json, refuse_large, understood
from kohort.table.catalog import POINTER
from kohort.table.formats import WRITERS
from kohort.verification.judges.folder import entries


@dataclass(frozen=True, eq=False)
class Opened:
    """What stands in a release folder and beside it."""

    directory: Path
    found: Mapping[str, str]  # names in the folder, and what each is
    document: dict[
        str, Any
    ]  # the manifest as it was read; empty where an audit stands beside and it cannot be
    manifest: SeenManifest | None
    audit: SeenAudit | None

    @property
    def private(self) -> Path:
        """Where the private zone is, or would be."""
        return private_of(self.directory)

    def files(self, stems: Sequence[str]) -> dict[str, Path]:
        """Return the tables of a release by stem; names come from what is asked of it, never from the manifest."""
        suffix = self._suffix(stems[0])
        return {stem: self.directory / f"{stem}{suffix}" for stem in stems}

    def parts(self, table: Path) -> list[str]:
        """Return the names under which a table stands in the folder: its own, or those of its parts."""
        return [name for name in self.found if name.partition("/")[0] == table.name] or [table.name]

    def _suffix(self, first: str) -> str:
        listed: Mapping[str, str] = self.manifest.files if self.manifest is not None else {}
        listed = listed if self.audit is None else self.audit.files
        standing, told = ({name.partition("/")[0] for name in names} for names in (self.found, listed))
        found = [suffix for suffix in (*WRITERS, POINTER) if f"{first}{suffix}" in standing]
        for suffix in [*(s for s in found if f"{first}{s}" in told), *found]:
            return suffix
        raise InputError(
            f"{self.directory} holds no table; name a directory written by kohort",
            code="release.not-one",
            path=self.directory,
        )

    def plan(self) -> Plan:
        """Return the plan: whole from the audit, else as far as the manifest tells it."""
        if self.audit is not None:
            return _plan(self.audit.plan, Path(self.audit.base), self.private / AUDIT)
        assert self.manifest is not None
        return _plan(self.manifest.asked, self.directory, self.directory / MANIFEST)


def open_release(directory: Path) -> Opened:
    """Open a release folder; a manifest that cannot be read is an error unless an audit stands beside it."""
    usable(directory, "the release")
    path = private_of(directory) / AUDIT
    audit = understood(load_json(path), SeenAudit, path) if path.exists() else None
    found = entries(directory)
    _refuse_large(directory, found)
    if private_of(directory).is_dir():
        _refuse_large(private_of(directory), entries(private_of(directory)))
    try:
        document, manifest = _manifest(directory, found)
    except InputError:
        if audit is None:
            raise
        document, manifest = {}, None
    return Opened(directory, found, document, manifest, audit)


def _refuse_large(directory: Path, found: Mapping[str, str]) -> None:
    """Refuse documents larger than any of Kohort's before one of them is read, or its digest taken; tables may be large."""
    for name, what in found.items():
        if what == "file" and (directory / name).suffix in DOCUMENTS:
            refuse_large(directory / name)


def _manifest(directory: Path, found: Mapping[str, str]) -> tuple[dict[str, Any], SeenManifest]:
    path = directory / MANIFEST
    if found.get(MANIFEST, "file") != "file":
        raise InputError(
            f"{path} is a {found[MANIFEST]}; it must be a plain file", code="release.document", path=path
        )
    document = load_json(path)
    if not document.get("files"):
        raise InputError(
            f"{path} names no table; it is not the manifest of a release", code="release.document", path=path
        )
    return document, understood(document, SeenManifest, path)


def _plan(told: dict[str, Any], base: Path, where: Path) -> Plan:
    try:
        return Plan.from_dict(told, base)
    except InputError as problem:
        raise problem.reworded(f"{where}: {problem}", plan=where) from None
    except (TypeError, ValueError, AttributeError, KeyError, ArithmeticError, RecursionError):
        raise InputError(
            f"{where} does not tell a plan that kohort can read", code="release.document", path=where
        ) from None


def original_of(told: Any, audit: SeenAudit | None) -> Any:
    """Return the original: a path or a frame as told, or where the private audit says it was read, if it still is there."""
    if told is None and audit is not None and audit.original is not None and Path(audit.original).exists():
        return Path(audit.original)
    return told
