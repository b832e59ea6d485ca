"""What is said where a search found nothing: that there is nothing, where that is proved, or only that it found none.

Merging classes never harms a promise that is monotone as `merging_helps` asks. So where all are, and the most general
recoding that the plan allows breaks one all the same, every recoding does. Of other promises nothing follows: a
finer recoding may keep them, with or without some records left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.algorithms.taxonomy import DEFAULTS, USUAL
from kohort.card import Card
from kohort.errors import InfeasibleError, Told
from kohort.models import Monotone, PrivacyModel
from kohort.recode import Problem


def merging_helps(model: PrivacyModel, max_suppressed: int) -> bool:
    """Whether a node within the limit stays so, as far as this promise goes, when it is generalized further."""
    if max_suppressed == 0 and Monotone.GENERALIZATION in model.monotone:
        return True
    return Monotone.SUPPRESSION in model.monotone


def none_exists(problem: Problem) -> bool:
    """Whether it is proved that no recoding keeps the promises within the plan's limits."""
    if not all(merging_helps(model, problem.max_suppressed) for model in problem.models):
        return False
    classes = problem.base.rollup(problem.hierarchies, problem.highest)
    failing = problem.failing(classes)
    return bool(failing.all()) or int(classes.rows[failing].sum()) > problem.max_suppressed


def nothing_found(
    problem: Problem, card: Card, met: str, nearest: Mapping[str, Told], leaves_out: bool = True
) -> InfeasibleError:
    """Return the error of a search that ended by itself without a recoding; `met` is where it ended, in words.

    `leaves_out` says whether more suppression would help it.
    """
    allowed = f"leaving out at most {problem.max_suppressed:,} of {problem.n_rows:,} records"
    if none_exists(problem):
        return InfeasibleError(
            f"{card.name}: no recoding keeps {labels(problem)} while {allowed}: {met}; raise max_suppression, let the "
            "values be generalized further, or lower what is required",
            nearest,
            code="infeasible.no-recoding",
            algorithm=card.name,
        )
    return InfeasibleError(
        f"{card.name} found no recoding that keeps {labels(problem)} while {allowed}: {met}; {another(card)}, "
        f"{'raise max_suppression, ' if leaves_out else ''}or lower what is required",
        nearest,
        code="infeasible.not-found",
        algorithm=card.name,
    )


def no_grouping(problem: Problem, nearest: Mapping[str, Told]) -> InfeasibleError:
    """Return the error of a search that leaves no record out, and whose groups break a promise even merged into one."""
    told = [model.label for model in problem.models]
    if none_exists(problem):
        return InfeasibleError(
            f"even the whole table as one class does not keep {labels(problem)}: lower what is required",
            nearest,
            code="infeasible.whole-table",
            models=told,
        )
    return InfeasibleError(
        f"no grouping of all records was found that keeps {labels(problem)}, and the whole table as one class does not; "
        f"that proves nothing of releases that leave records out or group them otherwise: try {USUAL}, with room in "
        "max_suppression, or lower what is required",
        nearest,
        code="infeasible.not-found",
        models=told,
    )


def another(card: Card) -> str:
    """Return the algorithm to try after this one, in words."""
    other = DEFAULTS["CG_"] if card.name == USUAL else USUAL
    return f"another algorithm may find one: try {other}"


def labels(problem: Problem) -> str:
    """Return the promises in words."""
    return " and ".join(model.label for model in problem.models) or "the promises"
