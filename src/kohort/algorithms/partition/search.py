"""Mondrian's search, from a problem to the boxes that are released."""

from __future__ import annotations

from typing import Literal

import numpy as np

from kohort.algorithms.algorithm import Progress
from kohort.algorithms.partition.counted_search import search_counted
from kohort.algorithms.partition.layout import dimensions
from kohort.algorithms.partition.promises import Judge, cut_by_promises
from kohort.algorithms.partition.regions import (
    Regions,
    cut_by_size,
    deal_by_size,
    first_regions,
    rows_dealt,
)
from kohort.algorithms.taxonomy import USUAL
from kohort.algorithms.watch import Watch
from kohort.card import Card
from kohort.errors import InputError, VerificationError
from kohort.recode.boxes import Boxes, BoxStyles
from kohort.recode.decision import Solution
from kohort.recode.on_grid import demand_declared_ends, on_grid
from kohort.recode.problem import Problem

Release = Literal["span", "ancestor"]


def search(
    asked: Problem,
    progress: Progress,
    card: Card,
    *,
    relaxed: bool,
    by_tree: bool,
    release: Release,
    tight: bool,
) -> Solution:
    """Partition the records into boxes that keep every promise, and score the release of them.

    Where k-anonymity over records is all that is asked, the kernels cut by counts alone, on distinct tuples;
    otherwise every part is judged by the models.
    """
    watch = Watch.of(asked, progress)
    _check(asked)
    if tight:
        demand_declared_ends(asked)
    counter = None if asked.nodes is None else asked.nodes.regions
    if counter is not None:
        return search_counted(asked, counter, watch, by_tree, BoxStyles(release, tight))
    problem, class_of = on_grid(asked)
    dims = dimensions(problem, by_tree)
    k, by_size = problem.crowd, problem.by_size
    by_rows = relaxed and not by_size
    first, kept = first_regions(problem, by_rows, card)
    watch.update("partitioning")
    if not by_size:
        regions = cut_by_promises(problem, dims, first, k, relaxed, watch)
        if not _all_keep(problem, regions, by_rows):
            regions = first  # a promise about the table, which its coarsest regions keep together and not each by itself
    else:
        regions = deal_by_size(dims, first, k) if relaxed else cut_by_size(dims, first, k)
    if not _all_keep(problem, regions, by_rows):
        raise VerificationError(
            "Mondrian made a group that breaks a promise; nothing was released", code="verify.failed"
        )
    if relaxed and by_size:
        group_of, kept = rows_dealt(problem, regions), kept[problem.class_of]
    else:
        group_of = regions.region_of(problem.n_rows if relaxed else len(problem.base))
    if not relaxed:
        group_of, kept = group_of[class_of], kept[class_of]
    decision = Boxes(group_of, kept, regions.low, regions.high, not relaxed, release, tight)
    score = asked.objective.score(decision.apply(asked).outcome(asked))
    return Solution(decision, score, facts={"groups": len(regions.ends), **watch.facts()})


def _all_keep(problem: Problem, regions: Regions, by_rows: bool) -> bool:
    """Tell whether all regions together keep every promise."""
    members = regions.members[regions.ids]
    part_of = np.repeat(np.arange(len(regions.ends)), np.diff(np.append(0, regions.ends)))
    return Judge(problem, by_rows).all_keep(members, part_of, regions.weights, len(regions.ends))


def _check(problem: Problem) -> None:
    wrong = [model.card.name for model in problem.models if model.card.levels]
    if wrong:
        raise InputError(
            f"[recode] algorithm: Mondrian cannot keep {', '.join(wrong)}, which is defined on labels of the "
            f"hierarchies; use a full-domain algorithm such as {USUAL}",
            code="algorithm.cannot-keep",
            models=wrong,
        )
