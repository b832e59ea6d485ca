"""`Workplace`: what the flow asks of an engine, from the source to the tables of the release."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from kohort.card import Card
from kohort.ledger import Recorded
from kohort.plan import Plan
from kohort.recode import Problem, Recoded
from kohort.release.published import Content
from kohort.table import Table
from kohort.verification.judges import Judged


@dataclass(frozen=True, eq=False)
class Released:
    """The tables of a release, public and private, and the judge who reads what was written of them."""

    tables: Mapping[str, Content]
    judge: Callable[[Mapping[str, Any], Mapping[str, Any]], Judged]  # written tables, and the facts
    ledger: Callable[[Path], Recorded]
    private_tables: Mapping[str, Content] = field(default_factory=dict)

    def in_memory(self, stem: str) -> Table:
        """Return a released table, which must not be elsewhere."""
        table = self.tables[stem]
        assert isinstance(table, Table)
        return table


class Workplace(Protocol):
    """Holds the source while a release of it is made."""

    def __init__(self, source: Any, plan: Plan, memory: str | None = None) -> None: ...

    @property
    def table(self) -> Table:
        """The table; where the rows are elsewhere, its columns tell values and counts only."""

    def warnings(self) -> list[str]:
        """Return what its holder should know of the table before trusting a release of it; no cell is quoted."""

    def prepare(self, population: Table | None) -> Problem:
        """Check the table against the plan and reduce it to its classes."""

    def admit(self, card: Card) -> None:
        """Refuse an algorithm that cannot work here."""

    def release(self, problem: Problem, recoded: Recoded) -> Released:
        """Return the released tables, or how they are written."""

    def convert(self, released: pa.Table) -> Any:
        """Return a released table in the type of the source."""
