"""What was promised, how it was to be kept, and what was found."""

from __future__ import annotations

import msgspec

from kohort.facts.fact import Count, Fact, Free, Number


class Promise(Fact, frozen=True):
    """A promise in words."""

    promise: str
    guarantee: str
    paper: str
    plain: str = ""  # in a sentence for who never heard of it, its numbers filled in; empty in older audits


class Method(Fact, frozen=True):
    """What is told of an algorithm."""

    name: str
    summary: str
    taxonomy: str
    truthful: bool  # false: released values are not generalizations of the originals
    torn: bool  # a sensitive column is told by groups, in a table of its own
    covers_all: bool  # the guarantee is about everything published
    paper: str
    guarantee: str
    by_objective: bool = True  # the search goes by the objective, rather than by a measure of its own
    leaves_out: bool = True  # it may leave rows out; false: every row is released


class VerdictFacts(Fact, frozen=True, omit_defaults=True):
    """Whether a promise holds in the bytes that were written; null where that cannot be told from them."""

    promise: str
    achieved: Number | None
    holds: bool | None
    note: str = ""
    in_itself: Number | None = (
        None  # the figure against the release's own distribution, where the promise is against the original's
    )


class Advice(Fact, frozen=True):
    """What to change in the plan so that what an attack found is gone or smaller."""

    words: str
    require: Free = msgspec.field(default_factory=dict)  # a promise to add
    settings: Free = msgspec.field(default_factory=dict)  # values to set, each named as `--set` does


class AttackFacts(Fact, frozen=True):
    """What an attack came to, beside what an intruder would reach without the release."""

    attack: str
    success: float
    baseline: float
    control: float | None = None
    interval: tuple[float, float] | None = (
        None  # 95 %, of `success`, where people were sampled or values guessed
    )
    n: Count = 0  # records or people that it was tried on
    sentence: str = ""
    details: Free = msgspec.field(default_factory=dict)
    measure: str = "share"  # or rank correlation: what success, baseline and control are
    bound: bool = False  # success is the most that it can reach, not what was counted
    certain: bool = False  # what success tells is true of these people, by chance or not
    margin: float | None = None  # 95 %: how far chance alone moves success from the control
    lessened: str = ""  # what makes it weaker, where there is no advice
    gained: bool | None = None  # above baseline and control by more than chance; null in older audits
    smallest_effect: float | None = (
        None  # the least rise over the control that it would find, four times in five; null where it has no power
    )
    promised: bool = False  # it is no more than the plan's promises let through
    advice: Advice | None = None  # what would close it; null where no change of the plan is known to
