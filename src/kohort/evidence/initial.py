"""The risk before: of the original, on its exact quasi-identifiers."""

from __future__ import annotations

from dataclasses import asdict

from kohort.evidence.plain import as_facts
from kohort.facts.figures import PersonRisk
from kohort.recode import Problem
from kohort.risk.reidentification import either_picker, picker_of_sizes


def initial_risk(problem: Problem) -> PersonRisk:
    """Return the prosecutor's risk in the original: of picking a person or, of whom that is likelier, a row of theirs."""
    counted = problem.nodes
    risk = either_picker(problem.base) if counted is None else picker_of_sizes(*counted.sizes())
    return as_facts(asdict(risk), PersonRisk)
