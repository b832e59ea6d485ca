"""What attacks advise helps: the change is made to the plan, the attack is run again, and the finding is gone or smaller."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kohort import Plan, anonymize
from kohort.attacks import Finding, attacked
from kohort.attacks.advising import followed
from kohort.attacks.attacked_release import target_of_release

ROWS = 90
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
    "both": {"require": [K, L]},
    "in order": {"require": [K], "output": {"shuffle": False}},
    "cells": {"require": [K], "recode": {"generalize": "cell"}},
    "clusters": {"require": [K, L], "recode": {"algorithm": "k-member"}},
}
SEEDS = range(3)


def people(seed: int) -> pa.Table:
    """People whose illness goes with where they live more often than not."""
    rng = np.random.default_rng(seed)
    zips = np.sort(rng.integers(0, 12, ROWS))
    ages = rng.integers(20, 80, ROWS)
    ills = np.where(rng.random(ROWS) < 0.7, zips % len(ILLS), rng.integers(0, len(ILLS), ROWS))
    return pa.table(
        {
            "zip": [f"94{110 + 7 * z}" for z in zips],
            "age": ages.tolist(),
            "sex": ["FM"[i] for i in rng.integers(0, 2, ROWS)],
            "ill": [ILLS[i] for i in ills],
            "job": [f"j{j}" for j in rng.integers(0, 30, ROWS)],
        }
    )


@cache
def found(kind: str, seed: int) -> tuple[Finding, ...]:
    return run(people(seed), planned(kind))


def planned(kind: str) -> Plan:
    columns = {name: dict(told) for name, told in COLUMNS.items()}
    return Plan.of({"columns": columns} | PLANS[kind])


def run(table: pa.Table, plan: Plan, *names: str) -> tuple[Finding, ...]:
    target = target_of_release(anonymize(table, plan))
    return tuple(attacked(target, plan, names or None).found)


def gain(finding: Finding) -> float:
    return finding.success - finding.baseline


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", PLANS)
def test_what_is_advised_helps(kind: str, seed: int) -> None:
    for finding in found(kind, seed):
        advice = finding.facts().advice
        if advice is None:
            continue
        after = run(people(seed), followed(planned(kind), advice), finding.attack)
        again = next((one for one in after if one.label == finding.label), None)
        assert again is None or not again.calls_for_action or gain(again) < gain(finding), (finding, again)
