"""Whatever a plan holds, it works or is refused in words: no crash, no endless message, no broken promise."""

from tests.trust.wrong_values import table, wrong_plans

import kohort
from kohort.errors import InfeasibleError, InputError

LONGEST = 10_000  # signs of a message


def test_a_wrong_value_anywhere_in_a_plan_is_refused_in_words() -> None:
    people, done = table(), 0
    for where, told in wrong_plans():
        try:
            kohort.anonymize(people, kohort.Plan.from_dict(told))
        except (InputError, InfeasibleError) as refused:
            said = str(refused)
        except Exception as crash:
            raise AssertionError(f"{where}: {type(crash).__name__}") from crash
        else:
            said = "released, and verified on the way"
        assert 20 < len(said) < LONGEST, where
        done += 1
    assert done > 5000
