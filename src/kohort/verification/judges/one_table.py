"""One table: recoded rows, judged in the classes of those that share their quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kohort.arrays import IntArray
from kohort.facts.head import Apart
from kohort.models import PrivacyModel, Reference
from kohort.table import Table
from kohort.verification.judges.contents import Contents, contents_of
from kohort.verification.judges.layout import Asked, Sizing
from kohort.verification.judges.people_unknown import people_unknown
from kohort.verification.judges.promises import judge_promises, judged_by
from kohort.verification.judges.shown_to_all import BY_PEOPLE, shown_in
from kohort.verification.judges.told_apart import Crowds
from kohort.verification.judges.verdict import Verdict


@dataclass(frozen=True)
class OneTable:
    """All released columns in one table."""

    apart: ClassVar = False
    one_row_each: ClassVar = False
    stems: ClassVar[tuple[str, ...]] = ("table",)

    @classmethod
    def of(cls, algorithm: object, models: Sequence[PrivacyModel], sensitive: Sequence[str]) -> OneTable:  # noqa: ARG003
        """Return it: nothing is refused that a plan may ask."""
        return cls()

    def declared(self, released: Sequence[str]) -> tuple[str, ...]:
        """Return the released columns."""
        return tuple(released)

    def contents(
        self, tables: Mapping[str, Table], quasi: Sequence[str], sensitive: Sequence[str]
    ) -> Contents:
        """Return what the table says."""
        return contents_of(tables["table"], quasi, sensitive)

    def records(self, tables: Mapping[str, Table]) -> Table:
        """Return the table."""
        return tables["table"]

    def crowds(self, tables: Mapping[str, Table]) -> Crowds | None:  # noqa: ARG002
        """Return nothing: rows stand together that share their quasi-identifiers."""
        return None

    def judge(self, tables: Mapping[str, Table], asked: Asked) -> list[Verdict]:
        """Return a verdict on every promise."""
        return judge_promises(tables["table"], asked.quasi, asked.models, asked.reference, asked.people)

    def facts(self, contents: Contents, sizes: Sizing) -> Apart | None:  # noqa: ARG002
        """Return nothing."""
        return None

    def named(self, promise: str) -> str:
        """Return the promise as it is."""
        return promise

    def said(self, guarantee: str) -> str:
        """Return the words as they are."""
        return guarantee

    def shown(
        self, contents: Contents, models: Sequence[PrivacyModel], reference: Reference, by_people: bool
    ) -> list[Verdict]:
        """Return the verdicts in the classes of the table."""
        if by_people:
            return [judged_by(model, Verdict(model.label, True, note=BY_PEOPLE)) for model in models]
        return [shown_in(contents.classes, model, reference) for model in models]

    def without_people(self, verdicts: Sequence[Verdict], models: Sequence[PrivacyModel]) -> list[Verdict]:
        """Return what the rows show of promises to people."""
        return [people_unknown(verdict, models) for verdict in verdicts]

    def judge_values(
        self,
        tables: Mapping[str, Table],  # noqa: ARG002
        original: Table,  # noqa: ARG002
        rows: IntArray | None,  # noqa: ARG002
    ) -> list[Verdict]:
        """Return nothing: every value stands in its row."""
        return []
