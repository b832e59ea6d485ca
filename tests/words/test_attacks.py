"""What attacks say: they gain where there is something to find, by chance only where not, and each sentence is true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace as with_changes
from math import ceil
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from tests.contract.test_algorithms import NUMBERS_ONLY, SMALL, plan_for
from tests.contract.test_people_released import stays
from tests.reference import attacks as naive
from tests.unit.report import hand_made
from tests.words.attacked_worlds import NULLS, PLANTED, SEX, N, anatomy, half_suppressed, voters

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.attacks import ATTACKS, Finding, Target, run_attacks
from kohort.attacks.composition import Composition
from kohort.attacks.de_finetti import DeFinetti
from kohort.attacks.features import BINS, binned
from kohort.attacks.learning import Cells, guess, rounds_that_hold
from kohort.attacks.linking import Linking
from kohort.attacks.minimality import Minimality
from kohort.attacks.row_order import RowOrder
from kohort.errors import InputError
from kohort.facts import ReleaseFacts
from kohort.hierarchy import Hierarchy, meaning
from kohort.models import KAnonymity, LDiversity
from kohort.models.personalized import Personalized
from kohort.report.attacks import CHANCE, KNOWN, UNSEEN, attacks
from kohort.table import Table
from kohort.verification.judges.two_tables import group_crowds

RUNS = 40


def test_there_is_a_world_for_every_attack():
    assert set(PLANTED) == set(NULLS) == set(ATTACKS)


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_gains_where_there_is_something_to_find(name):
    for seed in range(3):
        told = run_attacks(PLANTED[name](seed), [name])
        assert told.lacking == {}
        assert any(finding.gained for finding in told.found), told
        best = max(told.found, key=lambda finding: finding.success - (finding.control or 0))
        if best.smallest_effect is not None:
            assert best.success - best.control >= best.smallest_effect, (
                "larger than what could have been found"
            )


@pytest.mark.parametrize("name", ATTACKS)
def test_where_there_is_nothing_to_find_success_is_the_control_but_for_the_uncertainty_told(name):
    above, below, runs = Counter(), Counter(), Counter()
    for seed in range(RUNS):
        for finding in run_attacks(NULLS[name](seed), [name]).found:
            assert finding.margin is not None
            runs[finding.label] += 1
            above[finding.label] += finding.success - finding.control > finding.margin + 1e-9
            below[finding.label] += finding.control - finding.success > finding.margin + 1e-9
    assert runs
    for label, tried in runs.items():
        assert above[label] <= 0.05 * tried, (label, above[label], tried)
        assert below[label] <= 0.05 * tried, (label, below[label], tried)


def everything(seed: int) -> list[Target]:
    return [world(seed) for world in (*PLANTED.values(), *NULLS.values())]


def consistent(finding: Finding) -> None:
    """What must hold of every finding, on whatever release."""
    assert 0 <= finding.baseline <= 1
    assert 0 <= finding.success <= 1 + 1e-9
    assert finding.control is not None
    assert finding.margin is not None
    assert finding.success >= finding.control - 2 * finding.margin - 1e-9, finding
    if finding.interval is not None:
        assert finding.interval[0] - 1e-9 <= finding.success <= finding.interval[1] + 1e-9
    if finding.smallest_effect is not None:
        assert finding.margin <= finding.smallest_effect <= 1 - finding.control + 1e-9
        found = with_changes(finding, success=finding.control + finding.smallest_effect + 1e-9)
        assert found.gained, "what power promises counts as found"
    said = finding.sentence
    spelled = {
        f"{finding.success:.1%}",
        "less than 0.1%",
        "more than 99.9%",
        rounded_up(finding.success),
        f"{finding.success:.2f}",
        f"{finding.success:.3f}",
    }
    assert finding.success == 0 or any(one in said for one in spelled), finding
    assert "gained nothing" not in said


def rounded_up(share: float) -> str:
    return f"{ceil(share * 1000 - 1e-9) / 10:.1f}%"


@pytest.mark.parametrize("seed", [3])
def test_success_is_never_below_the_control_by_more_than_chance_and_sentences_tell_it(seed):
    labels = set()
    for target in everything(seed):
        for finding in run_attacks(target).found:
            consistent(finding)
            labels.add(finding.attack)
    assert labels == set(ATTACKS)


# --- releases of every algorithm, with people of several rows -------------------------------------------------


def asked_of(name: str, respondent: bool) -> kohort.Plan:
    plan = plan_for(name).to_dict()
    if name not in UNFOLLOWED:
        plan["columns"]["row"] = {"role": "insensitive", "allow_unique": True}
    if respondent:
        plan["input"] = {"respondent": "who"}
    return kohort.Plan.from_dict(plan)


def people_for(name: str, respondent: bool) -> pa.Table:
    """A table that the algorithm takes: of numbers, small, and of one row each where groups would tell of several."""
    frame = stays(min(SMALL.get(name, 80), 60 if "factor" in name else 80), 11, name in NUMBERS_ONLY)
    if respondent and name in ONE_ROW_EACH:
        frame = frame.set_column(frame.column_names.index("who"), "who", frame["row"].cast(pa.string()))
    return frame


def release_of(name: str, respondent: bool) -> tuple[Target, list[naive.Row]]:
    """A release by an algorithm, with the true row of each released one."""
    frame, plan = people_for(name, respondent), asked_of(name, respondent)
    release = kohort.anonymize(frame, plan)
    original = Table.from_arrow(frame)
    followed = "row" in release.table.column_names
    rows = np.array(release.table["row"].to_pylist()).astype(np.int64) if followed else None
    shown = release.table.drop_columns(["row"]) if followed else release.table
    tables = list(release.tables.values())
    hierarchies = {n: kohort_hierarchy(plan, original, n) for n in plan.quasi if plan.columns[n].hierarchy}
    people = [{c.name: c.texts[c.codes[i]] for c in original} for i in range(original.n_rows)]
    whose = original["who"].codes.astype(np.int64) if respondent else None
    target = Target(
        Table.from_arrow(shown), plan.quasi, plan.sensitive, hierarchies, original=original, rows=rows,
        owners=None if whose is None or rows is None else whose[rows], original_owners=whose,
        truthful=algorithm(name).card.truthful, apart=group_crowds(*tables) if len(tables) > 1 else None,
    )  # fmt: skip
    return target, people


def kohort_hierarchy(plan: kohort.Plan, original: Table, name: str) -> Hierarchy:
    from kohort.hierarchy import build_hierarchy

    column = original[name]
    return build_hierarchy(name, plan.columns[name].hierarchy, column.texts, column.counts(), plan.base)


def plain_rows(table: Table) -> list[naive.Row]:
    return [{c.name: c.texts[c.codes[i]] for c in table} for i in range(table.n_rows)]


def covering(hierarchies: dict[str, Hierarchy]) -> naive.Covers:
    def covers(name: str, label: str | None, value: str | None) -> bool:
        mask = meaning(hierarchies[name], label)
        return label == "*" or (mask is not None and bool(mask[hierarchies[name].ground.index(value)]))

    return covers


TRUTHFUL = [name for name in ALGORITHMS if algorithm(name).card.truthful]
PERTURBING = [name for name in ALGORITHMS if name not in TRUTHFUL]
OF_RECORDS = [name for name in ALGORITHMS if algorithm(name).card.respondents == "nobody"]
UNFOLLOWED = [
    name for name in ALGORITHMS if algorithm(name).card.covers_all
]  # no column may be released beside its noise
ONE_ROW_EACH = [name for name in ALGORITHMS if algorithm(name).card.respondents == "one"]


@pytest.mark.parametrize("name", OF_RECORDS)
def test_who_counts_records_is_never_asked_for_people(name):
    with pytest.raises(InputError, match=r"^\[input\] respondent: "):
        release_of(name, respondent=True)


@pytest.mark.parametrize(
    ("name", "respondent"),
    [(name, people) for name in TRUTHFUL for people in (False, True) if not (people and name in OF_RECORDS)],
)
def test_no_picker_of_rows_beats_what_linking_calls_at_most(name, respondent):
    target, people = release_of(name, respondent)
    known = [people[i] for i in target.rows]
    owners = list(range(len(known))) if target.owners is None else target.owners.tolist()
    covers = covering(dict(target.hierarchies))
    true = naive.every_picker(known, owners, plain_rows(target.released), target.quasi, covers)
    finding = Linking().run(target)[0]
    told = finding.details
    assert told["ways"]["any record that fits"] == pytest.approx(true["any"], abs=1e-6)
    assert told["at_most"] == pytest.approx(true["told"], abs=1e-6)
    assert told["highest"] == pytest.approx(true["highest"], abs=1e-6)
    assert true["best"] <= true["told"] + 1e-9
    assert finding.success <= true["best"] + 1e-9
    assert finding.success >= true["any"] - 1e-9
    average, highest = said_at_most(finding.sentence)
    assert average >= true["told"] - 1e-9
    assert highest >= true["highest"] - 1e-9
    for one in run_attacks(target).found:
        consistent(one)


@pytest.mark.parametrize(
    ("name", "respondent"),
    [
        (name, people)
        for name in PERTURBING
        for people in (False, True)
        if not (people and name in UNFOLLOWED)
    ],
)
def test_no_picker_who_forms_the_groups_again_beats_what_distance_linking_calls_at_most(name, respondent):
    """He is told in which group everybody stands, and picks among its records."""
    target, _ = release_of(name, respondent)
    rows = [tuple(row[n] for n in target.quasi) for row in plain_rows(target.released)]
    owners = list(range(len(rows))) if target.owners is None else target.owners.tolist()
    groups = {row: [i for i, one in enumerate(rows) if one == row] for row in rows}
    told = [np.mean([owners[j] == owners[i] for j in groups[row]]) for i, row in enumerate(rows)]
    for rows_known in (target.rows, None):
        finding = run_attacks(with_changes(target, rows=rows_known), ["distance-linking"]).found[0]
        assert finding.details["at_most"] == pytest.approx(np.mean(told), abs=2e-6)
        assert finding.details["highest"] == pytest.approx(max(told), abs=2e-6)
        average, highest = said_at_most(finding.sentence)
        assert average >= np.mean(told) - 1e-9
        assert highest >= max(told) - 1e-9
        assert finding.success <= finding.details["at_most"] + 1e-9
        assert finding.bound is (rows_known is None)
        for one in run_attacks(target).found:
            consistent(one)


def said_at_most(sentence: str) -> tuple[float, float]:
    average, highest = re.findall(r"(?:at most|more than) ([0-9.]+)%", sentence)
    return float(average) / 100, float(highest) / 100


def test_whoever_holds_three_of_eight_rows_is_found_three_times_in_eight():
    owners = np.array([0, 0, 0, 1, 2, 3, 4, 4])
    rows = [{"sex": "*"} for _ in owners]
    known = naive.table_of([{"sex": "F"} for _ in owners])
    target = Target(
        naive.table_of(rows), ("sex",), (), {"sex": SEX}, original=known, rows=np.arange(8), owners=owners
    )
    finding = Linking().run(target)[0]
    assert finding.details["highest"] == 0.375
    assert "more than 37.5%" in finding.sentence
    scattered = Target(naive.table_of(rows), ("sex",), (), {"sex": SEX}, original=known, scattered=True)
    said = Linking().run(scattered)[0].sentence
    assert "at most" not in said
    assert "no bound is told" in said


def test_the_narrowest_fitting_class_is_picked_where_labels_overlap():
    """Ten are told as 20 to 59, two as 20 to 29: whoever is 25 is one of the two."""
    ages = Hierarchy.from_rows("age", [(str(a), "*") for a in range(20, 60)])
    released = [{"age": "[20, 59]"} for _ in range(10)] + [{"age": "[25, 26]"} for _ in range(2)]
    known = [{"age": str(30 + i)} for i in range(10)] + [{"age": "25"}, {"age": "26"}]
    target = Target(
        naive.table_of(released),
        ("age",),
        (),
        {"age": ages},
        original=naive.table_of(known),
        rows=np.arange(12),
    )
    finding = Linking().run(target)[0]
    assert finding.details["ways"]["any record that fits"] == pytest.approx((10 / 10 + 2 / 12) / 12, abs=1e-6)
    assert finding.success == pytest.approx((10 / 10 + 2 / 2) / 12)


def test_a_bound_without_the_original_holds_for_those_who_are_in_the_release():
    for seed in range(6):
        target = PLANTED["linking"](seed)
        outside = voters(target, seed)
        asked = Target(target.released, target.quasi, (), target.hierarchies, outside)
        finding = Linking().run(asked)[0]
        assert finding.bound
        rows, people = plain_rows(target.released), plain_rows(outside.table)
        sizes = [len(naive.match_set(p, rows, target.quasi, lambda _, a, b: a == b)) for p in people]
        assert finding.success == pytest.approx(np.mean([1 / s for s in sizes]))
        assert said_at_most(finding.sentence)[0] >= np.mean([1 / s for s in sizes]) - 1e-9
        assert finding.control <= finding.success


# --- not applicable -------------------------------------------------------------------------------------------


def test_an_attack_that_cannot_gain_is_not_applicable_with_a_reason():
    one_value = naive.target_of([{"town": str(i % 3), "ill": "flu"} for i in range(9)], ["town"], ["ill"])
    for name in ("homogeneity", "skewness"):
        told = run_attacks(one_value, [name])
        assert told.found == []
        assert told.not_applicable == {f"{name}, ill": told.not_applicable[f"{name}, ill"]}
        assert "single value" in told.not_applicable[f"{name}, ill"]
    few = naive.target_of([{"town": str(i % 3), "ill": "ab"[i % 2]} for i in range(12)], ["town"], ["ill"])
    told = run_attacks(few, ["background-knowledge"])
    assert told.found == []
    assert len(told.not_applicable) == 3
    whole = half_suppressed(True)(0)
    coarse = [row | {"sex": "*"} for row in plain_rows(whole.original)]
    told = run_attacks(
        Target(naive.table_of(coarse), ("sex",), (), {"sex": SEX}, original=whole.original, rows=whole.rows),
        ["downcoding"],
    )
    assert "whole columns" in told.not_applicable["downcoding"]
    blind = PLANTED["minimality"](0)
    told = run_attacks(
        Target(blind.released, blind.quasi, blind.sensitive, blind.hierarchies, original=blind.original,
               rows=blind.rows, promises=(KAnonymity(3),), levels=blind.levels), ["minimality"],
    )  # fmt: skip
    assert "did not look at sensitive values" in told.not_applicable["minimality"]


def test_definetti_is_not_applicable_where_people_of_a_class_do_not_differ():
    rows = [{"sex": "FM"[i % 2], "ill": "ab"[i // 2 % 2]} for i in range(12)]
    table = naive.table_of(rows)
    target = Target(table, ("sex",), ("ill",), {"sex": SEX}, original=table, rows=np.arange(12))
    assert "do not differ" in run_attacks(target, ["definetti"]).not_applicable["definetti, ill"]


# --- single attacks -------------------------------------------------------------------------------------------


def test_definetti_stops_before_it_overfits():
    """Of many columns that have nothing to do with the value, fifteen rounds learn noise, and held-out groups tell."""
    kept = 0
    for seed in range(8):
        target = anatomy(False)(seed)
        groups = target.groups("ill")
        rng = np.random.default_rng(seed)
        noise = [rng.integers(0, 20, 2 * N) for _ in range(6)]
        kept += rounds_that_hold(Cells.of(groups, groups.of_row), groups.of_row, noise) == 0
    assert kept >= 7
    related = anatomy(True)(1)
    assert DeFinetti().run(related)[0].details["rounds"] >= 1


def test_definetti_loses_nothing_against_one_round():
    for seed in range(6):
        target = anatomy(True)(seed)
        groups = target.groups("ill")
        truth = [groups.labels.index(row["ill"]) for row in plain_rows(target.original)]
        jobs = [target.released["job"].codes]
        one_round = (guess(groups, groups.of_row, jobs, rounds=1) == truth).mean()
        assert DeFinetti().run(target)[0].success >= one_round - 0.03


def test_numbers_and_dates_are_binned():
    dates = [f"20{10 + i % 80 // 10}-0{1 + i % 9}-{10 + i % 19}" for i in range(400)]
    table = naive.table_of([{"age": str(i % 97), "born": d, "few": str(i % 5)} for i, d in enumerate(dates)])
    assert len(np.unique(binned(table["age"]))) == BINS
    assert len(np.unique(binned(table["born"]))) <= BINS
    assert len(np.unique(binned(table["few"]))) == 5
    order = np.argsort(dates, kind="stable")
    assert (np.diff(binned(table["born"])[order]) >= 0).all(), "bins keep the order of dates"


def test_downcoding_takes_off_what_is_told_from_how_often_values_occur():
    """Forty of a hundred are men, all told; the rest must be women, though in all there are as many of both."""
    people = [{"sex": "M"} for _ in range(50)] + [{"sex": "F"} for _ in range(50)]
    released = [{"sex": "M"} for _ in range(48)] + [{"sex": "*"} for _ in range(2)]
    released += [{"sex": "F"} for _ in range(10)] + [{"sex": "*"} for _ in range(40)]
    target = Target(
        naive.table_of(released),
        ("sex",),
        (),
        {"sex": SEX},
        original=naive.table_of(people),
        rows=np.arange(100),
    )
    found = run_attacks(target, ["downcoding"]).found[0]
    assert found.success == pytest.approx(40 / 42)
    assert found.baseline == pytest.approx(1 / 2), "both are as frequent: one is drawn"
    assert found.control == pytest.approx(40 / 42), "nothing of it is by what a single row shows"


def test_an_unshuffled_release_is_found_however_coarse():
    for seed in range(5):
        target = PLANTED["row-order"](seed)
        found = {finding.label: finding for finding in RowOrder().run(target)}
        kept = found["row-order, the original's sequence"]
        assert kept.success == 1
        assert kept.details["told"]
        assert found["row-order"].measure == "rank correlation"


def test_rows_in_order_are_counted_one_by_one():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        target = NULLS["row-order"](seed)
        released, original = plain_rows(target.released), plain_rows(target.original)
        if seed % 2:
            place = np.sort(rng.permutation(len(original))[: len(released)])
            released = [original[i] for i in place]
            target = Target(
                naive.table_of(released), ("sex",), ("ill",), {"sex": SEX}, original=target.original
            )
        found, passed, at = 0, 0, 0
        for row in released:
            ahead = range(at, min(len(original), at + len(original) - len(released) + passed + 1))
            hit = next((i for i in ahead if original[i] == row), None)
            if hit is None:
                passed += 1
            else:
                found, at = found + 1, hit + 1
        finding = RowOrder().run(target)[1]
        assert finding.success == pytest.approx(found / len(released))


def test_two_releases_in_the_same_order_are_laid_side_by_side():
    rng = np.random.default_rng(3)
    towns = Hierarchy.from_rows("town", [(f"t{t}", "*") for t in range(12)])
    jobs = Hierarchy.from_rows("job", [(f"j{j}", "*") for j in range(12)])
    meanings = {"town": towns, "job": jobs}
    rows = [
        {"town": f"t{rng.integers(12)}", "job": f"j{rng.integers(12)}", "ill": f"i{rng.integers(5)}"}
        for _ in range(120)
    ]
    first, second = [r | {"job": "*"} for r in rows], [r | {"town": "*"} for r in rows]

    def composed(order: Sequence[int]) -> list[Finding]:
        other = Target(naive.table_of([second[i] for i in order]), ("town", "job"), ("ill",), meanings)
        target = Target(
            naive.table_of(first),
            ("town", "job"),
            ("ill",),
            meanings,
            others=(other,),
            original=naive.table_of(rows),
        )
        return Composition().run(target)

    aligned = composed(range(120))
    assert [f.label for f in aligned] == ["composition, ill", "composition, ill, rows in the same order"]
    ills: dict[tuple[str | None, ...], set[str | None]] = {}
    for row in rows:
        ills.setdefault((row["town"], row["job"]), set()).add(row["ill"])
    alone = sum(len(ills[row["town"], row["job"]]) == 1 for row in rows) / 120
    assert aligned[1].success == pytest.approx(alone)
    assert aligned[1].gained
    assert len(composed(rng.permutation(120).tolist())) == 1


def test_minimality_sees_people_left_out_for_their_values_and_vectors_further_down():
    """Four towns in two regions; one town is left out whole, large enough, for its single illness."""
    towns = Hierarchy.from_rows("town", [("a", "n", "*"), ("b", "n", "*"), ("c", "s", "*"), ("d", "s", "*")])
    people = [{"town": t, "ill": ill} for t in "abc" for ill in ("flu", "cold", "flu", "cold")]
    people += [{"town": "d", "ill": "hiv"} for _ in range(4)]
    known = {
        "hierarchies": {"town": towns}, "original": naive.table_of(people), "rows": np.arange(12),
        "promises": (KAnonymity(3), LDiversity(2, "ill")), "levels": {"town": 0}, "max_suppressed": 4,
    }  # fmt: skip
    finding = Minimality().run(Target(naive.table_of(people[:12]), ("town",), ("ill",), **known))[0]
    assert finding.success == 4 / 16
    assert finding.details["left_out"] == 4
    assert "left out" in finding.sentence
    coarse = [p | {"town": "*"} for p in people]
    whole = known | {"rows": np.arange(16), "levels": {"town": 2}, "max_suppressed": 0}
    finding = Minimality().run(Target(naive.table_of(coarse), ("town",), ("ill",), **whole))[0]
    assert finding.details["finer_vectors"] == 2
    assert finding.details["finer_vectors_rejected"] == 1, "regions would have done; towns would not"
    assert finding.success == 1


def test_releases_of_other_columns_are_laid_over_each_other_by_what_each_tells():
    """One release tells the town, the other the job: whoever knows both learns what neither leaves alone."""
    rng = np.random.default_rng(9)
    rows = [
        {"town": f"t{rng.integers(30)}", "job": f"j{rng.integers(30)}", "ill": f"i{rng.integers(12)}"}
        for _ in range(90)
    ]
    towns = Hierarchy.from_rows("town", [(f"t{t}", "*") for t in range(30)])
    jobs = Hierarchy.from_rows("job", [(f"j{j}", "*") for j in range(30)])
    first = naive.table_of([{"town": row["town"], "ill": row["ill"]} for row in rows])
    second = naive.table_of([{"job": rows[i]["job"], "ill": rows[i]["ill"]} for i in rng.permutation(90)])
    other = Target(second, ("job",), ("ill",), {"job": jobs})
    target = Target(
        first,
        ("town",),
        ("ill",),
        {"town": towns},
        others=(other,),
        original=naive.table_of(rows),
        rows=np.arange(90),
    )
    left = [
        {one["ill"] for one in rows if one["town"] == row["town"]}
        & {one["ill"] for one in rows if one["job"] == row["job"]}
        for row in rows
    ]
    found = run_attacks(target, ["composition"]).found[0]
    assert found.success == pytest.approx(np.mean([len(values) == 1 for values in left]))
    assert found.gained
    assert "known by town, job" in found.sentence
    knowing = Target(second, ("job", "ill"), (), {"job": jobs})
    told = run_attacks(with_changes(target, others=(other, knowing)), ["composition"]).found[0]
    assert told.details["on"] == ["town", "job"], "what one release calls sensitive is not taken to be known"


@pytest.mark.parametrize("levels", [{"sex": 1}, None], ids=["levels", "classes"])
def test_minimality_counts_people_where_they_have_several_rows(levels):
    """One man of three rows is no crowd of three: that he is not told from the women says nothing of his values."""
    women = [(f"w{i}", {"sex": "F", "ill": ("flu", "cold")[i % 2]}) for i in range(4)]
    for men in (["m"] * 3, ["m", "n", "m"]):
        rows = women + [(man, {"sex": "M", "ill": "hiv"}) for man in men]
        original = naive.table_of([row for _, row in rows])
        released = naive.table_of([row | {"sex": "*"} for _, row in rows])
        who = np.unique([person for person, _ in rows], return_inverse=True)[1]
        target = Target(
            released, ("sex",), ("ill",), {"sex": SEX}, original=original, rows=np.arange(7), levels=levels,
            promises=(KAnonymity(2), LDiversity(2, "ill")), owners=who, original_owners=who,
        )  # fmt: skip
        found = run_attacks(target, ["minimality"]).found[0]
        several = len(set(men)) > 1
        assert found.success == several
        assert found.n == len(set(who.tolist()))
        assert found.details["people"] == (found.n if several else 0)
        in_rows = with_changes(target, owners=None, original_owners=None)
        assert run_attacks(in_rows, ["minimality"]).found[0].success == 1, (
            "rows alone would say that values forbade it"
        )
        blind = with_changes(target, owners=None, original_owners=None, scattered=True)
        assert "respondent column" in run_attacks(blind, ["minimality"]).lacking["minimality"]


def test_minimality_reads_the_guards_that_a_personalized_promise_reads():
    heads = Hierarchy.from_rows("ill", [("flu", "lung", "*"), ("cold", "lung", "*"), ("gout", "joint", "*")])
    rows = [{"sex": "F", "ill": "gout"}] * 2 + [{"sex": "F", "ill": "flu"}, {"sex": "F", "ill": "cold"}]
    rows += [{"sex": "M", "ill": "flu"}] * 3 + [{"sex": "M", "ill": "gout"}]
    original = naive.table_of([row | {"guard": "lung" if row["ill"] == "flu" else None} for row in rows])
    target = Target(
        naive.table_of([row | {"sex": "*"} for row in rows]), ("sex",), ("ill",), {"sex": SEX, "ill": heads},
        original=original, rows=np.arange(8), levels={"sex": 1},
        promises=(KAnonymity(2), Personalized(breach=0.7, column="ill", guard="guard")),
    )  # fmt: skip
    found = run_attacks(target, ["minimality"]).found[0]
    assert found.success == 1, "of the men three of four have what they guard"


# --- the report -----------------------------------------------------------------------------------------------


def test_the_report_tells_every_finding_as_it_was_measured():
    for target in everything(0):
        told = run_attacks(target)
        facts = hand_made.facts(
            attacks=[to_builtins(replace(one.facts(), attack=one.label)) for one in told.found],
            attacks_not_applicable=told.not_applicable,
            attacks_not_run=told.lacking,
        )
        tables = listing(facts)
        rows = {row[0]: row for block in tables for row in block["rows"]}
        for one in told.found:
            is_share = one.measure == "share"
            row = rows[one.label if is_share else f"{one.label} (rank correlation)"]
            assert row[-1] == one.sentence
            assert row[6] == f"{one.n:,}"
            assert ("%" in row[1]) is is_share, "a correlation is no rate"
            assert (row[4] == "exact") is (one.interval is None)
            shown = float(re.sub(r"[^0-9.e-]", "", row[1])) / (100 if is_share else 1)
            assert shown == pytest.approx(one.success, rel=0.06, abs=0.006)
            assert not one.bound or (row[1].startswith("at most") and shown >= one.success - 1e-6)
        first = [row[0] for row in tables[0]["rows"]] if any(one.gained for one in told.found) else []
        gained = {
            one.label if one.measure == "share" else f"{one.label} (rank correlation)"
            for one in told.found
            if one.gained
        }
        assert set(first) == gained, "those that gained stand by themselves"
        urgent = [block["rows"] for block in attacks(facts) if block.get("headings", [""])[0] == "to act on"]
        calling = [one for one in told.found if one.calls_for_action]
        assert len(urgent[0] if urgent else []) == len(calling)
        assert {row[0] for row in urgent[0]} <= set(rows) if urgent else not calling
        for label, reason in (told.not_applicable | told.lacking).items():
            assert rows[label] == (label, reason)
        assert "gained nothing" not in str(attacks(facts))


def listing(facts: ReleaseFacts) -> list[dict[str, Any]]:
    """The report's tables of attacks but the first, which repeats those to act on."""
    tables = [block for block in attacks(facts) if block["kind"] == "table"]
    return [block for block in tables if block["headings"][0] != "to act on"]


def listed(told: Sequence[Finding]) -> dict[str, list[str]]:
    """The labels under each caption of the report's tables of attacks."""
    facts = hand_made.facts(attacks=[to_builtins(replace(one.facts(), attack=one.label)) for one in told])
    tables = listing(facts)
    return {block["caption"].split(" (")[0]: [row[0] for row in block["rows"]] for block in tables}


def test_what_is_known_for_certain_or_could_not_be_told_is_never_called_no_more_than_chance():
    seen = Counter()
    for target in everything(1):
        told = [finding for finding in run_attacks(target).found if not finding.gained]
        under = listed(told)
        for finding in told:
            named = finding.label if finding.measure == "share" else f"{finding.label} (rank correlation)"
            chance = named in under.get(CHANCE, [])
            limit = finding.control + max(finding.margin, finding.smallest_effect or 1)
            known = finding.certain and finding.success > 0
            assert (named in under.get(KNOWN, [])) is known, finding
            assert chance is (not known and limit < 1), finding
            assert chance or known or named in under[UNSEEN]
            seen[known, chance] += 1
    assert len(seen) == 3, "each of the three happens"


def test_a_class_of_one_value_stays_a_finding_where_chance_makes_such_classes_too():
    rows = [{"town": str(i // 2), "ill": "ab"[i % 7 < 3]} for i in range(40)]
    told = run_attacks(naive.target_of(rows, ["town"], ["ill"]), ["homogeneity"]).found
    told = [with_changes(told[0], margin=1 - told[0].control)]
    assert told[0].success > 0
    assert not told[0].gained
    assert listed(told) == {KNOWN: ["homogeneity, ill"]}


def test_skewness_is_measured_beside_values_dealt_anew_and_says_where_it_is_no_more():
    kept_low = NULLS["skewness"](
        4
    )  # every class holds the values as evenly as it can: below what chance gives
    rows = sorted(plain_rows(kept_low.released), key=lambda row: row["ill"])
    even = naive.target_of(
        [{"town": str(i % 20), "ill": row["ill"]} for i, row in enumerate(rows)], ["town"], ["ill"]
    )
    for target in (PLANTED["skewness"](2), NULLS["skewness"](2), NULLS["skewness"](3), even):
        finding = run_attacks(target, ["skewness"]).found[0]
        dealt = finding.details["dealt_anew"]
        assert f"is {dealt:.1%} on average" in finding.sentence
        assert finding.control == finding.baseline, "somebody else holds the value as often as it occurs"
        assert finding.success >= finding.control
        said = (
            "no more skewed than chance makes them, and what they show is true of these people"
            in finding.sentence
        )
        assert said is not finding.gained
        assert "what is learnt is no more" not in finding.sentence
        assert finding.margin <= 1 - finding.control
        assert finding.gained is (finding.success > min(1, dealt + finding.spread) + 1e-9)
    assert finding.success < dealt, "the promise keeps it below chance"


def test_minimality_that_found_nothing_says_what_it_looked_at_and_claims_no_power():
    whole = NULLS["minimality"](0)
    by_class = with_changes(whole, levels=None)
    for target, looked in ((whole, "1 finer vector of levels"), (by_class, "one step in one column")):
        told = run_attacks(target, ["minimality"]).found
        assert told[0].success == 0
        assert looked in told[0].sentence
        assert "tells nothing" not in told[0].sentence
        assert "was not looked at" in told[0].sentence
        assert listed(told) == {UNSEEN: ["minimality"]}


def test_downcoding_below_its_baseline_says_that_marginals_do_better():
    """The hidden cells are women's; the jobs of those whose sex is told point at men."""
    people = [{"sex": "F", "job": "cook"}] * 12 + [{"sex": "M", "job": "cook"}] * 8
    people += [{"sex": "F", "job": "clerk"}] * 12
    released = [row | ({"sex": "*"} if i < 12 else {}) for i, row in enumerate(people)]
    known = {"original": naive.table_of(people), "rows": np.arange(len(people))}
    target = Target(naive.table_of(released), ("sex",), (), {"sex": SEX}, **known)
    found = run_attacks(target, ["downcoding"]).found[0]
    assert found.success < found.baseline == 1
    assert "weaker than guessing without the release" in found.sentence
    assert "right for 100.0% at least" in found.sentence


def test_reasons_count_the_values_that_there_are_and_name_a_sequence_that_was_not_followed():
    for values in (2, 3, 4):
        rows = [{"town": str(i % 3), "ill": str(i % values)} for i in range(24)]
        told = run_attacks(naive.target_of(rows, ["town"], ["ill"])).not_applicable
        idle = [label for label in told if label.startswith("background")]
        assert len(idle) == 5 - values
        assert all(told[label].startswith(f"ill has {values} values: ") for label in idle)
    for target in everything(0):
        told = run_attacks(target, ["row-order"])
        labels = {finding.label for finding in told.found} | set(told.not_applicable)
        assert labels & {"row-order, the original's sequence", "row-order"}
        assert "row-order, the original's sequence" in labels or "row-order" in told.not_applicable
