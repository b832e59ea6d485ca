"""Small words that a newcomer stumbled over: which promise of a plan is meant, and what is told of a release shared twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.ledger.test_ledger import NAMED, given

import kohort
from kohort import InputError, Plan
from kohort.report.ledger import state_of


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_promise_is_named_as_the_file_counts_and_as_a_setting_does(place: int) -> None:
    """A plan's first promise is number 1 to whoever reads it, and require.0 to --set."""
    sound = {"model": "k-anonymity", "k": 2}
    require = [*([sound] * (place - 1)), {"model": "k-anonymity", "k": "two"}]
    with pytest.raises(InputError) as refused:
        Plan.from_dict({"columns": {"age": "quasi"}, "require": require})
    assert f"[[require]] number {place} (require.{place - 1} as a setting)" in str(refused.value)


def test_what_was_shared_before_is_not_told_as_marked_now(tmp_path: Path) -> None:
    given(tmp_path / "one", input=NAMED)
    again = state_of(kohort.share(tmp_path / "one"))
    assert again.startswith("was marked as shared before")
