"""The hierarchy of codes by the labels that stand above each: what is no such code is refused, or has a label of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kohort.errors import InputError
from kohort.hierarchy.builder import finished, refuse, told
from kohort.hierarchy.domain import SUPPRESSED, Domain, Label, domain_of
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.hierarchy.scale import Scale
from kohort.table.blanks import is_blank

Path = tuple[str, ...]  # the labels above a code, from the ground up


def coded_hierarchy(
    name: str,
    texts: Sequence[Label],
    counts: Sequence[int],
    path_of: Callable[[str], Path | None],
    levels: Sequence[str],
    trouble: str,
    other: str | None,
) -> Hierarchy:
    """Return the hierarchy of the codes of a table, whose levels are named so, under the root `*`.

    Labels follow from a code alone and the height from the plan, so whoever is left out shows in neither. Codes that have
    no path are refused because each of them is in `trouble`; with `other` they have that label.
    """
    if other is not None and (is_blank(other) or _like_a_code(other) or path_of(other) is not None):
        raise InputError(
            f"column {name!r}: hierarchy.other is the label of what is no such code, and must not read as one; name it by a word, "
            'such as "other"',
            code="hierarchy.wrong-option",
            column=name,
            option="other",
        )
    ground = sorted(told(texts))  # codes, not quantities: their order is that of their characters
    paths = {text: path_of(text) for text in ground}
    if other is None:
        refuse(name, texts, counts, [paths[text] is not None for text in told(texts)], trouble)
    strange = (str(other),) * len(levels)
    rows = [strange if (path := paths[text]) is None else path for text in ground]
    domains = [replace(domain_of([row[i] for row in rows]), name=level) for i, level in enumerate(levels)]
    if rows:
        domains.append(Domain([SUPPRESSED], domains[-1].of_ground * 0))
    return finished(name, ground, domains if rows else [], None in texts, Scale(declared=False, closed=False))


def _like_a_code(label: str) -> bool:
    """Say whether a label could be taken for a code, or for one of the labels above codes.

    >>> [_like_a_code(label) for label in ("other", "no code", "941*", "10.0.0.0/8", "chapter IX")]
    [False, False, True, True, True]
    """
    named = label.casefold().startswith(("chapter", "block", "category"))
    return named or any(sign.isdigit() or sign in "*/:-." for sign in label)
