"""Who was left out: how many rows of each group of the original are not released, for the holder alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.evidence.people_told import people_of_quasi, people_of_value
from kohort.facts.left_out import Group, Groups, LeftOut
from kohort.hierarchy import Hierarchy, Label
from kohort.models import Attribute
from kohort.recode import Problem, Recoded

SHOWN = 12  # groups of a column that a reader can take in


@dataclass(frozen=True, eq=False)
class Counts:
    """Rows before and after, per value of a column; `people` says how many people there are under each label of a level."""

    name: str
    labels: Sequence[Label]
    before: IntArray
    after: IntArray
    hierarchy: Hierarchy | None
    ground: IntArray | None  # value code -> ground code of the hierarchy; None: they are the same
    people: Callable[[int], IntArray]


def left_out(problem: Problem, recoded: Recoded, k: int) -> LeftOut | None:
    """Return who was left out, by the groups of every quasi-identifier and sensitive column; None where nobody was.

    Groups of fewer than k people (rows, where nobody is named) are counted together, however many rows these have: the holder
    finds their names in the original.
    """
    if bool(recoded.kept.all()):
        return None
    counted = [*_quasi(problem, recoded), *_sensitive(problem, recoded)]
    people, gone = _people(problem, recoded)
    return LeftOut(tuple(_groups(counts, k) for counts in counted), people, gone)


def _quasi(problem: Problem, recoded: Recoded) -> Iterator[Counts]:
    """Yield the rows per ground value of each quasi-identifier."""
    kept = problem.records(recoded.kept) if recoded.class_of is not None else _by_row(problem, recoded)
    for j, (name, hierarchy, before, after) in enumerate(
        zip(problem.names, problem.hierarchies, problem.totals, kept, strict=True)
    ):
        people = partial(people_of_quasi, problem, j)
        yield Counts(name, hierarchy.levels[0].labels, before, after, hierarchy, None, people)


def _by_row(problem: Problem, recoded: Recoded) -> tuple[IntArray, ...]:
    rows = kept_rows(problem, recoded)
    return tuple(
        np.bincount(problem.base.codes[:, j], rows, minlength=hierarchy.size).astype(np.int64)
        for j, hierarchy in enumerate(problem.hierarchies)
    )


def kept_rows(problem: Problem, recoded: Recoded) -> IntArray:
    """Return how many rows of each base class are released."""
    if recoded.class_of is not None:
        return np.where(recoded.kept, problem.base.rows, 0)
    return np.bincount(problem.class_of[recoded.kept], minlength=len(problem.base)).astype(np.int64)


def _sensitive(problem: Problem, recoded: Recoded) -> Iterator[Counts]:
    """Yield the rows per value of each sensitive column that the problem knows."""
    for name, histogram in problem.base.sensitive.items():
        told = problem.reference.attributes.get(name)
        if told is None:
            continue
        if recoded.class_of is None:
            after = np.bincount(problem.sensitive[name][recoded.kept], minlength=histogram.size)
        else:
            after = histogram.kept(np.flatnonzero(recoded.kept)).totals()
        people, before = partial(_holders, told), histogram.totals()
        yield Counts(name, told.labels, before, after.astype(np.int64), told.hierarchy, told.ground, people)


def _holders(told: Attribute, height: int) -> IntArray:
    """Return the people who hold a value under each label of a level; per value where there is no hierarchy."""
    if told.hierarchy is None:
        return told.holding
    level = told.hierarchy.levels[height]
    onto = level.of_ground if told.ground is None else level.of_ground[told.ground]
    return people_of_value(told, onto, len(level.labels))


def _people(problem: Problem, recoded: Recoded) -> tuple[int | None, int | None]:
    """Return how many people there are, and of how many no row is released; None where people are not named."""
    held = problem.base.respondents
    if problem.respondents is not None and recoded.class_of is None:
        everybody, kept = problem.respondents, problem.respondents[recoded.kept]
    elif held is not None:
        everybody, kept = held.values, held.values[recoded.kept[held.owners]]
    else:
        return None, None
    people = len(np.unique(everybody))
    return people, people - len(np.unique(kept))


def _groups(counts: Counts, k: int) -> Groups:
    level, labels, before, after, people = _told(counts)
    occurs = before > 0
    lost = before - after
    small = occurs & (people < k)
    order = sorted(
        np.flatnonzero(occurs & ~small).tolist(),
        key=lambda i: (-int(lost[i]) / int(before[i]), -int(before[i]), str(labels[i])),
    )
    told, more = order[:SHOWN], order[SHOWN:]
    return Groups(
        column=counts.name,
        level=level,
        groups=tuple(Group(labels[i], int(before[i]), int(lost[i])) for i in told),
        small=int(small.sum()),
        small_rows=int(before[small].sum()),
        small_left_out=int(lost[small].sum()),
        small_vanished=int((small & (after == 0)).sum()),
        more=len(more),
        more_rows=int(before[more].sum()),
        more_left_out=int(lost[more].sum()),
    )


def _told(counts: Counts) -> tuple[str, Sequence[Label], IntArray, IntArray, IntArray]:
    """Return the level by which groups are told, its labels, the rows of each before and after, and the people before.

    The finest with few enough labels in use; where there is none, the coarsest below the root.
    """
    hierarchy = counts.hierarchy
    if hierarchy is None:
        return "exact", counts.labels, counts.before, counts.after, counts.people(0)
    names = hierarchy.level_names()
    height = next(
        (h for h in range(hierarchy.height) if _used(counts, h) <= SHOWN), max(hierarchy.height - 1, 0)
    )
    onto, size = _onto(counts, height), len(hierarchy.levels[height].labels)
    before, after = (
        np.bincount(onto, rows, minlength=size).astype(np.int64) for rows in (counts.before, counts.after)
    )
    return names[height], hierarchy.levels[height].labels, before, after, counts.people(height)


def _used(counts: Counts, height: int) -> int:
    used: BoolArray = counts.before > 0
    return len(np.unique(_onto(counts, height)[used]))


def _onto(counts: Counts, height: int) -> IntArray:
    """Return the label of a level above each value."""
    assert counts.hierarchy is not None
    of_ground = counts.hierarchy.levels[height].of_ground
    return np.asarray(of_ground if counts.ground is None else of_ground[counts.ground])
