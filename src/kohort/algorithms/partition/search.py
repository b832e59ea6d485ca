"""Mondrian's search, from a problem to the boxes that are released."""

from __future__ import annotations

from typing import Literal

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.partition.dimensions import dimensions
from kohort.algorithms.partition.promises import Judge, cut_by_promises
from kohort.algorithms.partition.regions import cut_by_size, first_regions
from kohort.errors import InputError, VerificationError
from kohort.models import KAnonymity
from kohort.recode.boxes import Boxes
from kohort.recode.decision import Solution
from kohort.recode.problem import Problem

Release = Literal["span", "ancestor"]
_FULL_DOMAIN_ONLY = frozenset({"k-map"})  # models that ask for the label of a class, not for its records


def search(
    problem: Problem, progress: Progress, *, relaxed: bool, by_tree: bool, release: Release, tight: bool
) -> Solution:
    """Partition the records into boxes that keep every promise, and score the release of them.

    Where k-anonymity over records is all that is asked, the kernel cuts by counts alone; otherwise every
    part is judged by the models.
    """
    _check(problem)
    regions, kept = first_regions(problem, by_rows=relaxed)
    dims = dimensions(problem, by_tree)
    k = max([model.k for model in problem.models if isinstance(model, KAnonymity)], default=1)
    by_size = problem.respondents is None and all(isinstance(m, KAnonymity) for m in problem.models)
    progress.update("partitioning")
    if by_size and problem.models:
        regions = cut_by_size(dims, regions, k, relaxed)
    else:
        regions = cut_by_promises(problem, dims, regions, k, relaxed, progress)
    members = regions.members[regions.ids]
    part_of = np.repeat(np.arange(len(regions.ends)), np.diff(np.append(0, regions.ends)))
    if Judge(problem, relaxed).failing(members, part_of, regions.weights, len(regions.ends)).any():
        raise VerificationError("Mondrian made a group that breaks a promise; nothing was released")
    group_of = regions.region_of(problem.n_rows if relaxed else len(problem.base))
    decision = Boxes(group_of, kept, regions.low, regions.high, not relaxed, release, tight)
    score = problem.objective.score(decision.apply(problem).outcome(problem))
    return Solution(decision, score, facts={"groups": len(regions.ends)})


def _check(problem: Problem) -> None:
    wrong = [model.card.name for model in problem.models if model.card.name in _FULL_DOMAIN_ONLY]
    if wrong:
        raise InputError(
            f"[recode] algorithm: Mondrian cannot keep {', '.join(wrong)}, which is defined on labels of the "
            "hierarchies; use a full-domain algorithm such as optimal"
        )
