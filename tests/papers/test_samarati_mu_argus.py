"""Samarati 2001, section 7: what µ-Argus releases and whom it leaves open."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.reference.cells import flat_hierarchy, problem_of, released_tuples, smallest_class

from kohort.algorithms import Silent
from kohort.algorithms.cells.mu_argus import MuArgus, unprotected
from kohort.algorithms.watch import unwatched
from kohort.errors import InfeasibleError
from kohort.hierarchy import Hierarchy

FIG_12 = [
    ("black", "09/20/65", "male", "94141"),
    ("black", "02/14/65", "male", "94141"),
    ("black", "10/23/65", "female", "94138"),
    ("black", "08/24/65", "female", "94138"),
    ("black", "11/07/64", "female", "94138"),
    ("black", "12/01/64", "female", "94138"),
    ("white", "10/23/64", "male", "94138"),
    ("white", "03/15/65", "female", "94139"),
    ("white", "08/13/64", "male", "94139"),
    ("white", "05/05/64", "male", "94139"),
    ("white", "02/13/67", "male", "94138"),
    ("white", "03/21/67", "male", "94138"),
]
# as printed, a suppressed cell left blank there
RELEASED = [
    ("black", "1965", "male", "94141"),
    ("black", "1965", "male", "94141"),
    ("black", "1965", "female", "94138"),
    ("black", "1965", "female", "94138"),
    ("black", "1964", "female", "94138"),
    ("black", "1964", "female", "94138"),
    ("white", "1964", "male", "94138"),
    ("*", "*", "female", "94139"),
    ("white", "1964", "male", "94139"),
    ("white", "1964", "male", "94139"),
    ("white", "1967", "male", "94138"),
    ("white", "1967", "male", "94138"),
]
WEIGHTS = {"race": 1, "dob": 2, "sex": 2, "zip": 2}  # SSN, the most identifying, is not released at all


@pytest.fixture
def fig_12():
    dates = sorted({row[1] for row in FIG_12})
    hierarchies = [
        flat_hierarchy("race", ["black", "white"]),
        Hierarchy.from_rows("dob", [(d, f"{d[:2]}/{d[6:]}", f"19{d[6:]}", "*") for d in dates]),
        flat_hierarchy("sex", ["female", "male"]),
        Hierarchy.from_rows("zip", [(z, z[:4] + "*", "941**") for z in ("94138", "94139", "94141")]),
    ]
    return problem_of(FIG_12, hierarchies, 2)


def test_fig_12_the_release(fig_12):
    published = MuArgus(identifying=WEIGHTS).published(fig_12, unwatched())
    assert released_tuples(published.apply(fig_12)) == RELEASED


def test_fig_12_two_tuples_stay_unique(fig_12):
    published = MuArgus(identifying=WEIGHTS).published(fig_12, unwatched())
    counts = Counter(released_tuples(published.apply(fig_12)))
    assert [t for t, count in counts.items() if count == 1] == [
        ("white", "1964", "male", "94138"),
        ("*", "*", "female", "94139"),
    ]
    assert unprotected(fig_12, published).tolist() == [6, 7]
    assert Counter((t[2], t[3]) for t in counts)["female", "94139"] == 1


def test_fig_12_is_refused_without_the_full_combination(fig_12):
    with pytest.raises(InfeasibleError, match="leave 2 rows") as refused:
        MuArgus(identifying=WEIGHTS, full=False).solve(fig_12, Silent())
    assert refused.value.nearest["rows"] == 2
    assert "94138" not in str(refused.value)


@pytest.mark.parametrize("suppress", ["combination", "cell"])
@pytest.mark.parametrize("identifying", [WEIGHTS, None])
def test_fig_12_the_full_combination_gives_k(fig_12, suppress, identifying):
    algorithm = MuArgus(identifying=identifying, suppress=suppress)
    solution = algorithm.solve(fig_12, Silent())
    recoded = solution.decision.apply(fig_12)
    assert smallest_class(recoded) >= 2
    assert solution.score == fig_12.objective.score(recoded.outcome(fig_12))
    assert solution.facts["missed_rows"] == len(unprotected(fig_12, algorithm.published(fig_12, unwatched())))
    assert solution.facts["levels"] == {"race": 0, "dob": 2, "sex": 0, "zip": 0}


def test_fig_12_by_cells_the_value_in_most_rare_combinations_goes(fig_12):
    # (white, 1965) and (white, female) are rare: race stands in both, so it alone is suppressed
    published = MuArgus(identifying=WEIGHTS, suppress="cell").published(fig_12, unwatched())
    assert released_tuples(published.apply(fig_12))[7] == ("*", "1965", "female", "94139")
    assert np.isin([6, 7], unprotected(fig_12, published)).all()
