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
    estimate: float
    share: float


class Population(Fact, frozen=True):
    """The risks where an intruder does not know who is in the table."""

    journalist: PersonRisk
    marketer: float
    people: Count | None = None
    larger_than_population: Count | None = None
    unique_classes: Count | None = None
    estimates: Estimates | None = None


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
    with_suppressed: Achieved | None
    warnings: tuple[str, ...] = ()


def table_audit(told: Mapping[str, Any]) -> TableAudit:
    """Return what `kohort.audit` tells; where no class is left, nothing is told of sensitive columns."""
    sensitive = {name: figures for name, figures in told["sensitive"].items() if figures}
    return msgspec.convert({**told, "sensitive": sensitive}, TableAudit)
