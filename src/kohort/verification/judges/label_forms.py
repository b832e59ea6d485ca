"""Judges that labels of quasi-identifiers are spelled as their meaning has it, so that no spelling tells people apart.

`30-39`, `[30, 39]`, `[30, 40)` and `[3e1, 39]` are read as one interval, `{oslo, bergen}`, `{bergen, oslo}`, `{"oslo", bergen}`
and `north` as one set: whoever chooses among them can write something into every class. So a column is told by one of the
spellings of its hierarchy: by its labels, or by intervals and sets as Kohort spells them, no two of which mean the same.
Intervals may all be told in another form that is one for the whole column.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.bounds import Bounds, read_interval
from kohort.hierarchy.reading import covered, is_span, spanned
from kohort.hierarchy.spans import OR_MISSING, is_clear, listed
from kohort.verification.judges.interval_forms import Interval, in_one_form, place_of, spelled_as_ours


@dataclass(frozen=True)
class LabelForms:
    """What is found of the labels of quasi-identifiers: the columns in which spellings tell more than meanings, or may."""

    wrong: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()  # what their labels mean is not known


def label_forms(
    labels: Mapping[str, Sequence[Label]], hierarchies: Sequence[Hierarchy] | None
) -> LabelForms:
    """Return what the distinct labels of columns show; without hierarchies nothing is known of intervals and sets."""
    if hierarchies is None:
        return LabelForms(unknown=tuple(name for name, told in labels.items() if any(map(is_span, told))))
    of = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    return LabelForms(tuple(name for name, told in labels.items() if not is_in_one_way(of[name], told)))


def is_in_one_way(hierarchy: Hierarchy, labels: Sequence[Label]) -> bool:
    """Say whether distinct labels are spelled as their meanings are, in one of the spellings of a hierarchy.

    What means nothing there, such as a mean, is not looked at: whether it is true is asked elsewhere.
    """
    every = (hierarchy, *(other.hierarchy for other in hierarchy.spellings))
    return any(_Told(own, tuple(labels)).follows(every) for own in every)


@dataclass(frozen=True, eq=False)
class _Told:
    """The labels of a column as one spelling of its hierarchy has them."""

    hierarchy: Hierarchy
    labels: tuple[Label, ...]

    def follows(self, every: Sequence[Hierarchy]) -> bool:
        """Say whether every spelling follows from its meaning; `every` are all the spellings that there are."""
        if self._is_of_another(every):
            return False
        if not self.intervals and not self.sets:
            return True
        return self._is_listed() and self._is_bounded() and not self._is_twice() and not self._is_mixed()

    @cached_property
    def nodes(self) -> tuple[tuple[Label, int, int], ...]:
        """The labels of the hierarchy itself, each at every level that has it."""
        levels = list(enumerate(self.hierarchy.levels))
        return tuple(
            (label, height, level.code_of[label])
            for label in self.labels
            if label != SUPPRESSED
            for height, level in levels
            if label in level.code_of
        )

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """The labels that are none of the hierarchy's."""
        known = {label for label, _, _ in self.nodes}
        return tuple(label for label in self.labels if label not in (None, SUPPRESSED) and label not in known)

    @cached_property
    def spans(self) -> dict[str, IntArray]:
        """The ground codes of every stranger that is an interval or a set of something."""
        read = ((text, spanned(self.hierarchy, text)) for text in self.strangers)
        return {text: codes for text, codes in read if codes is not None and len(self._told(codes))}

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """The spans that are told by their ends."""
        ends = {text: read_interval(text.removesuffix(OR_MISSING)) for text in self.spans}
        return tuple(
            Interval(text, own, self._told(self.spans[text]), text.endswith(OR_MISSING))
            for text, own in ends.items()
            if own is not None
        )

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The spans that list values."""
        bounded = {interval.text for interval in self.intervals}
        return tuple(text for text in self.spans if text not in bounded)

    @cached_property
    def ranges(self) -> tuple[Label, ...]:
        """The labels above the ground that stand for several values, but for those of open ends: Kohort tells these always."""
        found = []
        ground = self.hierarchy.levels[0].code_of
        for label, height, code in self.nodes:
            own = self._bounds(height, code)
            if label is not None and label not in ground and not (own is not None and own.open):
                found.append(label)
        return tuple(dict.fromkeys(found))

    def _is_of_another(self, every: Sequence[Hierarchy]) -> bool:
        """Say whether a label that means nothing here is one of another spelling."""
        lost = [text for text in self.strangers if text not in self.spans]
        return any(text in level.code_of for text in lost for other in every for level in other.levels)

    def _is_listed(self) -> bool:
        """Say whether sets list values as ours do, and stand beside no other labels of several values where ours list none."""
        if not all(text == listed(self.hierarchy, self.spans[text]) for text in self.sets):
            return False
        several = any(len(self.spans[text]) > 1 for text in self.sets)
        return self.hierarchy.listable or not several or not (self.intervals or self.ranges)

    def _is_bounded(self) -> bool:
        """Say whether intervals are spelled as ours are, or all in one form, and what is missing is told only where it is known."""
        if any(own.missing for own in self.intervals) and self.hierarchy.ground[-1] is not None:
            return False
        if all(spelled_as_ours(self.hierarchy, own) for own in self.intervals):
            return True
        return in_one_form(self.hierarchy, self.intervals, [read_interval(str(own)) for own in self.ranges])

    def _is_twice(self) -> bool:
        """Say whether an interval or a set means what another label does, in other words."""
        met = set(self._meanings_of_nodes())
        for text, codes in self.spans.items():
            meaning = self._meaning(text, codes)
            if meaning in met and not self._is_unclear(codes):
                return True
            met.add(meaning)
        return False

    def _meanings_of_nodes(self) -> Iterator[Hashable]:
        if SUPPRESSED in self.labels and self.hierarchy.declared:
            yield ("values", np.arange(self.hierarchy.size).tobytes())
        for label, height, code in self.nodes:
            codes, own = covered(self.hierarchy, label), self._bounds(height, code)
            assert codes is not None
            if height == 0 or self.hierarchy.declared or own is None:
                # Where values are not declared, a label may stand for more than those that occur.
                kind = "values" if height == 0 or self.hierarchy.declared else "node"
                yield (kind, codes.astype(np.int64).tobytes())
            if own is not None:
                yield self._between(own, codes)

    def _meaning(self, text: str, codes: IntArray) -> Hashable:
        """Return what an interval or a set means: values where these are all declared or listed, else what lies between its ends."""
        own = read_interval(text.removesuffix(OR_MISSING))
        if self.hierarchy.declared or own is None or self._is_one(text, codes):
            return ("values", codes.astype(np.int64).tobytes())
        return self._between(own, codes)

    def _between(self, ends: Bounds, codes: IntArray) -> Hashable:
        """Return an interval by where it ends, and by what it covers; of whole numbers and days by its first and its last."""
        low, high = (None if e is None else place_of(self.hierarchy, e) for e in (ends.low, ends.high))
        if self._whole:
            low = None if low is None else ceil(low) if ends.low_in else floor(low) + 1
            high = None if high is None else floor(high) if ends.high_in else ceil(high) - 1
            return ("between", low, high, codes.astype(np.int64).tobytes())
        return ("between", low, ends.low_in, high, ends.high_in, codes.astype(np.int64).tobytes())

    def _is_mixed(self) -> bool:
        """Say whether some values or labels are told by themselves, and others in the words of an interval or a set."""
        ground = self.hierarchy.levels[0].code_of
        values = any(label in ground and not self._is_open(ground[label]) for label in self.labels if label)
        for text, codes in self.spans.items():
            if values and self._is_one(text, codes) and not self._is_unclear(codes):
                return True
            if self.hierarchy.declared and self.ranges and self._is_node(codes):
                return True
        return False

    def _is_one(self, text: str, codes: IntArray) -> bool:
        """Say whether a span tells one value: a set of it, or an interval that begins where it ends."""
        own = read_interval(text.removesuffix(OR_MISSING))
        return len(codes) == 1 and (own is None or self._ends_where_it_begins(own))

    def _ends_where_it_begins(self, own: Bounds) -> bool:
        if own.low is None or own.high is None:
            return False
        _, low, high, *_ = self._between(own, np.zeros(0, np.int64)) if self._whole else (
            "between", place_of(self.hierarchy, own.low), place_of(self.hierarchy, own.high))  # fmt: skip
        return bool(low == high)

    def _is_node(self, codes: IntArray) -> bool:
        """Say whether ground codes are all those under a label above the ground that nothing else is called by."""
        for height, level in enumerate(self.hierarchy.levels[1:], 1):
            code = int(level.of_ground[codes[0]])
            if level.leaves[code] == len(codes) and (level.of_ground[codes] == code).all():
                own = level.labels[code]
                return own not in (None, SUPPRESSED) and is_clear(self.hierarchy, height, code)
        return False

    def _is_unclear(self, codes: IntArray) -> bool:
        """Say whether a label that stands for exactly these codes also stands for others, so that they are told otherwise."""
        for height, level in enumerate(self.hierarchy.levels):
            code = int(level.of_ground[codes[0]])
            if level.leaves[code] == len(codes) and (level.of_ground[codes] == code).all():
                if not is_clear(self.hierarchy, height, code):
                    return True
        return False

    @cached_property
    def _whole(self) -> bool:
        """Whether all ground values are whole numbers, or days."""
        numbers = self.hierarchy.numbers
        if self.hierarchy.days is not None or numbers is None:
            return True
        told = numbers[~np.isnan(numbers)]
        return bool((told == np.floor(told)).all())

    def _told(self, codes: IntArray) -> IntArray:
        """Return the codes without that of a missing value."""
        return codes[codes < self.hierarchy.size - (self.hierarchy.ground[-1] is None)]

    def _bounds(self, height: int, code: int) -> Bounds | None:
        bounds = self.hierarchy.levels[height].bounds
        return None if bounds is None else bounds[code]

    def _is_open(self, code: int) -> bool:
        own = self._bounds(0, code)
        return own is not None and own.open
