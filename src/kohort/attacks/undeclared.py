"""The undeclared quasi-identifier: a column thought harmless that points at single people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.advice import declared
from kohort.attacks.finding import Finding
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import per_cent, rare_margin
from kohort.card import Card
from kohort.classes import group
from kohort.facts.promises import Advice

NAME = "undeclared-quasi-identifier"


@dataclass(frozen=True)
class Undeclared:
    """Counts the records that the quasi-identifiers and one more released column single out; exact.

    Every column outside the quasi-identifiers is tried together with them, sensitive ones too: whoever knows somebody's
    diagnosis finds the rest of the row. Success is the greatest share of records that no other equals in both, as the
    report counts them; what a column does alone is in the details. Baseline: records that the quasi-identifiers single
    out. Control: the same with what is known of somebody else: a record is pointed at as often, and is right once in as
    many times as there are records.

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
        "records singled out by the quasi-identifiers and one more released column",
        guarantee="exact",
        paper="Samarati 2001, section 2",
        lessened="leave the column out, tell it more coarsely (round, top, unit), or declare it as quasi if others can know it",
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
            if together > worst:
                worst, worst_name = together, name
        share = worst / max(n, 1)
        baseline = _unique(_tuples(target)) / max(n, 1)
        return [
            Finding(
                attack=NAME,
                success=share,
                baseline=baseline,
                control=share / max(n, 1),
                interval=None,
                n=n,
                sentence=_sentence(worst_name, share, baseline),
                details={"columns": columns, "worst": worst_name},
                margin=rare_margin(share, share, n),
                advice=_advice(target, columns, worst_name, baseline),
            )
        ]


def _advice(target: Target, columns: dict[str, dict[str, Any]], worst: str, baseline: float) -> Advice | None:
    """Return that the columns which single out more than the quasi-identifiers do are among these; sensitive ones cannot be."""
    if worst in target.sensitive:
        return None
    pointing = [name for name, told in columns.items() if told["with_quasi"] > baseline]
    return declared(target, [name for name in pointing if name not in target.sensitive])


def _sentence(column: str, share: float, baseline: float) -> str:
    if not share:
        return (
            "No released column outside the quasi-identifiers, known together with them, singles anybody out; several such "
            "columns together were not tried."
        )
    return (
        f"Whoever knows {column}, which is not declared as a quasi-identifier, together with the quasi-identifiers singles out "
        f"{per_cent(share)} of the records, against {per_cent(baseline)} by the quasi-identifiers alone. If others can know it, "
        "declare it as quasi."
    )


def _others(target: Target) -> list[str]:
    told = {*target.quasi, *(() if target.apart is None else target.apart.links)}
    return [name for name in target.released.names if name not in told]


def _unique(codes: IntArray) -> int:
    return int((np.bincount(codes) == 1).sum())


def _unique_in(target: Target, codes: IntArray) -> int:
    """Return the records that no other equals in the quasi-identifiers and the column."""
    _, place = group(np.column_stack([_tuples(target), codes]).astype(np.int32))
    return _unique(place)


def _tuples(target: Target) -> IntArray:
    """Return which tuple of quasi-identifiers each record is released with; told by groups, they stand in the rows too."""
    return group(np.column_stack([target.released[name].codes for name in target.quasi]).astype(np.int32))[1]
