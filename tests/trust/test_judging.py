"""The judge rejects no valid release and accepts no violated one: a few thousand here, 100,000 of each with `make trust`."""

import pytest
from tests.trust import figures
from tests.trust.judging import VIOLATIONS, judge_many

KINDS = {violation.__name__.strip("_").replace("_", " ") for violation in VIOLATIONS}


@pytest.mark.parametrize("seed", range(4))
def test_the_judge_says_what_is_true(seed: int) -> None:
    counts = judge_many(valid=400, violating=400, seed=seed)
    assert counts["valid"] >= 400
    assert counts["violating"] >= 400
    assert set(counts) >= KINDS, "every kind of violation must occur"


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_releases_are_judged_rightly(part: int) -> None:
    counts = judge_many(valid=10_000, violating=10_000, seed=1000 + part)
    figures.record(
        "judging",
        str(part),
        valid_releases=counts["valid"],
        of_them_made_by_algorithms=counts["made"],
        rejected=0,
        releases_with_a_violation=counts["violating"],
        accepted=0,
    )
