"""Suppressed rows that stay in the release, blank: whether the promises hold with them."""

from __future__ import annotations

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, classes_of_rows
from kohort.errors import InfeasibleError
from kohort.models import PrivacyModel
from kohort.plurals import many
from kohort.recode import Problem, Recoded
from kohort.recode.blanked import classes_with_blank_rows


def demand_blank_class(problem: Problem, recoded: Recoded) -> None:
    """Refuse blank rows with which a promise is broken.

    They are a class of the release, or among rows that say as little, and whoever has rows in other classes too is found in
    this one: so a promise is judged on all that is released, not on the blank rows alone.
    """
    suppressed = np.flatnonzero(~recoded.kept)
    if not len(suppressed):
        return
    broken = _broken(problem, recoded, suppressed)
    if broken:
        rows = int(problem.n_rows - recoded.outcome(problem).classes.n_rows)
        raise InfeasibleError(
            f'[recode] suppressed_rows is "blank", but with the {many(rows, "suppressed row")} of the recoding that was found '
            f"as a class of the release {' and '.join(model.label for model in broken)} would be broken; searches choose by "
            "what is told, and have not looked for another recoding that may keep it: choose another algorithm, change "
            'max_suppression (with 0 none is suppressed), or set suppressed_rows = "drop"',
            code="infeasible.blank-rows",
            section="recode",
            option="suppressed_rows",
            rows=rows,
            models=[model.label for model in broken],
        )


def _broken(problem: Problem, recoded: Recoded, suppressed: IntArray) -> list[PrivacyModel]:
    """Return the promises that the release breaks with its blank rows.

    Models that look classes up by their levels see the blank ones alone: no level vector has them beside the others.
    """
    shown, blank = classes_with_blank_rows(recoded, problem), _one_class(problem, recoded, suppressed)
    return [model for model in problem.models if not model.holds(blank if model.card.levels else shown)]


def _one_class(problem: Problem, recoded: Recoded, suppressed: IntArray) -> Classes:
    """Return what is suppressed, base classes or rows, as one class: at the top, where `*` fits everybody of a population."""
    if recoded.class_of is not None:
        merged, top = np.zeros(len(suppressed), np.int64), tuple(h.height for h in problem.hierarchies)
        return problem.base.kept(suppressed).merged(np.zeros((1, len(top)), np.int32), merged, top)
    sizes = {name: histogram.size for name, histogram in problem.base.sensitive.items()}
    return classes_of_rows(
        np.zeros((len(suppressed), 1), np.int32),
        {name: (codes[suppressed], sizes[name]) for name, codes in problem.sensitive.items()},
        None if problem.respondents is None else problem.respondents[suppressed],
    )[0]
