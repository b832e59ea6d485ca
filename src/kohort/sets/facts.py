"""What is told of a release of sets: in public what the table shows, to the holder of the original what it cost."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from kohort.facts.fact import VERSION, Count, Fact
from kohort.facts.head import Head, PrivateHead


class SetMethod(Fact, frozen=True):
    """What is told of a search."""

    name: str
    summary: str
    guarantee: str
    paper: str


class HeldLabel(Fact, frozen=True):
    """A released label."""

    label: str
    people: Count  # who hold it


class LabelFacts(Fact, frozen=True):
    """A released label, and how much it hides."""

    label: str
    items: Count  # under it, by the hierarchy
    people: Count  # who hold one of them


class SetSizes(Fact, frozen=True):
    """The sets of one size."""

    labels: Count
    people: Count


class SetManifest(Head, frozen=True, kw_only=True, tag="sets"):
    """The public facts of released sets: all of them follow from their table and the public plan."""

    version: Literal[2] = VERSION
    zone: Literal["public"] = "public"
    kohort: str  # the version that made it
    algorithm: SetMethod
    column: str  # of the sets
    people: Count
    labels: tuple[HeldLabel, ...]  # those held most first
    sizes: tuple[SetSizes, ...]


NOTHING_LEFT = "nothing is left of the items but how many people hold any"


class SetFacts(PrivateHead, frozen=True, kw_only=True, tag="sets"):
    """The private facts of released sets: aggregates that compare them with the original, no item that is not released."""

    algorithm: SetMethod
    people: Count
    holding: Count  # people who hold anything
    held: Count  # items, over all people
    items: Count  # distinct ones that are held
    known: Count  # that the hierarchy knows
    labels: tuple[LabelFacts, ...]  # those held most first
    search: dict[str, Count]  # what the search did, in figures
    stopped: str | None = None  # why it ended early: time_limit, interrupt or asked
    undeclared: tuple[str, ...] = ()  # columns that the plan does not name
    versions: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as the dict that JSON spells."""
        return msgspec.json.decode(msgspec.json.encode(self), type=dict[str, Any])


def of_sets(facts: PrivateHead) -> SetFacts:
    """Return facts of any shape as those of sets, which they must be."""
    if not isinstance(facts, SetFacts):
        raise TypeError(f"these are facts of another shape: {type(facts).__name__}")
    return facts
