"""The searches for sets by name; each is imported when it is asked for, since their kernels take a while to load."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar, Protocol

from kohort.algorithms.algorithm import Progress
from kohort.card import Card
from kohort.errors import InputError
from kohort.plan import Plan
from kohort.sets.problem import SetProblem, SetSolution
from kohort.typed import typed

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
            f"[recode] algorithm: there is no {name!r} for sets; the algorithms are: {', '.join(SEARCHES)}"
        )
    module, attribute = SEARCHES[name].split(":")
    kind: type[SetSearch] = getattr(import_module(module), attribute)
    return typed(f"[recode.options]: {name}", kind, plan.recode.options)
