"""What groups can promise of a column that is torn off, and what is refused."""

import pytest

from kohort.card import Card
from kohort.errors import InputError
from kohort.models import AlphaK, Demand, KAnonymity, LDiversity, PSensitive, TCloseness
from kohort.models.group_promise import GroupPromise, in_groups

TORN = GroupPromise("ill", 2)


def test_promises_about_the_torn_column_alone_are_covered() -> None:
    assert TORN.covers(LDiversity(2, "ill"))
    assert TORN.covers(TCloseness(0.5, "ill"))
    assert not TORN.covers(LDiversity(2, "pay"))
    assert not TORN.covers(LDiversity(2, columns=("ill", "pay")))
    assert not TORN.covers(KAnonymity(2))
    assert not TORN.covers(AlphaK(0.5, 2, "ill"))
    assert TORN.covers(AlphaK(0.5, 1, "ill"))
    assert TORN.covers(PSensitive(2, "ill"))
    assert not TORN.covers(PSensitive(2, "ill", k=2))


def test_what_does_not_say_is_taken_to_speak_of_tuples() -> None:
    class Silent:
        reads = frozenset({"ill"})
        card = Card("silent", "says nothing of itself")
        label = "something"
        demand = Demand()

    assert not TORN.covers(Silent())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nobody hides among others and something is not kept"):
        TORN.demand([Silent()], ["ill"], "anatomy")  # type: ignore[list-item]


def test_what_groups_cannot_keep_is_refused() -> None:
    TORN.demand([LDiversity(2, "ill")], ["ill"], "anatomy")
    with pytest.raises(InputError, match="nobody hides among"):
        TORN.demand([KAnonymity(3)], ["ill"], "anatomy")
    with pytest.raises(InputError, match=r"tears off 'ill' alone.*reads 'pay'"):
        TORN.demand([LDiversity(2, "pay")], ["ill"], "anatomy")
    with pytest.raises(InputError, match=r"\[columns\] pay, tax"):
        TORN.demand([LDiversity(2, "ill")], ["ill", "pay", "tax"], "anatomy")


def test_words() -> None:
    assert in_groups("2-diversity") == "2-diversity in every group"
    assert GroupPromise("ill", 3).least == 1
