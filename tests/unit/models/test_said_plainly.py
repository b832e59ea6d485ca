"""What every option of a model makes of its plain sentence, and the room that it needs of a sensitive column: by hand."""

from __future__ import annotations

from math import exp

import pytest

from kohort.models import (
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    ExtendedPSensitive,
    KAnonymity,
    LDiversity,
    Personalized,
    PrivacyModel,
    PSensitive,
    TCloseness,
)
from kohort.models.demand import Room
from kohort.models.plain_words import UNBOUNDED, plainly

FACES = "who finds somebody's class still faces"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (KAnonymity(2), "every class holds at least 2 people, so everybody shares theirs with at least 1 other"),
        (AlphaK(0.2, 5, "ill"), "every class holds at least 5 people, of whom at most 20 % hold one and the same value of ill"),
        (AlphaK(0.2, 1, "ill", values=("flu",)), "every class holds at least 2 people, of whom at most 20 % hold the watched value of ill"),
        (AlphaK(0.2, 3, "ill", values=("flu", "pox")),
         "every class holds at least 3 people, of whom at most 20 % hold one and the same of the 2 watched values of ill"),
        (LDiversity(3, "ill"), f"{FACES} at least 3 values of ill; {UNBOUNDED}"),
        (LDiversity(2.5, "ill", "entropy"), f"{FACES} at least as much uncertainty about ill as 2.5 equally likely values would leave"),
        (LDiversity(3, "ill", "recursive", c=0.5),
         "in every class the most frequent value of ill is held by fewer than 0.5 times as many people as the value of rank 3 and all "
         "rarer ones are held by together"),
        (PSensitive(2, columns=("ill", "pay")), f"{FACES} at least 2 values of each of ill and pay; {UNBOUNDED}"),
        (PSensitive(2, "ill", k=3), f"every class holds at least 3 people, and {FACES} at least 2 values of ill; {UNBOUNDED}"),
        (ExtendedPSensitive(2, "ill", level=1, k=3),
         f"every class holds at least 3 people, and {FACES} at least 2 values of ill, no two of which stand under one protected label; {UNBOUNDED}"),
        (BetaLikeness(1, "ill", "basic"),
         "the share of people who hold a value of ill is in no class more than 2 times that in the whole original table"),
        (BetaLikeness(0.5, "ill", "enhanced"),
         "the share of people who hold a value of ill is in no class more than 1.5 times that in the whole original table; of a value "
         "that is frequent there, still less"),
        (DeltaDisclosure(0.5, "ill"),
         "the share of people who hold a value of ill is in every class less than 1.65 times, and more than 1/1.65 of, that in the whole "
         "original table"),
        (DeltaDisclosure(8, "ill", absent="ignore"),
         "the share of people who hold a value of ill is in every class less than e^8 times, and more than 1/e^8 of, that in the whole "
         "original table; which values a class lacks is not promised"),
    ],
    ids=lambda value: value.label if hasattr(value, "label") else "",
)  # fmt: skip
def test_each_option_is_said(model: PrivacyModel, said: str) -> None:
    assert plainly(model, "class") == said


@pytest.mark.parametrize(
    ("model", "room"),
    [
        (KAnonymity(3), None),
        (LDiversity(3, "ill"), None),
        (LDiversity(2.5, "ill", "entropy"), Room(3, 0.0)),
        (LDiversity(3, "ill", "recursive", c=2), Room(3, 0.0)),
        (AlphaK(0.3, 2, "ill"), Room(4, 0.0)),
        (AlphaK(0.3, 2, "ill", values=("flu",)), Room(1, 0.0)),
        (BetaLikeness(3, "ill"), Room(1, 0.25)),
        (DeltaDisclosure(2, "ill"), Room(1, exp(-2))),
        (TCloseness(0.4, "ill", "equal"), Room(1, 0.6)),
        (TCloseness(0.4, "ill", "ordered"), Room(1, 0.0)),
        (Personalized(0.5, "ill", "guard"), Room(1, 0.0)),
    ],
    ids=lambda value: value.label if hasattr(value, "label") else "",
)
def test_likelihoods_need_room(model: PrivacyModel, room: Room | None) -> None:
    assert model.demand.room == room
    if room is not None:
        assert (model.demand.room.values, model.demand.room.share) == (room.values, room.share)  # type: ignore[union-attr]


def test_any_belief_has_room_where_nothing_is_said() -> None:
    assert (Room().values, Room().share) == (1, 0.0)
