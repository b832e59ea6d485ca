"""`Release`: what came out, with its evidence, and how it is written."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from kohort.errors import InputError, VerificationError
from kohort.evidence import public_facts
from kohort.ledger import Pending
from kohort.report import html
from kohort.table import Table
from kohort.table.formats import WRITERS
from kohort.table.writing import write_table
from kohort.verification import Verdict

MANIFEST = "manifest.json"
AUDIT = "audit.json"
REPORT = "report.html"
MARKS = {True: "✓", False: "✗", None: "?"}

Content: TypeAlias = Table | pa.Table | Callable[[Path], None]  # a table, or what writes it to a file


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """A table (or two) that can be shared, the facts about it and the judge who checks what is written.

    `tables` holds the released tables by file stem: `table`, and for Anatomy a second one; where an engine
    keeps the rows, what writes them. `judge` reads written files and returns the verdicts; it knows the
    original and shares nothing with the search.
    """

    tables: Mapping[str, Content]
    facts: dict[str, Any]  # public
    private: dict[str, Any]  # for the holder of the original only
    verdicts: tuple[Verdict, ...]
    judge: Callable[[Mapping[str, Any]], list[Verdict]]
    convert: Callable[[pa.Table], Any] = field(default=lambda table: table)
    private_tables: Mapping[str, Content] = field(default_factory=dict)
    ledger: Callable[[Path], Pending | None] = field(default=lambda directory: None)  # noqa: ARG005

    def __repr__(self) -> str:
        """Return what came out, in one line: notebooks show it, so nothing private is in it."""
        promises = ", ".join(f"{verdict.promise} {MARKS[verdict.holds]}" for verdict in self.verdicts)
        facts = self.facts
        return (
            f"Release({facts['released']:,} of {facts['rows']:,} rows in {facts['classes']:,} classes; {promises}; "
            f"{facts['objective']} {facts['score']:.6g}; see .table, .levels, .losses, .verdicts, .save(directory))"
        )

    @property
    def table(self) -> Any:
        """The released table, in the type that was handed in."""
        table = self.tables["table"]
        if not isinstance(table, Table):
            raise InputError("the rows of this release are not in memory; save it, and read what was written")
        return self.convert(table.to_arrow())

    @property
    def levels(self) -> dict[str, int] | None:
        """The level of every quasi-identifier, where whole attributes were generalized."""
        return self.facts.get("levels")

    @property
    def suppressed(self) -> int:
        """The number of rows that were left out."""
        return int(self.facts["suppressed"])

    @property
    def losses(self) -> dict[str, float]:
        """What was lost, by every metric."""
        return dict(self.facts["losses"])

    def save(self, directory: str | Path, format: str = "csv") -> Path:
        """Write the release to `directory` and its private audit to `directory`.private.

        Everything is written under other names first, the tables are verified from their bytes, and only
        then do the directories take their names: a failure or a killed process leaves nothing that looks
        like a release. An earlier release of that name is replaced; any other directory is refused. Where
        releases are recorded, it is compared with earlier ones before and recorded afterwards.
        """
        directory = Path(directory)
        if f".{format}" not in WRITERS:
            formats = ", ".join(suffix.removeprefix(".") for suffix in sorted(WRITERS))
            raise InputError(f"the format {format!r} is unknown; it must be one of: {formats}")
        private = directory.with_name(directory.name + ".private")
        for place in (directory, private):
            refuse_foreign(place)
        started = time.perf_counter()
        with _staging(private) as inner, _staging(directory) as stage:
            files = {stem: stage / f"{stem}.{format}" for stem in self.tables}
            for stem, table in self.tables.items():
                _write_content(table, files[stem])
            written = time.perf_counter()
            with ThreadPoolExecutor(1) as aside:  # digests are taken while the bytes are judged
                digests = aside.submit(lambda: {path.name: sha256(path) for path in files.values()})
                verdicts = self.judge(files)
            demand(verdicts)
            facts = self.facts | {"verdicts": [verdict.facts() for verdict in verdicts]}
            seconds = dict(facts.get("seconds", {}))
            seconds |= {
                "write": round(written - started, 4),
                "verify": round(time.perf_counter() - written, 4),
            }
            seconds["total"] = round(sum(value for key, value in seconds.items() if key != "total"), 4)
            facts["seconds"] = seconds
            facts["files"] = digests.result()
            pending = self.ledger(directory)
            public = public_facts(facts)
            if pending is not None:
                facts["ledger"], public["ledger"] = pending.private, pending.facts
            _write_json(stage / MANIFEST, public)
            _write(stage / REPORT, html(public))
            _write_json(inner / AUDIT, self.private | {"facts": facts})
            _write(inner / REPORT, html(facts))
            for stem, table in self.private_tables.items():
                _write_content(table, inner / f"{stem}.parquet")
            _take_name(inner, private)
            _open_to_others(stage)
            _take_name(stage, directory)
        self.facts.update(facts)
        if pending is not None:
            pending.record()
        return directory


def demand(verdicts: list[Verdict]) -> None:
    """Raise where a verdict is not that the promise holds."""
    broken = [verdict for verdict in verdicts if verdict.holds is not True]
    if broken:
        told = "; ".join(f"{v.promise}: {v.note or f'achieved {v.achieved}'}" for v in broken)
        raise VerificationError(
            f"the release did not pass verification, and nothing was released ({told}); this is a bug of Kohort "
            "or a file that changed underneath it: please report it with the plan"
        )


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
def _staging(final: Path) -> Iterator[Path]:
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


def _take_name(stage: Path, final: Path) -> None:
    """Rename the staged directory to its final name, moving an earlier release out of the way first."""
    if final.exists():
        old = final.with_name(f".{final.name}.old-{secrets.token_hex(4)}")
        final.rename(old)
        stage.rename(final)
        shutil.rmtree(old)
    else:
        stage.rename(final)


def _open_to_others(stage: Path) -> None:
    """Give the public files the permissions that the user's umask allows."""
    umask = os.umask(0)
    os.umask(umask)
    for path in stage.iterdir():
        path.chmod(0o666 & ~umask)
    stage.chmod(0o777 & ~umask)


def _write_content(content: Content, path: Path) -> None:
    if isinstance(content, Table | pa.Table):
        write_table(content, path)
    else:
        content(path)


def _write_json(path: Path, facts: Mapping[str, Any]) -> None:
    _write(path, json.dumps(facts, indent=2, ensure_ascii=False, default=str) + "\n")


def _write(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8", opener=_secret) as file:
        file.write(text)


def _secret(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def sha256(path: Path) -> str:
    """Return the digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
