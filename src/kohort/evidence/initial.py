"""The risk before: of the original, on its exact quasi-identifiers."""

from __future__ import annotations

from dataclasses import asdict

from kohort.classes import Classes
from kohort.evidence.plain import as_facts
from kohort.facts.figures import PersonRisk
from kohort.risk.reidentification import prosecutor, row_picker


def initial_risk(original: Classes) -> PersonRisk:
    """Return the prosecutor's risk in the original: of picking a person or, where that is more, a row of theirs."""
    worst = max(prosecutor(original), row_picker(original), key=lambda risk: (risk.highest, risk.average))
    return as_facts(asdict(worst), PersonRisk)
