"""`Manifest`: what is told in public of a release of a table, as manifest.json spells it."""

from __future__ import annotations

from typing import Literal

from kohort.facts.columns import ReleasedColumn
from kohort.facts.fact import VERSION, Count
from kohort.facts.figures import Diversity, Risk, SinglingOut, Sizes
from kohort.facts.head import Apart, Head
from kohort.facts.promises import Method


class Manifest(Head, frozen=True, kw_only=True, tag="table"):
    """The public facts of a release: all of them follow from its tables and its public plan."""

    version: Literal[2] = VERSION
    zone: Literal["public"] = "public"
    kohort: str  # the version that made it
    counted: str  # people, records, or rows where one person may have several
    algorithm: Method
    objective: str
    classes: Count
    class_sizes: tuple[Sizes, ...]
    apart: Apart | None  # a sensitive column that is told by groups
    risk: Risk | None  # null where people, who are not shown, were counted
    singling_out: SinglingOut | None = None  # null in what was written before it was counted
    sensitive: dict[str, Diversity]
    watched: tuple[str, ...] = ()  # sensitive columns that a promise bounds
    rows: Count
    columns: tuple[ReleasedColumn, ...]
