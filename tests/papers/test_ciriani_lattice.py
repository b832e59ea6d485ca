"""Ciriani et al. 2007: the distance-vector matrix (Fig. 11) and Incognito (Fig. 14) on the table of Fig. 1."""

from tests.reference.lattice import problem_of

from kohort.algorithms import Silent
from kohort.algorithms.lattice.columns import Columns
from kohort.algorithms.lattice.distance import distance_vectors
from kohort.algorithms.lattice.incognito import Incognito, survivors
from kohort.algorithms.lattice.minimal import all_minimal
from kohort.algorithms.lattice.outliers import Outliers
from kohort.algorithms.lattice.probe import Probe
from kohort.algorithms.lattice.samarati import Samarati
from kohort.algorithms.watch import unwatched
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity

FIG_1 = [
    ("asian", "F", "94142", "divorced"),
    ("asian", "F", "94141", "divorced"),
    ("asian", "F", "94139", "married"),
    ("asian", "M", "94139", "married"),
    ("asian", "M", "94139", "married"),
    ("black", "F", "94138", "single"),
    ("black", "F", "94139", "single"),
    ("white", "F", "94139", "single"),
    ("white", "F", "94141", "widow"),
]
RACE = Hierarchy.from_rows("race", [[race, "person"] for race in ("asian", "black", "white")])
SEX = Hierarchy.from_rows("sex", [["F", "not released"], ["M", "not released"]])
ZIP = Hierarchy.from_rows("zip", [[z, z[:4] + "*", "941**"] for z in ("94138", "94139", "94141", "94142")])
MARITAL = Hierarchy.from_rows(
    "marital",
    [[m, "been married", "not released"] for m in ("married", "divorced", "widow")]
    + [["single", "never married", "not released"]],
)


def race_zip(max_suppressed=0):
    """Return the problem before Fig. 7; its quasi-identifier is {Race, ZIP}, not {Race, Sex} as printed."""
    rows = [(race, z) for race, _, z, _ in FIG_1]
    return problem_of(rows, (RACE, ZIP), [KAnonymity(2)], max_suppressed=max_suppressed)


def race_sex_marital():
    rows = [(race, sex, marital) for race, sex, _, marital in FIG_1]
    return problem_of(rows, (RACE, SEX, MARITAL), [KAnonymity(2)])


def test_fig_7_two_minimal_generalizations_at_max_sup_2():
    probe = Probe(race_zip(2))
    assert set(all_minimal(probe.lattice, probe.holds)) == {(0, 1), (1, 0)}
    assert [probe.suppressed(v) for v in ((1, 0), (0, 1))] == [2, 2]


def test_section_4_1_tries_height_1_then_0():
    found = Samarati().solve(race_zip(2), Silent())
    assert found.facts["visited"] == [1, 0]
    assert found.facts["height"] == 1


def test_fig_11_distance_vectors():
    problem = race_zip()
    columns = problem.class_of[[0, 1, 2, 5, 6, 7, 8]]
    vectors = distance_vectors(problem, problem.class_of[[0, 1, 5, 6, 7, 8]], columns)
    assert vectors.tolist() == [
        [[0, 0], [0, 1], [0, 2], [1, 2], [1, 2], [1, 2], [1, 1]],
        [[0, 1], [0, 0], [0, 2], [1, 2], [1, 2], [1, 2], [1, 0]],
        [[1, 2], [1, 2], [1, 1], [0, 0], [0, 1], [1, 1], [1, 2]],
        [[1, 2], [1, 2], [1, 0], [0, 1], [0, 0], [1, 0], [1, 2]],
        [[1, 2], [1, 2], [1, 0], [1, 1], [1, 0], [0, 0], [0, 2]],
        [[1, 1], [1, 0], [1, 2], [1, 2], [1, 2], [0, 2], [0, 0]],
    ]
    assert (problem.base.rows[columns] == [1, 1, 3, 1, 1, 1, 1]).all()


def test_fig_14_sub_hierarchies_of_incognito():
    problem = race_sex_marital()
    found = survivors(Probe(problem), problem.lowest, problem.highest, unwatched())
    race, sex, marital = range(3)
    assert found[(race,)] == ((0,), (1,))
    assert found[(sex,)] == ((0,), (1,))
    assert found[(marital,)] == ((1,), (2,))  # M0 fails alone
    assert found[(race, sex)] == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert found[(race, marital)] == ((0, 2), (1, 1), (1, 2))  # ⟨R0, M1⟩ fails
    assert found[(sex, marital)] == ((0, 1), (0, 2), (1, 1), (1, 2))
    assert found[(race, sex, marital)] == (
        (0, 0, 2), (0, 1, 2), (1, 0, 1), (1, 0, 2), (1, 1, 1), (1, 1, 2),
    )  # fmt: skip


def test_fig_14_minimal_generalizations():
    found = Incognito().solve(race_sex_marital(), Silent())
    assert found.facts["minimal"] == [[0, 0, 2], [1, 0, 1]]


def test_fig_9_tuple_suppression_alone_keeps_three_records():
    kept = Outliers().solve(race_zip(6), Silent()).decision.kept
    assert int(kept[race_zip().class_of].sum()) == 3


def test_fig_9_column_suppression_drops_the_zip():
    found = Columns().solve(race_zip(), Silent())
    assert found.decision.levels == (0, 2)
    assert sorted(found.decision.apply(race_zip()).outcome(race_zip()).classes.sizes.tolist()) == [2, 2, 5]
