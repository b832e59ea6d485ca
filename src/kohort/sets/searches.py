"""The searches for sets by name; each is imported when it is asked for, since their kernels take a while to load."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Protocol

from kohort.card import Card
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.sets.set_problem import SetProblem, SetSolution
from kohort.typed import typed

if TYPE_CHECKING:
    from kohort.algorithms.algorithm import Progress  # whoever reads a plan does without

SEARCHES = {"apriori": "kohort.sets.apriori:Apriori"}
DEFAULT = "apriori"


class SetSearch(Protocol):
    """A search for the labels by which items are told; its fields are the options of a plan."""

    card: ClassVar[Card]

    def solve(self, problem: SetProblem, progress: Progress) -> SetSolution:
        """Return a cut that keeps every promise, or raise InfeasibleError."""


def search_of(plan: Plan) -> SetSearch:
    """Return the search that a plan names, with its options."""
    name = plan.recode.algorithm or DEFAULT
    if name not in SEARCHES:
        raise InputError(
            f"[recode] algorithm: there is no {name!r} for sets; the algorithms are: {', '.join(SEARCHES)}",
            code="algorithm.unknown",
            algorithm=name,
            allowed=list(SEARCHES),
        )
    return typed(f"[recode.options]: {name}", search_named(name), plan.recode.options)


def search_named(name: str) -> type[SetSearch]:
    """Return a search of the registry."""
    module, attribute = SEARCHES[name].split(":")
    kind: type[SetSearch] = getattr(import_module(module), attribute)
    return kind
