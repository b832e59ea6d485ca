"""k^m-anonymity: whoever knows m items of a person finds at least k who hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.plurals import many
from kohort.typed import Count, Pair


@dataclass(frozen=True)
class KM:
    """Every combination of at most `m` released labels is held by nobody or by at least `k` people.

    What somebody does not hold is not thought to be known, nor more than m items of one person.

    Complexity: judging takes, per set, as many steps as it has combinations of up to m labels that k people hold.

    >>> KM(5, 2).label, KM(5, 2).said
    ('5^2-anonymity', 'whoever knows up to 2 items of a person finds no fewer than 5 people who fit')

    References: Terrovitis, M., Mamoulis, N. and Kalnis, P. Privacy-preserving anonymization of set-valued data.
    PVLDB 1(1), 2008.
    """

    k: Pair
    m: Count

    card: ClassVar = Card(
        "k-m",
        "every combination of at most m labels is held by nobody or by at least k people",
        guarantee="whoever knows up to m items of a person finds no fewer than k people who fit",
        paper="Terrovitis, Mamoulis and Kalnis 2008",
    )

    def __post_init__(self) -> None:
        for name, least in (("k", 2), ("m", 1)):
            told = getattr(self, name)
            if isinstance(told, bool) or not isinstance(told, int) or told < least:
                raise InputError(
                    f"k-m: {name} is {told!r}; it must be a whole number of at least {least}",
                    code="model.parameter",
                    model="k-m",
                    option=name,
                    value=told,
                    least=least,
                )

    @property
    def said(self) -> str:
        """What it guarantees, with its numbers."""
        items = "1 item" if self.m == 1 else f"up to {self.m:,} items"
        return f"whoever knows {items} of a person finds no fewer than {many(self.k, 'person', 'people')} who fit"

    @property
    def label(self) -> str:
        """The promise in words."""
        return f"{self.k}^{self.m}-anonymity"
