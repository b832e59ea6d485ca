"""`Kind`: what must be true of a release because of how its plan has it made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kohort.models import GroupPromise
from kohort.plan import Plan
from kohort.preparation import algorithm_of


@dataclass(frozen=True)
class Kind:
    """How a release is made, as far as it tells what must be true of it.

    It follows from the plan, that is from the algorithm the plan names or the taxonomy chooses: what is judged
    has no say in how it is judged.
    """

    truthful: bool = True
    torn: GroupPromise | None = None  # the column that stands apart, and what is promised of it

    @classmethod
    def of(cls, plan: Plan) -> Kind:
        """Return the kind of the releases that a plan asks for."""
        chosen: Any = algorithm_of(plan, n_rows=0)  # the number of rows chooses among algorithms of one kind
        torn = chosen.torn(plan.require, plan.sensitive) if chosen.card.torn else None
        return cls(chosen.card.truthful, torn)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of such a release, by file stem."""
        return ("table",) if self.torn is None else ("table", "sensitive")
