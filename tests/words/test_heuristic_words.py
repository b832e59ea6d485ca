"""What attacks that go by a model or by a supposition say: of whom, by which column, and what they do not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference import attacks as naive
from tests.words.attacked_worlds import PLANTED, SEX

from kohort.attacks import Target, run_attacks
from kohort.models import KAnonymity, LDiversity, PrivacyModel, TCloseness


@pytest.mark.parametrize(
    "promise", [LDiversity(2, "ill"), LDiversity(2, "ill", "entropy"), TCloseness(0.4, "ill")]
)
def test_minimality_tells_what_could_have_been_and_no_more_of_the_values_than_that_they_break_a_promise(
    promise: PrivacyModel,
) -> None:
    """Far from the table may mean that a value is too rare, and a search may never have looked at the split."""
    planted = PLANTED["minimality"](0)
    target = Target(
        planted.released, planted.quasi, planted.sensitive, planted.hierarchies, original=planted.original,
        rows=planted.rows, promises=(KAnonymity(2), promise),
    )  # fmt: skip
    found = run_attacks(target, ["minimality"]).found[0]
    assert found.success > 0
    assert (
        f"{found.success:.1%} of the people of the original stand in classes that could have been"
        in found.sentence
    )
    assert "would have been split" not in found.sentence
    assert "too frequent" not in found.sentence
    assert "Which recodings the search looked at is not known here" in found.sentence


def hidden_of(people: list[dict[str, str]], stars: int) -> Target:
    """The first rows are released as `*` in every quasi-identifier."""
    released = [{"sex": "*", "job": "*"} if i < stars else row for i, row in enumerate(people)]
    known = {"original": naive.table_of(people), "rows": np.arange(len(people))}
    return Target(naive.table_of(released), ("sex", "job"), (), {"sex": SEX}, **known)


@pytest.mark.parametrize(("women", "men"), [(7, 2), (3, 9), (1, 8)])
def test_what_stands_beside_blank_rows_only_is_no_evidence_against_frequent_values(
    women: int, men: int
) -> None:
    """Forty women and ten men are told, and so many blank rows are women's: who takes off what is told guesses the more frequent."""
    blank = [{"sex": "F", "job": "cook"}] * women + [{"sex": "M", "job": "clerk"}] * men
    shown = [{"sex": "F", "job": "clerk"}] * 40 + [{"sex": "M", "job": "cook"}] * 10
    found = run_attacks(hidden_of(blank + shown, women + men), ["downcoding"]).found[0]
    assert found.success == pytest.approx(max(women, men) / (women + men))


def test_a_column_of_which_much_is_learnt_is_told_though_all_together_are_guessed_no_better() -> None:
    """Who is told to cook is a woman; of three hundred towns nothing is learnt."""
    rng = np.random.default_rng(1)
    people = [
        {"sex": "FM"[i % 2], "job": ("cook", "clerk")[i % 2], "town": "FM"[rng.integers(2)]}
        for i in range(400)
    ]
    released = [
        row | ({"sex": "*"} if i < 60 else {}) | ({"town": "*"} if i % 8 else {})
        for i, row in enumerate(people)
    ]
    known = {"original": naive.table_of(people), "rows": np.arange(len(people))}
    target = Target(naive.table_of(released), ("sex", "town"), (), {"sex": SEX, "town": SEX}, **known)
    found = run_attacks(target, ["downcoding"]).found[0]
    told = found.details["columns"]["sex"]
    assert told["recovered"] == told["cells"] == 60
    assert f"is learnt of sex (100.0% of 60 against {told['baseline'] / 60:.1%})" in found.sentence
    assert "town (" not in found.sentence


def test_guesses_within_classes_are_of_rows_where_people_have_several() -> None:
    target = PLANTED["definetti"](0)
    alone = run_attacks(target, ["definetti"]).found[0].sentence
    assert "of the people asked about" in alone
    several = replace(target, owners=np.arange(target.n_records) // 2)
    found = run_attacks(several, ["definetti"]).found[0]
    assert found.n == target.n_records
    assert "of the rows asked about" in found.sentence
