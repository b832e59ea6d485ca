"""Judges from released cells that no value is finer or coarser than the plan allows.

`min_level` m: a released value covers whole labels of level m, never a part of one, by all that a label may stand for and
not by what happens to occur under it: an interval begins and ends, however that is written, where labels of level m or above
do, and a set lists values only where the plan names all that there are. `max_level` M: all that it covers lies under one
label of level M. So both have a meaning for intervals and sets too. A cell that is told as `*` is coarser than any
`max_level` allows, even where no other value occurs in the table, unless a value of an allowed level is spelled so.
Where the plan leaves rows blank, one in which every quasi-identifier is `*` is excepted; if a bound would not allow it,
it counts as left out (`left_blank`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label, meaning
from kohort.hierarchy.bounds import read_interval
from kohort.hierarchy.reading import covered
from kohort.hierarchy.spans import OR_MISSING
from kohort.table import Table
from kohort.verification.judges.interval_ends import ends_where_cells_do, lies_between
from kohort.verification.judges.verdict import Verdict

Bounds = Mapping[str, tuple[int, int | None]]  # column -> its least and greatest level; None: up to the root

UNKNOWN = "not judged: what lies under a label is known to whoever has the original"


def judge_level_bounds(
    labels: Table,
    quasi: Sequence[str],
    tuples: IntArray,
    bounds: Bounds,
    hierarchies: Sequence[Hierarchy] | None,
    blank: bool = False,
) -> list[Verdict]:
    """Return a verdict for every column that has bounds.

    `tuples` are the released combinations of the quasi-identifiers, each once or as often as it stands: a code per
    column into its `labels`. With `blank`, rows may be suppressed and yet stand there.
    """
    if hierarchies is None:
        return [Verdict(_promise(name, *bounds[name]), None, note=UNKNOWN) for name in bounds]
    of = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    shown = tuples[~_suppressed(labels, quasi, tuples)] if bounds and blank else tuples
    return [
        _judge(of[name], labels[name].texts, shown[:, list(quasi).index(name)], *bounds[name])
        for name in bounds
    ]


def left_blank(
    labels: Table,
    quasi: Sequence[str],
    tuples: IntArray,
    bounds: Bounds,
    hierarchies: Sequence[Hierarchy] | None,
) -> BoolArray:
    """Mark the tuples that tell nothing though a bound demands that they do: such rows are as good as left out."""
    root = np.zeros(1, np.int32)
    bounded = [(h, bounds[h.name]) for h in hierarchies or () if h.name in bounds]
    if all(_judge(hierarchy, (SUPPRESSED,), root, *ends).holds for hierarchy, ends in bounded):
        return np.zeros(len(tuples), np.bool_)
    return _suppressed(labels, quasi, tuples)


def _judge(
    hierarchy: Hierarchy, texts: Sequence[Label], codes: IntArray, low: int, high: int | None
) -> Verdict:
    least, top = (min(hierarchy.height if end is None else end, hierarchy.height) for end in (low, high))
    star = hierarchy.allows_star(low, high)
    # A max_level at the root bounds nothing, not even a mean.
    bounded = high is None or (least, top) != (0, hierarchy.height) or not star
    told = [texts[code] for code in np.unique(codes)] if bounded else []
    spelled = (
        hierarchy,
        *(other.hierarchy for other in hierarchy.spellings),
    )  # a column is spelled by one of them
    wrong = min(
        sum(not _within(hierarchy, own, label, least, top, star) for label in told) for own in spelled
    )
    note = f"{wrong:,} of {len(told):,} released values are finer or coarser" if wrong else ""
    return Verdict(_promise(hierarchy.name, low, high), not wrong, note=note)


def _within(hierarchy: Hierarchy, spelled: Hierarchy, label: Label, low: int, high: int, star: bool) -> bool:
    if any(label in level.code_of for level in spelled.levels[low : high + 1]):
        return True
    if label == SUPPRESSED:
        return star
    if _is_label(hierarchy, label):
        return False  # of levels that are not allowed, even where nothing else in the table lies under it
    mask = meaning(hierarchy, label)
    if mask is None or not mask.any() or (low and not _by_labels(spelled, label, low)):
        return False
    above = hierarchy.levels[high].of_ground[mask]
    if (above != above[0]).any() or not _whole(hierarchy, mask, low):
        return False
    free = star and high == hierarchy.height
    return free or _below(hierarchy, str(label), high, int(above[0]))


def _is_label(hierarchy: Hierarchy, label: Label) -> bool:
    every = (hierarchy, *(other.hierarchy for other in hierarchy.spellings))
    return any(label in level.code_of for own in every for level in own.levels)


def _below(hierarchy: Hierarchy, span: str, high: int, code: int) -> bool:
    """Say whether nothing that an interval or a set may stand for lies beyond one label of a level, whatever occurs.

    Where values are not declared, an interval must lie between the ends of the label, or be one value where it has none. What is
    missing lies under the root alone.
    """
    if span.endswith(OR_MISSING) and hierarchy.ground[-1] is not None:
        return False
    told, bounds = read_interval(span.removesuffix(OR_MISSING)), hierarchy.levels[high].bounds
    return (
        told is None or hierarchy.declared or lies_between(hierarchy, told, bounds[code] if bounds else None)
    )


def _by_labels(hierarchy: Hierarchy, label: Label, low: int) -> bool:
    """Say whether an interval ends where labels of a level or above do, and of a set whether the plan names all that there are."""
    told = None if label is None else read_interval(label.removesuffix(OR_MISSING))
    if told is None:
        return hierarchy.declared and (
            not hierarchy.listable or hierarchy.lists(low) or _tells_values(hierarchy, label, low)
        )
    return ends_where_cells_do(hierarchy, told, low)


def _tells_values(hierarchy: Hierarchy, label: Label, low: int) -> bool:
    """Say whether a level tells all values of a set as they are: then no label that may be more is cut short."""
    level, codes = hierarchy.levels[low], covered(hierarchy, label)
    return codes is not None and all(
        level.labels[level.of_ground[code]] == hierarchy.ground[code] for code in codes.tolist()
    )


def _whole(hierarchy: Hierarchy, covered: BoolArray, low: int) -> bool:
    """Say whether every label of the level that is covered at all is covered wholly."""
    level = hierarchy.levels[low]
    found = np.bincount(level.of_ground[covered], minlength=len(level.labels))
    return bool(((found == 0) | (found == level.leaves)).all())


def _suppressed(labels: Table, quasi: Sequence[str], tuples: IntArray) -> BoolArray:
    hidden = np.ones(len(tuples), np.bool_)
    for j, name in enumerate(quasi):
        stars = np.array([text == SUPPRESSED for text in labels[name].texts], np.bool_)
        hidden &= stars[tuples[:, j]]
    return hidden


def _promise(name: str, low: int, high: int | None) -> str:
    if high is None:
        return f"{name} at level {low} or above"
    return f"{name} at level {high} or below" if low == 0 else f"{name} at levels {low} to {high}"
