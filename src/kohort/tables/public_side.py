"""What is published beside the tables of a release: a manifest and a report that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kohort.evidence import manifest_bytes, public_facts
from kohort.folders.release_folder import MANIFEST, REPORT, sha256
from kohort.plan import Plan
from kohort.plurals import many
from kohort.preparation.kind import Kind
from kohort.preparation.sources import reread
from kohort.release.published import Shown
from kohort.report import public_html
from kohort.table import Table
from kohort.tables.cautions import shown_cautions
from kohort.verification.judges import Contents


def public_files(told: Contents, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Return manifest and report by file name, from what the written tables say and their SHA-256 digests."""
    public = public_facts(told, plan, digests)
    return {MANIFEST: manifest_bytes(public), REPORT: public_html(public).encode("utf-8")}


def shown_of(told: Contents, plan: Plan) -> Shown:
    """Return what the written tables show in a few words, by the facts of their manifest."""
    public = public_facts(told, plan, {})
    headline = f"{many(public.rows, 'row')} in {many(public.classes, 'class', 'classes')}"
    return Shown(headline, public.verdicts, shown_cautions(public))


def documents_of(tables: Mapping[str, Table], plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Return manifest and report as they follow from released tables."""
    told = Kind.of(plan).layout.contents(tables, plan.quasi, plan.sensitive)
    return public_files(told, plan, digests)


def recomputed_files(tables: Mapping[str, Path], plan: Plan) -> dict[str, bytes]:
    """Return manifest and report as they must stand beside these tables, read anew; `tables` maps stem to file.

    The plan that stands in the manifest is enough. The tables must be those of a release: a second one that
    does not tell groups, values and counts is to be judged before.
    """
    digests = {path.name: sha256(path) for path in tables.values()}
    return documents_of({stem: reread(path) for stem, path in tables.items()}, plan, digests)
