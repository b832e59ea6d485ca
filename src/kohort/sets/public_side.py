"""What is published beside released sets: a manifest and a report that follow from them and the public plan alone."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec

from kohort.folders.release_folder import MANIFEST, REPORT
from kohort.plan import Plan
from kohort.report.html import render
from kohort.sets.pages import public_page
from kohort.sets.set_evidence import public_facts
from kohort.table import Table


def documents_of(table: Table, plan: Plan, digests: Mapping[str, str]) -> dict[str, bytes]:
    """Return manifest and report by file name."""
    public = public_facts(table, plan, digests)
    text = json.dumps(msgspec.to_builtins(public), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return {MANIFEST: text.encode("utf-8"), REPORT: render(public_page(public)).encode("utf-8")}
