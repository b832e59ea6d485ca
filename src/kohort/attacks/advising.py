"""Advice held against the plan: what would change nothing, or what the plan would refuse, is not advised."""

from __future__ import annotations

from dataclasses import replace

from kohort.attacks.finding import Finding
from kohort.errors import InputError
from kohort.facts.promises import Advice
from kohort.plan import Plan
from kohort.preparation import check_algorithm


def followed(plan: Plan, advice: Advice) -> Plan:
    """Return the plan with an advice followed: a promise more, other values."""
    told = plan.with_settings(advice.settings).to_dict()
    if advice.require:
        told["require"].append(dict(advice.require))
    return Plan.from_dict(told, base=plan.base)


def fits(plan: Plan, advice: Advice) -> bool:
    """Say whether an advice can be followed, and asks for something that the plan does not."""
    try:
        other = followed(plan, advice)
        check_algorithm(other)
    except InputError:
        return False
    return other.to_dict() != plan.to_dict()


def with_fitting_advice(finding: Finding, plan: Plan, lessened: str = "") -> Finding:
    """Return the finding without an advice that does not fit the plan, and what makes the attack weaker instead."""
    if finding.advice is not None and fits(plan, finding.advice):
        return finding
    return replace(finding, advice=None, lessened=lessened)


def gravest_first(found: list[Finding]) -> list[Finding]:
    """Return the findings by gravity: what is learnt beyond chance, then what is known for certain; the greatest gain first."""
    return sorted(found, key=_gravity, reverse=True)


def _gravity(finding: Finding) -> tuple[bool, bool, float]:
    return finding.calls_for_action, finding.gained, finding.success - finding.baseline
