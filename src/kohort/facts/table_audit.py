"""`TableAudit`: what a table achieves as it stands, as `kohort audit --json` spells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kohort.facts.fact import Count, Fact
from kohort.facts.figures import Achieved, PersonRisk


class Subset(Fact, frozen=True):
    """Columns on which people are unique."""

    columns: tuple[str, ...]
    unique: Count
    share: float
    minimal: Count


class LeftOut(Fact, frozen=True):
    """The table without one column."""

    column: str
    classes: Count
    k: Count
    unique: Count
    average_risk: float
    score_share: float


class Uniqueness(Fact, frozen=True):
    """Who is unique, and by what."""

    unique: Count
    share: float
    pointed_at: Count
    subsets_up_to: Count
    subsets_looked_at: Count
    subsets: tuple[Subset, ...]
    columns: tuple[LeftOut, ...]


class Estimates(Fact, frozen=True):
    """People unique in the population, by several models."""

    population: Count
    pitman: float | None
    zayatz: float | None
    snb: float | None
    chosen: str
    estimate: float | None  # of the model chosen; null where the interval excludes it
    share: float | None
    low: float  # 95 % interval of the number, whatever the population
    high: float


class Estimated(Fact, frozen=True):
    """A mean of 1/F over people of the table, F being those of the population who share their quasi-identifiers."""

    people: Count  # of the table, over whom it is a mean
    estimate: float | None  # null where no model agrees with the interval
    model: str | None
    low: float  # 95 % interval, whatever the population
    high: float


class Sampled(Fact, frozen=True):
    """The journalist's risk where the table is a simple random sample: estimates, and one bound."""

    average: Estimated  # over everybody in the table
    smallest: Estimated  # over the people of the smallest classes
    smallest_class: Count
    at_most: float  # for everybody at once, with a confidence of 95 %


class Population(Fact, frozen=True):
    """The risks where an intruder does not know who is in the table: by a population table, or estimated."""

    journalist: PersonRisk | None = None
    marketer: float | None = None
    people: Count | None = None
    larger_than_population: Count | None = None
    unique_classes: Count | None = None
    sampled: Sampled | None = None
    estimates: Estimates | None = None
    left_out: str = ""  # why nothing was estimated


class UniqueBeside(Fact, frozen=True):
    """How many people are unique on the quasi-identifiers and these columns."""

    columns: tuple[str, ...]
    unique: Count
    share: float


class Beside(Fact, frozen=True):
    """Who is unique for those who know sensitive values too: by the worst column, the worst two, and all."""

    one: UniqueBeside
    two: UniqueBeside | None
    everything: UniqueBeside
    pairs_looked_at: Count
    pairs: Count


class TableAudit(Achieved, frozen=True, kw_only=True):
    """What a table achieves, judged by its own cells."""

    rows: Count
    quasi: tuple[str, ...]
    sensitive_columns: tuple[str, ...]
    respondent: str | None
    respondents: Count | None
    missing: dict[str, Count]
    suppressed: Count  # rows with * in every quasi-identifier, left out of the figures
    population: Population | None
    uniqueness: Uniqueness
    beside: Beside | None  # null where no sensitive column is named
    with_suppressed: Achieved | None
    warnings: tuple[str, ...] = ()


def table_audit(told: Mapping[str, Any]) -> TableAudit:
    """Return what `kohort.audit` tells; where no class is left, nothing is told of sensitive columns."""
    sensitive = {name: figures for name, figures in told["sensitive"].items() if figures}
    return msgspec.convert({**told, "sensitive": sensitive}, TableAudit)
