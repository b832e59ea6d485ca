"""A comparison tells of every way what a release by it would be, by one measure, and why some ways cannot be gone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace
from tests.cli.conftest import CELLS, PLAN, Result
from tests.contract.test_algorithms import frame_for, plan_for
from tests.contract.test_stop import Puller

from kohort import Plan, anonymize, compare
from kohort.algorithms import ALGORITHMS, Silent, card_of
from kohort.comparisons import _less_at, trials_of
from kohort.errors import InputError
from kohort.facts.comparison import FOUND, INFEASIBLE, NOT_TRIED, REFUSED, Trial
from kohort.metrics import METRICS
from kohort.preparation.ways import going, ways_of
from kohort.report.comparison import best_of, called, comparison_html, meaning, refusals, short_cells
from kohort.report.words import at_most, count, number, percent

Run = Callable[..., Result]
DECLARED = [name for name in ALGORITHMS if card_of(name).way]
NAMED = "k-optimize,mondrian,anatomy"
LIMITS = {"recode.max_suppression": 0.1, "recode.time_limit": 30.0}


def asked(**settings: Any) -> Plan:
    return plan_for("optimal").with_settings(LIMITS | settings)


def test_ways_of_every_kind_declare_themselves() -> None:
    codes = {code for name in DECLARED for code in card_of(name).taxonomy.replace(",", " ").split()}
    assert {"AG_TS", "AG_CS", "CG_", "_CS"} <= codes
    assert all(card_of(name).truthful for name in DECLARED)
    assert len({card_of(name).way for name in DECLARED}) == len(DECLARED), "each says how it differs"


def test_every_trial_is_its_release() -> None:
    frame, plan = frame_for("optimal"), asked()
    trials = trials_of(frame, plan, Silent(), k=[3], time_limit=30)
    assert [(trial.k, trial.algorithm) for trial in trials] == [
        (k, way.algorithm) for k in (3,) for way in ways_of(plan, frame.num_rows)
    ]
    assert {trial.algorithm for trial in trials} == set(DECLARED)
    for trial in trials:
        assert trial.status == FOUND, trial
        own = plan.with_settings({"require.0.k": trial.k})
        release = anonymize(frame, own if trial.own else going(own, trial.algorithm))
        told = (trial.score, trial.suppressed, trial.classes, trial.rows)
        assert told == (release.facts.score, release.suppressed, release.facts.classes, frame.num_rows)
        lost = {c.name: c.generalized.loss for c in release.facts.columns if c.generalized is not None}
        assert trial.lost == pytest.approx(lost)
        assert trial.gone == tuple(name for name, share in lost.items() if share == 1)
        assert trial.objective == "loss"


@pytest.mark.parametrize(
    "objective", [name for name, kind in METRICS.items() if "target" not in kind.__dataclass_fields__]
)
def test_all_ways_are_measured_by_the_plans_objective(objective: str) -> None:
    frame, plan = frame_for("optimal"), asked(**{"recode.objective": objective})
    for trial in trials_of(frame, plan, Silent(), k=[3], algorithms=["datafly", "mondrian"]):
        release = anonymize(frame, plan if trial.own else going(plan, trial.algorithm))
        assert (trial.objective, trial.score) == (objective, release.facts.losses[objective])


def test_every_algorithm_is_tried_or_refused_with_a_reason() -> None:
    trials = trials_of(
        frame_for("optimal"), asked(), Silent(), k=[2], algorithms=list(ALGORITHMS), time_limit=0.5
    )
    assert {trial.algorithm for trial in trials} == set(ALGORITHMS)
    for trial in trials:
        comparable = card_of(trial.algorithm).truthful and card_of(trial.algorithm).layout == "one-table"
        assert (trial.status == REFUSED) <= bool(trial.reason and trial.code)
        assert comparable or trial.status == REFUSED
        assert trial.status in (FOUND, REFUSED) or trial.reason


def test_what_a_way_cannot_keep_is_refused_and_what_cannot_be_is_proved() -> None:
    diverse = Plan.of(
        asked().to_dict()
        | {"require": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "column": "ill", "l": 2}]}
    )
    sizes_only = [name for name in ALGORITHMS if card_of(name).keeps == "sizes"]
    trials = trials_of(
        frame_for("optimal"), diverse, Silent(), k=[2, 10_000], algorithms=[*sizes_only, "mondrian"]
    )
    by = {(trial.k, trial.algorithm): trial for trial in trials}
    assert sizes_only
    assert all(by[2, name].status == REFUSED and name in by[2, name].reason for name in sizes_only)
    assert by[10_000, "optimal"].status == INFEASIBLE
    assert not [trial for trial in trials if trial.k == 10_000 and trial.status == FOUND]
    told = {(name, said) for name, said, _ in refusals(trials)}
    assert {(name, "refused") for name in sizes_only} <= told
    assert ("optimal", "no solution for k = 10000") in told


def test_a_time_limit_proves_nothing() -> None:
    trials = trials_of(frame_for("optimal"), asked(), Silent(), k=[2], time_limit=1e-9)
    assert INFEASIBLE not in {trial.status for trial in trials}


def test_a_pulled_token_ends_it_with_what_is_in_hand() -> None:
    by_chance = {"recode.algorithm": "annealing", "recode.objective": plan_for("annealing").recode.objective}
    trials = trials_of(frame_for("annealing"), asked(**by_chance), Puller(1), k=[2, 4])
    assert trials[0].stopped == "asked"
    assert {trial.status for trial in trials[1:]} == {NOT_TRIED}
    assert len(trials) == 2 * (1 + len(DECLARED))


def test_more_is_not_left_out_than_the_plan_allows() -> None:
    plan = asked(**{"recode.algorithm": None, "recode.suppress": "none"})
    trials = trials_of(frame_for("optimal"), plan, Silent(), k=[3], time_limit=5)
    assert {trial.suppressed for trial in trials if trial.status == FOUND} == {0}


def test_without_a_k_the_plan_is_compared_as_it_is_and_frames_come_back() -> None:
    plan = Plan.of(asked().to_dict() | {"require": [{"model": "l-diversity", "column": "ill", "l": 2}]})
    found = compare(frame_for("optimal"), plan, algorithms=["mondrian"])
    assert found.select(["algorithm", "k", "own"]).to_pylist() == [
        {"algorithm": "optimal", "k": None, "own": True},
        {"algorithm": "mondrian", "k": None, "own": False},
    ]
    with pytest.raises(InputError, match="nothing that the plan requires has a k"):
        compare(frame_for("optimal"), plan, k=[2])
    with pytest.raises(InputError, match="time_limit is 0"):
        compare(frame_for("optimal"), plan, time_limit=0)


def test_the_words_are_those_of_the_figures() -> None:
    trials = trials_of(frame_for("optimal"), asked(), Silent(), k=[3], time_limit=30)
    best = min(trials, key=lambda trial: trial.score or 0.0)
    (said,) = best_of(trials)
    assert said.startswith(
        f"With k = 3, {best.algorithm} has the least loss, {number(best.score)}, against {number(trials[0].score)}"
    )
    page = comparison_html(trials)
    for trial in trials:
        name, score, share, classes, highest, average, gone, _ = short_cells(trial)
        assert (name, score, classes) == (called(trial), number(trial.score), count(trial.classes))
        assert (highest, average) == (at_most(trial.highest_risk), at_most(trial.average_risk))
        assert share == percent((trial.suppressed or 0) / 120)
        assert gone == f"{len(trial.gone)} of 3"
        row = page[page.index(f'<th scope="row">{name}</th>') :].partition("</tr>")[0]
        assert [cell for cell in (score, classes, highest, average) if f">{cell}</td>" in row] == [
            score,
            classes,
            highest,
            average,
        ]
        assert all(f">{percent(share)}</td>" in page for share in trial.lost.values())
    assert "of the 120 of the original" in meaning(trials)


def test_table_json_and_page_say_that_they_are_private_and_what_is_refused(kohort: Run, place: Path) -> None:
    diverse = PLAN + 'algorithm = "optimal"\n\n[[require]]\nmodel = "l-diversity"\ncolumn = "ill"\nl = 2\n'
    (place / "plan.toml").write_text(diverse, encoding="utf-8")
    page = place / "compare.html"
    shown = kohort("compare", place / "plan.toml", "--k", "2,3", "--algorithms", NAMED, "-o", page)
    told = json.loads(
        kohort("compare", place / "plan.toml", "--k", "2,3", "--algorithms", NAMED, "--json").out
    )
    html = page.read_text(encoding="utf-8")
    assert shown.code == 0
    for text in (shown.out, html, told["zone"]):
        assert "not for publication" in text
    trials = convert(told["trials"], list[Trial])
    assert told["measure"] == "loss"
    assert {trial.k for trial in trials} == {2, 3}
    for trial in trials:
        assert trial.algorithm in shown.out
        assert trial.algorithm in html
    refused = [trial for trial in trials if trial.status == REFUSED]
    assert refused
    assert all(f"{trial.algorithm}: refused, because {trial.reason}" in shown.out for trial in refused)
    assert "refused" in html
    assert "<script" not in html
    assert "src=" not in html
    assert not [cell for cell in CELLS if cell in shown.out + html + json.dumps(told)]
    assert sorted(path.name for path in place.iterdir()) == ["compare.html", "patients.csv", "plan.toml"], (
        "nothing is released"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--k", "two"), "--k: 'two' is not a list"),
        (("--algorithms", "a,,b"), "--algorithms: 'a,,b' is not a list"),
        (("--algorithms", "magic"), "there is no 'magic'"),
        (("--time-limit", "0"), "above 0 (on the command line: --time-limit SECONDS)"),
        (("-o", "nowhere/compare.html"), "the page cannot be written"),
    ],
)
def test_what_is_wrong_is_said(kohort: Run, place: Path, arguments: tuple[str, ...], said: str) -> None:
    result = kohort("compare", place / "plan.toml", *arguments)
    assert result.code == 2
    assert said in " ".join(result.err.split())


def trial(algorithm: str, k: int, score: float, own: bool = False) -> Trial:
    return Trial(
        algorithm=algorithm,
        way="",
        own=own,
        k=k,
        status=FOUND,
        objective="loss",
        score=score,
        rows=9,
        counted="records",
    )


def test_a_larger_k_that_came_to_less_is_told_of_the_smaller() -> None:
    trials = [trial("optimal", 2, 0.4, True), trial("k-member", 2, 0.3366), trial("optimal", 5, 0.5, True)]
    found = [*trials, trial("k-member", 5, 0.3201)]
    assert [_less_at(one, found) for one in found] == [None, 5, None, None]
    told = [replace(one, less_at_k=_less_at(one, found)) for one in found]
    first, second = best_of(told)
    assert first.endswith("; yet k-member with k = 5 came to 0.3201, and that keeps k = 2 too")
    assert "keeps" not in second
    assert short_cells(told[1])[1] == "0.3366*"
    assert "*: with a larger k the same way came to less loss" in meaning(told)
    assert all(said in comparison_html(told) for said in ("0.3366*", "keeps k = 2 too", "*: with a larger k"))
    assert "*:" not in meaning(trials)


def test_every_larger_k_is_looked_at() -> None:
    trials = trials_of(frame_for("optimal"), asked(), Silent(), k=[2, 3, 4, 6], time_limit=30)
    for one in trials:
        larger = [
            t for t in trials if t.algorithm == one.algorithm and t.k > one.k and (t.score or 9) < one.score
        ]
        assert (one.less_at_k is not None) == bool(larger), one
