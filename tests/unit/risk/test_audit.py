"""`audit_facts` against pandas and the definitions, and on the traps that mislead other tools."""

import json
import math
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc
import pytest
from tests.adult import QUASI, adult_directory, level_rows
from tests.reference import models as naive
from tests.thinned import many

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.risk import audit_facts
from kohort.table import Table


def table_of(**columns):
    return Table.from_arrow(pa.table(columns))


class Tallied(list):
    """A list that counts in one pass."""

    def __init__(self, values):
        super().__init__(values)
        self.tally = Counter(values)

    def count(self, value):
        return self.tally[value]


def twin(frame, quasi, column, paths=None):
    """Every figure of one sensitive column by pandas' groups and the naive twins; missing is a value."""
    frame = frame.astype(object).where(frame.notna(), None)
    whole = Tallied(frame[column].tolist())
    groups = [Tallied(group[column].tolist()) for _, group in frame.groupby(quasi, dropna=False, sort=False)]
    order = sorted(set(whole), key=lambda v: (v is None, v))
    told = {
        "distinct_l": min(len(set(g)) for g in groups),
        "entropy_l": math.exp(min(naive.entropy(g) for g in groups)),
        "alpha": max(max(float(naive.share(g, v)) for v in set(g)) for g in groups),
        "beta": max(float(naive.max_gain(g, whole)) for g in groups),
        "delta_of_values_that_occur": max(naive.disclosure(g, whole, absent=False) for g in groups),
        "homogeneous": sum(len(g) for g in groups if len(set(g)) == 1),
        "equal": max(float(naive.equal_distance(g, whole)) for g in groups),
        "ordered": max(float(naive.ordered_distance(g, whole, order)) for g in groups),
        # the share of the most frequent value over all others: c must pass it where l = 2
        "recursive_c": max(
            max(g.tally.values()) / rest if (rest := len(g) - max(g.tally.values())) else math.inf
            for g in groups
        ),
        "recursive": {str(c): min(naive.recursive_l(g, c) for g in groups) for c in (1, 2, 3, 5, 10)},
    }
    delta = max(naive.disclosure(g, whole, absent=True) for g in groups)
    told["delta"] = None if math.isinf(delta) else delta
    if paths is not None:
        told["hierarchical"] = max(float(naive.hierarchical_distance(g, whole, paths)) for g in groups)
    return told


def assert_alike(facts, expected):
    assert facts["distinct_l"] == expected["distinct_l"]
    assert facts["entropy_l"] == pytest.approx(expected["entropy_l"])
    assert facts["recursive_l"] == expected["recursive"]
    bound = facts["recursive_c"]
    assert (math.inf if bound is None else bound) == pytest.approx(expected["recursive_c"])
    for name in ("alpha", "beta", "delta", "delta_of_values_that_occur", "homogeneous"):
        assert facts[name] == (None if expected[name] is None else pytest.approx(expected[name])), name
    for distance, t in facts["t"].items():
        assert t == pytest.approx(expected[distance]), distance


@many(seed=range(25))
def test_random_tables_with_missing_values_equal_pandas(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    frame = pd.DataFrame(
        {
            "age": rng.choice(np.array(["20", "30", None], object), n),
            "zip": rng.choice(np.array(["x", "y", None], object), n),
            "illness": rng.choice(np.array(["flu", "hiv", "ulcer", None], object), n),
        },
        index=rng.permutation(n) * 7,
    )
    facts = audit_facts(
        Table.from_arrow(pa.Table.from_pandas(frame, preserve_index=False)), ["age", "zip"], ["illness"]
    )
    sizes = frame.groupby(["age", "zip"], dropna=False).size()
    assert (facts["k"], facts["classes"], facts["largest_class"]) == (sizes.min(), len(sizes), sizes.max())
    assert facts["risk"]["prosecutor"]["average"] == pytest.approx(len(sizes) / n)
    assert facts["uniqueness"]["unique"] == (sizes == 1).sum()
    assert facts["missing"]["age"] == frame["age"].isna().sum()
    assert_alike(facts["sensitive"]["illness"], twin(frame, ["age", "zip"], "illness"))


@pytest.fixture(scope="module")
def adult():
    return pc.read_csv(adult_directory() / "adult.csv", parse_options=pc.ParseOptions(delimiter=";"))


def test_adult_equals_independent_figures(adult):
    quasi = ["sex", "age", "race"]
    rows = level_rows("occupation")
    paths = {row[0]: tuple(row) for row in rows}
    hierarchy = Hierarchy.from_rows("occupation", rows)
    facts = audit_facts(Table.from_arrow(adult), quasi, ["occupation"], hierarchies={"occupation": hierarchy})
    frame = adult.to_pandas()
    sizes = frame.groupby(quasi).size()
    assert facts["rows"] == 30162
    assert (facts["k"], facts["classes"]) == (sizes.min(), len(sizes))
    per_record = 1 / frame.groupby(quasi)["sex"].transform("size")
    assert facts["risk"]["marketer"] == pytest.approx(per_record.mean())
    for told in facts["risk"]["at_risk"]:
        assert told["people"] == (per_record > told["above"] + 1e-12).sum()
    expected = twin(frame, quasi, "occupation", {v: paths[v] for v in set(frame["occupation"])})
    expected.pop("ordered")  # goes by the hierarchy's domain order: see the contract tests
    found = dict(facts["sensitive"]["occupation"])
    found["t"] = {d: t for d, t in found["t"].items() if d != "ordered"}
    assert_alike(found, expected)


def test_adult_uniqueness_of_every_subset_told_equals_pandas(adult):
    facts = audit_facts(Table.from_arrow(adult), list(QUASI), subset_size=2)
    frame = adult.to_pandas()
    assert facts["uniqueness"]["unique"] == (frame.groupby(list(QUASI)).size() == 1).sum()
    for told in facts["uniqueness"]["subsets"]:
        assert told["unique"] == (frame.groupby(told["columns"]).size() == 1).sum()
    for told in facts["uniqueness"]["columns"]:
        rest = [name for name in QUASI if name != told["column"]]
        sizes = frame.groupby(rest).size()
        assert (told["k"], told["classes"], told["unique"]) == (sizes.min(), len(sizes), (sizes == 1).sum())


def test_suppressed_rows_are_counted_and_judged_both_ways():
    """Two classes of three, two suppressed rows: k is 3 without them; as a class of their own, 2."""
    table = table_of(
        age=["2*"] * 3 + ["3*"] * 3 + ["*"] * 2,
        zip=["1", "1", "1", "*", "*", "*", "*", "*"],
        illness=["a", "b", "c", "a", "b", "c", "a", "a"],
    )
    facts = audit_facts(table, ["age", "zip"], ["illness"])
    assert (facts["rows"], facts["suppressed"], facts["records"], facts["k"]) == (8, 2, 6, 3)
    assert facts["sensitive"]["illness"]["distinct_l"] == 3
    assert (facts["with_suppressed"]["k"], facts["with_suppressed"]["records"]) == (2, 8)
    assert facts["with_suppressed"]["sensitive"]["illness"]["distinct_l"] == 1
    assert facts["sensitive"]["illness"]["t"]["equal"] == pytest.approx(1 / 6), "compared with all eight rows"


def test_a_table_of_suppressed_rows_only_tells_nothing_by_itself():
    facts = audit_facts(table_of(age=["*", "*"], illness=["a", "b"]), ["age"], ["illness"])
    assert (facts["suppressed"], facts["records"], facts["k"]) == (2, 0, None)
    assert facts["with_suppressed"]["k"] == 2


def test_no_suppressed_rows_no_second_judgement():
    assert audit_facts(table_of(age=["*", "2"], zip=["1", "*"]), ["age", "zip"])["with_suppressed"] is None


def test_one_person_with_many_rows_is_no_crowd():
    table = table_of(age=[1, 1, 1, 2, 2], who=["ann", "ann", "ann", "bob", "cid"])
    assert audit_facts(table, ["age"])["k"] == 2
    facts = audit_facts(table, ["age"], respondent="who")
    assert (facts["k"], facts["respondents"], facts["people"]) == (1, 3, 3)
    assert facts["uniqueness"]["unique"] == 1
    assert facts["risk"]["prosecutor"]["at_highest"] == 1


def test_row_order_and_column_types_do_not_matter():
    rng = np.random.default_rng(8)
    age, zip_, ill = rng.integers(20, 24, 60), rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    order = rng.permutation(60)
    plain = audit_facts(table_of(age=age, zip=zip_, ill=ill), ["age", "zip"], ["ill"])
    mixed = audit_facts(
        table_of(
            age=pa.array(age[order].astype(str)),
            zip=pa.array(zip_[order].astype(float)),
            ill=pa.array(ill[order].astype(str)).dictionary_encode(),
        ),
        ["age", "zip"],
        ["ill"],
    )
    assert plain == mixed


def test_facts_are_json_and_quote_no_cell():
    table = table_of(
        age=["secret-age", "b", None], ill=["secret-ill", "x", "y"], who=["secret-who", "p", "q"]
    )
    facts = audit_facts(table, ["age"], ["ill"], "who", sampling_fraction=0.5)
    told = json.dumps(facts, allow_nan=False)
    assert "secret" not in told


def test_a_population_table_gives_the_journalists_risk():
    table = table_of(age=["1", "1", "2", "3"])
    population = table_of(age=["1"] * 10 + ["2"] * 4 + ["9"] * 6)
    facts = audit_facts(table, ["age"], population=population)["population"]
    assert facts["people"] == 20
    assert facts["journalist"]["highest"] == 1, "age 3 is not in the population table: the person is alone"
    assert facts["journalist"]["average"] == pytest.approx((2 / 10 + 1 / 4 + 1) / 4)
    assert facts["larger_than_population"] == 1
    estimated = audit_facts(table, ["age"], sampling_fraction=0.2)["population"]
    assert "journalist" not in estimated, "f/π people is no estimate of those who share a combination"
    assert estimated["sampled"]["at_most"] == 1
    assert estimated["estimates"]["population"] == 20
    assert audit_facts(table, ["age"])["population"] is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"quasi": []}, "no quasi-identifier"),
        ({"quasi": ["age"], "sensitive": ["age"]}, "'age' is named more than once"),
        ({"quasi": ["agee"]}, "no column 'agee'"),
        ({"quasi": ["age"], "respondent": "who"}, "no column 'who'"),
    ],
)
def test_wrong_columns_are_told(arguments, told):
    with pytest.raises(InputError, match=told):
        audit_facts(table_of(age=[1, 2]), **arguments)


def test_an_empty_table_is_told():
    with pytest.raises(InputError, match="no rows"):
        audit_facts(table_of(age=pa.array([], pa.int64())), ["age"])


def test_a_value_that_the_hierarchy_misses_is_told_without_quoting_it():
    hierarchy = Hierarchy.from_rows("ill", [("a", "*")])
    with pytest.raises(InputError, match="misses 1 of the 2") as caught:
        audit_facts(table_of(age=[1, 2], ill=["a", "zzz"]), ["age"], ["ill"], hierarchies={"ill": hierarchy})
    assert "zzz" not in str(caught.value)


def test_people_of_a_population_are_counted_and_not_their_rows():
    table = Table.from_arrow(pa.table({"who": ["a", "b"], "zip": ["1", "2"]}))
    population = Table.from_arrow(
        pa.table({"who": ["a", "a", "c", "b", "d"], "zip": ["1", "1", "1", "2", "3"]})
    )
    facts = audit_facts(table, ["zip"], respondent="who", population=population)["population"]
    assert facts["people"] == 4
    assert facts["journalist"]["average"] == (1 / 2 + 1) / 2
    rows = audit_facts(table, ["zip"], population=population)["population"]
    assert rows["people"] == 5
    assert rows["journalist"]["average"] == (1 / 3 + 1) / 2


def test_diversity_figures_are_of_people():
    """Two people in one class, one with three values; in the other everybody has flu."""
    table = Table.from_arrow(
        pa.table(
            {
                "who": ["a", "a", "a", "b", "c", "c", "d"],
                "zip": ["1"] * 4 + ["2"] * 3,
                "ill": ["flu", "gout", "cold", "cold", "flu", "gout", "flu"],
            }
        )
    )
    facts = audit_facts(table, ["zip"], ["ill"], respondent="who")
    told = facts["sensitive"]["ill"]
    assert (facts["p"], told["distinct_l"], told["alpha"]) == (1, 1, 1.0)
    assert (told["homogeneous"], told["homogeneous_share"]) == (0, 0.0)  # whose the rows are nobody sees
    by_rows = audit_facts(table, ["zip"], ["ill"])["sensitive"]["ill"]
    assert (by_rows["distinct_l"], by_rows["homogeneous"]) == (2, 0)
