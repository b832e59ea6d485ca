"""What is told of every release, whatever its shape, and what is told of every release of a table."""

from __future__ import annotations

from kohort.facts.fact import Count, Digest, Fact, Free
from kohort.facts.figures import Diversity, Risk, Sizes
from kohort.facts.promises import Method, Promise, VerdictFacts


class Head(Fact, frozen=True, kw_only=True, tag_field="shape"):
    """What was asked, what was promised, what was found, and the files: of any shape, public or private."""

    promises: tuple[Promise, ...]
    verdicts: tuple[VerdictFacts, ...]
    asked: Free  # the plan; in public its public part
    plan_toml: str  # the same as a file
    files: dict[str, Digest]  # the tables


class Apart(Fact, frozen=True):
    """A sensitive column that is told by groups, in a table of its own."""

    column: str
    l: Count  # noqa: E741 - no value in more than 1 of l rows of a group
    least: Count  # rows of a group
    groups: Count
    sizes: tuple[Sizes, ...]  # of the groups


class TableHead(Head, frozen=True, kw_only=True):
    """What public and private facts of a table have in common."""

    counted: str  # people, records, or rows where one person may have several
    algorithm: Method
    objective: str
    classes: Count
    class_sizes: tuple[Sizes, ...]
    apart: Apart | None
    risk: Risk | None  # null where people, who are not shown, were counted
    sensitive: dict[str, Diversity]
