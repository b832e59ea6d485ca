"""How a release is written: under other names, judged from its bytes, recorded, and only then does it take its names."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import pyarrow as pa
from msgspec.structs import asdict, replace

from kohort.errors import InputError, KohortError
from kohort.facts import Audit, PrivateHead
from kohort.folders.release_folder import (
    AUDIT,
    REPORT,
    SIGNATURE,
    digests_of,
    refuse_place,
    sha256,
    write_text,
)
from kohort.folders.workshop import UnfinishedReleaseError, Workshop, workshop
from kohort.interrupts import uninterrupted
from kohort.ledger import Recorded
from kohort.release.draft import Draft, demand, kept_files
from kohort.release.published import Content, Facts, Judgement, Placed
from kohort.release.signing import Signer, write_signature
from kohort.table import Table
from kohort.table.catalog import POINTER
from kohort.table.formats import WRITERS
from kohort.table.writing import write_table

IN_CATALOG = POINTER.removeprefix(".")  # the format of a table that stands in a catalog
F = TypeVar("F", bound=PrivateHead)


class Written(NamedTuple):
    """What is known of a release when it stands."""

    facts: Facts
    judgement: Judgement


def write_release(draft: Draft, directory: Path, format: str, signer: Signer | None) -> Written:
    """Write a draft to `directory` and its private audit to `directory`.private, judged from its bytes.

    A failure or a killed process leaves nothing that looks like a release. An earlier release of that name stays until the
    new one stands; a directory that holds anything else is refused. Where releases are recorded, it is compared with
    earlier ones and recorded before it stands, and taken out again where it does not come to.
    """
    if format == IN_CATALOG:
        _demand_placed(draft)
    elif f".{format}" not in WRITERS:
        formats = ", ".join(suffix.removeprefix(".") for suffix in sorted(WRITERS))
        raise InputError(
            f"the format {format!r} is unknown; it must be one of: {formats}",
            code="table.unknown-format",
            format=format,
            allowed=formats,
        )
    refuse_place(directory, kept_files(draft.source, draft.plan, directory))
    with _retracted() as retracted, workshop(directory) as shop, _withdrawn(draft):
        judgement, written = _written_tables(draft, shop.public, format)
        facts = draft.looked_at(written)
        recorded = retracted(shop, draft.published.record(directory, facts.files))
        facts = replace(facts, ledger=recorded.facts)
        _write_documents(draft, shop, judgement, facts, signer)
    return Written(facts, judgement)


@contextmanager
def _retracted() -> Iterator[Callable[[Workshop, Recorded], Recorded]]:
    """Take a release out of the ledger again that does not come to stand, or say that this could not be done.

    That is when its files are gone: on a full disk there is room for it then.
    """
    begun: list[tuple[Workshop, Recorded]] = []

    def keep(shop: Workshop, recorded: Recorded) -> Recorded:
        begun.append((shop, recorded))
        return recorded

    try:
        yield keep
    except UnfinishedReleaseError:
        raise  # it may come to stand yet
    except BaseException as problem:
        with uninterrupted():
            left = [recorded.retract() for shop, recorded in begun if not shop.stands]
        if any(left) and isinstance(problem, KohortError):
            raise problem.reworded("; ".join([str(problem), *left])) from None
        raise
    finally:
        for _, recorded in begun:
            recorded.settle()


def _placed(draft: Draft) -> list[Placed]:
    return [table for table in draft.tables.values() if isinstance(table, Placed)]


def _demand_placed(draft: Draft) -> None:
    """Refuse a catalog for tables that nobody here writes to one."""
    if len(_placed(draft)) < len(draft.tables):
        raise InputError(
            "[output] table: only the spark engine writes tables of a catalog; leave it out, or use that",
            code="plan.wrong-value",
            section="output",
            option="table",
        )


@contextmanager
def _withdrawn(draft: Draft) -> Iterator[None]:
    """Remove tables that were written elsewhere than in the folder, where the release does not come to stand."""
    try:
        yield
    except UnfinishedReleaseError:
        raise  # it may come to stand yet
    except BaseException:
        with uninterrupted():
            for table in _placed(draft):
                table.withdraw()
        raise


def _written_tables(draft: Draft, stage: Path, format: str) -> tuple[Judgement, Facts]:
    """Write the tables and judge them from their bytes; return the judgement, and the facts with verdicts and digests."""
    started = time.perf_counter()
    files = {stem: stage / f"{stem}.{format}" for stem in draft.tables}
    for stem, table in draft.tables.items():
        _write_content(table, files[stem])
    written = time.perf_counter()
    with ThreadPoolExecutor(1) as aside:  # digests are taken while the bytes are judged
        digests = aside.submit(_digests, files.values())
        judgement = draft.judge(files)
        demand(judgement.verdicts, draft.plan)
    seconds = {"write": round(written - started, 4), "verify": round(time.perf_counter() - written, 4)}
    facts = replace(
        judgement.told(draft.facts),
        verdicts=tuple(verdict.facts() for verdict in judgement.verdicts),
        seconds=_totalled(draft.facts.seconds | seconds),
        files=digests.result(),
    )
    return judgement, facts


def _digests(tables: Iterable[Path]) -> dict[str, str]:
    return {name: digest for table in tables for name, digest in digests_of(table).items()}


def _totalled(seconds: dict[str, float]) -> dict[str, float]:
    return seconds | {"total": round(sum(value for key, value in seconds.items() if key != "total"), 4)}


def _write_documents(
    draft: Draft, shop: Workshop, judgement: Judgement, facts: Facts, signer: Signer | None
) -> None:
    """Write what stands beside the tables, public and private, and let the release take its names."""
    stage, inner = shop.public, shop.private
    documents = judgement.documents(facts.files)
    for name, content in documents.items():
        write_text(stage / name, content.decode())
    write_text(inner / REPORT, draft.published.page(facts))
    for stem, table in draft.published.private_tables.items():
        _write_content(table, inner / f"{stem}.parquet")
    audit = Audit(
        **asdict(draft.private()),
        facts=facts,
        files=_public_digests(stage, facts.files, documents, signer),
        private_files=_digests(inner.glob("*.parquet")),
    )
    write_text(inner / AUDIT, audit_text(audit))
    for table in _placed(draft):
        table.stand()
    shop.publish(audit.files)
    for table in _placed(draft):
        table.settle()


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


def audit_text(audit: Audit[F]) -> str:
    """Return a private audit as it is written."""
    return json.dumps(msgspec.to_builtins(audit), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
