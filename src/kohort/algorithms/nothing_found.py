"""What is said where a search found nothing: that there is nothing, where that is proved, or only that it found none.

Merging classes never harms a promise that is monotone as `merging_helps` asks. So where all are, and the most general
recoding that the plan allows breaks one all the same, every recoding does. Of other promises nothing follows: a
finer recoding may keep them, with or without some records left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from kohort.algorithms.algorithm import Algorithm
from kohort.algorithms.taxonomy import USUAL
from kohort.algorithms.whole_table import missed_by_all
from kohort.card import ONE_TABLE, Card
from kohort.classes import Classes
from kohort.errors import InfeasibleError, Told
from kohort.models import Monotone, PrivacyModel
from kohort.recode import Problem
from kohort.third_parties import maker_of

_ALIKE = "groups that keep every promise come out alike, and together they do not keep it"


def merging_helps(model: PrivacyModel, max_suppressed: int) -> bool:
    """Whether a node within the limit stays so, as far as this promise goes, when it is generalized further."""
    if max_suppressed == 0 and Monotone.GENERALIZATION in model.monotone:
        return True
    return Monotone.SUPPRESSION in model.monotone


def none_exists(problem: Problem) -> bool:
    """Whether it is proved that no recoding keeps the promises within the plan's limits."""
    if not all(merging_helps(model, problem.max_suppressed) for model in problem.models):
        return False
    classes = problem.at(problem.highest)
    failing = problem.failing(classes)
    return bool(failing.all()) or int(classes.rows[failing].sum()) > problem.max_suppressed


def nothing_found(
    problem: Problem, card: Card, met: str, nearest: Mapping[str, Told], leaves_out: bool = True
) -> InfeasibleError:
    """Return the error of a search that ended by itself without a recoding; `met` is where it ended, in words.

    `leaves_out` says whether more suppression would help it.
    """
    allowed = f"leaving out at most {problem.max_suppressed:,} of {problem.n_rows:,} records"
    missed = missed_by_all(problem)
    found = f"{met}; {missed}" if missed else met
    if none_exists(problem):
        more = ["raise max_suppression"] if leaves_out and not _nothing_left(problem) else []
        more += [] if missed else ["let the values be generalized further"]
        return InfeasibleError(
            f"{card.name}: no recoding keeps {labels(problem)} while {allowed}: {found}; "
            f"{either(*more, 'lower what is required')}",
            nearest,
            code="infeasible.no-recoding",
            algorithm=card.name,
        )
    more = [*another(card), *(["raise max_suppression"] if leaves_out else [])]
    return InfeasibleError(
        f"{card.name} found no recoding that keeps {labels(problem)} while {allowed}: {found}; "
        f"{either(*more, 'lower what is required')}",
        nearest,
        code="infeasible.not-found",
        algorithm=card.name,
    )


def _nothing_left(problem: Problem) -> bool:
    """Whether it is proved that no recoding releases anything, however much may be left out."""
    classes = problem.at(problem.highest)
    return bool(problem.failing(classes).all()) and all(merging_helps(model, 1) for model in problem.models)


def no_grouping(problem: Problem, nearest: Mapping[str, Told]) -> InfeasibleError:
    """Return the error of a search that leaves no record out, and whose groups break a promise even merged into one."""
    told = [model.label for model in problem.models]
    if none_exists(problem):
        return InfeasibleError(
            f"{missed_by_all(problem) or f'no grouping of all records keeps {labels(problem)}'}: lower what is required",
            nearest,
            code="infeasible.whole-table",
            models=told,
        )
    return InfeasibleError(
        f"no grouping of all records was found that keeps {labels(problem)}, and "
        f"{missed_by_all(problem) or 'the whole table as one class does not'}; that proves nothing of "
        f"releases that leave records out or group them otherwise: try {USUAL}, with room in "
        "max_suppression, or lower what is required",
        nearest,
        code="infeasible.not-found",
        models=told,
    )


def another(card: Card) -> list[str]:
    """Return the algorithm to try after this one, in words; none after one that has looked at every level vector.

    Searches that cut, such as Mondrian, start from the most general of them.
    """
    return [] if card.every_node else [f"try the algorithm {USUAL}"]


def either(*ways: str) -> str:
    """Return what may be done, one thing or another."""
    return f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else ways[0]


def labels(problem: Problem) -> str:
    """Return the promises in words."""
    return " and ".join(model.label for model in problem.models) or "the promises"


def merging_keeps(problem: Problem) -> bool:
    """Whether classes that keep every promise keep it merged."""
    return all(Monotone.GENERALIZATION in model.monotone for model in problem.models)


def demand_kept_together(problem: Problem, algorithm: Algorithm, classes: Classes) -> None:
    """Raise where groups that keep every promise are told alike, and together they do not keep it.

    That takes a promise that merging may break. With people who have rows in several groups that are all about values: of 3 of 4
    people in one and 3 of 4 in another, 6 of 7 may have a value. And guards: what nobody of a group minds, somebody of another may.
    What a package's search releases is left to the verifier, which names the package.
    """
    card = algorithm.card
    told_alike = (
        card.layout == ONE_TABLE and not card.levels
    )  # of whole columns at levels, classes are what is told alike
    if merging_keeps(problem) or not told_alike or maker_of(type(algorithm).__module__):
        return
    if problem.failing(classes).any():
        raise nothing_found(problem, card, _ALIKE, {}, leaves_out=False)
