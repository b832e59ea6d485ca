"""The values that matter most are kept, the rest are `other`: fewer are kept at each level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished, told
from kohort.hierarchy.domain import Label, domain_of
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.scale import scale_of
from kohort.plurals import many
from kohort.table.texts import text_of


@dataclass(frozen=True)
class Order:
    """Level i keeps the first `keep[i]` values of the order and calls all others `other`.

    The order is `values`, most important first; without `keep` one level keeps all of them. With
    `by_count` the values of the table that are not listed follow, most frequent first (equal counts in
    the order of the alphabet). That is never done unasked: which values are kept then tells which are
    frequent in the table.

    Complexity: linear in the values × levels; `by_count` sorts them.

    >>> jobs = Order(["nurse", "cook", "clown"], keep=[1]).build("job", ["cook"], [1])
    >>> [level.labels for level in jobs.levels]
    [('nurse', 'cook', 'clown'), ('nurse', 'other'), ('*',)]

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001,
    section 3, whose hierarchies it builds.
    """

    values: list[str | int | float] = field(default_factory=list)  # numbers are matched as text
    keep: list[int] | None = None
    by_count: bool = False
    other: str = "other"

    card: ClassVar[Card] = Card(
        "order",
        "the first n values of an order are kept, all others become one label",
        told="as they are, or all that are not listed as one",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:
        """Return the hierarchy over the values of the table and those listed."""
        ground = told(texts)
        listed = [str(text_of(value)) for value in self.values]
        order = list(listed)
        if self.by_count:
            rows = {text: int(count) for text, count in zip(texts, counts, strict=True) if text is not None}
            order += sorted(rows.keys() - set(order), key=lambda text: (-rows[text], text))
        keep = self._keep(name, listed)
        present = set(ground)
        ground += [value for value in listed if value not in present]
        place = {value: i for i, value in enumerate(order)}
        ground.sort(key=lambda value: (place.get(value, len(order)), value))
        levels = [
            replace(domain_of([v if place.get(v, n) < n else self.other for v in ground]), name=f"first {n}")
            for n in keep
        ]
        declared = present <= set(listed)
        return finished(name, ground, levels, None in texts, scale_of(ground, declared, closed=False))

    def _keep(self, name: str, listed: list[str]) -> list[int]:
        where = f"column {name!r}: hierarchy."
        if not listed and not self.by_count:
            raise InputError(
                f"{where}values is empty; list the values to keep, most important first, or set by_count = true",
                code="hierarchy.wrong-option",
                column=name,
                option="values",
            )
        if len(set(listed)) < len(listed):
            raise InputError(
                f"{where}values holds a value twice; list each once",
                code="hierarchy.wrong-option",
                column=name,
                option="values",
            )
        keep = [len(listed)] if self.keep is None else self.keep
        if self.keep is None and self.by_count:
            raise InputError(
                f"{where}keep is missing; by_count needs it, such as keep = [20, 10, 5]",
                code="hierarchy.wrong-option",
                column=name,
                option="keep",
            )
        if not keep or keep[-1] < 1 or any(more <= fewer for more, fewer in pairwise(keep)):
            raise InputError(
                f"{where}keep must be descending numbers of values, such as [20, 10, 5]; found {keep}",
                code="hierarchy.wrong-option",
                column=name,
                option="keep",
                value=keep,
            )
        if not self.by_count and keep[0] > len(listed):
            raise InputError(
                f"{where}keep is {keep[0]} but only {many(len(listed), 'value is', 'values are')} listed",
                code="hierarchy.wrong-option",
                column=name,
                option="keep",
                value=keep,
                most=len(listed),
            )
        if self.other in listed:
            raise InputError(
                f"{where}other is the same as one of the values listed; choose another label",
                code="hierarchy.wrong-option",
                column=name,
                option="other",
            )
        return keep
