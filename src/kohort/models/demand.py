"""What a promise asks of every class, as far as that can be said before any class is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from kohort.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Gain:
    """At least so many different values of a sensitive column in every class: what a growing one must still gain."""

    column: str
    least: int
    of: IntArray | None = None  # value code -> what counts as one value; None: every value by itself


@dataclass(frozen=True)
class Room:
    """What must be left of a sensitive column so that any belief about it can keep a promise about likelihoods.

    Over fewer values, or values that fewer people of the table hold, every belief breaks it; over more, some do.
    """

    values: int = 1
    share: float = 0.0  # of the people of the table, who hold one of the values


@dataclass(frozen=True)
class Demand:
    """What every class must have to keep a promise; having it is not always enough.

    The crowd is what is promised: the k of a plan. What else is promised may take more people, without promising
    them: `least_size` is what no class that keeps the promise is smaller than.
    """

    crowd: int = 1  # respondents that every class is promised to hold
    gains: tuple[Gain, ...] = ()
    fewest: int = 1  # respondents that it takes for other reasons
    population: int = 1  # people of a population that every class is promised to fit
    room: Room | None = None  # where likelihoods are promised, not only numbers of values

    @property
    def least_size(self) -> int:
        """The least number of respondents, and so of records, in a class that keeps the promise."""
        return max([self.crowd, self.fewest, *(gain.least for gain in self.gains)])
