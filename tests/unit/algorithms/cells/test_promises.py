"""What every cell algorithm keeps: promises, truth, the score it tells, row order, limits of its service."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.cells import (
    flat_problem,
    least_cost,
    problem_of,
    random_rows,
    released_tuples,
    smallest_class,
    steps_to_common_ancestors,
)

from kohort import anonymize
from kohort.algorithms import Silent, algorithm
from kohort.algorithms.cells.cost import cell_cost
from kohort.algorithms.cells.exact import CellsExact
from kohort.algorithms.cells.factor_2 import Factor2
from kohort.algorithms.cells.factor_3 import Factor3
from kohort.algorithms.cells.forest import Forest
from kohort.algorithms.cells.levels_and_cells import LevelsAndCells, solution_at
from kohort.algorithms.cells.meyerson_williams import MeyersonWilliams, greedy_cover, partition_of
from kohort.algorithms.cells.mu_argus import MuArgus
from kohort.algorithms.cells.order import by_value
from kohort.algorithms.cells.polish import polished
from kohort.algorithms.watch import unwatched
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy, meaning
from kohort.metrics import METRICS, Precision
from kohort.models import MODELS, KAnonymity

ANY_K = [
    Forest(),
    Forest(generalize=True),
    Forest(polish=False),
    MeyersonWilliams(),
    MeyersonWilliams(generalize=True),
    LevelsAndCells(),
    LevelsAndCells(exhaustive=1),
    MuArgus(),
    MuArgus(suppress="cell"),
]


@pytest.mark.parametrize("exhaustive", [200, 1])
def test_levels_and_cells_goes_on_where_one_node_cannot_be_repaired(exhaustive):
    """At level 0 all rows in one group break a promise that two groups keep at level 1: what is not monotone may."""
    plan = {
        "columns": {
            "q": {"role": "quasi", "hierarchy": {"kind": "tree", "tree": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}},
            "ill": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": {"inf": ["flu", "cold"], "can": ["lung"]}}},
            "wish": "guard",
        },
        "require": [
            {"model": "k-anonymity", "k": 2},
            {"model": "personalized", "column": "ill", "guard": "wish", "breach": 0.5},
        ],
        "recode": {
            "algorithm": "levels-and-cells",
            "max_suppression": 0,
            "options": {"exhaustive": exhaustive},
        },
        "output": {"ledger": ""},
    }  # fmt: skip
    table = pa.table(
        {
            "q": ["a1", "a2", "b1", "b2"],
            "ill": ["flu", "cold", "flu", "flu"],
            "wish": ["flu", None, None, None],
        }
    )
    assert sorted(anonymize(table, plan).table["q"].to_pylist()) == ["A", "A", "B", "B"]


def tree(name, rng, size):
    """Return a hierarchy of three steps over v0 … with one value missing."""
    groups = rng.integers(0, 3, size)
    rows = [(f"v{v}", f"g{g}", f"h{min(g, 1)}", "any") for v, g in enumerate(groups)]
    return Hierarchy.from_rows(name, [*rows, (None, None, None, "any")])


def random_problem(seed, *models, n=40, **more):
    rng = np.random.default_rng(seed)
    hierarchies = [tree(f"a{j}", rng, 5) for j in range(3)]
    rows = [
        tuple(None if rng.random() < 0.1 else value for value in row)
        for row in random_rows(rng, n, [5, 5, 5])
    ]
    return problem_of(rows, hierarchies, *models, **more)


def check(problem, solution):
    recoded = solution.decision.apply(problem)
    outcome = recoded.outcome(problem)
    assert not problem.failing(outcome.classes).any()
    assert solution.score == pytest.approx(problem.objective.score(outcome), abs=1e-12)
    for row, shown in zip(recoded.rows(), released_tuples(recoded), strict=True):
        for j, (hierarchy, label) in enumerate(zip(problem.hierarchies, shown, strict=True)):
            assert meaning(hierarchy, label)[problem.codes[row, j]]
    return recoded


@pytest.mark.parametrize("chosen", ANY_K, ids=repr)
@pytest.mark.parametrize("k", [2, 3, 5])
def test_k_anonymous_truthful_and_scored(chosen, k):
    problem = random_problem(k, k)
    recoded = check(problem, chosen.solve(problem, Silent()))
    assert smallest_class(recoded) >= k
    assert len(recoded.rows()) == problem.n_rows


@pytest.mark.parametrize(("chosen", "k"), [(Factor2(), 2), (Factor3(), 3), (Factor2(generalize=True), 2)])
def test_factors_are_k_anonymous_truthful_and_scored(chosen, k):
    problem = random_problem(9, k, n=60)
    assert smallest_class(check(problem, chosen.solve(problem, Silent()))) >= k


@pytest.mark.parametrize("chosen", ANY_K, ids=repr)
def test_other_models_are_kept_by_merging(chosen):
    rng = np.random.default_rng(3)
    illness = rng.integers(0, 3, 40)
    models = (KAnonymity(3), MODELS["l-diversity"](l=2, column="illness"))
    problem = random_problem(4, *models, sensitive={"illness": illness})
    check(problem, chosen.solve(problem, Silent()))


@pytest.mark.parametrize("chosen", ANY_K, ids=repr)
def test_people_are_counted_not_rows(chosen):
    people = np.repeat(np.arange(20), 2)
    problem = random_problem(5, 3, respondents=people)
    recoded = check(problem, chosen.solve(problem, Silent()))
    seen: dict[tuple, set] = {}
    for person, shown in zip(people, released_tuples(recoded), strict=True):
        seen.setdefault(shown, set()).add(person)
    assert min(len(persons) for persons in seen.values()) >= 3


@pytest.mark.parametrize("chosen", ANY_K, ids=repr)
def test_the_order_of_rows_does_not_matter(chosen):
    problem = random_problem(6, 3)
    order = np.random.default_rng(1).permutation(problem.n_rows)
    rows = [
        tuple(h.ground[c] for h, c in zip(problem.hierarchies, row, strict=True)) for row in problem.codes
    ]
    shuffled = problem_of([rows[i] for i in order], problem.hierarchies, 3)
    released = chosen.solve(problem, Silent()).decision.apply(problem)
    again = chosen.solve(shuffled, Silent()).decision.apply(shuffled)
    assert sorted(released_tuples(released), key=repr) == sorted(released_tuples(again), key=repr)


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"classification"}))
def test_levels_and_cells_serve_every_objective(metric):
    problem = random_problem(7, 3, objective=METRICS[metric]())
    check(problem, LevelsAndCells().solve(problem, Silent()))


def test_levels_and_cells_lose_no_more_than_leaving_rows_out():
    for seed in range(5):
        problem = random_problem(seed, 3, max_suppressed=40)
        rows_left_out = algorithm("optimal")().solve(problem, Silent())
        climbed = LevelsAndCells(exhaustive=1).solve(problem, Silent())
        whole = LevelsAndCells().solve(problem, Silent())
        assert whole.score <= climbed.score <= rows_left_out.score + 1e-12


def test_levels_and_cells_skip_no_node_that_would_win():
    rng = np.random.default_rng(12)
    skipped = 0
    for _ in range(12):
        hierarchies = [
            Hierarchy.from_rows(f"a{j}", [(f"v{v}", f"g{v // 2}", f"h{v // 4}", "any") for v in range(8)])
            for j in range(2)
        ]
        rows = random_rows(rng, int(rng.integers(12, 40)), [8, 8])
        problem = problem_of(rows, hierarchies, int(rng.integers(2, 6)))
        solution = LevelsAndCells().solve(problem, Silent())
        every = [
            by_value(problem, lambda rows, node=node: solution_at(rows, node, unwatched()))
            for node in product(range(4), repeat=2)
        ]
        assert solution.score == min(found.score for found in every)
        skipped += solution.facts["skipped"]
    assert skipped > 0


def test_levels_and_cells_keep_within_level_bounds():
    problem = random_problem(8, 2, min_levels=(1, 0, 0), max_levels=(2, 3, 1))
    solution = LevelsAndCells().solve(problem, Silent())
    check(problem, solution)
    assert 1 <= solution.facts["levels"]["a0"] <= 2
    assert solution.facts["levels"]["a2"] <= 1
    assert solution.facts["nodes"] == 2 * 4 * 2


def test_levels_and_cells_return_the_best_so_far_at_the_time_limit():
    problem = random_problem(8, 2, time_limit=0.0)
    solution = LevelsAndCells().solve(problem, Silent())
    check(problem, solution)
    assert solution.facts["stopped"]
    assert solution.facts["checked"] == 1


def test_cell_generalization_is_exact_against_all_partitions():
    rng = np.random.default_rng(11)
    for _ in range(25):
        hierarchies = [
            Hierarchy.from_rows(f"a{j}", [(f"v{v}", f"g{v // 2}", "any") for v in range(4)]) for j in range(3)
        ]
        rows = random_rows(rng, 7, [4, 4, 4])
        problem = problem_of(rows, hierarchies, 2, objective=Precision())
        paths = [[(v, f"g{int(v[1:]) // 2}", "any") for v in row] for row in rows]
        exact = CellsExact(generalize=True).solve(problem, Silent())
        check(problem, exact)
        least = least_cost(paths, 2, steps_to_common_ancestors)
        assert exact.facts["generalization_steps"] == exact.facts["cost"] == least
        assert exact.optimal
        assert exact.score == pytest.approx(least / (7 * 3 * 2))
        for approximation, factor in ((Forest(generalize=True), 3), (Factor2(generalize=True), 2)):
            found = approximation.solve(problem, Silent())
            assert least <= found.facts["generalization_steps"] <= factor * least


def test_exact_serves_other_models_on_tiny_tables():
    rng = np.random.default_rng(2)
    for _ in range(15):
        rows = random_rows(rng, 7, [2, 2, 2])
        illness = rng.integers(0, 2, 7)
        if len(set(illness)) < 2:
            continue
        model = MODELS["l-diversity"](l=2, column="illness")
        problem = flat_problem(rows, [2, 2, 2], 2, sensitive={"illness": illness})
        problem = problem_of(rows, problem.hierarchies, 2, model, sensitive={"illness": illness})
        solution = CellsExact().solve(problem, Silent())
        check(problem, solution)

        def cost(rows, block, illness=illness):
            varying = sum(len({rows[i][j] for i in block}) > 1 for j in range(3)) * len(block)
            return varying if len({illness[i] for i in block}) > 1 else 1000

        assert solution.facts["suppressed_cells"] == least_cost(rows, 2, cost)


def test_weights_say_which_cells_matter():
    rows = [("v0", "v0"), ("v0", "v1"), ("v1", "v0"), ("v1", "v1")]
    for weights, kept in (((5.0, 1.0), 0), ((1.0, 5.0), 1)):
        problem = flat_problem(rows, [2, 2], 2, weights=weights)
        for chosen in (CellsExact(), Forest(), Factor2()):
            recoded = chosen.solve(problem, Silent()).decision.apply(problem)
            assert {"v0", "v1"} == {shown[kept] for shown in released_tuples(recoded)}
            assert {"*"} == {shown[1 - kept] for shown in released_tuples(recoded)}


def test_min_levels_are_kept_by_cell_suppression():
    problem = random_problem(3, 2, min_levels=(1, 0, 0))
    recoded = check(problem, Forest().solve(problem, Silent()))
    assert {shown[0] for shown in released_tuples(recoded)} <= {"g0", "g1", "g2", None, "*"}


def test_max_levels_are_refused_by_cell_recodings():
    problem = random_problem(3, 2, max_levels=(1, 3, 3))
    with pytest.raises(InputError, match="max_levels is set for 'a0'"):
        Forest().solve(problem, Silent())


@pytest.mark.parametrize("chosen", [*ANY_K, CellsExact(), Factor3()], ids=repr)
def test_fewer_rows_than_k_are_infeasible(chosen):
    problem = random_problem(1, 3, n=2)
    with pytest.raises(InfeasibleError, match="the table has 2 rows"):
        chosen.solve(problem, Silent())


def test_what_the_whole_table_cannot_keep_is_infeasible():
    model = MODELS["l-diversity"](l=2, column="illness")
    problem = random_problem(1, KAnonymity(2), model, sensitive={"illness": np.zeros(40, np.int64)})
    with pytest.raises(InfeasibleError, match="even the whole table as one class"):
        Forest().solve(problem, Silent())


def test_exact_refuses_large_tables_and_factors_other_k():
    with pytest.raises(InputError, match="cells-exact: 200 rows have"):
        CellsExact().solve(random_problem(1, 2, n=200), Silent())
    with pytest.raises(InputError, match="tables of up to 10 rows, and this one has 40"):
        CellsExact().solve(random_problem(1, 2, respondents=np.arange(40) // 2), Silent())
    with pytest.raises(InputError, match="factor-2 serves k = 2, and 3 is asked for"):
        Factor2().solve(random_problem(1, 3), Silent())


def test_mu_argus_says_what_its_options_allow():
    problem = random_problem(1, 2)
    with pytest.raises(InputError, match="identifying of 'a0' must be 0, 1, 2 or 3"):
        MuArgus(identifying={"a0": 4})
    with pytest.raises(InputError, match="suppress is 'row'"):
        MuArgus(suppress="row")
    with pytest.raises(InputError, match="identifying names 'zip'; the quasi-identifiers are: a0, a1, a2"):
        MuArgus(identifying={"zip": 1}).solve(problem, Silent())
    with pytest.raises(InputError, match="levels of 'a1' is 7; it must be 0 to 3"):
        MuArgus(levels={"a1": 7}).solve(problem, Silent())


def test_mu_argus_leaves_no_rare_combination_of_three():
    for suppress in ("combination", "cell"):
        problem = random_problem(2, 3)
        published = MuArgus(suppress=suppress).published(problem, unwatched())
        shown = released_tuples(published.apply(problem))
        for columns in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
            values = [tuple(row[j] for j in columns) for row in shown]
            told = [value for value in values if "*" not in value]
            assert all(told.count(value) >= 3 for value in told)


def test_the_cover_is_made_a_partition_of_k_to_2k_minus_1():
    rng = np.random.default_rng(4)
    for k in (2, 3, 4):
        rows = random_rows(rng, 50, [3, 3, 3])
        cost = cell_cost(flat_problem(rows, [3, 3, 3], k), generalize=False)
        cover = greedy_cover(cost, k, unwatched())
        assert {row for rows in cover for row in rows} == set(range(50))
        assert all(k <= len(set(rows)) <= 2 * k - 1 for rows in cover)
        parts = partition_of(cover, k)
        assert sorted(row for part in parts for row in part) == list(range(50))
        assert all(k <= len(part) <= 2 * k - 1 for part in parts)
        assert sum(diameter(cost, part) for part in parts) <= sum(diameter(cost, rows) for rows in cover)


def diameter(cost, rows):
    return max(cost.distances(row, np.array(rows)).max() for row in rows)


def test_polishing_never_costs_more():
    rng = np.random.default_rng(8)
    for _ in range(20):
        rows = random_rows(rng, 30, [3, 4, 2])
        cost = cell_cost(flat_problem(rows, [3, 4, 2], 3), generalize=False)
        group_of = rng.permutation(np.arange(30) % 7)
        better = polished(cost, group_of, 3, unwatched())
        assert np.bincount(better).min() >= 3
        assert cost.total(better) <= cost.total(group_of)


def test_a_polished_grouping_has_no_row_that_should_move_or_change_places():
    rng = np.random.default_rng(9)
    for _ in range(15):
        rows = random_rows(rng, 11, [3, 4, 2])
        cost = cell_cost(flat_problem(rows, [3, 4, 2], 2), generalize=False)
        group_of = np.arange(11) % 4
        while (total := cost.total(group_of)) > cost.total(
            group_of := polished(cost, group_of, 2, unwatched())
        ):
            pass
        for row in range(11):
            for other in range(11):
                swapped = group_of.copy()
                swapped[[row, other]] = group_of[[other, row]]
                assert cost.total(swapped) >= total
            for group in set(group_of):
                moved = group_of.copy()
                moved[row] = group
                if np.bincount(moved).min() >= 2:
                    assert cost.total(moved) >= total
