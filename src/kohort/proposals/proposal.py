"""`Proposal`: a role that a column might play, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kohort.proposals.likely_role import Confidence
from kohort.table import Role


@dataclass(frozen=True)
class Proposal:
    """A role for one column, the reason in words, and what it rests on. Nothing in it is a cell value."""

    column: str
    role: Role
    reason: str  # one clause
    confidence: Confidence
    concept: str | None  # what its name or label says, or its values are
    hierarchy: dict[str, Any] | None  # for quasi-identifiers
    rows: int
    distinct: int
    distinction: float  # distinct values per row
    separation: float  # the share of pairs of rows told apart
    common: float  # the share of rows with the most frequent value
    coarse: dict[str, Any] = field(default_factory=dict)  # for numbers and dates that are sensitive
    instead: dict[str, Any] = field(
        default_factory=dict
    )  # a hierarchy by which something of an identifier could be kept
    respondent: bool = False  # names the person a row is about, who may have several rows
    unknown: bool = False  # nothing is known of it, and it is left out until somebody says what it is
    guarded: bool = False  # nothing is known of it, and somebody decided to treat it as known to others
    weight: float = 1.0  # how much its detail counts beside that of the others

    @property
    def decided(self) -> bool:
        """Whether a release may go by it before anybody has looked."""
        return self.confidence != "undecided"
