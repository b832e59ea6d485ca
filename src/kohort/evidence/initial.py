"""The risk before: of the original, on its exact quasi-identifiers."""

from __future__ import annotations

from dataclasses import asdict

from kohort.classes import Classes
from kohort.evidence.plain import as_facts
from kohort.facts.figures import PersonRisk
from kohort.risk.reidentification import prosecutor


def initial_risk(original: Classes) -> PersonRisk:
    """Return the prosecutor's risk in the original."""
    return as_facts(asdict(prosecutor(original)), PersonRisk)
