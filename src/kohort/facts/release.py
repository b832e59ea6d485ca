"""`ReleaseFacts`: what the holder of the original is told of a release of a table."""

from __future__ import annotations

from typing import Any

import msgspec

from kohort.facts.columns import ColumnFacts
from kohort.facts.fact import Count, Fact, Free, Number
from kohort.facts.figures import Across, Diversity, PersonRisk, Risk, Score, SinglingOut, Sizes
from kohort.facts.head import Apart, PrivateHead
from kohort.facts.left_out import LeftOut
from kohort.facts.promises import AttackFacts, Method
from kohort.facts.utility import Correlation, Divergence, Marginal, Moments, Quality, TaskFacts
from kohort.facts.why import Why


class Search(Fact, frozen=True):
    """What a search did, and what it can prove."""

    nodes: Count | None = None  # recodings in all
    checked: Count | None = None  # recodings looked at
    counted: Count | None = (
        None  # of these, counted where the rows are; None where distinct tuples fitted in memory
    )
    visited: Count | tuple[Count, ...] | None = None  # nodes, or heights one after the other
    bound: Number | None = None  # no recoding can score below
    gap: Number | None = None  # how far below the score that bound may lie, as a share of it
    stopped: str | None = None  # why it ended early: time_limit, interrupt or asked
    figures: Free = msgspec.field(default_factory=dict)  # what this algorithm tells beside


class Displaced(Fact, frozen=True):
    """Records that stand elsewhere than their cells say, where noise needs bounds."""

    unread: Count  # missing, or no numbers
    outside: Count  # of the bounds


class Forecast(Fact, frozen=True, omit_defaults=True):
    """What the whole table as one class achieves: no recoding does better."""

    promise: str
    at_best: Score
    max_p: Count | None = None
    max_clusters: Count | None = None


class Point(Fact, frozen=True, forbid_unknown_fields=False):
    """The best release for one value of a parameter; a frontier tells more of it than a page draws."""

    parameter: str
    value: Number | str
    feasible: bool | None  # null: none was found, and nothing is proved
    code: str = ""  # why there is none
    objective: str = ""
    score: Score = None
    highest_risk: float | None = None
    average_risk: float | None = None
    suppressed: Count | None = None  # rows
    rows: Count | None = None  # of the original; null in older audits
    counted: str = ""  # whose the risks are: people or records; empty in older audits
    perturbed: bool = False  # released values are no generalizations, which the score goes by
    apart: bool = False  # a sensitive column is told by groups, and quasi-identifiers stand as they are


class ReleaseFacts(PrivateHead, frozen=True, kw_only=True, tag="table"):
    """The private facts of a release: aggregates that compare it with the original, no raw value."""

    counted: str  # people, records, or rows where one person may have several
    algorithm: Method
    objective: str
    classes: Count
    class_sizes: tuple[Sizes, ...]
    apart: Apart | None  # a sensitive column that is told by groups
    risk: Risk | None  # null where people, who are not shown, were counted
    singling_out: SinglingOut | None = None  # of the rows as they were written; null before
    sensitive: dict[str, Diversity]
    k: Count  # counts of fewer people are not told
    score: Score
    optimal: bool  # proved
    search: Search
    decision: Free  # how the rows were recoded, as the decision tells it
    watched: tuple[str, ...]  # sensitive columns that a promise bounds
    quality: Quality
    marginals: tuple[Marginal, ...]
    divergence: Divergence
    numbers: tuple[Moments, ...]
    correlations: tuple[Correlation, ...]
    columns: tuple[ColumnFacts, ...]
    undeclared: tuple[str, ...]  # columns that the plan does not name
    several_rows: str = ""  # what speaks for people with several rows, where the plan names no respondent
    versions: dict[str, str]
    noise: dict[str, float]  # on the mean of a group, on average
    displaced: dict[str, Displaced]
    forecast: tuple[Forecast, ...] = ()
    task: TaskFacts | None = None
    attacks: tuple[AttackFacts, ...] = ()
    attacks_not_applicable: dict[str, str] = msgspec.field(default_factory=dict)  # and why they cannot gain
    attacks_not_run: dict[str, str] = msgspec.field(default_factory=dict)  # and what they need
    frontier: tuple[Point, ...] = ()
    initial: PersonRisk | None = None  # of the original, on the same quasi-identifiers
    left_out: LeftOut | None = None  # null where nobody was, or where it was not counted yet
    why: Why | None = None  # rows were left out; null where it was not asked yet
    across: dict[str, Across] = msgspec.field(default_factory=dict)  # where people stand in several classes

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as the dict that JSON spells."""
        return msgspec.json.decode(msgspec.json.encode(self), type=dict[str, Any])


def of_table(facts: PrivateHead) -> ReleaseFacts:
    """Return facts as those of a table, which they must be where the table's shape is asked."""
    if not isinstance(facts, ReleaseFacts):
        raise TypeError(f"these are facts of another shape: {type(facts).__name__}")
    return facts
