"""`Release`: what came out, with its evidence, and how it is written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from kohort.errors import InputError, VerificationError
from kohort.folders.release_folder import AUDIT, REPORT, SIGNATURE, refuse_place, sha256, write_text
from kohort.folders.workshop import UnfinishedError, workshop
from kohort.interrupts import uninterrupted
from kohort.ledger import Recorded
from kohort.plan import Plan
from kohort.release.public_side import public_files
from kohort.release.signing import Signer, write_signature
from kohort.report import html
from kohort.table import Table
from kohort.table.formats import WRITERS
from kohort.table.writing import write_table
from kohort.verification.judges import Judged, Verdict

MARKS = {True: "✓", False: "✗", None: "?"}

Content: TypeAlias = Table | pa.Table | Callable[[Path], None]  # a table, or what writes it to a file


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """A table (or two) that can be shared, the facts about it and the judge who checks what is written.

    What is public is the tables, and what follows from them and the plan. Everything else here compares them
    with the original and is for its holder.

    `tables` holds the released tables by file stem: `table`, and for Anatomy a second one; where an engine
    keeps the rows, what writes them. `judge` reads written files and returns the verdicts, and what the
    files say; it knows the original and shares nothing with the search.
    """

    plan: Plan
    tables: Mapping[str, Content]
    facts: dict[str, Any]  # private, as is all that follows
    private: dict[str, Any]
    verdicts: tuple[Verdict, ...]
    judge: Callable[[Mapping[str, Any]], Judged]
    convert: Callable[[pa.Table], Any] = field(default=lambda table: table)
    private_tables: Mapping[str, Content] = field(default_factory=dict)
    ledger: Callable[[Path], Recorded] = field(default=lambda directory: Recorded({}))  # noqa: ARG005
    kept: Callable[[Path], list[Path]] = field(default=lambda directory: [])  # noqa: ARG005 - not written over

    def __repr__(self) -> str:
        """Return what came out, in one line: notebooks are shared, so it tells what the released table shows."""
        promises = ", ".join(f"{verdict.promise} {MARKS[verdict.holds]}" for verdict in self.verdicts)
        return (
            f"Release({self.facts['released']:,} rows in {self.facts['classes']:,} classes; {promises}; "
            "see .table, .levels, .losses, .verdicts, .save(directory))"
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

    def save(
        self, directory: str | Path, format: str | None = None, *, sign: str | Path | None = None
    ) -> Path:
        """Write the release to `directory` and its private audit to `directory`.private.

        Everything is written under other names first, the tables are verified from their bytes, and only
        then do the directories take their names: a failure or a killed process leaves nothing that looks
        like a release. An earlier release of that name stays until the new one stands; a directory that holds
        anything else is refused. Where releases are recorded, it is compared with earlier ones and recorded
        before it stands. The format is the plan's unless another is named. `sign` is the private key of whoever
        releases it (`kohort keygen`).
        """
        directory = Path(directory)
        format = format or self.plan.output.format
        signer = None if sign is None else Signer.load(Path(sign))
        if f".{format}" not in WRITERS:
            formats = ", ".join(suffix.removeprefix(".") for suffix in sorted(WRITERS))
            raise InputError(f"the format {format!r} is unknown; it must be one of: {formats}")
        refuse_place(directory, self.kept(directory))
        started = time.perf_counter()
        with workshop(directory) as shop:
            stage, inner = shop.public, shop.private
            files = {stem: stage / f"{stem}.{format}" for stem in self.tables}
            for stem, table in self.tables.items():
                _write_content(table, files[stem])
            written = time.perf_counter()
            with ThreadPoolExecutor(1) as aside:  # digests are taken while the bytes are judged
                digests = aside.submit(lambda: {path.name: sha256(path) for path in files.values()})
                judged = self.judge(files)
                demand(judged.verdicts)
                told = judged.tell()
            facts = self.facts | {"verdicts": [verdict.facts() for verdict in judged.verdicts]}
            seconds = dict(facts.get("seconds", {}))
            seconds |= {
                "write": round(written - started, 4),
                "verify": round(time.perf_counter() - written, 4),
            }
            seconds["total"] = round(sum(value for key, value in seconds.items() if key != "total"), 4)
            facts["seconds"] = seconds
            facts["files"] = digests.result()
            recorded = self.ledger(directory)
            facts["ledger"] = recorded.facts
            try:
                documents = public_files(told, self.plan, facts["files"])
                for name, content in documents.items():
                    write_text(stage / name, content.decode())
                write_text(inner / REPORT, html(facts))
                for stem, table in self.private_tables.items():
                    _write_content(table, inner / f"{stem}.parquet")
                noted = {
                    "files": _public_digests(stage, facts["files"], documents, signer),
                    "private_files": {path.name: sha256(path) for path in inner.glob("*.parquet")},
                }
                _write_json(inner / AUDIT, self.private | {"facts": facts} | noted)
                shop.publish(noted["files"])
            except UnfinishedError:
                raise  # it may come to stand yet
            except BaseException:
                with uninterrupted():
                    recorded.retract()
                raise
        self.facts.update(facts)
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


def _public_digests(
    stage: Path, tables: Mapping[str, str], documents: Iterable[str], signer: Signer | None
) -> dict[str, str]:
    """Return the digest of every public file, the signature included, which is written here where asked for."""
    digests = dict(tables) | {name: sha256(stage / name) for name in documents}
    if signer is not None:
        write_signature(stage, signer, digests)
        digests[SIGNATURE] = sha256(stage / SIGNATURE)
    return digests


def _write_content(content: Content, path: Path) -> None:
    if isinstance(content, Table | pa.Table):
        write_table(content, path)
    else:
        content(path)


def _write_json(path: Path, facts: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(facts, indent=2, ensure_ascii=False, default=str) + "\n")
