"""A promise that two classes keep and their union breaks: every algorithm answers, by a release or by name."""

from __future__ import annotations

import random
import warnings

import pyarrow as pa
import pytest

import kohort
from kohort.algorithms import ALGORITHMS

PROMISES = {
    "recursive": {"model": "l-diversity", "l": 2, "variant": "recursive", "c": 3, "column": "ill"},
    "entropy": {"model": "l-diversity", "l": 1.7, "variant": "entropy", "column": "ill"},
    "t": {"model": "t-closeness", "t": 0.45, "column": "ill"},
    "alpha": {"model": "alpha-k", "alpha": 0.7, "k": 2, "column": "ill", "values": ["flu"]},
    "delta": {"model": "delta-disclosure", "delta": 1.5, "column": "ill"},
    "beta": {"model": "beta-likeness", "beta": 1.5, "column": "ill"},
}
COLUMNS = {
    "who": "identifier",
    "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99], "high": 90}},
    "zip": {"role": "quasi", "hierarchy": {"kind": "mask", "length": 7}},
    "born": {"role": "quasi", "hierarchy": {"kind": "dates", "levels": ["month", "year", "decade"]}},
    "ill": "sensitive",
}  # fmt: skip


def table(chance: random.Random) -> pa.Table:
    n = chance.choice([12, 18, 24])
    people = [f"p{chance.randrange(n * 2 // 3)}" for _ in range(n)] + ["odd"]
    return pa.table(
        {
            "who": people,
            "age": [float(chance.choice([21, 22, 23, 31, 32, 44])) for _ in range(n)] + [chance.choice([97.0, 77.5, None])],
            "zip": [chance.choice(["94138", "94139", "94141"]) for _ in range(n)] + [chance.choice(["77777", "1", None])],
            "born": [chance.choice(["1990-01-02", "1990-01-09", "1991-03-04"]) for _ in range(n)] + ["2019-12-31"],
            "ill": [chance.choice(["flu", "cold", "gout"]) for _ in range(n)] + [chance.choice(["hiv", "flu", None])],
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if seed < 1 else pytest.mark.long) for seed in range(40)]
)
@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "dp-mdav"])
def test_every_algorithm_answers(name: str, seed: int) -> None:
    chance = random.Random(seed)
    for promise in PROMISES.values():
        plan = {
            "columns": COLUMNS,
            "require": [promise, {"model": "k-anonymity", "k": 2}],
            "input": {"respondent": "who"},
            "recode": {"algorithm": name, "max_suppression": 1.0, "time_limit": 5},
            "output": {"ledger": ""},
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                release = kohort.anonymize(table(chance), kohort.Plan.from_dict(plan))
            except (kohort.InputError, kohort.InfeasibleError):
                continue
        assert release.verified
