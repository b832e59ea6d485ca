"""What every builder of hierarchies offers, and the steps they share: missing values and the root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.bounds import Bounds
from kohort.hierarchy.domain import SUPPRESSED, Domain, Label, ground_domain
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.scale import Scale, scale_of


class Builder(Protocol):
    """Makes the hierarchy of a column; its fields are what a plan's `hierarchy = { kind = … }` may hold."""

    card: ClassVar[Card]

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over (at least) the distinct values `texts`, which stand in `counts` rows."""


def told(texts: Sequence[Label]) -> list[str]:
    """Return the values that are not missing."""
    return [text for text in texts if text is not None]


def finished(
    name: str,
    ground: Sequence[str],
    levels: Sequence[Domain],
    missing: bool,
    scale: Scale | None = None,
    open_ends: Mapping[str, Bounds] | None = None,
) -> Hierarchy:
    """Return the hierarchy of ground values and the levels above them.

    With `missing`, a missing value joins the ground values; it keeps its own label up to the level below
    the root. The root `*` is added where the last level has more than one label, or would take in a
    missing value under a label that says something else. `scale` tells what the ground values are; without it
    they are declared, and numbers where all texts look like numbers. `open_ends` are the bounds of ground values that
    stand for all numbers beyond an end.
    """
    domains: list[Domain] = [ground_domain(name, ground), *levels]
    if open_ends:
        domains[0] = replace(domains[0], bounds=[open_ends.get(text) for text in ground])
    top = domains[-1].labels
    if not levels or len(top) != 1 or (missing and top[0] != SUPPRESSED):
        domains.append(Domain([SUPPRESSED], np.zeros(len(ground), np.int32)))
    if missing:
        domains = [*map(_with_missing, domains[:-1]), _with_one_more(domains[-1])]
    return Hierarchy.from_domains(name, domains, _scale_with_missing(scale or scale_of(ground), missing))


def refuse(
    name: str, texts: Sequence[Label], counts: Sequence[int], holds: Sequence[bool], what: str
) -> None:
    """Raise, with numbers only, where something does not hold for a value that is not missing."""
    if all(holds):
        return
    rows = [int(count) for text, count in zip(texts, counts, strict=True) if text is not None]
    missed = [count for count, fine in zip(rows, holds, strict=True) if not fine]
    where = f"{sum(missed):,} {'row' if sum(missed) == 1 else 'rows'}"
    raise InputError(
        f"column {name!r}: {len(missed):,} of its {len(rows):,} distinct values, in {where}, do not "
        f"fit its hierarchy: each of them {what}; clean the column, change the hierarchy's options or choose "
        "another kind of hierarchy",
        code="hierarchy.unfit-values",
        column=name,
        found=len(missed),
        rows=sum(missed),
    )


def _with_missing(domain: Domain) -> Domain:
    code = np.int32(len(domain.labels))
    bounds = None if domain.bounds is None else [*domain.bounds, None]
    return Domain([*domain.labels, None], np.append(domain.of_ground, code), bounds, domain.name)


def _scale_with_missing(scale: Scale, missing: bool) -> Scale:
    if not missing:
        return scale
    numbers = None if scale.numbers is None else np.append(scale.numbers, np.nan)
    days = None if scale.days is None else np.append(scale.days, scale.days.max(initial=0) + 1)
    return replace(scale, numbers=numbers, days=days)


def _with_one_more(root: Domain) -> Domain:
    return Domain(root.labels, np.append(root.of_ground, np.int32(0)), root.bounds, root.name)
