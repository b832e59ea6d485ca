"""The risk before: of the original, on its exact quasi-identifiers."""

from __future__ import annotations

from dataclasses import asdict

from kohort.classes import Classes
from kohort.evidence.plain import as_facts
from kohort.facts.figures import PersonRisk
from kohort.risk.reidentification import either_picker


def initial_risk(original: Classes) -> PersonRisk:
    """Return the prosecutor's risk in the original: of picking a person or, of whom that is likelier, a row of theirs."""
    return as_facts(asdict(either_picker(original)), PersonRisk)
