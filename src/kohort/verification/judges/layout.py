"""`Layout`: in which tables a release stands, and how these are read and judged together.

Which layout a release must have follows from its plan, that is from the card of the algorithm that the plan chooses. It
shares nothing with what made the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from kohort.arrays import IntArray
from kohort.classes import Classes
from kohort.facts.figures import Sizes
from kohort.facts.head import Apart
from kohort.models import PrivacyModel, Reference
from kohort.table import Table
from kohort.verification.judges.contents import Contents
from kohort.verification.judges.told_apart import Crowds
from kohort.verification.judges.verdict import Verdict

Sizing: TypeAlias = Callable[[Classes], tuple[Sizes, ...]]  # how large classes are, as it is told

# name on an algorithm's card -> "module:Class", imported when asked for
LAYOUTS: dict[str, str] = {
    "one-table": "kohort.verification.judges.one_table:OneTable",
    "groups": "kohort.verification.judges.two_tables:TwoTables",
}


class Asked(NamedTuple):
    """What is promised of the released rows, and what is known of these."""

    quasi: Sequence[str]
    models: Sequence[PrivacyModel]
    reference: Reference | None = None  # of the original, where it or its audit is at hand
    people: IntArray | None = None  # the person of each released row


class Layout(Protocol):
    """The tables of a release by file stem: the first holds the rows, others what is told apart from them."""

    apart: ClassVar[bool]  # values stand apart from the rows, whose order might tell which is whose
    one_row_each: ClassVar[bool]  # nobody has more than one row, whatever the plan counts

    @classmethod
    def of(cls, algorithm: object, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> Layout:
        """Return the layout of what an algorithm releases; refuse promises that it cannot keep in such tables."""

    @property
    def stems(self) -> tuple[str, ...]:
        """The names of the tables."""

    def declared(self, released: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the first table, where the plan releases these."""

    def contents(
        self, tables: Mapping[str, Table], quasi: Sequence[str], sensitive: Sequence[str]
    ) -> Contents:
        """Return what written tables say; raises InputError where they are not such."""

    def records(self, tables: Mapping[str, Table]) -> Table:
        """Return the released rows with those columns only that the original has."""

    def crowds(self, tables: Mapping[str, Table]) -> Crowds | None:
        """Return which rows stand together otherwise than by their quasi-identifiers; None where they do not."""

    def judge(self, tables: Mapping[str, Table], asked: Asked) -> list[Verdict]:
        """Return a verdict on every promise, in the classes in which the tables tell it, and on how they fit together."""

    def facts(self, contents: Contents, sizes: Sizing) -> Apart | None:
        """Return what is told of the values that stand apart; None where none do."""

    def named(self, promise: str) -> str:
        """Return what a promise about classes is called in such a release."""

    def said(self, guarantee: str) -> str:
        """Return in the words of such a release what a promise about classes guarantees."""

    def shown(
        self, contents: Contents, models: Sequence[PrivacyModel], reference: Reference, by_people: bool
    ) -> list[Verdict]:
        """Return what the tables show everybody of each promise; `by_people`: people are counted, whom they do not show."""

    def without_people(self, verdicts: Sequence[Verdict], models: Sequence[PrivacyModel]) -> list[Verdict]:
        """Return the verdicts as far as they hold where rows were counted and people are meant."""

    def judge_values(
        self, tables: Mapping[str, Table], original: Table, rows: IntArray | None
    ) -> list[Verdict]:
        """Return whether what is told apart from the rows is true of them; `rows` are their original ones, if known."""


def layout(name: str) -> type[Layout]:
    """Return the layout of that name."""
    module, attribute = LAYOUTS[name].split(":")
    found: type[Layout] = getattr(import_module(module), attribute)
    return found
