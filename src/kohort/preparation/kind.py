"""`Kind`: what must be true of a release because of how its plan has it made."""

from __future__ import annotations

from dataclasses import dataclass, field

from kohort.plan import Plan
from kohort.preparation.algorithm_choice import algorithm_of, layout_of
from kohort.verification.judges import Layout
from kohort.verification.judges.one_table import OneTable


@dataclass(frozen=True)
class Kind:
    """How a release is made, as far as it tells what must be true of it.

    It follows from the plan, that is from the algorithm the plan names or the taxonomy chooses: what is judged
    has no say in how it is judged.
    """

    truthful: bool = True
    layout: Layout = field(default_factory=OneTable)

    @classmethod
    def of(cls, plan: Plan) -> Kind:
        """Return the kind of the releases that a plan asks for."""
        chosen = algorithm_of(plan, n_rows=0)  # the number of rows chooses among algorithms of one kind
        return cls(chosen.card.truthful, layout_of(chosen, plan))
