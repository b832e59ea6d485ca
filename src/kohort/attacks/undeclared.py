"""The undeclared quasi-identifier: a column thought harmless that points at single people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.classes import group


@dataclass(frozen=True)
class Undeclared:
    """Counts the records that one released column outside the quasi-identifier singles out; exact.

    Every such column is tried alone and together with the quasi-identifiers. Success is the greatest share of
    records that are alone with their value of a column, or, for columns declared insensitive, with it and the
    class: sensitive columns are not expected to be known outside. Baseline: records that the quasi-identifiers
    single out. Control: the same with the column shuffled, which keeps the number of its values.

    Complexity: linear in rows × columns.

    >>> from kohort.table import Table
    >>> import pyarrow as pa
    >>> release = Table.from_arrow(pa.table({"age": ["30-39"] * 3, "job": ["cook", "cook", "bishop"]}))
    >>> round(Undeclared().run(Target(release, ("age",)))[0].success, 3)
    0.333

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 2.
    """

    card: ClassVar[Card] = Card(
        "undeclared-quasi-identifier",
        "records singled out by a released column that is not a quasi-identifier",
        guarantee="exact",
        paper="Samarati 2001, section 2",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a released column that is not a quasi-identifier."""
        return "" if _others(target) else "a released column that is not a quasi-identifier"

    def run(self, target: Target) -> list[Finding]:
        """Return the column that singles out most."""
        n = target.released.n_rows
        generator = np.random.default_rng(20260101)
        columns: dict[str, dict[str, Any]] = {}
        worst, worst_name, control = -1, "", 0
        for name in _others(target):
            codes = target.released[name].codes
            alone, together = _unique(codes), _unique_in(target, codes)
            columns[name] = {
                "alone": round(alone / max(n, 1), 6),
                "with_quasi": round(together / max(n, 1), 6),
            }
            hidden = name in target.sensitive
            hits = alone if hidden else max(alone, together)
            if hits > worst:
                dealt = generator.permutation(codes)
                worst, worst_name = hits, name
                control = _unique(dealt) if hidden else _unique_in(target, dealt)
        share = worst / max(n, 1)
        baseline = _unique(target.class_of) if target.apart is None else 0
        return [
            Finding(
                attack="undeclared-quasi-identifier",
                success=share,
                baseline=baseline / max(n, 1),
                control=control / max(n, 1),
                interval=wilson(worst, n),
                n=n,
                sentence=(
                    f"Whoever also knows {worst_name}, which is not declared as a quasi-identifier, singles out {share:.1%} of "
                    "the records. If others can know it, declare it as quasi."
                    if worst
                    else "No released column outside the quasi-identifiers singles anybody out."
                ),
                details={"columns": columns, "worst": worst_name, "interval": "Wilson"},
            )
        ]


def _others(target: Target) -> list[str]:
    told = {*target.quasi, *(() if target.apart is None else target.apart.links)}
    return [name for name in target.released.names if name not in told]


def _unique(codes: IntArray) -> int:
    return int((np.bincount(codes) == 1).sum())


def _unique_in(target: Target, codes: IntArray) -> int:
    """Return the records alone with their value in their class."""
    _, place = group(np.column_stack([target.class_of, codes]).astype(np.int32))
    return _unique(place)
