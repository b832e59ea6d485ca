"""A decision about tuples and the same about the classes that it makes release the same rows."""

from dataclasses import replace

import numpy as np
from tests.reference import lattice as naive

from kohort.engines.spark.decided import at_its_levels
from kohort.models import KAnonymity
from kohort.recode.levels import decide_levels


def drawn(rng):
    hierarchies = [naive.random_hierarchy(rng, f"a{j}") for j in range(3)]
    n = int(rng.integers(3, 40))
    rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(n)]
    values = ["xyz"[int(i)] for i in rng.integers(0, 3, n)]
    return naive.problem_of(rows, hierarchies, [KAnonymity(2)], sensitive=values)


def released(problem, recoded):
    """Return the labels and values that are released, with how many rows hold them, from codes per class."""
    held, found = problem.base.sensitive["s"].dense(), {}
    for i in np.flatnonzero(recoded.kept).tolist():
        labels = tuple(column.labels[column.codes[i]] for column in recoded.columns)
        found[labels] = found.get(labels, 0) + held[i]
    return {labels: counts.tolist() for labels, counts in found.items()}


def test_the_same_rows_are_released():
    rng, fewer = np.random.default_rng(4), 0
    for _ in range(60):
        problem = drawn(rng)
        levels = tuple(int(rng.integers(0, h.height + 1)) for h in problem.hierarchies)
        recoded = decide_levels(problem, levels).apply(problem)
        found = at_its_levels(problem, recoded)
        if found is None:
            continue
        there, told = found
        assert problem.at(there.base.levels).codes.tolist() == there.base.codes.tolist()
        assert released(there, told) == released(problem, recoded)
        assert there.base.rows.sum() == problem.n_rows
        fewer += len(there.base) < len(problem.base)
    assert fewer > 20


def test_what_is_not_one_level_or_not_by_class_stays_as_it_is():
    rng, mixed = np.random.default_rng(9), 0
    for _ in range(30):
        problem = drawn(rng)
        tops = tuple(h.height for h in problem.hierarchies)
        recoded = decide_levels(problem, tops).apply(problem)
        assert at_its_levels(problem, decide_levels(problem, (0, 0, 0)).apply(problem)) is None
        if len(problem.base) < 2 or not any(tops):
            continue
        some = np.arange(len(problem.base)) > 0  # of one class, some would be left out
        assert at_its_levels(problem, replace(recoded, kept=some)) is None
        other = replace(recoded.columns[0], labels=(*recoded.columns[0].labels, "another"))
        assert at_its_levels(problem, replace(recoded, columns=(other, *recoded.columns[1:]))) is None
        mixed += 1
    assert mixed > 10
