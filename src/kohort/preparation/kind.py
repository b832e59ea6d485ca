"""`Kind`: what must be true of a release because of how its plan has it made."""

from __future__ import annotations

from dataclasses import dataclass, field

from kohort.algorithms import Algorithm
from kohort.plan import Plan
from kohort.preparation.algorithm_choice import algorithm_of, layout_of
from kohort.verification.judges import Layout
from kohort.verification.judges.one_table import OneTable
from kohort.verification.judges.perturbed import Perturbation, perturbation


@dataclass(frozen=True)
class Kind:
    """How a release is made, as far as it tells what must be true of it.

    It follows from the plan, that is from the algorithm the plan names or the taxonomy chooses: what is judged
    has no say in how it is judged.
    """

    truthful: bool = True
    layout: Layout = field(default_factory=OneTable)
    perturbation: Perturbation | None = (
        None  # what quasi-identifiers are told by; None: labels that cover them
    )
    leaves_out: bool = True  # rows, within max_suppression

    @property
    def generalizes(self) -> bool:
        """Whether each released row must be true of an original one."""
        return self.perturbation is None

    @classmethod
    def of(cls, plan: Plan) -> Kind:
        """Return the kind of the releases that a plan asks for."""
        chosen = algorithm_of(plan, n_rows=0)  # the number of rows chooses among algorithms of one kind
        card = chosen.card
        return cls(card.truthful, layout_of(chosen, plan), _perturbation_of(chosen), card.leaves_out)


def _perturbation_of(chosen: Algorithm) -> Perturbation | None:
    """Return how an algorithm perturbs with the options that it has; None where what it tells is true."""
    if chosen.card.truthful or getattr(chosen, "release", None) == "interval":
        return None
    return perturbation(chosen.card.perturbs).of(chosen)
