"""People are told by what stays the same of them, also where some of their cells are mistyped or have changed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import kohort


def table(faults: float, fewest: int, most: int, seed: int, shared: bool = False) -> pa.Table:
    """Return rows of 300 numbers; of one person each, or `shared` by whoever comes."""
    chance = np.random.default_rng(seed)
    number = np.repeat(np.arange(300), chance.integers(fewest, most + 1, 300))
    owner = chance.permutation(len(number)) if shared else number

    def trait(values: list[str]) -> np.ndarray:
        own = chance.choice(values, len(number) if shared else 300)[owner]
        return np.where(chance.random(len(number)) < faults, chance.choice(values, len(number)), own)

    told = {
        "ref": [f"{n:07}" for n in chance.choice(10**7, 300, replace=False)[number]],
        "sex": trait(["F", "M"]),
        "birth_year": trait([str(year) for year in range(1940, 2005)]),
        "zip": trait(["94138", "94139", "94140"]),
        "diagnosis": chance.choice(["flu", "cold", "asthma", "hiv"], len(number)),
    }
    order = chance.permutation(len(number))
    return pa.table({name: np.asarray(cells)[order] for name, cells in told.items()})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("fewest", "most"), [(2, 2), (3, 9), (10, 20)])
@pytest.mark.parametrize("faults", [0.0, 0.01, 0.04, 0.08])
def test_people_with_faulty_cells_are_counted(faults: float, fewest: int, most: int, seed: int) -> None:
    assert kohort.propose(table(faults, fewest, most, seed)).input.respondent == "ref"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("fewest", "most"), [(2, 2), (3, 9), (10, 20)])
def test_numbers_that_anybody_may_have_count_nobody(fewest: int, most: int, seed: int) -> None:
    assert kohort.propose(table(0.0, fewest, most, seed, shared=True)).input.respondent is None
