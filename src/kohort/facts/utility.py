"""What of the original a release still tells."""

from __future__ import annotations

from kohort.facts.fact import Count, Fact


class Quality(Fact, frozen=True):
    """How much is released, and how exactly."""

    accuracy: (
        float | None
    )  # the share of generalization steps that was not taken; null where values are perturbed
    completeness: float  # the share of rows that is released


class Marginal(Fact, frozen=True):
    """The distribution of a column before and after, in per cent, rounded, and in rows."""

    name: str
    labels: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    rows: tuple[tuple[Count, Count], ...] = ()  # of each label before and after
    vanished: Count = 0  # further labels, of fewer than k people each, of which no row is released
    vanished_rows: Count = 0
    distance: float | None = None  # total variation, of all labels; 0 where the shares are as before


class PairDivergence(Fact, frozen=True):
    """The divergence of two columns together."""

    columns: tuple[str, str]
    bits: float | None


class Divergence(Fact, frozen=True):
    """The Kullback–Leibler divergence of columns and pairs, in bits per record; null is infinite."""

    columns: dict[str, float | None]
    pairs: tuple[PairDivergence, ...] | None  # null where all of them would take long


class Moments(Fact, frozen=True):
    """A column of numbers before and after."""

    name: str
    mean: tuple[float | None, float | None]
    median: tuple[float | None, float | None]
    deviation: tuple[float | None, float | None]


class Correlation(Fact, frozen=True):
    """The correlation of two columns of numbers before and after."""

    columns: tuple[str, str]
    before: float
    after: float | None


class TaskFacts(Fact, frozen=True):
    """How well a column is predicted from the original and from the release."""

    target: str
    original: float
    release: float
    baseline: float  # always the most frequent value
    trained_on: tuple[Count, Count]  # rows of the original, of the release
    tested_on: Count
    kept: float | None  # of what the original teaches beyond the baseline
    features: tuple[str, ...]
    model: str
