"""What attacks advise helps: the change is made to the plan, the attack is run again, and the finding is gone or smaller."""

from __future__ import annotations

import inspect
import sys
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort import Plan, anonymize
from kohort.attacks import ATTACKS, Finding, attacked
from kohort.attacks.advising import fits, followed
from kohort.attacks.attacked_release import target_of_release
from kohort.facts.promises import Advice

HEADS = {"flu": "lung", "cold": "lung", "ulcer": "belly", "gout": "joint", "mumps": "lung", "hiv": "blood"}
ILLS = tuple(HEADS)
TREE = {
    "kind": "tree",
    "tree": {head: [i for i in ILLS if HEADS[i] == head] for head in dict.fromkeys(HEADS.values())},
}
COLUMNS: dict[str, Any] = {
    "zip": {"role": "quasi", "hierarchy": {"kind": "mask"}},
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 20], "low": 20, "high": 80}},
    "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}},
    "ill": {"role": "sensitive", "hierarchy": TREE},
    "job": {"role": "insensitive"},
}
K = {"model": "k-anonymity", "k": 3}
L = {"model": "l-diversity", "column": "ill", "l": 2}
PLANS: dict[str, dict[str, Any]] = {
    "crowds": {"require": [K]},
    "values": {"require": [L]},
    "in order": {"require": [K], "output": {"shuffle": False}},
    "cells": {"require": [K], "recode": {"generalize": "cell"}},
    "clusters": {"require": [K], "recode": {"algorithm": "k-member"}},
}
SEEDS = (1,)


def people(kind: str, seed: int) -> pa.Table:
    """People whose illness goes with where they live: for nearly all of them where cells are recoded, else for most."""
    rows, towns, often = (150, 6, 0.95) if kind == "cells" else (90, 12, 0.7)
    rng = np.random.default_rng(seed)
    zips = np.sort(rng.integers(0, towns, rows))
    ages = rng.integers(20, 80, rows)
    ills = np.where(rng.random(rows) < often, zips % len(ILLS), rng.integers(0, len(ILLS), rows))
    return pa.table(
        {
            "zip": [f"{10 + z}110" for z in zips],
            "age": ages.tolist(),
            "sex": ["FM"[i] for i in rng.integers(0, 2, rows)],
            "ill": [ILLS[i] for i in ills],
            "job": [f"j{j}" for j in rng.integers(0, 30, rows)],
        }
    )


@cache
def found(kind: str, seed: int) -> tuple[Finding, ...]:
    return run(people(kind, seed), planned(kind))


def planned(kind: str) -> Plan:
    columns = {name: dict(told) for name, told in COLUMNS.items()}
    return Plan.of({"columns": columns} | PLANS[kind])


def run(table: pa.Table, plan: Plan, *names: str) -> tuple[Finding, ...]:
    target = target_of_release(anonymize(table, plan))
    return tuple(attacked(target, plan, names or None).found)


def gain(finding: Finding) -> float:
    return finding.success - finding.baseline


def look_again(kind: str, seed: int) -> set[str]:
    """Follow every advice, demand that it helps, and return whose it was."""
    advised = set()
    for finding in found(kind, seed):
        advice = finding.facts().advice
        if advice is None:
            continue
        advised.add(finding.attack)
        after = run(people(kind, seed), followed(planned(kind), advice), finding.attack)
        again = next((one for one in after if one.label == finding.label), None)
        learnt = again is not None and (again.gained or (again.certain and again.success > 0))
        assert again is None or not learnt or gain(again) < gain(finding), (finding, again)
    return advised


def test_what_every_attack_advises_helps() -> None:
    advised = set().union(*(look_again(kind, seed) for kind in PLANS for seed in SEEDS))
    sources = {name: inspect.getsource(sys.modules[kind.__module__]) for name, kind in ATTACKS.items()}
    assert advised == {name for name, text in sources.items() if "advice=" in text}


@pytest.mark.long
@pytest.mark.parametrize("kind", PLANS)
def test_what_is_advised_helps_on_many_tables(kind: str) -> None:
    assert set().union(*(look_again(kind, seed) for seed in range(8)))


@pytest.mark.parametrize("kind", PLANS)
def test_only_what_calls_for_action_is_advised_on_and_it_stands_first(kind: str) -> None:
    told = found(kind, 1)
    calls = [finding.calls_for_action for finding in told]
    assert calls == sorted(calls, reverse=True)
    assert not [finding for finding in told if finding.facts().advice and not finding.calls_for_action]
    assert not [finding for finding in told if finding.calls_for_action and finding.promised]


def test_what_a_crowd_lets_through_is_told_as_promised_and_not_to_act_on() -> None:
    (linking,) = (finding for finding in found("crowds", 1) if finding.attack == "linking")
    assert linking.gained
    assert linking.promised
    assert not linking.calls_for_action


def test_what_the_plan_says_already_or_would_refuse_is_not_advised() -> None:
    plan = planned("crowds")
    assert not fits(plan, Advice("shuffled as it is", settings={"output.shuffle": True}))
    diverse = Advice("", require={"model": "l-diversity", "column": "ill", "l": 2})
    assert fits(plan, diverse)
    assert not fits(plan.with_settings({"recode.algorithm": "k-optimize"}), diverse)
    assert not fits(plan, Advice("", require={"model": "l-diversity", "column": "nobody", "l": 2}))
