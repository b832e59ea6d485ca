"""`Publication`: what a decision publishes of the recoded rows, and in which classes these tell sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.facts.figures import Sizes
from kohort.facts.head import Apart
from kohort.metrics import Outcome
from kohort.table import Table

if TYPE_CHECKING:
    from kohort.recode.problem import Problem


class Publication(Protocol):
    """How recoded rows become the tables of a release; the judges' `Layout` is its counterpart."""

    def tables(self, released: Table, rows: IntArray) -> dict[str, Table]:
        """Return the tables by file stem, from the released rows with all their columns and the original row of each."""

    def told(self, problem: Problem, outcome: Outcome) -> Classes:
        """Return the classes in which sensitive values are told."""

    def facts(self, sizes: tuple[Sizes, ...]) -> Apart | None:
        """Return what is told of these classes, where they are not those of the released tuples; `sizes` are theirs."""


@dataclass(frozen=True)
class InOneTable:
    """The rows as they are recoded, each with its sensitive values."""

    def tables(self, released: Table, rows: IntArray) -> dict[str, Table]:  # noqa: ARG002
        """Return the one table."""
        return {"table": released}

    def told(self, problem: Problem, outcome: Outcome) -> Classes:  # noqa: ARG002
        """Return the classes of equal released tuples."""
        return outcome.classes

    def facts(self, sizes: tuple[Sizes, ...]) -> Apart | None:  # noqa: ARG002
        """Return nothing: the classes are those of the released tuples."""
        return None
