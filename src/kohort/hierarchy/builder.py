"""What every builder of hierarchies offers, and the steps they share: missing values and the root."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.hierarchy import SUPPRESSED, Domain, Hierarchy, Label, ground_domain


class Builder(Protocol):
    """Makes the hierarchy of a column; its fields are what a plan's `hierarchy = { kind = … }` may hold."""

    card: ClassVar[Card]

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over (at least) the distinct values `texts`, which stand in `counts` rows."""


def told(texts: Sequence[Label]) -> list[str]:
    """Return the values that are not missing."""
    return [text for text in texts if text is not None]


def finished(
    name: str, ground: Sequence[str], levels: Sequence[Domain], missing: bool, numeric: bool = True
) -> Hierarchy:
    """Return the hierarchy of ground values and the levels above them.

    With `missing`, a missing value joins the ground values; it keeps its own label up to the level below
    the root. The root `*` is added where the last level has more than one label, or would take in a
    missing value under a label that says something else. Without `numeric`, texts that look like numbers
    are not taken for numbers.
    """
    domains: list[Domain] = [ground_domain(name, ground), *levels]
    top = domains[-1].labels
    if not levels or len(top) != 1 or (missing and top[0] != SUPPRESSED):
        domains.append(Domain([SUPPRESSED], np.zeros(len(ground), np.int32)))
    if missing:
        domains = [*map(_with_missing, domains[:-1]), _with_one_more(domains[-1])]
    return Hierarchy.from_domains(name, domains, numeric)


def refuse(
    name: str, texts: Sequence[Label], counts: Sequence[int], holds: Sequence[bool], what: str
) -> None:
    """Raise, with numbers only, where something does not hold for a value that is not missing."""
    if all(holds):
        return
    rows = [int(count) for text, count in zip(texts, counts, strict=True) if text is not None]
    missed = [count for count, fine in zip(rows, holds, strict=True) if not fine]
    raise InputError(
        f"column {name!r}: {len(missed):,} of its {len(rows):,} distinct values, in {sum(missed):,} rows, do not "
        f"fit its hierarchy: each of them {what}; clean the column, change the hierarchy's options or choose "
        "another kind of hierarchy"
    )


def _with_missing(domain: Domain) -> Domain:
    code = np.int32(len(domain.labels))
    return Domain([*domain.labels, None], np.append(domain.of_ground, code))


def _with_one_more(root: Domain) -> Domain:
    return Domain(root.labels, np.append(root.of_ground, np.int32(0)))
