"""MDAV, V-MDAV and the univariate optimum against their plain twins, and what is released of them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from tests.reference import microaggregation as twin

from kohort.algorithms import Silent
from kohort.algorithms.microaggregation.features import features
from kohort.algorithms.microaggregation.mdav import Mdav
from kohort.algorithms.microaggregation.univariate import Univariate, sorted_groups
from kohort.algorithms.microaggregation.univariate_kernels import best_groups
from kohort.algorithms.microaggregation.v_mdav import VMdav
from kohort.classes import classes_of_rows
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy, meaning
from kohort.hierarchy.dates import Dates
from kohort.hierarchy.intervals import Intervals
from kohort.hierarchy.suppress import Suppress
from kohort.metrics.discernibility import Discernibility
from kohort.models import KAnonymity, LDiversity, PrivacyModel
from kohort.recode import Problem

GRADE = Hierarchy.from_rows("grade", [[g, "*"] for g in ("low", "fair", "good", "top")])
PLACE = Hierarchy.from_rows("place", [[p, "*"] for p in ("bari", "como", "lodi")] + [[None, "*"]])


def numbers(name: str, values: list[str | None], width: float = 0.5) -> Hierarchy:
    distinct = list(dict.fromkeys(values))
    return Intervals([width]).build(name, distinct, [1] * len(distinct))


def problem(
    columns: dict[str, list[str | None]],
    hierarchies: dict[str, Hierarchy],
    models: tuple[PrivacyModel, ...],
    disease: list[int] | None = None,
    **settings: object,
) -> Problem:
    coded = [hierarchies[name].encode(values) for name, values in columns.items()]
    sensitive = {} if disease is None else {"disease": np.array(disease, np.int32)}
    sized = {name: (codes, int(codes.max()) + 1) for name, codes in sensitive.items()}
    base, class_of = classes_of_rows(np.column_stack(coded).astype(np.int32), sized)
    return Problem(
        tuple(columns), tuple(hierarchies[name] for name in columns), base, class_of, models, sensitive=sensitive,
        **settings,
    )  # fmt: skip


def mixed(seed: int, n: int, k: int, missing: float = 0.0, **settings: object) -> Problem:
    """A random table of two numbers, one grade and one place."""
    generator = np.random.default_rng(seed)
    pay = [None if generator.random() < missing else f"{x:.3f}" for x in generator.normal(30, 9, n)]
    age = [str(x) for x in generator.integers(18, 90, n)]
    columns = {
        "pay": pay,
        "age": age,
        "grade": [GRADE.ground[c] for c in generator.integers(0, 4, n)],
        "place": [PLACE.ground[c] for c in generator.integers(0, 4, n)],
    }
    hierarchies = {"pay": numbers("pay", pay), "age": numbers("age", age), "grade": GRADE, "place": PLACE}
    disease = generator.integers(0, 3, n).tolist()
    return problem(columns, hierarchies, (KAnonymity(k),), disease, **settings)


def as_records(asked: Problem, ordinal: tuple[str, ...]) -> tuple[list[twin.Record], list[float], np.ndarray]:
    shape = features(asked, ordinal, ())
    records = [
        (tuple(map(float, point)), tuple(map(int, codes)))
        for point, codes in zip(shape.points.T, shape.codes.T, strict=True)
    ]
    return records, shape.weights.tolist(), shape.rows


def groups_of(solution) -> set[frozenset[int]]:
    group_of = solution.decision.group_of
    return {frozenset(np.flatnonzero(group_of == g).tolist()) for g in np.unique(group_of)}


@pytest.mark.parametrize("missing", [0.0, 0.3], ids=["complete", "missing"])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_mdav_equals_its_twin_and_groups_hold_k_to_2k_minus_1_records(k, missing):
    for seed in range(6):
        asked = mixed(seed, 41 + seed, k, missing)
        records, weights, rows = as_records(asked, ("grade",))
        found = groups_of(Mdav(ordinal=("grade",)).solve(asked, Silent()))
        assert found == {frozenset(rows[group].tolist()) for group in twin.mdav(records, weights, k)}
        assert all(k <= len(group) <= 2 * k - 1 for group in found)


@pytest.mark.parametrize("gain", [0.0, 0.2, 1.1, 5.0])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_v_mdav_equals_its_twin_but_for_the_last_records(k, gain):
    for seed in range(6):
        asked = mixed(seed, 38 + seed, k)
        records, weights, rows = as_records(asked, ())
        *whole, last = twin.v_mdav(records, weights, k, gain)
        found = groups_of(VMdav(gain=gain).solve(asked, Silent()))
        assert all(k <= len(group) <= 2 * k - 1 for group in found)
        assert sum(map(len, found)) == asked.n_rows
        expected = {frozenset(rows[group].tolist()) for group in whole}
        if not last:
            assert found == expected
        else:
            assert len(expected - found) <= len(last)


def test_last_records_of_v_mdav_join_the_nearest_group_and_overfull_groups_are_divided():
    values = ["0", "1", "100", "101", "102"]
    asked = problem({"x": values}, {"x": numbers("x", values)}, (KAnonymity(2),))
    assert groups_of(VMdav(gain=0.0).solve(asked, Silent())) == {frozenset({0, 1}), frozenset({2, 3, 4})}
    values = [str(v) for v in (0, 1, 2, 3, 4, 100, 101)]
    asked = problem({"x": values}, {"x": numbers("x", values)}, (KAnonymity(2),))
    for gain in (0.0, 0.5, 3.0):
        assert all(2 <= len(g) <= 3 for g in groups_of(VMdav(gain=gain).solve(asked, Silent())))


@pytest.mark.parametrize("k", [2, 3])
def test_univariate_equals_brute_force(k):
    generator = np.random.default_rng(3)
    for n in range(k, 10):
        for _ in range(4):
            values = np.sort(generator.choice([generator.normal(0, 5, n), generator.integers(0, 6, n)]))
            group_of = best_groups(values.astype(np.float64), k)
            sizes = np.bincount(group_of)
            assert k <= sizes.min()
            assert sizes.max() <= 2 * k - 1
            found = [np.flatnonzero(group_of == g).tolist() for g in range(len(sizes))]
            least = min(twin.squares(values.tolist(), groups) for groups in twin.partitions(n, k))
            assert twin.squares(values.tolist(), found) == pytest.approx(least, abs=1e-9)


def test_univariate_keeps_its_precision_far_from_zero():
    values = np.array([1e9, 1e9 + 1, 1e9 + 2, 1e9 + 50, 1e9 + 51, 1e9 + 53])
    assert best_groups(values, 2).tolist() == [0, 0, 0, 1, 1, 1]


def test_univariate_puts_missing_values_together():
    values = np.array([1.0, 2.0, 8.0, 9.0, np.nan, np.nan])
    assert sorted_groups(values, 2).tolist() == [0, 0, 1, 1, 2, 2]
    assert sorted_groups(values[:5], 2).tolist() == [0, 0, 1, 1, 1]
    assert sorted_groups(values[3:], 2).tolist() == [0, 0, 0]


def test_univariate_asks_for_one_ordered_attribute():
    with pytest.raises(InputError, match="use mdav"):
        Univariate().solve(mixed(0, 20, 2), Silent())
    grades = problem({"grade": ["low", "low", "top", "top", "good"]}, {"grade": GRADE}, (KAnonymity(2),))
    with pytest.raises(InputError, match="ordinal"):
        Univariate().solve(grades, Silent())
    solution = Univariate(ordinal=("grade",)).solve(grades, Silent())
    assert released(solution, grades, 0) == ["low", "low", "top", "top", "top"]


def released(solution, asked: Problem, j: int) -> list[str | None]:
    column = solution.decision.apply(asked).columns[j]
    return [column.labels[c] for c in column.codes]


def test_means_are_rounded_and_medians_and_modes_told_by_what_k_share():
    pay = ["1.5", "2.0", "2.5", "90.0", "91.0", "95.5"]
    columns = {
        "pay": pay,
        "grade": ["low", "top", "fair", "good", "good", "top"],
        "place": ["lodi", "lodi", "lodi", None, None, "bari"],
    }
    hierarchies = {"pay": numbers("pay", pay), "grade": GRADE, "place": PLACE}
    asked = problem(columns, hierarchies, (KAnonymity(3),))
    solution = Mdav(ordinal=("grade",)).solve(asked, Silent())
    assert released(solution, asked, 0) == ["2"] * 3 + ["92"] * 3  # 276.5 / 3 = 92.16…, steps of 0.5
    assert released(solution, asked, 1) == ["*"] * 6  # nobody's grade, for no three share one
    assert released(solution, asked, 2) == ["lodi"] * 3 + ["*"] * 3
    facts = solution.decision.facts(asked)
    assert facts["aggregates"]["pay"] == "rounded mean"
    assert "k people share" in facts["aggregates"]["grade"]
    assert facts["decimals"] == {"pay": "grid"}
    assert released(Mdav(decimals=0).solve(asked, Silent()), asked, 0) == ["2"] * 3 + ["92"] * 3
    as_nominal = Mdav(nominal=("pay",), ordinal=("grade",)).solve(asked, Silent())
    assert set(released(as_nominal, asked, 0)) == {"*"}


def test_a_median_date_is_told_by_the_period_that_k_share():
    days = ["1984-05-02", "1984-05-17", "1984-05-20", "1990-01-01", "1990-07-09", "1991-02-02"]
    born = Dates(["month", "year", "decade"]).build("born", days, [1] * 6)
    asked = problem({"born": days}, {"born": born}, (KAnonymity(3),))
    assert released(Univariate().solve(asked, Silent()), asked, 0) == ["1984-05"] * 3 + ["1990-1999"] * 3


def test_means_that_nobody_declared_a_rounding_for_are_refused():
    pay = ["1017.22", "1983.50", "4410.07", "90000.99"]
    asked = problem({"pay": pay}, {"pay": Suppress().build("pay", pay, [1] * 4)}, (KAnonymity(2),))
    for chosen in (Mdav(), VMdav(), Univariate()):
        with pytest.raises(InputError, match=r"'pay'.*decimals"):
            chosen.solve(asked, Silent())
    assert released(Mdav(decimals=0).solve(asked, Silent()), asked, 0) == ["1500", "1500", "47206", "47206"]


def test_a_group_is_missing_where_half_of_it_is():
    pay = ["1", "2", None, None, "50", "60", "70", None]
    asked = problem({"pay": pay}, {"pay": numbers("pay", pay)}, (KAnonymity(4),))
    labels = released(Univariate(decimals=0).solve(asked, Silent()), asked, 0)
    assert labels == ["37"] * 8  # one group of 8: five numbers are told, 183 / 5 = 36.6
    gone = problem(
        {"pay": ["1", "2", None, None]}, {"pay": numbers("pay", ["1", "2", None])}, (KAnonymity(4),)
    )
    assert released(Univariate().solve(gone, Silent()), gone, 0) == [None] * 4


def test_means_are_exact_and_rounded_half_to_even():
    values = ["0.1", "0.2", "0.3", "0.4"]
    asked = problem({"x": values}, {"x": numbers("x", values)}, (KAnonymity(4),))
    assert released(Univariate(decimals=2).solve(asked, Silent()), asked, 0) == ["0.25"] * 4
    assert released(Univariate(decimals=1).solve(asked, Silent()), asked, 0) == ["0.2"] * 4
    huge = [str(10**15 + i) for i in range(4)]
    asked = problem({"x": huge}, {"x": numbers("x", huge)}, (KAnonymity(2),))
    for label in released(Mdav(decimals=1).solve(asked, Silent()), asked, 0):
        assert 10**15 <= Decimal(str(label)) <= 10**15 + 3


def test_means_of_numbers_with_many_digits_are_exact():
    values = ["1" + "0" * 40 + ".25", "3" + "0" * 40 + ".5"]
    asked = problem({"x": values}, {"x": Suppress().build("x", values, [1, 1])}, (KAnonymity(2),))
    mean = "2" + "0" * 40 + "."  # 28 digits, as decimals have, are too few
    assert released(Mdav(decimals=2).solve(asked, Silent()), asked, 0) == [mean + "38"] * 2
    assert released(Mdav(decimals=30).solve(asked, Silent()), asked, 0) == [mean + "375" + "0" * 27] * 2
    with pytest.raises(InputError, match="from 0 to 30"):
        Mdav(decimals=31)


@pytest.mark.parametrize(
    "chosen", [Mdav(), Mdav(release="interval"), VMdav(), VMdav(release="interval")], ids=str
)
def test_released_classes_hold_k_and_scores_are_those_of_the_release(chosen):
    for metric in (None, Discernibility()):
        settings = {} if metric is None else {"objective": metric}
        asked = mixed(4, 60, 4, 0.1, **settings)
        solution = chosen.solve(asked, Silent())
        recoded = solution.decision.apply(asked)
        outcome = recoded.outcome(asked)
        assert outcome.classes.sizes.min() >= 4
        assert outcome.suppressed == 0
        assert solution.score == asked.objective.score(outcome)
        if chosen.release == "interval":
            for j, hierarchy in enumerate(asked.hierarchies):
                for code, ground in zip(recoded.columns[j].codes, asked.codes[:, j], strict=True):
                    understood = meaning(hierarchy, recoded.columns[j].labels[code])
                    assert understood is not None
                    assert understood[ground]


def test_a_centroid_loses_what_the_interval_of_its_group_loses():
    asked = mixed(8, 80, 5)
    told = Mdav(release="interval").solve(asked, Silent()).score
    assert Mdav().solve(asked, Silent()).score == pytest.approx(told, rel=1e-12)


def test_other_promises_are_kept_by_merging_groups():
    for seed in range(5):
        asked = mixed(seed, 60, 2)
        models = (KAnonymity(2), LDiversity(3, "disease"))
        diverse = Problem(
            asked.names, asked.hierarchies, asked.base, asked.class_of, models, sensitive=asked.sensitive
        )
        for chosen in (Mdav(), VMdav()):
            classes = chosen.solve(diverse, Silent()).decision.apply(diverse).outcome(diverse).classes
            assert not diverse.failing(classes).any()
            assert len(classes) > 1


def test_k_counts_people():
    asked = mixed(1, 60, 3)
    people = np.repeat(np.arange(20), 3)
    base, class_of = classes_of_rows(asked.codes, None, people)
    respected = Problem(asked.names, asked.hierarchies, base, class_of, asked.models, respondents=people)
    for chosen in (Mdav(), VMdav()):
        classes = chosen.solve(respected, Silent()).decision.apply(respected).outcome(respected).classes
        assert classes.sizes.min() >= 3
    alone = np.zeros(60, np.int64)
    base, class_of = classes_of_rows(asked.codes, None, alone)
    with pytest.raises(InfeasibleError, match="the whole table as one class"):
        Mdav().solve(
            Problem(asked.names, asked.hierarchies, base, class_of, asked.models, respondents=alone), Silent()
        )


def test_row_order_does_not_matter():
    asked = mixed(9, 70, 3)
    shuffled = np.random.default_rng(0).permutation(70)
    base, class_of = classes_of_rows(asked.codes[shuffled])
    again = Problem(asked.names, asked.hierarchies, base, class_of, asked.models)
    for chosen in (Mdav(), VMdav()):
        one = np.array([released(chosen.solve(asked, Silent()), asked, j) for j in range(4)], object)
        other = np.array([released(chosen.solve(again, Silent()), again, j) for j in range(4)], object)
        assert (one[:, shuffled] == other).all()


def test_what_cannot_be_done_is_said():
    with pytest.raises(InputError, match="centroid or interval"):
        Mdav(release="mean")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="decimals"):
        Univariate(decimals=-1)
    with pytest.raises(InputError, match="gain"):
        VMdav(gain=-0.1)
    with pytest.raises(InputError, match="no quasi-identifier"):
        Mdav(ordinal=("height",)).solve(mixed(0, 20, 2), Silent())
    with pytest.raises(InputError, match="both ordinal and nominal"):
        Mdav(ordinal=("grade",), nominal=("grade",)).solve(mixed(0, 20, 2), Silent())
    with pytest.raises(InfeasibleError, match="fewer than k"):
        Mdav().solve(mixed(0, 5, 9), Silent())
    asked = mixed(0, 20, 2)
    without = Problem(asked.names, asked.hierarchies, asked.base, asked.class_of, ())
    with pytest.raises(InputError, match="add k-anonymity"):
        Mdav().solve(without, Silent())
