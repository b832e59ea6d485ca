"""What `optimal` does when time, memory, key bits or nodes run out."""

from dataclasses import replace

import numpy as np
import pytest
from tests.reference import lattice as naive

from kohort.algorithms import Silent
from kohort.algorithms.lattice.counting import Counting
from kohort.algorithms.lattice.mingen import MinGen
from kohort.algorithms.lattice.optimal import Optimal
from kohort.errors import InfeasibleError, InputError, UnfinishedError
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import KAnonymity, LDiversity, TCloseness

OBJECTIVES = [name for name in METRICS if name != "classification"]


def levels_or_none(algorithm, problem):
    try:
        return algorithm.solve(problem, Silent()).decision.levels
    except InfeasibleError:
        return None


def larger(seed, attributes=5, rows=120, heights=3, sizes=6, **options):
    rng = np.random.default_rng(seed)
    hierarchies = [naive.random_hierarchy(rng, f"a{j}", sizes, heights) for j in range(attributes)]
    table = [
        [h.ground[int(rng.integers(h.size)) if rng.random() < 0.6 else 0] for h in hierarchies]
        for _ in range(rows)
    ]
    sensitive = ["xyz"[int(i)] for i in rng.integers(0, 3, rows)]
    options.setdefault("max_suppressed", rows // 10)
    models = options.pop("models", [KAnonymity(3)])
    return naive.problem_of(table, hierarchies, models, sensitive=sensitive, **options)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_larger_lattices_are_solved_alike(objective):
    problem = larger(OBJECTIVES.index(objective), objective=METRICS[objective]())
    expected = MinGen().solve(problem, Silent())
    found = Optimal().solve(problem, Silent())
    assert found.decision.levels == expected.decision.levels
    assert found.score == pytest.approx(expected.score)
    assert found.facts["checked"] <= found.facts["nodes"]


@pytest.mark.parametrize(
    "models", [[KAnonymity(3)], [KAnonymity(3), LDiversity(2, "s")], [TCloseness(0.3, "s")]]
)
def test_a_full_pool_is_emptied_and_the_answer_stays(models):
    for seed in range(3):
        problem = larger(seed, models=models)
        assert levels_or_none(Optimal(memory=0), problem) == levels_or_none(Optimal(), problem)


def test_keys_of_more_than_64_bits():
    rng = np.random.default_rng(2)
    hierarchies = [
        Hierarchy.from_rows(f"a{j}", [[f"{v}", f"{v // 100}x", "*"] for v in range(600)]) for j in range(4)
    ] + [Hierarchy.from_rows(f"b{j}", [[f"{v}", "*"] for v in range(600)]) for j in range(4)]
    assert sum((600 - 1).bit_length() for _ in hierarchies) > 64
    table = [
        [h.ground[int(i)] for h, i in zip(hierarchies, row, strict=True)]
        for row in rng.integers(0, 600, (60, 8))
    ]
    table = [table[int(i)] for i in rng.integers(0, 60, 150)]
    problem = naive.problem_of(table, hierarchies, [KAnonymity(3)], max_suppressed=60)
    assert levels_or_none(Optimal(), problem) == levels_or_none(MinGen(), problem)


def test_best_first_equals_mingen_where_it_may_finish():
    rng = np.random.default_rng(3)
    for _ in range(150):
        objective = METRICS[OBJECTIVES[int(rng.integers(len(OBJECTIVES)))]]()
        problem = naive.random_problem(rng, objective=objective)
        expected = levels_or_none(MinGen(), problem)
        assert levels_or_none(Optimal(nodes=0), problem) == expected
        if expected:
            found = Optimal(nodes=0).solve(problem, Silent())
            assert found.facts["search"] == "best-first"
            assert found.optimal


@pytest.mark.parametrize("models", [[TCloseness(0.3, "s")], [KAnonymity(2), LDiversity(2, "s", "entropy")]])
def test_best_first_does_without_monotone_promises(models):
    for seed in range(3):
        problem = larger(seed, attributes=3, rows=40, models=models)
        assert levels_or_none(Optimal(nodes=0), problem) == levels_or_none(MinGen(), problem)


def test_ten_thousand_million_nodes_give_a_node_and_a_gap():
    problem = larger(4, attributes=22, rows=300, heights=3, max_suppressed=60, time_limit=1.0)
    assert np.prod([float(h.height + 1) for h in problem.hierarchies]) > 1e9
    found = Optimal().solve(problem, Silent())
    assert found.facts["search"] == "best-first"
    assert not found.optimal
    assert found.facts["bound"] <= found.score
    assert found.facts["gap"] == pytest.approx(1 - found.facts["bound"] / found.score)
    released = found.decision.apply(problem).outcome(problem)
    assert KAnonymity(3).holds(released.classes)
    assert released.suppressed <= 60


class Impatient(Silent):
    """Interrupts after some updates."""

    def __init__(self, patience):
        super().__init__()
        self.patience = patience

    def update(self, *_):
        self.patience -= 1
        if self.patience == -1:
            raise KeyboardInterrupt


@pytest.mark.parametrize("models", [[KAnonymity(3)], [KAnonymity(3), TCloseness(0.4, "s")]])
def test_an_interrupted_search_returns_the_best_so_far_and_a_proved_gap(monkeypatch, models):
    monkeypatch.setattr(Counting, "portion", 1)
    problem = larger(6, models=models)
    best = MinGen().solve(problem, Silent())
    for patience in range(0, 30, 5):
        found = Optimal().solve(problem, Impatient(patience))
        if not found.optimal:
            assert found.facts["bound"] <= best.score + 1e-12
            assert found.score >= best.score - 1e-12
            assert 0 <= found.facts["gap"] <= 1
            assert found.facts["stopped"] == "interrupt"


@pytest.mark.parametrize("nodes", [0, 5_000_000])
def test_a_stop_before_the_first_good_node_proves_nothing_impossible(nodes):
    watcher = Silent()
    watcher.stop.pull()
    problem = larger(6, models=[LDiversity(20, "s", "entropy")], max_suppressed=5)
    with pytest.raises(UnfinishedError, match="told to stop before anything was found") as found:
        Optimal(nodes=nodes).solve(problem, watcher)
    assert found.value.nearest["suppressed"] > 0


def test_a_time_limit_of_nothing_still_returns_a_node(monkeypatch):
    monkeypatch.setattr(Counting, "portion", 1)
    problem = larger(7, time_limit=0.0)
    found = Optimal().solve(problem, Silent())
    best = MinGen().solve(problem, Silent())
    assert found.optimal or found.facts["bound"] <= best.score <= found.score + 1e-12


def test_no_solution_names_the_nearest_miss_and_the_tightest_attribute():
    problem = larger(8, models=[KAnonymity(200)], max_suppressed=5)
    with pytest.raises(
        InfeasibleError, match=r"no recoding meets 200-anonymity while suppressing at most 4\.2%"
    ) as found:
        Optimal().solve(problem, Silent())
    nearest = found.value.nearest
    assert nearest["levels"] == dict(zip(problem.names, problem.highest, strict=True))
    assert nearest["suppressed"] == 120
    assert nearest["share"] == 1.0
    assert nearest["tightest"] in problem.names


def test_the_tightest_attribute_is_the_one_whose_root_would_help_most():
    wide = Hierarchy.from_rows("wide", [[str(v), f"{v // 2}x", "*"] for v in range(6)])
    narrow = Hierarchy.from_rows("narrow", [["x", "*"], ["y", "*"]])
    rows = [[str(v), "x"] for v in range(6)] * 2 + [["0", "y"]]
    problem = naive.problem_of(rows, (wide, narrow), [KAnonymity(5)], max_levels=(1, 0))
    with pytest.raises(InfeasibleError, match="raise the max_level of 'wide'") as found:
        Optimal().solve(problem, Silent())
    assert found.value.nearest["levels"] == {"wide": 1, "narrow": 0}


def test_bounds_beyond_the_hierarchy_are_refused():
    problem = larger(9)
    with pytest.raises(InputError, match="its greatest level is 9"):
        Optimal().solve(replace(problem, max_levels=(9, 1, 1, 1, 1)), Silent())


def test_people_are_counted_once_even_where_an_engine_keeps_the_rows():
    hierarchy = Hierarchy.from_rows("a", [["x", "xy", "*"], ["y", "xy", "*"], ["z", "z", "*"]])
    rows = [["x"], ["y"], ["z"], ["z"]]
    problem = naive.problem_of(rows, [hierarchy], [KAnonymity(2)], respondents=[1, 1, 2, 3])
    away = replace(problem, class_of=np.empty(0, np.int64), respondents=None)
    for given in (problem, away):
        assert Optimal().solve(given, Silent()).decision.levels == (2,)  # x and y are one person
        assert MinGen().solve(given, Silent()).decision.levels == (2,)


def test_a_miss_by_few_records_is_counted():
    hierarchy = Hierarchy.from_rows("a", [["x", "*"], ["y", "*"]])
    problem = naive.problem_of([["x"]] * 2999 + [["y"]], [hierarchy], [KAnonymity(2)], max_levels=(0,))
    with pytest.raises(InfeasibleError, match=r"at most 0\.0% of records; .* suppresses 0\.0% \(1\):"):
        Optimal().solve(problem, Silent())
