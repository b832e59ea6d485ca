"""What is told of every release, whatever its shape."""

from __future__ import annotations

import msgspec

from kohort.facts.fact import Count, Digest, Fact, Free
from kohort.facts.figures import Score, Sizes
from kohort.facts.ledger import LedgerFacts
from kohort.facts.promises import Promise, VerdictFacts


class Head(Fact, frozen=True, kw_only=True, tag_field="shape"):
    """What was asked, what was promised, what was found, and the files: of any shape, public or private."""

    promises: tuple[Promise, ...]
    verdicts: tuple[VerdictFacts, ...] = ()
    asked: Free  # the plan; in public its public part
    plan_toml: str  # the same as a file
    files: dict[str, Digest] = msgspec.field(default_factory=dict)  # the tables


class PrivateHead(Head, frozen=True, kw_only=True):
    """What the holder of the original is told of any release: how much came out, what was lost, what was noticed."""

    rows: Count  # of the original
    released: Count
    suppressed: Count = 0
    levels: dict[str, Count] | None = None  # where whole columns were generalized
    losses: dict[str, Score] = msgspec.field(default_factory=dict)  # by metric
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    ledger: LedgerFacts | None = None


class Apart(Fact, frozen=True):
    """A sensitive column that is told by groups, in a table of its own."""

    column: str
    l: Count  # noqa: E741 - no value in more than 1 of l rows of a group
    least: Count  # rows of a group
    groups: Count
    sizes: tuple[Sizes, ...]  # of the groups
