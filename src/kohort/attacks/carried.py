"""What the rows of a release carry for everybody whom they fit: relations that can be joined with those of other releases."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from kohort.arrays import IntArray
from kohort.attacks.matching import Fitting, Lookup
from kohort.attacks.target import Target
from kohort.classes import group, meeting
from kohort.classes.joined_tuples import Relation
from kohort.classes.schemes import connected
from kohort.hierarchy import Label

Codes = Mapping[str, Mapping[Label, int]]  # of every column: a number for each of its values
LIMIT = 20_000_000  # tuples of all classes of a release


def told_together(target: Target, on: Collection[str]) -> list[tuple[str, ...]]:
    """Return the columns that rows tell side by side, beside what is known of people, and each that is told apart."""
    apart = () if target.apart is None else target.apart.links
    other = {*target.quasi, *on, *target.told_apart, *apart}
    rows = tuple(name for name in target.released.names if name not in other)
    return [columns for columns in (rows, *((name,) for name in sorted(target.told_apart))) if columns]


def involved(releases: Sequence[Target], on: Collection[str], column: str) -> list[int]:
    """Return the releases that tell the column, or another by which their rows can be matched with those that do."""
    told = [told_together(release, on) for release in releases]
    number: dict[str, int] = {}
    schemes = [
        [frozenset(number.setdefault(n, len(number)) for n in names) for names in some] for some in told
    ]
    part = next((p for p in connected(s for some in schemes for s in some) if number.get(column) in p), None)
    return [j for j, some in enumerate(schemes) if part is not None and any(s & part for s in some)]


def codes_of(releases: Sequence[Target], on: Collection[str], column: str) -> Codes:
    """Return the same number for the same value in all releases, of a column and of those by which rows can be followed."""
    told = [name for release in releases for names in told_together(release, on) for name in names]
    found: dict[str, dict[Label, int]] = {}
    for name in dict.fromkeys(name for name in told if told.count(name) > 1 or name == column):
        labels = (label for release in releases for label in _labels(release, name))
        found[name] = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    return found


def relations(
    number: int, look: Lookup, fitting: Fitting, on: Collection[str], codes: Codes
) -> list[Relation] | None:
    """Return what a release tells of the tuples that fit each class of people; None where that is too much."""
    columns, found = list(codes), []
    for names in told_together(look.target, on):
        told = [name for name in names if name in codes]
        if not told:
            continue
        apart = told[0] in look.target.told_apart
        entries = _apart(look, told[0], codes) if apart else _side_by_side(look, told, codes)
        if np.bincount(entries[:, 0], minlength=len(look.tuples))[fitting.tuples].sum() > LIMIT:
            return None
        left, right = meeting(fitting.tuples, entries[:, 0])
        scheme = tuple(columns.index(name) for name in told)
        found.append(Relation.of(number, scheme, fitting.owners[left], entries[right, 1:]))
    return found


def _side_by_side(look: Lookup, names: Sequence[str], codes: Codes) -> IntArray:
    """Return the distinct rows: the tuple that each shows, and what it tells."""
    table = look.target.released
    told = [_recoded(table[name].texts, codes[name])[table[name].codes] for name in names]
    return group(np.column_stack([look.of_row, *told]).astype(np.int64))[0]


def _apart(look: Lookup, name: str, codes: Codes) -> IntArray:
    """Return which values are told of the groups in which each tuple stands."""
    groups = look.target.groups(name)
    pairs = group(np.column_stack([look.of_row, look.target.class_of]).astype(np.int64))[0]
    lines = np.column_stack([groups.owners, _recoded(groups.labels, codes[name])[groups.values]])
    lines = group(lines.astype(np.int64))[0]
    left, right = meeting(pairs[:, 1], lines[:, 0])
    return group(np.column_stack([pairs[left, 0], lines[right, 1]]))[0]


def _labels(release: Target, name: str) -> Sequence[Label]:
    if name in release.told_apart:
        return release.groups(name).labels
    return release.released[name].texts if name in release.released.columns else ()


def _recoded(labels: Sequence[Label], code_of: Mapping[Label, int]) -> IntArray:
    return np.array([code_of[label] for label in labels], np.int64)
