"""What attacks came to, told in the private report of a release."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from kohort.attacks import Outcome
from kohort.folders.release_folder import AUDIT, REPORT
from kohort.folders.workshop import amend
from kohort.release.documents import load_audit
from kohort.release.saving import audit_text
from kohort.report import html


def tell_in_report(directory: Path, private: Path, outcome: Outcome) -> None:
    """Render the private report anew, with the attacks; the public one follows from the release alone."""
    audit = load_audit(private / AUDIT)
    told = tuple(replace(finding.facts(), attack=finding.label) for finding in outcome.found)
    facts = replace(
        audit.facts,
        attacks=told,
        attacks_not_applicable=outcome.not_applicable,
        attacks_not_run=outcome.lacking,
    )
    amend(private, directory, {REPORT: html(facts), AUDIT: audit_text(replace(audit, facts=facts))})
