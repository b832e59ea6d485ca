"""Why one row of the original is, or is not, in the release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kohort.errors import InputError
from kohort.evidence.plain import finite
from kohort.evidence.why import Standpoint
from kohort.explaining.reopened import Reopened
from kohort.facts.explanation import CoarserStep, Fate, PromiseOfClass, RowExplained
from kohort.paths import usable
from kohort.table.alike import plain_form


def explain(
    directory: str | Path,
    row: int | None = None,
    *,
    id: str | None = None,
    original: Any = None,
) -> list[RowExplained]:
    """Return why a row of the original is, or is not, in a release; of all rows of a respondent where an `id` is given.

    The first row of the table is 1. Told are the class that the row is or would be in, the promises that this keeps or breaks,
    and for a row that was left out, which column told how much more coarsely would have kept it. No value of the original is told.
    Everything is computed anew from the private folder and the original (`original`, a path or a frame, if it is elsewhere now
    or was never a file).
    """
    reopened = Reopened.of(usable(directory, "the release"), original)
    return [explain_row(reopened, number) for number in rows_asked(reopened, row, id)]


def rows_asked(reopened: Reopened, row: int | None, id: str | None) -> list[int]:
    """Return the rows that are meant, counted from 1."""
    if (row is None) == (id is None):
        raise InputError(
            "explain: name either a row, the first being 1, or the id of a respondent",
            code="explain.which-row",
        )
    if id is not None:
        return _rows_of(reopened, id)
    assert row is not None
    if not 1 <= row <= reopened.facts.rows:
        raise InputError(
            f"explain: there is no row {row}; the original has {reopened.facts.rows:,}, the first being 1",
            code="explain.which-row",
            most=reopened.facts.rows,
        )
    return [row]


def _rows_of(reopened: Reopened, id: str) -> list[int]:
    respondent = reopened.plan.input.respondent
    if respondent is None:
        raise InputError(
            "explain: the plan names no respondent ([input] respondent), so nobody is known by an id; name a row",
            code="explain.which-row",
        )
    column = reopened.held.keeper.table[respondent]
    asked = plain_form(id)
    codes = [i for i, text in enumerate(column.texts) if text is not None and plain_form(text) == asked]
    found = (np.flatnonzero(np.isin(column.codes, codes)) + 1).tolist()
    if not found:
        raise InputError(
            f"explain: nobody has that id in {respondent!r}, the respondent column; ids are compared without blanks and case",
            code="explain.which-row",
            column=respondent,
        )
    return found


def explain_row(reopened: Reopened, row: int) -> RowExplained:
    """Return why a row, counted from 1, is or is not in the release."""
    stand, problem = reopened.stand, reopened.prepared.problem
    place = int(stand.of_base[problem.class_of[row - 1]])
    fate = _fate(reopened, row)
    return RowExplained(
        row=row,
        fate=fate,
        by_levels=stand.by_levels,
        people=int(stand.classes.sizes[place]),
        rows=int(stand.classes.rows[place]),
        promises=_promises(stand, place),
        coarser=() if fate == "released" else tuple(_coarser(stand, place)),
    )


def _fate(reopened: Reopened, row: int) -> Fate:
    if not reopened.left_out[row - 1]:
        return "released"
    return "blank" if reopened.plan.recode.suppressed_rows == "blank" else "left out"


def _promises(stand: Standpoint, place: int) -> tuple[PromiseOfClass, ...]:
    alone = stand.classes.kept(np.array([place]))
    return tuple(
        PromiseOfClass(model.label, not bool(stand.broken[i, place]), finite(model.achieved(alone)))
        for i, model in enumerate(stand.problem.models)
    )


def _coarser(stand: Standpoint, place: int) -> Iterator[CoarserStep]:
    """Yield for every column the least further level at which the row's class keeps every promise, else the greatest there is."""
    problem = stand.problem
    for j, (name, hierarchy) in enumerate(zip(problem.names, problem.hierarchies, strict=True)):
        names, best = hierarchy.level_names(), None
        for steps in range(1, problem.highest[j] - stand.levels[j] + 1):
            found = stand.raised(j, steps)
            assert found is not None
            classes, into = found
            kept = not bool(problem.failing(classes)[into[place]])
            level = names[classes.levels[j]]
            best = CoarserStep(name, level, steps, int(classes.sizes[into[place]]), kept)
            if kept:
                break
        if best is not None:
            yield best
