"""The differentially private release: its sensitivity, its noise and its guarantee, measured."""

from __future__ import annotations

import numpy as np
import pytest

from kohort.algorithms import Silent
from kohort.algorithms.microaggregation.dp_mdav import DpMdav, blocks
from kohort.algorithms.microaggregation.noise import discrete_laplace
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity
from kohort.recode import Problem

AGE = Hierarchy.from_rows("age", [[str(a), "*"] for a in range(101)] + [[None, "*"]])
PAY = Hierarchy.from_rows("pay", [[str(p), "*"] for p in range(0, 1001, 10)])
BOUNDS = {"age": (0, 100), "pay": (0, 1000)}


def problem(ages: list[int], pays: list[int] | None = None, k: int = 2, seed: int | None = None) -> Problem:
    columns = [AGE.encode([str(a) for a in ages])]
    if pays is not None:
        columns.append(PAY.encode([str(p) for p in pays]))
    base, class_of = classes_of_rows(np.column_stack(columns).astype(np.int32))
    names, hierarchies = ("age", "pay")[: len(columns)], (AGE, PAY)[: len(columns)]
    return Problem(names, hierarchies, base, class_of, (KAnonymity(k),), seed=seed)


def means(chosen: DpMdav, asked: Problem, j: int = 0) -> list[float]:
    column = chosen.solve(asked, Silent()).decision.apply(asked).columns[j]
    return [float(str(column.labels[c])) for c in column.codes]


def test_all_block_sums_of_one_attribute_move_by_the_range_at_most():
    generator = np.random.default_rng(0)
    for _ in range(300):
        n, size = int(generator.integers(4, 30)), int(generator.integers(2, 5))
        if n < size:
            continue
        one = generator.integers(0, 11, n)
        other = one.copy()
        other[generator.integers(n)] = generator.integers(0, 11)
        sums = [np.bincount(blocks([v], [(0, 10)], size), v) for v in (one, other)]
        assert np.abs(sums[0] - sums[1]).sum() <= 10


def test_each_block_of_several_attributes_changes_by_one_record_at_most():
    generator = np.random.default_rng(1)
    for _ in range(300):
        n, size = int(generator.integers(6, 40)), int(generator.integers(2, 6))
        one = generator.integers(0, 11, (n, 3))
        other = one.copy()
        other[generator.integers(n)] = generator.integers(0, 11, 3)
        ends = [(0, 10)] * 3
        block_of = [blocks(list(v.T), ends, size) for v in (one, other)]
        assert np.bincount(block_of[0]).tolist() == np.bincount(block_of[1]).tolist()
        assert np.bincount(block_of[0]).min() >= size
        for b in range(int(block_of[0].max()) + 1):
            held = [
                sorted(map(tuple, v[of == b].tolist())) for v, of in zip((one, other), block_of, strict=True)
            ]
            left = list(held[0])
            for record in held[1]:
                if record in left:
                    left.remove(record)
            assert len(left) <= 1
        for j in range(3):
            sums = [np.bincount(of, v[:, j]) for v, of in zip((one, other), block_of, strict=True)]
            assert np.abs(sums[0] - sums[1]).max() <= 10


def test_discrete_laplace_has_its_distribution():
    scale, n = 3.0, 200_000
    drawn = discrete_laplace(scale, n, [5])
    ratio = np.exp(-1 / scale)
    for x in range(-6, 7):
        expected = (1 - ratio) / (1 + ratio) * ratio ** abs(x)
        assert (drawn == x).mean() == pytest.approx(expected, abs=5 * np.sqrt(expected / n))
    assert not np.array_equal(discrete_laplace(scale, 50, None), discrete_laplace(scale, 50, None))


def test_noise_on_means_has_the_scale_of_the_range_over_group_times_epsilon():
    ages = [40] * 64
    drawn = [
        means(DpMdav(epsilon=2.0, bounds={"age": (0, 100)}, group=8, decimals=3), problem(ages, seed=s))[0]
        for s in range(800)
    ]
    scale = 100 / (8 * 2.0)
    assert np.mean(np.abs(np.array(drawn) - 40)) == pytest.approx(scale, rel=0.15)


def test_the_likelihood_ratio_of_neighbours_is_within_epsilon_and_reaches_it():
    epsilon, runs = 1.0, 3000
    chosen = DpMdav(epsilon=epsilon, bounds={"age": (0, 100)}, group=2)
    counts = []
    for neighbour in ([0, 0, 0, 0], [0, 0, 0, 100]):
        highs = [means(chosen, problem(neighbour, seed=s))[3] >= 50 for s in range(runs)]
        counts.append(np.mean(highs))
    slack = 4 * np.sqrt(0.25 / runs)
    for one, other in (counts, counts[::-1], (1 - counts[0], 1 - counts[1]), (1 - counts[1], 1 - counts[0])):
        assert one <= np.exp(epsilon) * other + slack * (1 + np.exp(epsilon))
    # Half the epsilon would be claimed wrongly: the test can fail.
    assert counts[1] > np.exp(epsilon / 2) * counts[0] + slack * (1 + np.exp(epsilon / 2))


def test_blocks_are_released_alike_within_bounds_and_by_seed():
    generator = np.random.default_rng(2)
    ages, pays = generator.integers(0, 101, 120).tolist(), (10 * generator.integers(0, 101, 120)).tolist()
    asked = problem(ages, pays, k=5, seed=3)
    solution = DpMdav(bounds=BOUNDS).solve(asked, Silent())
    outcome = solution.decision.apply(asked).outcome(asked)
    assert outcome.classes.sizes.min() >= 11  # the square root of 120, rounded up
    assert solution.facts["covers"] == ["age", "pay"]
    assert solution.score == asked.objective.score(outcome)
    for j, (low, high) in enumerate(BOUNDS.values()):
        assert all(low <= mean <= high for mean in means(DpMdav(bounds=BOUNDS), asked, j))
    assert means(DpMdav(bounds=BOUNDS), asked) == means(DpMdav(bounds=BOUNDS), asked)
    unseeded = problem(ages, pays, k=5)
    assert means(DpMdav(bounds=BOUNDS), unseeded) != means(DpMdav(bounds=BOUNDS), unseeded)


def test_a_missing_value_stands_in_the_middle_and_one_outside_at_its_bound():
    base, class_of = classes_of_rows(AGE.encode([None, None, "90", "95"])[:, None].astype(np.int32))
    asked = Problem(("age",), (AGE,), base, class_of, (KAnonymity(2),), seed=1)
    certain = DpMdav(epsilon=1e6, bounds={"age": (0, 80)}, group=2)
    assert means(certain, asked) == [40, 40, 80, 80]


def test_what_would_void_the_guarantee_is_refused():
    asked = problem([1, 2, 3, 4])
    with pytest.raises(InputError, match="no bounds for 'age'"):
        DpMdav().solve(asked, Silent())
    with pytest.raises(InputError, match="least first"):
        DpMdav(bounds={"age": (9, 9)}).solve(asked, Silent())
    with pytest.raises(InputError, match="epsilon"):
        DpMdav(epsilon=0)
    with pytest.raises(InputError, match="decimals"):
        DpMdav(decimals=-1)
    with pytest.raises(InputError, match="between k = 2"):
        DpMdav(bounds={"age": (0, 9)}, group=1).solve(asked, Silent())
    sex = Hierarchy.from_rows("sex", [["f", "*"], ["m", "*"]])
    base, class_of = classes_of_rows(np.array([[0], [0], [1], [1]], np.int32))
    with pytest.raises(InputError, match="holds no numbers"):
        DpMdav(bounds={"sex": (0, 1)}).solve(
            Problem(("sex",), (sex,), base, class_of, (KAnonymity(2),)), Silent()
        )


def test_blocks_are_not_rearranged_for_other_promises():
    disease = np.array([0, 0, 1, 1], np.int32)
    base, class_of = classes_of_rows(AGE.encode(["1", "2", "8", "9"])[:, None], {"disease": (disease, 2)})
    models = (KAnonymity(2), LDiversity(2, "disease"))
    asked = Problem(("age",), (AGE,), base, class_of, models, sensitive={"disease": disease})
    with pytest.raises(InfeasibleError, match="blocks of similar records do not keep"):
        DpMdav(bounds={"age": (0, 100)}, group=2).solve(asked, Silent())
