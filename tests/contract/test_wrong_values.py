"""Whatever a plan holds, it works or is refused in words: no crash, no endless message, no broken promise."""

import json

import pytest
from tests.trust.wrong_values import cells_in, table, wrong_plans

import kohort
from kohort.error_codes import CODES
from kohort.errors import InfeasibleError, InputError, KohortError, UnfinishedError

LONGEST = 10_000  # signs of a message
PARTS = 4


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))]
)
def test_a_wrong_value_anywhere_in_a_plan_is_refused_in_words(part: int) -> None:
    """Every key with a part of the wrong values, another part from key to key; with `make trust` all."""
    people, done = table(), 0
    for turn, (where, told) in enumerate(wrong_plans()):
        if "WRONG" in where and turn % PARTS != part:
            continue
        try:
            kohort.anonymize(people, kohort.Plan.from_dict(told))
        except (InputError, InfeasibleError, UnfinishedError) as refused:
            said = checked(refused, where)
        except Exception as crash:
            raise AssertionError(f"{where}: {type(crash).__name__}") from crash
        else:
            said = "released, and verified on the way"
        assert 20 < len(said) < LONGEST, where
        done += 1
    assert done > 9000 // PARTS


def checked(refused: KohortError, where: str) -> str:
    """Return what was said, if scripts can read it: a known code, fields in JSON, and no cell in them."""
    assert refused.code in CODES, where
    told = json.dumps(refused.told(), allow_nan=False)
    assert len(told) < 3 * LONGEST, where
    assert cells_in(told) == [], where
    return str(refused)
