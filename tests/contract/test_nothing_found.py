"""Whoever says that there is no recoding has proved it; whoever was stopped says that it was stopped."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_algorithms import NUMBERS_ONLY, SMALL, frame_for, plan_for

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.stopping import Stop

PROVED = {
    "infeasible.no-recoding",
    "infeasible.whole-table",
    "infeasible.too-few-rows",
    "infeasible.too-few-values",
}
SHARE = {"model": "alpha-k", "alpha": 0.4, "k": 3, "column": "ill", "values": ["hiv"]}
CLOSE = {"model": "t-closeness", "t": 0.3, "column": "ill"}
DIVERSE = {"model": "l-diversity", "l": 3, "column": "ill"}  # of two values: impossible
CROWD = {"model": "k-anonymity", "k": 3}
SERVING = [name for name in ALGORITHMS if algorithm(name).card.keeps == "all" and name not in NUMBERS_ONLY]


def lopsided(rows: int) -> pa.Table:
    """Half of all people hold a value, most of them in one town: the whole table breaks what the other town keeps."""
    town = ["94138" if i < 0.6 * rows else "80331" for i in range(rows)]
    held = ["hiv" if i % 10 < (9 if at == "80331" else 2) else "flu" for i, at in enumerate(town)]
    ages = np.random.default_rng(5).integers(20, 60, rows)
    return pa.table({"age": ages, "zip": town, "sex": ["f", "m"] * (rows // 2), "ill": held})


def lopsided_for(name: str) -> pa.Table:
    return lopsided(SMALL.get(name, 100))


def asking(name: str, *require: dict[str, Any], **recode: Any) -> kohort.Plan:
    plan = plan_for(name).to_dict()
    told = {**plan["recode"], **recode}
    plan["recode"] = {key: value for key, value in told.items() if value is not None}
    return kohort.Plan.from_dict({**plan, "require": list(require) or plan["require"]})


def said(table: pa.Table, plan: kohort.Plan, stop: Stop | None = None) -> kohort.KohortError | None:
    """Return why nothing was released, None where something was, verified."""
    try:
        release = kohort.anonymize(table, plan, stop=stop)
    except (kohort.InfeasibleError, kohort.UnfinishedError) as nothing:
        return nothing
    assert all(verdict.holds for verdict in release.verdicts)
    return None


WORLDS: dict[str, tuple[Callable[[str], pa.Table], list[dict[str, Any]], list[str]]] = {
    "crowds": (frame_for, [], list(ALGORITHMS)),
    "shares": (lopsided_for, [SHARE], SERVING),
    "close": (lopsided_for, [CROWD, CLOSE], SERVING),
}
CASES = [(world, name) for world, (_, _, names) in WORLDS.items() for name in names]


@cache
def found_with_time(world: str, name: str) -> bool | None:
    """Whether something is released where nobody stops the search; None where the plan is refused."""
    table_of, require, _ = WORLDS[world]
    try:
        return said(table_of(name), asking(name, *require)) is None
    except kohort.InputError:  # larger than it serves, or a promise that it refuses by name
        return None


@pytest.mark.parametrize("pulled", [True, False], ids=["pulled", "time limit"])
@pytest.mark.parametrize(("world", "name"), CASES)
def test_a_stopped_search_never_denies_what_it_finds_with_time(world: str, name: str, pulled: bool) -> None:
    found = found_with_time(world, name)
    if found is None:
        return
    table_of, require, _ = WORLDS[world]
    stop = Stop()
    if pulled:
        stop.pull()
    nothing = said(table_of(name), asking(name, *require, time_limit=None if pulled else 1e-9), stop)
    if nothing is not None and found:
        assert isinstance(nothing, kohort.UnfinishedError), (nothing.code, str(nothing))


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
@pytest.mark.parametrize("require", [[SHARE], [CROWD, CLOSE], [DIVERSE]], ids=str)
def test_no_algorithm_denies_what_another_finds(require: list[dict[str, Any]], share: float) -> None:
    table = lopsided(20)
    found, denied = [], []
    for name in ALGORITHMS:
        if name in NUMBERS_ONLY:
            continue
        try:
            nothing = said(table, asking(name, *require, max_suppression=share))
        except kohort.InputError:
            continue
        if nothing is None:
            found.append(name)
        elif nothing.code in PROVED:
            denied.append(name)
        else:
            assert nothing.code in ("infeasible.not-found", "search.unfinished")
            assert "no recoding keeps" not in str(nothing)
    assert not (found and denied), (found, denied)
    assert denied or require != [DIVERSE]


def test_nothing_is_advised_that_cannot_help() -> None:
    """`columns` leaves no record out, whatever the limit; `outliers` generalizes nothing; datafly is not quicker than itself."""
    for name, useless in (("columns", "raise max_suppression"), ("outliers", "add a level")):
        nothing = said(lopsided(20), asking(name, SHARE, max_suppression=0.6 if name == "columns" else 0.0))
        assert nothing is not None
        assert useless not in str(nothing)
        assert "at most 0.0%" not in str(nothing)
    nothing = said(lopsided(100), asking("datafly", SHARE, max_suppression=0.6, time_limit=1e-9))
    assert isinstance(nothing, kohort.UnfinishedError)
    assert "such as datafly" not in str(nothing)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_to_leave_more_out_is_not_advised_where_every_class_fails(name: str) -> None:
    """Two values are never three, however few records are left; that of likeness nothing is proved does not change it."""
    three = {"model": "l-diversity", "l": 3, "column": "ill", "variant": "recursive", "c": 0.1}
    alike = {"model": "beta-likeness", "beta": 1.0, "column": "ill"}
    try:
        nothing = said(lopsided(20), asking(name, three, alike, max_suppression=0.4))
    except kohort.InputError:
        return
    assert nothing is not None
    assert "raise max_suppression" not in str(nothing)


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if algorithm(name).card.keeps == "monotone"])
@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
def test_to_leave_nothing_out_is_advised_only_where_that_serves(name: str, people: bool) -> None:
    """Entropy l-diversity is monotone of rows, and of people with several rows no promise about values is."""
    table = lopsided(20).append_column("who", pa.array([i // 2 for i in range(20)]))
    diverse = {"model": "l-diversity", "l": 1.5, "column": "ill", "variant": "entropy"}
    refusals = []
    for share in (0.2, 0.0):
        plan = asking(name, CROWD, diverse, max_suppression=share).to_dict()
        if people:
            plan["input"] = {**plan.get("input", {}), "respondent": "who"}
        try:
            said(table, kohort.Plan.from_dict(plan))
            refusals.append("")
        except kohort.InputError as refusal:
            refusals.append(str(refusal))
    assert ("max_suppression = 0" in refusals[0]) == (bool(refusals[0]) and not refusals[1])
    assert "max_suppression = 0" not in refusals[1]
    assert bool(refusals[1]) == people


@pytest.mark.parametrize("name", ["optimal", "mingen", "datafly", "mondrian", "top-down"])
def test_what_the_whole_table_cannot_keep_is_named_and_no_level_advised(name: str) -> None:
    """Everybody holds both values: no class of them is diverse. Advice goes to the searches of every node and ends there."""
    who = [i // 2 for i in range(20)]
    table = lopsided(20).take(who).append_column("who", pa.array(who))
    table = table.set_column(3, "ill", pa.array(["hiv", "flu"] * 10))
    diverse = {"model": "l-diversity", "l": 2, "column": "ill"}
    plan = asking(name, CROWD, diverse, max_suppression=0.05).to_dict()
    plan["input"] = {**plan.get("input", {}), "respondent": "who"}
    nothing = said(table, kohort.Plan.from_dict(plan))
    assert nothing is not None
    told = str(nothing)
    assert (
        "one class does not keep distinct 2-diversity of ill (it can be shown to reach no more than 1: people have several rows"
        in told
    )
    assert not any(
        useless in told for useless in ("level to", "max_level", "generalized further", "try mondrian")
    )
    assert ("try" in told) == (name not in ("optimal", "mingen"))


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if algorithm(name).card.decides == "class"])
def test_what_keeps_everybody_is_not_denied_where_all_may_be_left_out(name: str) -> None:
    """Four values of one row each, and a promise that only all four together keep."""
    asked = {
        "columns": {"q": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": "sensitive"},
        "require": [CROWD | {"k": 2}, CLOSE | {"t": 0.1}],
        "output": {"ledger": ""},
    }
    table = pa.table({"q": ["a", "b", "c", "d"], "ill": ["x", "y", "x", "y"]})
    told = []
    for most in (0, 1.0):
        recode = {"algorithm": name, "max_suppression": most}
        try:
            told.append(said(table, kohort.Plan.from_dict({**asked, "recode": recode})))
        except kohort.InputError:  # a promise, or an objective, that it refuses by name
            return
    assert told[0] is not None or told[1] is None
