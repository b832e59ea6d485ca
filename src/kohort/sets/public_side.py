"""What is published beside released sets: a manifest and a report that follow from them and the public plan alone."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec

from kohort.folders.release_folder import MANIFEST, REPORT
from kohort.hierarchy.domain import SUPPRESSED
from kohort.plan import Plan
from kohort.plurals import many, people
from kohort.release.published import Shown
from kohort.report.html import render
from kohort.sets.facts import NOTHING_LEFT
from kohort.sets.pages import public_page
from kohort.sets.set_evidence import public_facts
from kohort.table import Table


def documents_of(table: Table, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Return manifest and report by file name."""
    public = public_facts(table, plan, digests)
    text = json.dumps(msgspec.to_builtins(public), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return {MANIFEST: text.encode("utf-8"), REPORT: render(public_page(public)).encode("utf-8")}


def shown_of(table: Table, plan: Plan) -> Shown:
    """Return what a written table shows in a few words, by the facts of its manifest."""
    public = public_facts(table, plan, {})
    labels = [held.label for held in public.labels]
    headline = f"sets of {people(public.people)} by {many(len(labels), 'label')}"
    return Shown(headline, public.verdicts, [NOTHING_LEFT] if labels == [SUPPRESSED] else [])
