"""deFinetti, downcoding and minimality against their naive twins on tiny tables, and minimality on real searches."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from tests.reference import attacks as naive

from kohort.algorithms import Silent
from kohort.attacks import Target, posteriors_by_output
from kohort.attacks.downcoding import Downcoding
from kohort.attacks.groups import Groups
from kohort.attacks.learning import guess
from kohort.attacks.minimality import Minimality
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity
from kohort.pipeline import make_release
from kohort.plan import Plan

SEX = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")])
ZIP = Hierarchy.from_rows("zip", [("1", "*"), ("2", "*")])


@pytest.mark.parametrize("seed", range(12))
def test_definetti_equals_its_naive_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    owners = np.sort(np.unique(rng.integers(0, 3, n), return_inverse=True)[1])
    codes = rng.integers(0, 3, n)
    labels, codes = np.unique(codes, return_inverse=True)
    features = rng.integers(0, 3, (n, 2))
    features = np.column_stack([np.unique(f, return_inverse=True)[1] for f in features.T])
    n_groups = int(owners.max()) + 1
    groups = Groups(owners, codes.astype(np.int32), n_groups, tuple(map(str, labels)))
    got = [str(labels[v]) for v in guess(groups, owners, list(features.T), rounds=4)]
    people = [np.flatnonzero(owners == g).tolist() for g in range(n_groups)]
    values = [[str(labels[v]) for v in codes[owners == g]] for g in range(n_groups)]
    known = [[str(x) for x in row] for row in features]
    assert got == naive.assigned_by_learning(people, values, known, rounds=4)


@pytest.mark.parametrize("seed", range(12))
def test_downcoding_equals_its_naive_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 16))
    people = [
        {"sex": str(rng.choice(["F", "M"])), "job": str(rng.integers(3)), "town": str(rng.integers(2))}
        for _ in range(n)
    ]
    hidden = rng.random(n) < 0.5
    released = [p | {"sex": "*"} if h else p for p, h in zip(people, hidden, strict=True)]
    target = Target(
        naive.table_of(released),
        ("sex",),
        (),
        {"sex": SEX},
        original=naive.table_of(people),
        rows=np.arange(n),
    )
    totals = {sex: sum(p["sex"] == sex for p in people) for sex in "FM"}
    guesses = naive.downcoded(released, "sex", totals)
    finding = Downcoding().run(target)[0]
    assert finding.n == len(guesses) == hidden.sum()
    right = sum((people[i]["sex"] in said) / len(said) for i, said in guesses.items())
    assert finding.details["columns"]["sex"]["recovered"] == pytest.approx(right, abs=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_minimality_of_classes_equals_its_naive_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    people = [
        {"sex": str(rng.choice(["F", "M"])), "zip": str(rng.choice(["1", "2"])), "ill": str(rng.integers(3))}
        for _ in range(n)
    ]
    town = rng.integers(0, 2, n)
    released = [
        {"sex": "*", "zip": p["zip"] if t else "*", "ill": p["ill"]}
        for p, t in zip(people, town, strict=True)
    ]
    target = Target(
        naive.table_of(released), ("sex", "zip"), ("ill",), {"sex": SEX, "zip": ZIP}, original=naive.table_of(people),
        rows=np.arange(n), promises=(KAnonymity(2), LDiversity(2, "ill")),
    )  # fmt: skip
    keys = [row["zip"] for row in released]
    classes = [[i for i in range(n) if keys[i] == key] for key in sorted(set(keys))]
    parts = [lambda i: people[i]["sex"], lambda i: people[i]["zip"]]
    expected = naive.split_only_by_values(classes, parts, [p["ill"] for p in people], 2, 2)
    assert Minimality().run(target)[0].success == pytest.approx(len(expected) / n)


QUASI = ("1", "1", "2", "2", "2", "2")


def released(values: tuple[str, ...], require: list[dict[str, object]]) -> tuple[tuple[str, str], ...]:
    """What Kohort's optimal search releases of six people, as an unordered table."""
    plan = Plan(
        columns={"zip": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": "sensitive"}, require=require,
        recode={"max_suppression": 0, "seed": 1},
    )  # fmt: skip
    release = make_release(pa.table({"zip": QUASI, "ill": values}), plan, Silent())
    return tuple(
        sorted(map(tuple, zip(*release.tables["table"].to_arrow().to_pydict().values(), strict=True)))
    )


def test_on_an_enumerated_domain_minimality_beats_l_diversity_and_not_k_anonymity():
    """Everybody as one class tells that ZIP 1 is not diverse; with k alone the same table tells nothing."""
    inputs = [world for world in product("hf", repeat=6) if world.count("h") == 3]
    diverse: list[dict[str, object]] = [
        {"model": "k-anonymity", "k": 2},
        {"model": "l-diversity", "column": "ill", "l": 2, "variant": "distinct"},
    ]
    told = posteriors_by_output(inputs, lambda world: released(world, diverse))
    merged = next(output for output in told if output[0][0] == "*")
    assert len(told) > 1
    first, last = told[merged][0], told[merged][-1]
    assert first["h"] == pytest.approx(0.5), "by symmetry"
    # Read as printed each pair of ZIP 1 would be alike with chance 2/5; who knows the rule knows more.
    alike = [world for world in inputs if released(world, diverse) == merged]
    assert sum(world[0] == world[1] for world in alike) / len(alike) > 2 / 5
    assert last["h"] == pytest.approx(0.5)
    plain = posteriors_by_output(inputs, lambda world: released(world, diverse[:1]))
    for output, people in plain.items():
        for person, place in zip(people, QUASI, strict=True):
            members = [ill for zip_code, ill in output if zip_code == place]
            for ill, chance in person.items():
                assert chance == pytest.approx(members.count(ill) / len(members)), "k alone: as printed"
