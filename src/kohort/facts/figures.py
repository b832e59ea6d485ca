"""Figures of classes: how large they are, the risk that follows, what they tell of sensitive values."""

from __future__ import annotations

import msgspec

from kohort.facts.fact import Count, Fact, Number


class Sizes(Fact, frozen=True):
    """The classes of a range of sizes."""

    least: Count = msgspec.field(name="from")
    most: Count = msgspec.field(name="to")
    classes: Count
    records: Count


class PersonRisk(Fact, frozen=True):
    """The chance of being picked out, over all people."""

    highest: float
    average: float
    people: Count
    at_highest: Count  # people who bear the highest risk


class AtRisk(Fact, frozen=True):
    """How many people bear a higher risk than a limit in use."""

    above: float
    people: Count
    share: float


class Crowd(Fact, frozen=True):
    """The people of crowds of `least` to `most`: one of these picked is they with a chance of at most `risk`."""

    least: Count
    most: Count
    risk: float
    classes: Count
    people: Count


class Risk(Fact, frozen=True):
    """What the sizes of classes mean for the people in them; no intruder who knows quasi-identifiers does better."""

    prosecutor: PersonRisk  # who knows that somebody is in the table, and picks one of the people of a class
    marketer: float  # who wants to name everybody: the share of rows named rightly
    at_risk: tuple[AtRisk, ...]  # by whichever pick is the likelier to be right
    distribution: tuple[Crowd, ...]
    rows: PersonRisk | None = None  # who picks one of the rows of a class; null where everybody has one row
    either: PersonRisk | None = None  # who does of each person what is likelier to be right; null likewise

    @property
    def highest(self) -> float:
        """The greatest chance of being picked out, whether rows are picked or people."""
        return max(told.highest for told in self._picks)

    @property
    def average(self) -> float:
        """The chance on average, of everybody by the pick that is likelier to be right."""
        return max(told.average for told in self._picks)

    @property
    def _picks(self) -> list[PersonRisk]:
        return [told for told in (self.prosecutor, self.rows, self.either) if told is not None]


class Alone(Fact, frozen=True):
    """How many rows no other row equals, by the quasi-identifiers and these columns."""

    columns: tuple[str, ...]
    rows: Count
    share: float  # of all released rows


class SinglingOut(Fact, frozen=True):
    """The released rows that stand alone, the more so the more of a row is known."""

    quasi: Alone  # nothing but the quasi-identifiers
    one: Alone | None  # the column with which most rows are alone; null where there is none
    two: Alone | None  # the pair of columns
    everything: Alone | None  # all released columns
    pairs_looked_at: Count
    pairs: Count


class Across(Fact, frozen=True):
    """What the classes of people who stand in several leave together of a sensitive column, if its value is the same in all."""

    people: Count  # who have rows in several classes
    least: Count  # values that a class promises to hold
    below: Count  # of them, whose classes share a value, but fewer than that
    single: Count  # of them, whose classes share one value, though each holds more
    beyond: Count | None = (
        None  # of them, of whom every belief about what is left breaks a promise; null: none of likelihoods
    )


class Diversity(Fact, frozen=True):
    """What the worst class tells of a sensitive column; null is infinite."""

    values: Count
    distinct_l: Count
    entropy_l: float | None
    recursive_l: dict[str, Count]  # by c
    recursive_c: float | None  # the bound that c must pass for l = 2
    t: dict[str, float | None]  # by distance
    alpha: float | None
    beta: float | None
    beta_enhanced: float | None
    delta: float | None
    delta_of_values_that_occur: float | None
    homogeneous: Count  # people in classes whose rows hold a single value
    homogeneous_share: float


class Achieved(Fact, frozen=True):
    """What classes achieve: the parameter of every model, and the risks."""

    records: Count
    people: Count
    classes: Count
    k: Count | None
    largest_class: Count | None
    risk: Risk
    p: Count | None
    sensitive: dict[str, Diversity]


Score = Number | None  # null where it is not finite
