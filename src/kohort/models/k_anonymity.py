"""k-anonymity: nobody stands in a smaller crowd than k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.arrays import BoolArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.errors import InputError
from kohort.models.demand import Demand
from kohort.models.model import Monotone, Reference
from kohort.models.plain_words import Counted, many_counted
from kohort.plurals import many
from kohort.typed import Pair


@dataclass(frozen=True)
class KAnonymity:
    """Every released QI combination is shared by at least `k` respondents.

    Complexity: linear in the classes.

    >>> from kohort.demo.ward import crowds
    >>> classes, table = crowds(["flu", "cold"], ["flu", "cold", "gout"])
    >>> KAnonymity(3).bind(table).failing(classes)
    array([ True, False])

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001.
    """

    k: Pair

    card: ClassVar = Card(
        "k-anonymity",
        "every released combination of quasi-identifiers is shared by at least k respondents",
        guarantee="linking on the quasi-identifiers finds nobody or at least k respondents",
        paper="Samarati 2001",
        counts="people",
    )

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 2:
            raise InputError(
                f"k-anonymity: k is {self.k!r}; it must be a whole number of at least 2",
                code="model.parameter",
                model="k-anonymity",
                option="k",
                value=self.k,
                least=2,
            )

    @property
    def monotone(self) -> Monotone:
        """Merging classes never makes one smaller."""
        return Monotone.GENERALIZATION | Monotone.SUPPRESSION

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"{self.k}-anonymity"

    def plainly(self, crowd: str, counted: Counted = "people") -> str:
        """Return the promise in a plain sentence, about people or rows in classes that are called as `crowd` says."""
        others = many(self.k - 1, "other")
        each = "everybody shares theirs" if counted == "people" else "every row shares its own"
        return (
            f"every {crowd} holds at least {many_counted(self.k, counted)}, so {each} with at least {others}"
        )

    @property
    def reads(self) -> frozenset[str]:
        """No sensitive attribute is looked at."""
        return frozenset()

    @property
    def demand(self) -> Demand:
        """A crowd of k."""
        return Demand(crowd=self.k)

    def bind(self, reference: Reference) -> KAnonymity:  # noqa: ARG002
        """Return self: a class is judged by itself."""
        return self

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes smaller than k."""
        return classes.sizes < self.k

    def achieved(self, classes: Classes) -> float:
        """Return the size of the smallest class."""
        return float(classes.sizes.min()) if len(classes) else float("inf")

    def holds(self, classes: Classes) -> bool:
        """Whether no class is smaller than k."""
        return not self.failing(classes).any()
