"""`apriori` against every cut of small trees, and the example of the paper's idea by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.reference import sets as naive
from tests.reference.set_worlds import problem_of, random_world

from kohort.algorithms import Silent
from kohort.errors import InfeasibleError
from kohort.sets import rare
from kohort.sets.apriori import Apriori
from kohort.sets.k_m import KM
from kohort.sets.set_problem import SetProblem, SetSolution

PAIRS: naive.Tree = ("*", [("A", ["a1", "a2"]), ("B", ["b1", "b2"])])
HELD = [{"a1", "b1", "b2"}, {"a2", "b1"}, {"a2", "b1", "b2"}, {"a1", "a2", "b2"}]


def solved(problem: SetProblem) -> tuple[dict[str, str], SetSolution]:
    solution = Apriori().solve(problem, Silent())
    labels = problem.tree.labels
    items = [labels[node] for node in problem.tree.leaf_node]
    return dict(zip(items, [labels[node] for node in solution.node_of_item], strict=True)), solution


def finer_than(other: naive.Cut, cut: naive.Cut) -> bool:
    """Whether every label of `cut` is told by labels right there or below it, some of them below."""
    under = dict.fromkeys(cut.values(), frozenset[str]())
    for item, label in cut.items():
        under[label] |= {item}
    for item, label in other.items():
        covered = {one for one, told in other.items() if told == label}
        if not covered <= under[cut[item]]:
            return False
    return len(set(other.values())) > len(set(cut.values()))


def test_two_rare_pairs_raise_one_group_only():
    cut, solution = solved(problem_of(PAIRS, HELD, KM(2, 2)))
    assert cut == {"a1": "A", "a2": "A", "b1": "b1", "b2": "b2"}
    assert Fraction(solution.loss).limit_denominator(1000) == Fraction(5, 22)
    assert naive.ncp(HELD, cut) == Fraction(5, 22)


def test_single_items_alone_need_no_rise_where_everybody_shares_them():
    cut, solution = solved(problem_of(PAIRS, HELD, KM(2, 1)))
    assert cut == {item: item for item in cut}
    assert solution.loss == 0


def test_several_promises_hold_together():
    problem = problem_of(PAIRS, HELD, KM(2, 2), KM(3, 1))
    cut, _ = solved(problem)
    assert naive.keeps(naive.told(HELD, cut), 2, 2)
    assert naive.keeps(naive.told(HELD, cut), 3, 1)
    assert problem.k(1) == 3
    assert problem.k(2) == 2


def test_every_promise_is_kept_and_nearly_always_at_the_least_loss():
    best = hard = 0
    for seed in range(300):
        tree, held, k, m = random_world(seed)
        cut, solution = solved(problem_of(tree, held, KM(k, m)))
        found, least = naive.ncp(held, cut), naive.least_loss(held, tree, k, m)
        assert naive.keeps(naive.told(held, cut), k, m)
        assert found == Fraction(solution.loss).limit_denominator(10**6)
        assert least is not None
        assert least <= found
        finer = [other for other in naive.cuts(tree) if finer_than(other, cut)]
        assert not any(naive.keeps(naive.told(held, other), k, m) for other in finer)
        best += found == least
        hard += 0 < found < 1
    assert best >= 299
    assert hard >= 100


def test_the_order_of_people_does_not_matter(monkeypatch):
    draw = np.random.default_rng(1)
    for most in (rare.MOST, 3):  # where not all rare combinations are noted at once, too
        monkeypatch.setattr(rare, "MOST", most)
        for seed in range(300, 340):
            tree, held, k, m = random_world(seed)
            shuffled = [held[i] for i in draw.permutation(len(held))]
            model = KM(k, m)
            assert solved(problem_of(tree, held, model))[0] == solved(problem_of(tree, shuffled, model))[0]


def test_few_rare_combinations_at_a_time_keep_the_promise_too(monkeypatch):
    monkeypatch.setattr(rare, "MOST", 1)
    monkeypatch.setattr(rare, "ROOM", 1)
    monkeypatch.setattr(rare, "STEPS", 1)
    for seed in range(400, 440):
        tree, held, k, m = random_world(seed)
        assert naive.keeps(naive.told(held, solved(problem_of(tree, held, KM(k, m)))[0]), k, m)


def test_fewer_people_than_k_have_no_recoding_and_the_nearest_is_told():
    with pytest.raises(InfeasibleError, match="only 2 people hold any item, and 3 must") as caught:
        solved(problem_of(PAIRS, [{"a1"}, {"a2"}, set()], KM(3, 2)))
    assert caught.value.nearest == {"people": 2, "k": 3}
    assert "a1" not in str(caught.value)


def test_people_who_hold_nothing_are_no_crowd_and_need_none():
    cut, _ = solved(problem_of(PAIRS, [set(), set(), set()], KM(3, 2)))
    assert cut == {item: item for item in cut}


def test_when_the_time_is_up_everything_is_the_root():
    problem = problem_of(PAIRS, HELD, KM(2, 2))
    cut, solution = solved(SetProblem(problem.baskets, problem.tree, problem.models, time_limit=1e-9))
    assert set(cut.values()) == {"*"}
    assert solution.stopped == "time_limit"
    assert solution.loss == 1.0


class Puller(Silent):
    """Pulls the token at the n-th report."""

    def __init__(self, patience: int) -> None:
        super().__init__()
        self.patience, self.told = patience, []

    def update(self, note, done=None, total=None, standing=None):
        self.told.append(standing.best)
        if len(self.told) == self.patience:
            self.stop.pull()


def test_whenever_it_is_stopped_the_promise_is_kept():
    for seed in range(12):
        tree, held, k, m = random_world(seed)
        problem = problem_of(tree, held, KM(k, m))
        least = Apriori().solve(problem, Silent()).loss
        for patience in range(1, 40):
            puller = Puller(patience)
            solution = Apriori().solve(problem, puller)
            labels = [problem.tree.labels[node] for node in solution.node_of_item]
            items = [problem.tree.labels[node] for node in problem.tree.leaf_node]
            assert naive.keeps(naive.told(held, dict(zip(items, labels, strict=True))), k, m)
            assert least <= solution.loss <= puller.told[-1]
            assert patience > 1 or solution.loss == 1.0
            assert puller.told == sorted(puller.told, reverse=True)
        assert (solution.loss, solution.stopped) == (least, None)


def test_an_m_beyond_the_largest_set_is_the_largest_set():
    for seed in range(20):
        tree, held, k, _ = random_world(seed)
        largest = max(map(len, held))
        cut, _ = solved(problem_of(tree, held, KM(k, 10**9)))
        assert cut == solved(problem_of(tree, held, KM(k, largest)))[0]
        assert naive.keeps(naive.told(held, cut), k, largest)
