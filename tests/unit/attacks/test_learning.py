"""deFinetti, downcoding and minimality: where they must succeed, where they must fail, and by enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.reference import attacks as naive

from kohort.attacks import Target, posteriors_by_output
from kohort.attacks.de_finetti import DeFinetti
from kohort.attacks.downcoding import Downcoding
from kohort.attacks.finer import parts
from kohort.attacks.groups import Groups
from kohort.attacks.learning import guess
from kohort.attacks.minimality import Minimality
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity
from kohort.verification.judges.two_tables import group_crowds

AGE = Hierarchy.from_rows("age", [(str(a), f"{a // 10}0s", "*") for a in range(20, 60)])
SEX = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")])


JOB = {"flu": "miner", "cold": "clerk", "ulcer": "cook"}


def anatomy(n: int, related: bool, seed: int = 0) -> tuple[Target, Target]:
    """Groups of two people with two of three illnesses; the job goes with the illness, or with nothing."""
    rng = np.random.default_rng(seed)
    quasi, torn, original = [], [], []
    for number in range(n):
        ills = [str(ill) for ill in rng.permutation(list(JOB))[:2]]
        for i, ill in enumerate(ills):
            follows = related and rng.random() < 0.8
            job = JOB[ill] if follows else str(rng.choice(list(JOB.values())))
            quasi.append({"job": job, "code": f"{number}-{i}", "group": str(number)})
            original.append({"job": job, "code": f"{number}-{i}", "ill": ill})
        torn += [{"group": str(number), "ill": ill, "count": "1"} for ill in sorted(ills)]
    tables = naive.table_of(quasi), naive.table_of(original), naive.table_of(torn)
    apart = group_crowds(tables[0], tables[2])
    exact = Target(tables[0], ("job",), ("ill",), original=tables[1], rows=np.arange(2 * n), apart=apart)
    by_code = Target(tables[0], ("job", "code"), ("ill",), original=tables[1], apart=apart)
    return exact, by_code


def test_definetti_breaks_anatomy_where_values_go_with_quasi_identifiers():
    finding = DeFinetti().run(anatomy(400, related=True)[0])[0]
    assert finding.baseline == 0.5
    assert finding.success > 0.7
    assert finding.interval[0] > 0.6
    assert finding.control == pytest.approx(0.5, abs=0.06)


def test_definetti_fails_where_nothing_is_related():
    finding = DeFinetti().run(anatomy(400, related=False)[0])[0]
    assert finding.success == pytest.approx(0.5, abs=0.06)


def test_definetti_scores_people_with_quasi_identifiers_of_their_own_where_rows_are_unknown():
    exact, by_code = anatomy(100, related=True)
    finding = DeFinetti().run(by_code)[0]
    assert finding.n == 200
    assert finding.details["people"] != "all"
    assert DeFinetti().run(exact)[0].details["people"] == "all"
    order = np.random.default_rng(2).permutation(200)
    rows = naive.table_of([dict(zip(("job", "code", "group"), cells, strict=True)) for cells in
                           np.array([[c.texts[i] for c in by_code.released for i in [c.codes[r]]] for r in order])])  # fmt: skip
    assert by_code.apart is not None
    turned = replace(by_code.apart, class_of=by_code.apart.class_of[order])
    shuffled = Target(rows, ("job", "code"), ("ill",), original=by_code.original, apart=turned)
    assert DeFinetti().run(shuffled)[0].success == pytest.approx(finding.success, abs=0.02)


def test_definetti_learns_from_certain_groups_what_to_say_of_uncertain_ones():
    """Groups 1 and 2 hold one illness each and tell which job has it; group 0 is decided by that."""
    owners, values = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 0, 1, 1], np.int32)
    groups = Groups(owners, values, 3, ("flu", "cold"))
    jobs = np.array([1, 0, 0, 0, 1, 1])
    assert guess(groups, owners, [jobs]).tolist() == [1, 0, 0, 0, 1, 1]


def test_definetti_of_an_ordinary_release_learns_within_classes():
    rng = np.random.default_rng(1)
    people = []
    for _ in range(600):
        ill = str(rng.choice(["flu", "cold"]))
        sex = {"flu": "F", "cold": "M"}[ill] if rng.random() < 0.9 else str(rng.choice(["F", "M"]))
        people.append({"zip": str(rng.integers(60)), "sex": sex, "ill": ill})
    released = [p | {"sex": "*"} for p in people]
    target = Target(naive.table_of(released), ("zip", "sex"), ("ill",), {"sex": SEX}, original=naive.table_of(people),
                    rows=np.arange(600))  # fmt: skip
    finding = DeFinetti().run(target)[0]
    assert finding.success > finding.baseline + 0.1
    assert "original" in DeFinetti().lacks(naive.target_of(released, ["zip"], ["ill"]))


def test_parts_are_the_labels_one_step_down_and_halves_of_intervals():
    assert parts(AGE, "20s")[:10].tolist() == list(range(10))
    assert set(parts(AGE, "20s")[10:].tolist()) == {-1}
    assert len(np.unique(parts(AGE, "*"))) == 4
    halves = parts(AGE, "[25, 34]")
    assert [int((halves == part).sum()) for part in (0, 1)] == [5, 5]
    assert parts(AGE, "nothing") is None


def downcoding_target(related: bool, n: int = 400) -> Target:
    """Half of the rows tell the sex; in the others it is suppressed. The job goes with it, or does not."""
    rng = np.random.default_rng(3)
    people = []
    for _ in range(n):
        sex = str(rng.choice(["F", "M"]))
        job = {"F": "nurse", "M": "miner"}[sex] if related else str(rng.choice(["nurse", "miner"]))
        people.append({"sex": sex, "job": job})
    released = [p | {"sex": "*"} if i % 2 else p for i, p in enumerate(people)]
    return Target(
        naive.table_of(released),
        ("sex",),
        (),
        {"sex": SEX},
        original=naive.table_of(people),
        rows=np.arange(n),
    )


def test_downcoding_undoes_suppression_where_another_column_tells():
    finding = Downcoding().run(downcoding_target(related=True))[0]
    assert finding.n == 200
    assert finding.success == 1
    assert finding.baseline == pytest.approx(0.5, abs=0.1)
    assert finding.control == pytest.approx(0.5, abs=0.1)


def test_downcoding_fails_where_no_column_tells_and_where_nothing_finer_was_released():
    assert Downcoding().run(downcoding_target(related=False))[0].success == pytest.approx(0.5, abs=0.1)
    told = downcoding_target(related=True)
    people = told.original
    whole = naive.table_of([{"sex": "*", "job": people["job"].texts[c]} for c in people["job"].codes])
    finding = Downcoding().run(Target(whole, ("sex",), (), {"sex": SEX}, original=people, rows=told.rows))[0]
    assert finding.success == finding.baseline


def test_downcoding_of_an_exact_table_has_nothing_to_do():
    people = downcoding_target(related=True).original
    finding = Downcoding().run(
        Target(people, ("sex",), (), {"sex": SEX}, original=people, rows=np.arange(400))
    )[0]
    assert (finding.n, finding.success) == (0, 0)


def test_minimality_by_enumeration_posterior_exceeds_the_claim():
    """Wong's argument: everybody in one group means that some group of q broke the promise."""
    quasi = ("q1", "q1", "q2", "q2", "q2", "q2")
    inputs = [w for w in product(("hiv", "flu"), repeat=6) if w.count("hiv") == 2]
    told = posteriors_by_output(inputs, lambda values: release_of(quasi, values))
    merged = (("*", ("flu", "flu", "flu", "flu", "hiv", "hiv")),)
    claim = 1 / 2
    assert told[merged][0]["hiv"] > claim, "a member of q1 is likelier ill than the release says"
    naive_reading = 2 / 6
    assert told[merged][0]["hiv"] > naive_reading


def release_of(quasi: tuple[str, ...], values: tuple[str, ...]) -> tuple[object, ...]:
    """Split by q unless hiv is more than half of a group."""
    groups = {q: sorted(v for p, v in zip(quasi, values, strict=True) if p == q) for q in ("q1", "q2")}
    if all(2 * g.count("hiv") <= len(g) for g in groups.values()):
        return tuple((q, tuple(g)) for q, g in groups.items())
    return (("*", tuple(sorted(values))),)


def test_minimality_by_enumeration_a_rule_that_ignores_values_keeps_the_claim():
    quasi = ("q1", "q1", "q2", "q2", "q2", "q2")
    inputs = [w for w in product(("hiv", "flu"), repeat=6) if w.count("hiv") == 2]
    told = posteriors_by_output(inputs, lambda values: (("*", tuple(sorted(values))),))
    for person in told[next(iter(told))]:
        assert person["hiv"] == pytest.approx(2 / 6)
    assert len(quasi) == 6


def wong(levels: dict[str, int] | None, ills: list[str]) -> Target:
    """Four women and four men, released as persons; splitting by sex would leave the men one illness."""
    people = [{"sex": s, "ill": ill} for s, ill in zip("FFFFMMMM", ills, strict=True)]
    released = [{"sex": "*", "ill": p["ill"]} for p in people]
    return Target(
        naive.table_of(released), ("sex",), ("ill",), {"sex": SEX}, original=naive.table_of(people), rows=np.arange(8),
        promises=(KAnonymity(3), LDiversity(2, "ill")), levels=levels,
    )  # fmt: skip


@pytest.mark.parametrize("levels", [{"sex": 1}, None])
def test_minimality_speaks_about_classes_that_only_diversity_kept_together(levels):
    split = wong(levels, ["flu", "cold", "flu", "cold", "hiv", "hiv", "hiv", "hiv"])
    assert Minimality().run(split)[0].success == 1
    diverse = wong(levels, ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"])
    assert Minimality().run(diverse)[0].success == 0


def test_minimality_has_nothing_to_say_of_k_anonymity_alone():
    target = wong({"sex": 1}, ["flu"] * 4 + ["hiv"] * 4)
    plain = Target(target.released, ("sex",), ("ill",), {"sex": SEX}, original=target.original, rows=target.rows,
                   promises=(KAnonymity(3),), levels={"sex": 1})  # fmt: skip
    finding = Minimality().run(plain)[0]
    assert (finding.success, finding.details["depends_on_sensitive"]) == (0, False)


def test_minimality_is_silent_where_k_forbids_the_split_anyway():
    target = wong(None, ["flu", "cold", "flu", "cold", "hiv", "hiv", "hiv", "hiv"])
    strict = Target(target.released, ("sex",), ("ill",), {"sex": SEX}, original=target.original, rows=target.rows,
                    promises=(KAnonymity(5), LDiversity(2, "ill")))  # fmt: skip
    assert Minimality().run(strict)[0].success == 0
