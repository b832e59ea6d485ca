"""A decision told in the words that the released values call for, and nobody who was left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kohort.hierarchy import Hierarchy
from kohort.hierarchy.spelling import spelled_for
from kohort.recode.decision import Decision
from kohort.recode.problem import Problem
from kohort.recode.recoded import Recoded


def apply_spelled(decision: Decision, problem: Problem) -> tuple[Problem, Recoded]:
    """Return what a decision releases, and the problem in the same words: codes are the same, labels may not be."""
    recoded = decision.apply(problem)
    hierarchies = tuple(_spelled(problem, recoded, j) for j in range(len(problem.names)))
    if all(new is old for new, old in zip(hierarchies, problem.hierarchies, strict=True)):
        return problem, recoded
    reference = replace(problem.reference, hierarchies=hierarchies)
    told = replace(problem, hierarchies=hierarchies, reference=reference)
    return told, decision.apply(told)


def _spelled(problem: Problem, recoded: Recoded, j: int) -> Hierarchy:
    hierarchy = problem.hierarchies[j]
    if not hierarchy.spellings:
        return hierarchy
    if problem.nodes is not None:
        return spelled_for(hierarchy, problem.records(recoded.kept)[j] > 0)
    codes = (problem.codes if recoded.class_of is None else problem.base.codes)[recoded.kept, j]
    return spelled_for(hierarchy, np.bincount(codes, minlength=hierarchy.size) > 0)
