"""What every clustering keeps, whatever the table: k, p, every other promise, truth, and its own figures."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.reference.clustering_tables import naive_of, problem_of, random_problem

from kohort.algorithms.algorithm import Silent
from kohort.algorithms.clustering.enhanced_pk import EnhancedPK
from kohort.algorithms.clustering.greedy_pk import GreedyPK
from kohort.algorithms.clustering.k_member import KMember
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy, meaning
from kohort.metrics import METRICS
from kohort.models import Attribute, KAnonymity
from kohort.models.alpha_k import AlphaK
from kohort.models.extended_p_sensitive import ExtendedPSensitive
from kohort.models.l_diversity import LDiversity
from kohort.models.p_sensitive import PSensitive
from kohort.models.t_closeness import TCloseness
from kohort.recode import Problem, Solution

WAYS = [
    KMember(),
    KMember(tight=True),
    GreedyPK(),
    GreedyPK(tight=True, reserve=True),
    EnhancedPK(combine=False),
    EnhancedPK(tight=True),
    EnhancedPK(sensitive_weights="inverse"),
]


def check(problem: Problem, solution: Solution) -> None:
    """Every promise holds on the released classes, every label covers its rows, and the figures are true."""
    recoded = solution.decision.apply(problem)
    outcome = recoded.outcome(problem)
    assert outcome.suppressed == 0
    assert not problem.failing(outcome.classes).any()
    assert solution.score == problem.objective.score(outcome)
    assert solution.facts["classes"] == len(outcome.classes)
    for hierarchy, column, ground in zip(problem.hierarchies, recoded.columns, problem.codes.T, strict=True):
        masks = np.array([meaning(hierarchy, label) for label in column.labels])
        assert masks[column.codes, ground].all()
    sizes = Counter(solution.decision.group_of.tolist())
    assert solution.facts["clusters"] == len(sizes)
    assert solution.facts["discernibility_of_clusters"] == sum(s * s for s in sizes.values())
    k = solution.facts["k"]
    assert solution.facts["average_cluster_size"] == pytest.approx(problem.n_rows / (len(sizes) * k))
    assert len(sizes) <= solution.facts["max_clusters"]


def ids(way: object) -> str:
    return str(way)


@pytest.mark.parametrize("way", WAYS, ids=ids)
@pytest.mark.parametrize("seed", range(12))
def test_p_and_k_hold_on_random_tables(way, seed):
    rng = np.random.default_rng(seed + 100)
    k, p = int(rng.integers(2, 8)), int(rng.integers(2, 5))
    columns = ("s0", "s1", "s2")[: int(rng.integers(1, 4))]
    models = (KAnonymity(k), PSensitive(p, columns=columns))
    problem = random_problem(seed, int(rng.integers(40, 150)), models, (7, 5, 4), seed=seed)
    check(problem, way.solve(problem, Silent()))


@pytest.mark.parametrize("passes", [0, 10])
@pytest.mark.parametrize("seed", range(8))
def test_k_member_makes_n_over_k_clusters_of_k_to_2k_minus_1_tuples(seed, passes):
    k, n = 3 + seed % 4, 50 + seed
    problem = random_problem(seed, n, (KAnonymity(k),), seed=seed)
    solution = KMember(passes=passes).solve(problem, Silent())
    check(problem, solution)
    sizes = np.bincount(solution.decision.group_of)
    assert len(sizes) == n // k
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_frequencies_on_which_the_printed_fill_starves(way):
    values = np.repeat(np.arange(7), (9, 7, 4, 4, 3, 3, 1))
    rng = np.random.default_rng(3)
    rng.shuffle(values)
    codes = np.column_stack([rng.integers(0, h, 31) for h in (17, 5, 2)])
    problem = problem_of(codes, {"s": values}, (KAnonymity(5), PSensitive(5, column="s")), seed=1)
    solution = way.solve(problem, Silent())
    check(problem, solution)
    assert solution.facts["max_clusters"] == 5
    if isinstance(way, EnhancedPK) or (isinstance(way, GreedyPK) and way.reserve):
        assert solution.facts["clusters"] == 5


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("way", [EnhancedPK(combine=False), GreedyPK(reserve=True)], ids=ids)
def test_one_sensitive_attribute_gets_all_the_clusters_that_condition_2_allows(way, seed):
    rng = np.random.default_rng(seed)
    p, k = int(rng.integers(2, 6)), int(rng.integers(2, 7))
    problem = random_problem(seed, 60, (KAnonymity(k), PSensitive(p, column="s0")), (7,), seed=2)
    solution = way.solve(problem, Silent())
    check(problem, solution)
    assert solution.facts["clusters"] == solution.facts["max_clusters"]


@pytest.mark.parametrize("way", WAYS, ids=ids)
@pytest.mark.parametrize(
    "model",
    [
        LDiversity(2.5, column="s0", variant="entropy"),
        LDiversity(3, column="s1"),
        TCloseness(0.3, column="s0"),
        AlphaK(0.6, 3, column="s0"),
    ],
    ids=lambda model: model.card.name,
)
def test_other_promises_are_kept_by_merging(way, model):
    problem = random_problem(5, 120, (KAnonymity(3), model), seed=4)
    solution = way.solve(problem, Silent())
    check(problem, solution)
    if isinstance(way, KMember):
        assert solution.facts["merged"] > 0


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_k_counts_people_not_rows(way):
    people = np.repeat(np.arange(20, dtype=np.int32), 4)
    codes = np.column_stack([np.repeat(np.arange(20) % 17, 4), np.zeros(80, int), np.zeros(80, int)])
    problem = problem_of(
        codes,
        {"s": people % 4},  # four rows that say the same: values are counted by people too
        (KAnonymity(3), PSensitive(2, column="s")),
        respondents=people,
        seed=1,
    )
    check(problem, way.solve(problem, Silent()))


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_extended_p_sensitivity_counts_strong_ancestors(way):
    disease = Hierarchy.from_rows(
        "ill",
        [["colon", "cancer", "*"], ["lung", "cancer", "*"], ["breast", "cancer", "*"], ["flu", "viral", "*"],
         ["cold", "viral", "*"], ["gout", "joints", "*"]],
    )  # fmt: skip
    rng = np.random.default_rng(9)
    values = rng.choice(6, 90, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    ground = disease.encode(["colon", "lung", "breast", "flu", "cold", "gout"])
    attribute = Attribute(
        "ill",
        ("colon", "lung", "breast", "flu", "cold", "gout"),
        np.bincount(values, minlength=6),
        disease,
        ground,
    )
    codes = np.column_stack([rng.integers(0, h, 90) for h in (17, 5, 2)])
    models = (KAnonymity(4), ExtendedPSensitive(2, column="ill", protected=("cancer",)))
    problem = problem_of(codes, {"ill": values}, models, attributes={"ill": attribute}, seed=1)
    solution = way.solve(problem, Silent())
    check(problem, solution)
    assert solution.facts["condition_1"] == {"ill": {"distinct": 4, "p": 2}}  # cancer, flu, cold, gout
    assert solution.facts["max_clusters"] == min(90 // 4, int((values > 2).sum()))


@pytest.mark.parametrize("way", WAYS, ids=ids)
@pytest.mark.parametrize(
    "metric", ["loss", "discernibility", "average-class-size", "precision", "information-loss"]
)
def test_the_score_is_the_metric_of_the_release(way, metric):
    models = (KAnonymity(4), PSensitive(2, columns=("s0", "s1")))
    problem = random_problem(2, 60, models, objective=METRICS[metric](), seed=3)
    check(problem, way.solve(problem, Silent()))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("way", [w for w in WAYS if w.tight], ids=ids)
def test_the_information_loss_is_that_of_definitions_9_and_10(way, seed):
    models = (KAnonymity(4), PSensitive(2, columns=("s0", "s1")))
    problem = random_problem(seed, 70, models, seed=3, weights=(1.0, 3.0, 2.0))
    solution = way.solve(problem, Silent())
    twin, _ = naive_of(problem)
    found: dict[int, list] = {}
    for codes, g in zip(problem.codes.tolist(), solution.decision.group_of, strict=True):
        found.setdefault(int(g), []).append((tuple(codes), ()))
    total = sum(twin.loss(cluster) for cluster in found.values())
    assert solution.facts["information_loss"] == pytest.approx(float(total), rel=1e-12)
    assert solution.facts["information_loss_share"] == pytest.approx(float(total) / (70 * 6), rel=1e-12)


@pytest.mark.parametrize("way", WAYS, ids=ids)
def test_the_same_seed_gives_the_same_clusters_whatever_the_order_of_rows(way):
    # k-member does not look at sensitive values, so rows that differ in them alone are given out in their order.
    watched = () if isinstance(way, KMember) else (PSensitive(3, columns=("s0", "s1")),)
    models = (KAnonymity(4), *watched)
    problem = random_problem(1, 80, models, seed=11)
    order = np.random.default_rng(0).permutation(80)
    shuffled = problem_of(
        problem.codes[order], {n: v[order] for n, v in problem.sensitive.items()}, models, seed=11
    )
    first, again, other = (way.solve(p, Silent()) for p in (problem, problem, shuffled))
    assert (first.decision.group_of == again.decision.group_of).all()
    assert first.score == again.score == other.score
    assert first.facts == other.facts


@pytest.mark.parametrize("way", [KMember(), GreedyPK(), EnhancedPK()], ids=ids)
def test_intervals_end_on_the_grid_unless_tight(way):
    problem = random_problem(3, 60, (KAnonymity(5), PSensitive(2, column="s0")), seed=1)
    for tight in (False, True):
        decision = type(way)(tight=tight).solve(problem, Silent()).decision
        labels = decision.apply(problem).columns[0].labels
        ends = {end for label in labels if label and label[0] == "[" for end in label[1:-1].split(", ")}
        grid = {"20", "23", "24", "27", "28", "31", "32", "35", "36"}
        assert (ends <= grid) != tight


@pytest.mark.parametrize("way", [KMember(), GreedyPK(), EnhancedPK()], ids=ids)
def test_a_missing_number_beside_others_costs_the_whole_range(way):
    age = Hierarchy.from_rows("age", [[str(a), "*"] for a in range(10)] + [[None, "*"]])
    codes = np.array([[10], [10], [10], [1], [1], [2], [8], [8], [9]])
    problem = problem_of(codes, {}, (KAnonymity(3),), (age,), seed=1)
    solution = type(way)(tight=True).solve(problem, Silent())
    check(problem, solution)
    assert len(set(solution.decision.group_of[:3])) == 1
    assert solution.facts["information_loss"] == pytest.approx(3 * 1 / 8 + 3 * 1 / 8)
    mixed = problem_of(codes[2:5], {}, (KAnonymity(3),), (age,), seed=1)
    solution = type(way)(tight=True).solve(mixed, Silent())
    check(mixed, solution)
    assert solution.decision.apply(mixed).columns[0].labels == ("[1, 1] or missing",)
    assert solution.facts["information_loss"] == pytest.approx(3.0)


@pytest.mark.parametrize("way", [KMember(), GreedyPK(), EnhancedPK()], ids=ids)
def test_what_cannot_be_met_is_said_before_the_search(way):
    with pytest.raises(InfeasibleError, match="4 distinct values") as caught:
        way.solve(random_problem(1, 40, (KAnonymity(3), PSensitive(5, column="s1"))), Silent())
    assert caught.value.nearest == {"column": "s1", "distinct": 4, "p": 5}
    with pytest.raises(InfeasibleError, match="20 respondents"):
        way.solve(random_problem(1, 20, (KAnonymity(21),)), Silent())
    with pytest.raises(InfeasibleError, match="even the whole table"):
        way.solve(
            random_problem(1, 20, (KAnonymity(3), LDiversity(4.9, column="s0", variant="entropy"))), Silent()
        )
    with pytest.raises(InputError, match="k-anonymity"):
        way.solve(random_problem(1, 20, (PSensitive(2, column="s0"),)), Silent())
    with pytest.raises(InputError, match="min_level"):
        way.solve(random_problem(1, 20, (KAnonymity(3),), min_levels=(1, 0, 0)), Silent())
    with pytest.raises(InputError, match="passes"):
        type(way)(passes=-1).solve(random_problem(1, 20, (KAnonymity(3),)), Silent())


@pytest.mark.parametrize("asked", [{"s0": 0.0}, {"other": 1.0}, "heavy"])
def test_weights_that_mean_nothing_are_refused(asked):
    problem = random_problem(1, 40, (KAnonymity(3), PSensitive(2, columns=("s0", "s1"))))
    with pytest.raises(InputError, match="sensitive_weights"):
        EnhancedPK(sensitive_weights=asked).solve(problem, Silent())


def test_sensitive_weights_decide_between_the_attributes():
    models = KAnonymity(6), PSensitive(4, columns=("s0", "s1", "s2"))
    problem = random_problem(6, 60, models, (5, 6, 6), seed=1)
    last = naive_of(problem)[1].needs[-1].column  # every tuple dealt is new in the first: the others compete
    found = [
        EnhancedPK(sensitive_weights={last: weight}, combine=False, passes=0).solve(problem, Silent())
        for weight in (50.0, 0.01)
    ]
    for solution in found:
        check(problem, solution)
    assert (found[0].decision.group_of != found[1].decision.group_of).any()


@pytest.mark.parametrize("way", [KMember(), GreedyPK(), EnhancedPK()], ids=ids)
def test_progress_is_told_and_reaches_the_end(way):
    told: list[tuple[str, float | None, float | None]] = []

    class Watcher(Silent):
        def update(self, note: str, done: float | None = None, total: float | None = None, _=None) -> None:
            told.append((note, done, total))

    way.solve(random_problem(1, 60, (KAnonymity(3), PSensitive(2, column="s0"))), Watcher())
    assert any(done == total == 60 for _, done, total in told)
