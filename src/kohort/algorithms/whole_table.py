"""What not even everybody in one class keeps: of that no level, and no search that starts from one class, can make more."""

from __future__ import annotations

from kohort.models import PrivacyModel
from kohort.recode import Problem


def missed_by_all(problem: Problem) -> str:
    """Return which promises the whole table breaks as one class, and what it reaches; nothing where it keeps all."""
    everybody = problem.at(tuple(h.height for h in problem.hierarchies))
    missed = [
        f"{model.label} (it {_reaches(problem, model)} {model.achieved(everybody):.4g}{_several(problem, model)})"
        for model in problem.models
        if model.failing(everybody).any()
    ]
    return f"even the whole table as one class does not keep {' and '.join(missed)}" if missed else ""


def _reaches(problem: Problem, model: PrivacyModel) -> str:
    """Return what the figure is: of values that people hold several of, so many are made sure of; other classes may show more."""
    return (
        "reaches"
        if problem.reference.people is None or not model.demand.gains
        else "can be shown to reach no more than"
    )


def _several(problem: Problem, model: PrivacyModel) -> str:
    """Return why many values may count as few."""
    if problem.reference.people is None or not model.reads:
        return ""
    return (
        ": people have several rows, and whoever holds several values may count for the most frequent of them"
    )
