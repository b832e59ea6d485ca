"""A promise about the table as a whole, which classes keep together and not each by itself, over all algorithms that keep it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.contract.test_level_bounds import ROWS, SPECIAL, K

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.errors import InfeasibleError, InputError

SUPPRESS = {"kind": "suppress"}


def table_of(rng: np.random.Generator, rows: int) -> pa.Table:
    """Groups of unlike sizes in a column that must be told: the smaller ones are weighed against the larger."""
    return pa.table(
        {"q": rng.choice(["A", "B", "C"], rows, p=[0.2, 0.4, 0.4]), "z": rng.choice(["u", "v", "w"], rows)}
    )


def plan_of(name: str, rng: np.random.Generator) -> dict[str, Any]:
    risk = {"model": "average-risk", "risk": float(rng.choice([0.25, 0.34, 0.4, 0.5]))}
    require = [risk, {"model": "k-anonymity", "k": K.get(name, 2)}] if rng.random() < 0.5 else [risk]
    recode = {"algorithm": name, "max_suppression": float(rng.choice([0.0, 0.3]))} | SPECIAL.get(name, {})
    return {
        "columns": {
            "q": {"role": "quasi", "max_level": int(rng.integers(0, 2)), "hierarchy": SUPPRESS},
            "z": {"role": "quasi", "hierarchy": SUPPRESS},
        },
        "require": require,
        "recode": recode | {"suppressed_rows": str(rng.choice(["drop", "blank"]))},
        "output": {"ledger": ""},
    }


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_the_classes_keep_together_is_released_or_not_found(name: str) -> None:
    rng = np.random.default_rng([7, list(ALGORITHMS).index(name)])
    for _ in range(6):
        rows = min(int(rng.integers(6, 16)), ROWS.get(name, 16))
        try:
            release = kohort.anonymize(table_of(rng, rows), plan_of(name, rng))
        except (InfeasibleError, InputError):  # a group that breaks a promise would be another error
            continue
        assert all(verdict.holds for verdict in release.verdicts)
