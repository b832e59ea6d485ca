"""What released labels mean to an intruder: the plan's hierarchies, built over the values that are at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, Label, build_hierarchy, meaning
from kohort.hierarchy.reading import items_of
from kohort.plan import Plan
from kohort.table import Table

Values = tuple[Label, ...]


def meanings(
    plan: Plan, people: Sequence[Table], released: Table | None = None
) -> tuple[dict[str, Hierarchy], dict[str, str]]:
    """Return the hierarchies that can be built from what is known, and why others cannot.

    They are built over the values of `people`, the original first, as far as a hierarchy takes them. Where they leave a
    released label unread, values that the labels of a truthful release spell out, by themselves or in sets, are added.
    """
    found: dict[str, Hierarchy] = {}
    lacking: dict[str, str] = {}
    for name, column in plan.columns.items():
        if column.hierarchy is None:
            continue
        labels = released[name].texts if released is not None and name in released.columns else ()
        for known in _values([table[name].texts for table in people if name in table.columns], labels):
            try:
                built = build_hierarchy(name, column.hierarchy, known, [1] * len(known), plan.base)
            except InputError as problem:
                lacking.setdefault(name, str(problem))
                continue
            if name not in found or not _unread(built, labels):
                found[name] = built
            if not _unread(built, labels):
                break
    return found, {name: reason for name, reason in lacking.items() if name not in found}


def _values(held: Sequence[Values], labels: Values) -> Iterator[Values]:
    """Yield what a hierarchy may be built over: all values at hand, those of the original, none; then with the labels' own.

    A value of an outside table that a hierarchy does not know fits nothing but what is suppressed.
    """
    told = tuple(dict.fromkeys(text for texts in held for text in texts))
    first = held[0] if held else ()
    spelled = tuple(value for label in labels for value in items_of(label))
    yield from (told, first, ())
    if spelled:
        yield from (tuple(dict.fromkeys((*known, *spelled))) for known in (told, first))


def _unread(hierarchy: Hierarchy, labels: Values) -> bool:
    return any(meaning(hierarchy, label) is None for label in labels)
