"""The shapes of data, and what each step of the flow is for them."""

from __future__ import annotations

from importlib import import_module

from kohort.plan import Plan
from kohort.shapes.inspection import Inspection, WholeTables
from kohort.shapes.judgement_case import Findings, Terms
from kohort.shapes.shape import Found, Held, Job, Prepared, Shape


def shape_of(plan: Plan) -> Shape:
    """Return the shape of a plan's data; it is imported now, for its rules alone were needed to read the plan."""
    module, attribute = plan.rules.flow.split(":")
    shape: Shape = getattr(import_module(module), attribute)()
    return shape


__all__ = [
    "Findings",
    "Found",
    "Held",
    "Inspection",
    "Job",
    "Prepared",
    "Shape",
    "Terms",
    "WholeTables",
    "shape_of",
]
