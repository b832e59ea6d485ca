"""A decision about tuples and the same about the classes that it makes release the same rows; classes follow from tuples."""

from dataclasses import replace

import numpy as np
from tests.reference import lattice as naive

from kohort.classes import classes_of_rows
from kohort.engines.node import Node
from kohort.engines.spark.decided import at_its_levels, counted_from
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


def test_coarser_classes_follow_from_tuples():
    rng, told = np.random.default_rng(2), 0
    for _ in range(60):
        values = {name: rng.integers(0, 6, 50).astype(np.int32) for name in "abc"}  # of each row
        ground = {name: rng.permutation(6).astype(np.int32) // int(rng.integers(1, 3)) for name in "abc"}
        base, _ = classes_of_rows(
            np.column_stack([ground[name][values[name]] for name in "abc"]),
            {"s": (values["a"], 6), "t": (values["b"], 6)},
        )
        names = ["ab", "c", "bca"][int(rng.integers(3))]
        codes = {name: rng.integers(0, 3, 6).astype(np.int32) for name in names}
        found = counted_from(base, Node(ground, (0, 0, 0)), Node(codes, (1,) * len(names)), ["s"])
        if found is None:  # values that are one at the ground have different codes
            assert any(len(set(zip(ground[n], codes[n], strict=True))) > len(set(ground[n])) for n in names)
            continue
        expected, _ = classes_of_rows(
            np.column_stack([codes[name][values[name]] for name in names]), {"s": (values["a"], 6)}
        )
        assert found.levels == (1,) * len(names)
        assert found.codes.tolist() == expected.codes.tolist()
        assert found.rows.tolist() == found.sizes.tolist() == expected.rows.tolist()
        assert list(found.sensitive) == ["s"]
        assert found.sensitive["s"].dense().tolist() == expected.sensitive["s"].dense().tolist()
        told += 1
    assert 10 < told < 60
    some = Node({"a": np.zeros(6, np.int32)}, (0,))
    assert counted_from(base, Node(ground, (0, 0, 0)), some, ["u"]) is None
    assert counted_from(base, Node(ground, (0, 0, 0)), Node({"z": np.zeros(6, np.int32)}, (0,)), []) is None
