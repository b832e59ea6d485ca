"""`Manifest`: what is told in public of a release of a table, as manifest.json spells it."""

from __future__ import annotations

from typing import Literal

from kohort.facts.columns import ReleasedColumn
from kohort.facts.fact import VERSION, Count
from kohort.facts.head import TableHead


class Manifest(TableHead, frozen=True, kw_only=True, tag="table"):
    """The public facts of a release: all of them follow from its tables and its public plan."""

    version: Literal[2] = VERSION
    zone: Literal["public"] = "public"
    kohort: str  # the version that made it
    rows: Count
    columns: tuple[ReleasedColumn, ...]
