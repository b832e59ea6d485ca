"""What is said of a column and has no effect in its role is refused: it would be taken for a promise."""

from __future__ import annotations

from typing import Any

import pytest

import kohort
from kohort.errors import InputError

COARSE = {"round", "bottom", "top", "unit"}
HIERARCHY = {"kind": "intervals", "widths": [10]}
SAID: dict[str, Any] = {
    "hierarchy": HIERARCHY,
    "min_level": 1,
    "max_level": 0,
    "allow_unique": True,
    "round": 10,
    "bottom": 10,
    "top": 90,
    "unit": "month",
    "hierarchy.low": HIERARCHY | {"low": 10},
    "hierarchy.high": HIERARCHY | {"high": 90},
}
HONOURED = {
    "quasi": {"hierarchy", "min_level", "max_level", "hierarchy.low", "hierarchy.high"},
    "sensitive": {"hierarchy", "allow_unique", *COARSE},
    "insensitive": {"allow_unique", *COARSE},
    "identifier": set[str](),
}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("role", HONOURED)
def test_what_has_no_effect_is_refused(role: str, said: str) -> None:
    columns = {"zip": "quasi", "income": {"role": role, said.partition(".")[0]: SAID[said]}}
    told = {"columns": columns, "require": [{"model": "k-anonymity", "k": 2}]}
    if said in HONOURED[role]:
        assert kohort.Plan.from_dict(told)
        return
    with pytest.raises(InputError, match=r"income: .* has no effect") as refused:
        kohort.Plan.from_dict(told)
    assert refused.value.code == "plan.no-effect"
