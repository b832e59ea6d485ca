"""De Capitani di Vimercati et al.: Figures 3 and 4 are the minimal nodes of Figure 2(a) at MaxSup 1."""

import numpy as np
import pytest
from tests.reference.lattice import problem_of

from kohort.algorithms import Silent
from kohort.algorithms.lattice.incognito import Incognito
from kohort.algorithms.lattice.node_outcome import judge
from kohort.algorithms.lattice.optimal import Optimal
from kohort.algorithms.lattice.samarati import Samarati
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity

FIG_2A = [
    ("1940/08/10", "F", "98512", "Heart attack"),
    ("1950/02/12", "M", "99413", "COVID-19"),
    ("1940/08/04", "F", "98578", "Cardiomyopathy"),
    ("1950/02/13", "M", "99356", "COVID-19"),
    ("1950/07/12", "M", "99423", "Dermatitis"),
    ("1940/08/11", "F", "98545", "Pericarditis"),
    ("1950/07/25", "M", "99334", "Short breath"),
    ("1950/07/30", "M", "99490", "Cough"),
    ("1950/02/20", "M", "99301", "COVID-19"),
    ("1945/12/01", "M", "98321", "Astrocytoma"),
]
# Fig. 5: the decade holds all records ("at which point all records would be generalized to the same value").
BIRTH = Hierarchy.from_rows("birth", [[d, d[:7], d[:4], "194*-195*"] for d, *_ in FIG_2A])
SEX = Hierarchy.from_rows("sex", [["F", "not released"], ["M", "not released"]])
ZIP = Hierarchy.from_rows("zip", [[z, z[:4], z[:3], z[:2], z[:1]] for _, _, z, _ in FIG_2A])


def fig_2a(*models, **options):
    rows = [row[:3] for row in FIG_2A]
    options.setdefault("max_suppressed", 1)
    return problem_of(rows, (BIRTH, SEX, ZIP), models, sensitive=[row[3] for row in FIG_2A], **options)


def distinct_values(problem, levels):
    judged = judge(problem, levels)
    return sorted(judged.classes.kept(~judged.failing).sensitive["s"].distinct().tolist())


def test_fig_3_and_fig_4_are_the_two_3_minimal_nodes():
    problem = fig_2a(KAnonymity(3))
    for algorithm in (Incognito(), Samarati(all_minimal=True)):
        assert algorithm.solve(problem, Silent()).facts["minimal"] == [[1, 0, 3], [2, 0, 2]]
    for levels in ((1, 0, 3), (2, 0, 2)):
        judged = judge(problem, levels)
        assert judged.suppressed == 1
        assert judged.classes.kept(~judged.failing).sizes.tolist() == [3, 3, 3]
    assert distinct_values(problem, (1, 0, 3)) == [1, 3, 3]
    assert distinct_values(problem, (2, 0, 2)) == [2, 3, 3]


def test_fig_4_is_the_only_minimal_3_anonymous_2_diverse_node():
    problem = fig_2a(KAnonymity(3), LDiversity(2, "s"))
    assert Incognito().solve(problem, Silent()).facts["minimal"] == [[2, 0, 2]]
    assert Optimal().solve(problem, Silent()).decision.levels == (2, 0, 2)


@pytest.mark.parametrize("levels", [(1, 0, 3), (2, 0, 2)])
def test_the_suppressed_record_is_the_last_one(levels):
    problem = fig_2a(KAnonymity(3))
    judged = judge(problem, levels)
    released = Samarati(all_minimal=True).solve(problem, Silent()).decision.apply(problem)
    assert np.flatnonzero(~released.kept).tolist() == [9]
    assert judged.feasible
