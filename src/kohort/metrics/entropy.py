"""`entropy`: the bits about the original values that a release no longer tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kohort.arrays import FloatArray
from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.metrics.form import Floors, Form
from kohort.metrics.outcome import Outcome
from kohort.metrics.weights import shares


def _bits_lost(hierarchy: Hierarchy, level: int, records: FloatArray, share: float) -> float:
    """Return the share of an attribute's bits that is lost at a level and at every coarser one at least.

    Let t of the T records under a label hold each value, and d of them, D in all, be suppressed. The bits
    hidden among all T are at most those among the kept, those among the suppressed, and T·h(D/T) to tell
    kept from suppressed (h the binary entropy). A suppressed record costs log(n/t), so the suppressed
    together cost no less than they hide among themselves. Over all labels T·h(D/T) adds up to n·h(s/n) at
    most, s being the records suppressed: that much less than without suppression can be lost, no more.
    Without suppression coarser labels hide more.
    """
    ground = np.flatnonzero(records)
    held, n = records[ground], records.sum()
    bits = held @ -np.log2(held / n)
    if bits == 0:
        return 0.0
    share = min(share, 0.5)
    spared = 0.0 if share == 0 else n * -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    label = hierarchy.levels[level].of_ground[ground]
    hidden = held @ np.log2(np.bincount(label, held)[label] / held)
    return float(max(0.0, hidden - spared) / bits)


def _rounded_down(total: FloatArray) -> FloatArray:
    return total * (1 - 1e-9)  # rounding may not lift the bound above what it bounds


@dataclass(frozen=True)
class Entropy:
    """Non-uniform entropy: the mean over attributes of the share of their bits that is lost.

    A cell whose original value is a and whose released value is b loses −log₂ Pr(a | b), with Pr the share of
    a among the released records that show b; a suppressed cell loses −log₂ of the share of a in the whole
    table. Summed and divided by what the attribute had to tell (all cells suppressed) this lies between 0
    and 1. Unlike `loss`, hiding a frequent value among rare ones costs little. Attributes count by their weights;
    one that has a single value in the table cannot lose.

    Complexity: linear in the distinct (ground value, released value) pairs of each attribute.

    >>> from kohort.demo.ward import outcome
    >>> round(Entropy().score(outcome()), 3)
    0.464

    References: De Waal, Willenborg. Information loss through global recoding and local suppression.
    Netherlands Official Statistics 14, 1999. Gionis, Tassa. k-anonymization with minimal loss of
    information. IEEE TKDE 21(2), 2009.
    """

    card: ClassVar = Card(
        "entropy",
        "non-uniform entropy: the share of each attribute's bits that released values no longer tell (0 none, 1 all)",
        paper="De Waal and Willenborg 1999; Gionis and Tassa 2009",
        heeds=("weight",),
    )
    form: ClassVar = Form(floors=Floors(_bits_lost, _rounded_down, weighted=True))

    @property
    def reads(self) -> frozenset[str]:
        """Only quasi-identifiers are looked at."""
        return frozenset()

    def score(self, outcome: Outcome) -> float:
        """Return the weighted mean share of bits lost."""
        if outcome.joint is None or not outcome.totals:
            raise InputError(
                "entropy: this outcome does not tell which original value became which released one",
                code="metric.not-told",
                objective="entropy",
            )
        lost = np.array([_share_lost(outcome, j) for j in range(len(outcome.domain))])
        return float(lost @ shares(outcome.weights))


def _share_lost(outcome: Outcome, j: int) -> float:
    assert outcome.joint is not None
    totals = outcome.totals[j].astype(np.float64)
    told = np.zeros_like(totals)  # bits that one cell of each ground value tells
    held = totals > 0
    told[held] = -np.log2(totals[held] / totals.sum())
    all_bits = float(totals @ told)
    if all_bits == 0:
        return 0.0
    ground, released, records = outcome.joint(j).T
    shown = np.bincount(released, records)
    hidden = float(records @ -np.log2(records / shown[released])) if len(records) else 0.0
    dropped = totals - np.bincount(ground, records, minlength=len(totals))
    return (hidden + float(dropped @ told)) / all_bits
