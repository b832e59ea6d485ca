"""The undeclared quasi-identifier: a column thought harmless that points at single people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import per_cent, rare_margin
from kohort.card import Card
from kohort.classes import group

NAME = "undeclared-quasi-identifier"


@dataclass(frozen=True)
class Undeclared:
    """Counts the records that one released column outside the quasi-identifier singles out; exact.

    Every such column is tried alone and together with the quasi-identifiers. Success is the greatest share of
    records that are alone with their value of a column, or, for columns declared insensitive, with it and the
    class: sensitive columns are not expected to be known outside. Baseline: records that the quasi-identifiers
    single out. Control: the same with what is known of somebody else: a record is pointed at as often, and is right
    once in as many times as there are records.

    Complexity: linear in rows × columns.

    >>> from kohort.table import Table
    >>> import pyarrow as pa
    >>> release = Table.from_arrow(pa.table({"age": ["30-39"] * 3, "job": ["cook", "cook", "bishop"]}))
    >>> round(Undeclared().run(Target(release, ("age",)))[0].success, 3)
    0.333

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 2.
    """

    card: ClassVar[Card] = Card(
        NAME,
        "records singled out by a released column that is not a quasi-identifier",
        guarantee="exact",
        paper="Samarati 2001, section 2",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: a released column that is not a quasi-identifier."""
        return "" if _others(target) else "a released column that is not a quasi-identifier"

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that the columns outside the quasi-identifiers are the same in all records."""
        if all(len(np.unique(target.released[name].codes)) < 2 for name in _others(target)):
            return {NAME: "the released columns outside the quasi-identifiers hold the same in every record"}
        return {}

    def run(self, target: Target) -> list[Finding]:
        """Return the column that singles out most."""
        n = target.released.n_rows
        columns: dict[str, dict[str, Any]] = {}
        worst, worst_name = -1, ""
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
                worst, worst_name = hits, name
        share = worst / max(n, 1)
        baseline = _unique(target.class_of) if target.apart is None else 0
        return [
            Finding(
                attack=NAME,
                success=share,
                baseline=baseline / max(n, 1),
                control=share / max(n, 1),
                interval=None,
                n=n,
                sentence=(
                    f"Whoever also knows {worst_name}, which is not declared as a quasi-identifier, singles out {per_cent(share)} "
                    "of the records. If others can know it, declare it as quasi."
                    if worst
                    else "No released column outside the quasi-identifiers singles anybody out."
                ),
                details={"columns": columns, "worst": worst_name},
                margin=rare_margin(share, share, n),
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
