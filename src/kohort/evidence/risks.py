"""The risks of classes and what they tell of sensitive values, as facts."""

from __future__ import annotations

from kohort.classes import Classes
from kohort.evidence.plain import as_facts
from kohort.facts.figures import Diversity, Risk
from kohort.models import Reference
from kohort.risk.audit import judged


def risks_told(classes: Classes, reference: Reference) -> tuple[Risk, dict[str, Diversity]]:
    """Return the risk of being picked out, and per sensitive column what the worst class tells of it."""
    found = judged(classes, reference)
    told = {name: figures for name, figures in found["sensitive"].items() if figures}
    return as_facts(found["risk"], Risk), as_facts(told, dict[str, Diversity])
