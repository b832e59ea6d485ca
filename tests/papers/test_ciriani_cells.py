"""Ciriani et al. 2007, sections 3 and 5: one table, seven models."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.reference.cells import least_cost, problem_of, released_tuples, smallest_class

from kohort.algorithms import Silent, algorithm
from kohort.algorithms.cells.cost import cell_cost, numbered
from kohort.algorithms.cells.exact import CellsExact
from kohort.algorithms.cells.forest import Forest
from kohort.algorithms.cells.levels_and_cells import LevelsAndCells
from kohort.algorithms.taxonomy import choose, taxonomy_code
from kohort.errors import InfeasibleError
from kohort.hierarchy import SUPPRESSED, Hierarchy, meaning
from kohort.metrics import Precision
from kohort.recode import Problem

FIG_9A = [
    ("asian", "64/04/12", "F", "94142"),
    ("asian", "64/09/13", "F", "94141"),
    ("asian", "64/04/15", "F", "94139"),
    ("asian", "63/03/13", "M", "94139"),
    ("asian", "63/03/18", "M", "94139"),
    ("black", "64/09/27", "F", "94138"),
    ("black", "64/09/27", "F", "94139"),
    ("white", "64/09/27", "F", "94139"),
    ("white", "64/09/27", "F", "94141"),
]
FIG_9 = {  # None is a row that is left out
    "AG_TS": [
        ("asian", "64/04", "F", "941**"),
        None,
        ("asian", "64/04", "F", "941**"),
        ("asian", "63/03", "M", "941**"),
        ("asian", "63/03", "M", "941**"),
        ("black", "64/09", "F", "941**"),
        ("black", "64/09", "F", "941**"),
        ("white", "64/09", "F", "941**"),
        ("white", "64/09", "F", "941**"),
    ],
    "AG_CS": [
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "63/03", "M", "9413*"),
        ("asian", "63/03", "M", "9413*"),
        ("black", "64/09", "F", "9413*"),
        ("black", "64/09", "F", "9413*"),
        ("white", "64/09", "F", "*"),
        ("white", "64/09", "F", "*"),
    ],
    "AG_": [
        ("asian", "64", "F", "941**"),
        ("asian", "64", "F", "941**"),
        ("asian", "64", "F", "941**"),
        ("asian", "63", "M", "941**"),
        ("asian", "63", "M", "941**"),
        ("black", "64", "F", "941**"),
        ("black", "64", "F", "941**"),
        ("white", "64", "F", "941**"),
        ("white", "64", "F", "941**"),
    ],
    "CG_": [
        ("asian", "64", "F", "941**"),
        ("asian", "64", "F", "941**"),
        ("asian", "64", "F", "941**"),
        ("asian", "63/03", "M", "94139"),
        ("asian", "63/03", "M", "94139"),
        ("black", "64/09/27", "F", "9413*"),
        ("black", "64/09/27", "F", "9413*"),
        ("white", "64/09/27", "F", "941**"),
        ("white", "64/09/27", "F", "941**"),
    ],
    "_TS": [None] * 9,
    "_AS": [
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "*", "M", "*"),
        ("asian", "*", "M", "*"),
        ("black", "*", "F", "*"),
        ("black", "*", "F", "*"),
        ("white", "*", "F", "*"),
        ("white", "*", "F", "*"),
    ],
    "_CS": [
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "*", "F", "*"),
        ("asian", "*", "M", "94139"),
        ("asian", "*", "M", "94139"),
        ("*", "64/09/27", "F", "*"),
        ("*", "64/09/27", "F", "94139"),
        ("*", "64/09/27", "F", "94139"),
        ("*", "64/09/27", "F", "*"),
    ],
}
SETTINGS = {
    "AG_TS": ("attribute", "tuple"),
    "AG_CS": ("attribute", "cell"),
    "AG_": ("attribute", "none"),
    "CG_": ("cell", "none"),
    "_TS": ("none", "tuple"),
    "_AS": ("none", "attribute"),
    "_CS": ("none", "cell"),
}


def fig_3() -> list[Hierarchy]:
    dates = sorted({row[1] for row in FIG_9A})
    return [
        Hierarchy.from_rows("race", [(v, "person") for v in ("asian", "black", "white")]),
        Hierarchy.from_rows("dob", [(d, d[:5], d[:2], "60-65") for d in dates]),
        Hierarchy.from_rows("sex", [(v, "not_released") for v in ("M", "F")]),
        Hierarchy.from_rows(
            "zip", [(z, z[:4] + "*", z[:3] + "**") for z in ("94138", "94139", "94141", "94142")]
        ),
    ]


def fig_9a(**more) -> Problem:
    return problem_of(FIG_9A, fig_3(), 2, **more)


def assert_two_anonymous_and_truthful(released) -> None:
    """Check a released table row by row against the original; None is a row left out."""
    kept = [row for row in released if row is not None]
    assert not kept or min(Counter(kept).values()) >= 2
    for original, row in zip(FIG_9A, released, strict=True):
        for hierarchy, value, label in zip(fig_3(), original, row or [SUPPRESSED] * 4, strict=True):
            mask = meaning(hierarchy, label)
            assert mask is not None
            assert mask[hierarchy.levels[0].code_of[value]]


def table_of(problem: Problem, solution):
    recoded = solution.decision.apply(problem).by_row()
    table = [None] * problem.n_rows
    for row, shown in zip(recoded.rows(), released_tuples(recoded), strict=True):
        table[row] = shown
    return table


@pytest.mark.parametrize("model", FIG_9)
def test_fig_9_printed_tables_are_2_anonymous(model):
    assert_two_anonymous_and_truthful(FIG_9[model])


@pytest.mark.parametrize("model", sorted(set(FIG_9) - {"_TS"}))
def test_fig_9_every_model_has_an_algorithm_that_serves_it(model):
    generalize, suppress = SETTINGS[model]
    assert taxonomy_code(generalize, suppress) == model
    problem = fig_9a(max_suppressed=9 if suppress == "tuple" else 0)
    chosen = algorithm(choose(generalize, suppress, n_rows=9))
    solution = chosen().solve(problem, Silent())
    assert_two_anonymous_and_truthful(table_of(problem, solution))
    assert solution.score == problem.objective.score(solution.decision.apply(problem).outcome(problem))


def test_fig_9_tuple_suppression_alone_leaves_nothing():
    assert choose("none", "tuple", n_rows=9) == "outliers"
    with pytest.raises(InfeasibleError, match="suppresses every record") as nothing_left:
        algorithm("outliers")().solve(fig_9a(max_suppressed=9), Silent())
    assert nothing_left.value.nearest["suppressed"] == FIG_9["_TS"].count(None) == 9


def test_fig_7_tuple_suppression_alone_leaves_the_three_equal_tuples():
    rows = [(row[0], row[3]) for row in FIG_9A]
    hierarchies = fig_3()
    problem = problem_of(rows, [hierarchies[0], hierarchies[3]], 2, max_suppressed=6)
    solution = algorithm("outliers")().solve(problem, Silent())
    assert table_of(problem, solution) == [None] * 2 + [("asian", "94139")] * 3 + [None] * 4


def test_fig_9_the_least_number_of_suppressed_cells_is_12():
    assert sum(row.count("*") for row in FIG_9["_CS"]) == 14
    assert least_cost(FIG_9A, 2) == 12
    problem = fig_9a(objective=Precision())
    solution = CellsExact().solve(problem, Silent())
    assert solution.facts["suppressed_cells"] == 12
    assert solution.optimal
    table = table_of(problem, solution)
    together = {frozenset(i + 1 for i, row in enumerate(table) if row == other) for other in table}
    assert together == {frozenset(s) for s in ({1, 2, 3}, {4, 5}, {6, 7}, {8, 9})}


def test_fig_9_the_groups_of_the_optimum_cost_12_and_the_printed_ones_14():
    cost = cell_cost(fig_9a(), generalize=False)
    assert cost.total(numbered([[0, 1, 2], [3, 4], [5, 6], [7, 8]], 9)) == 12
    assert cost.total(numbered([[0, 1, 2], [3, 4], [5, 8], [6, 7]], 9)) == 14


def test_fig_9_forest_stays_within_three_times_the_least():
    solution = Forest().solve(fig_9a(), Silent())
    assert 12 <= solution.facts["suppressed_cells"] <= 36
    assert solution.facts["lower_bound"] <= 12


def test_fig_9_cell_generalization_takes_no_more_steps_than_printed():
    # printed: rows 1–3 four steps each, rows 4–5 one, rows 6–7 one, rows 8–9 two
    printed = 3 * 4 + 2 * 1 + 2 * 1 + 2 * 2
    problem = fig_9a()
    exact = CellsExact(generalize=True).solve(problem, Silent())
    assert exact.facts["generalization_steps"] <= printed
    assert_two_anonymous_and_truthful(table_of(problem, exact))
    forest = Forest(generalize=True).solve(problem, Silent())
    assert exact.facts["generalization_steps"] <= forest.facts["generalization_steps"]
    assert forest.facts["generalization_steps"] <= 3 * exact.facts["generalization_steps"]
    assert_two_anonymous_and_truthful(table_of(problem, forest))


def test_fig_9_levels_and_cells_lose_no_more_than_printed():
    # the printed table: months, ZIPs of four digits, and eight cells suppressed
    problem = fig_9a()
    solution = LevelsAndCells().solve(problem, Silent())
    leaves = {"64/09": 2, "63/03": 2, "9413*": 2}
    covered = np.zeros(4)
    for row in FIG_9["AG_CS"]:
        covered += [h.size if v == "*" else leaves.get(v, 1) for h, v in zip(fig_3(), row, strict=True)]
    size = np.array([h.size for h in fig_3()])
    x = (covered / size / 9 - 1 / size) / (1 - 1 / size)
    assert solution.score <= np.prod(1 + x) ** (1 / 4) - 1 + 1e-12
    assert smallest_class(solution.decision.apply(problem)) >= 2
    assert solution.facts["checked"] + solution.facts["skipped"] == solution.facts["nodes"] == 2 * 4 * 2 * 3


def test_fig_11_distance_vectors_between_tuples():
    rows = [(row[0], row[3]) for row in FIG_9A]  # the table of Fig. 7: race and ZIP
    hierarchies = fig_3()
    cost = cell_cost(problem_of(rows, [hierarchies[0], hierarchies[3]], 2), generalize=True)
    printed = {  # against t1, t2, t3/t4/t5, t6, t7, t8, t9
        1: ([0, 0], [0, 1], [0, 2], [1, 2], [1, 2], [1, 2], [1, 1]),
        2: ([0, 1], [0, 0], [0, 2], [1, 2], [1, 2], [1, 2], [1, 0]),
        6: ([1, 2], [1, 2], [1, 1], [0, 0], [0, 1], [1, 1], [1, 2]),
        7: ([1, 2], [1, 2], [1, 0], [0, 1], [0, 0], [1, 0], [1, 2]),
        8: ([1, 2], [1, 2], [1, 0], [1, 1], [1, 0], [0, 0], [0, 2]),
        9: ([1, 1], [1, 0], [1, 2], [1, 2], [1, 2], [0, 2], [0, 0]),
    }
    for t, vectors in printed.items():
        columns = [*vectors[:2], *[vectors[2]] * 3, *vectors[3:]]
        for other, vector in enumerate(columns):
            differ = cost.steps[:, t - 1] != cost.steps[:, other]
            assert np.bincount(cost.attribute, differ, minlength=2).tolist() == vector
            assert cost.distances(t - 1)[other] == sum(vector)
