"""`ToldLabels`: the released labels of a column as one spelling of its hierarchy has them, and what they mean."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter

import numpy as np

from kohort.arrays import IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.bounds import Bounds, read_interval
from kohort.hierarchy.reading import covered, spanned
from kohort.hierarchy.spans import OR_MISSING
from kohort.verification.judges.interval_ends import is_whole, reach_of
from kohort.verification.judges.interval_forms import Interval


@dataclass(frozen=True)
class Told:
    """What a label means, the levels by which it is read, and whether it means something else on some of them."""

    meanings: frozenset[Hashable]
    heights: frozenset[int] = frozenset()
    several: bool = False

    def may_stand_for(self, other: Told, truthful: bool) -> bool:
        """Say whether the label could be told in the place of another one of the same meaning.

        Two that mean several things may both be told on a level on which they mean something else. Where what is told need not
        be true, so may one of them.
        """
        if truthful:
            return not (self.several and other.several and self.heights & other.heights)
        return not (self.several or other.several)


@dataclass(frozen=True, eq=False)
class ToldLabels:
    """Distinct labels: nodes are labels of the hierarchy, spans are intervals and sets that are none."""

    hierarchy: Hierarchy
    labels: tuple[Label, ...]

    @cached_property
    def nodes(self) -> tuple[tuple[Label, int, int], ...]:
        """The labels of the hierarchy itself, with level and code, at every level by which they are read; `*` is none of them.

        These are the levels that the plan allows, or all where none of those has the label, as `covered` has it.
        """
        return tuple(node for label in self.labels if label != SUPPRESSED for node in self._nodes_of(label))

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """The labels that are none of the hierarchy's."""
        known = {label for label, _, _ in self.nodes} | {SUPPRESSED}
        return tuple(label for label in self.labels if label is not None and label not in known)

    @cached_property
    def spans(self) -> dict[str, IntArray]:
        """The ground codes of every stranger that is an interval or a set of something."""
        read = ((text, spanned(self.hierarchy, text)) for text in self.strangers)
        return {text: codes for text, codes in read if codes is not None and len(self.without_missing(codes))}

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """The strangers that are neither."""
        return tuple(text for text in self.strangers if text not in self.spans)

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """The spans that are told by their ends."""
        ends = {text: ends_of(text) for text in self.spans}
        return tuple(
            Interval(text, own, self.without_missing(self.spans[text]), text.endswith(OR_MISSING))
            for text, own in ends.items()
            if own is not None
        )

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The spans that list values."""
        return tuple(text for text in self.spans if ends_of(text) is None)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The nodes above the ground, but for those of open ends, which Kohort tells by their label always."""
        values = {node[0] for node in self.nodes if self.is_value(*node)}
        found = (label for label, height, code in self.nodes if not self.is_open(height, code))
        return tuple(dict.fromkeys(label for label in found if label is not None and label not in values))

    @cached_property
    def tells_values(self) -> bool:
        """Whether ground values are told as they are."""
        return any(
            label is not None and self.is_value(label, height, code) and not self.is_open(height, code)
            for label, height, code in self.nodes
        )

    @cached_property
    def tells_all(self) -> bool:
        """Whether labels tell of all ground values that there are, and not only of those in rows that were not left out."""
        if self.hierarchy.declared:
            return True
        told = np.zeros(self.hierarchy.size, np.bool_)
        for label in self.labels:
            codes = None if label == SUPPRESSED else covered(self.hierarchy, label)
            told[[] if codes is None else codes] = True
        return bool(told[self.without_missing(self.hierarchy.codes)].all())

    def told(self) -> Iterator[Told]:
        """Yield each label with what it means, as `meanings_of_node` and `meaning_of_span` tell it."""
        if SUPPRESSED in self.labels:
            yield Told(frozenset([_values(self.hierarchy.codes)]))
        for _, nodes in groupby(self.nodes, key=itemgetter(0)):
            found = list(nodes)
            yield Told(
                frozenset(meant for node in found for meant in self.meanings_of_node(*node)),
                frozenset(height for _, height, _ in found),
                len({_values(self.hierarchy.levels[height].run(code)) for _, height, code in found}) > 1,
            )
        for text in self.spans:
            yield Told(frozenset([self.meaning_of_span(text)]))

    def meanings_of_node(self, label: Label, height: int, code: int) -> Iterator[Hashable]:
        """Yield what a node means: its values, if no others could be under it, and what lies between its ends."""
        codes, own = covered(self.hierarchy, label), self._bounds(height, code)
        assert codes is not None
        if self.hierarchy.declared or self.is_value(label, height, code):
            yield _values(codes)
        if own is not None:
            yield self._between(own, codes)

    def meaning_of_span(self, text: str) -> Hashable:
        """Return what a span means: its values, where these are declared or listed, else what lies between its ends."""
        codes, own = self.spans[text], ends_of(text)
        if own is None or self.hierarchy.declared or self.is_one_value(text):
            return _values(codes)
        return self._between(own, codes)

    def is_one_value(self, text: str) -> bool:
        """Say whether a span is a set of one, or an interval that begins where it ends."""
        own = ends_of(text)
        return len(self.spans[text]) == 1 and (own is None or len(set(self._reach(own))) == 1)

    def nodes_over(self, codes: IntArray) -> Iterator[tuple[Label, int, int]]:
        """Yield every node of the hierarchy, told or not, that stands over exactly these ground codes."""
        for height, level in enumerate(self.hierarchy.levels):
            code = int(level.of_ground[codes[0]])
            if level.leaves[code] == len(codes) and (level.of_ground[codes] == code).all():
                yield level.labels[code], height, code

    def is_allowed(self, height: int) -> bool:
        """Say whether the plan lets labels of a level be told; one above the top means the top."""
        low, high = self.hierarchy.allowed
        return min(low, self.hierarchy.height) <= height and (high is None or height <= high)

    def is_value(self, label: Label, height: int, code: int) -> bool:
        """Say whether a node is a ground value that is called as it is, at whichever level it stands alone."""
        level, own = self.hierarchy.levels[height], self.hierarchy.levels[0].code_of.get(label)
        return own is not None and level.leaves[code] == 1 and bool(level.of_ground[own] == code)

    def is_open(self, height: int, code: int) -> bool:
        """Say whether a node goes on without end: what is top- or bottom-coded."""
        own = self._bounds(height, code)
        return own is not None and own.open

    def without_missing(self, codes: IntArray) -> IntArray:
        """Return the codes without that of a missing value."""
        missing = self.hierarchy.ground[-1] is None
        return codes[:-1] if missing and len(codes) and codes[-1] == self.hierarchy.size - 1 else codes

    def _nodes_of(self, label: Label) -> list[tuple[Label, int, int]]:
        found = [
            (label, height, level.code_of[label])
            for height, level in enumerate(self.hierarchy.levels)
            if label in level.code_of
        ]
        return [node for node in found if self.is_allowed(node[1])] or found

    def _bounds(self, height: int, code: int) -> Bounds | None:
        bounds = self.hierarchy.levels[height].bounds
        return None if bounds is None else bounds[code]

    def _between(self, own: Bounds, codes: IntArray) -> Hashable:
        return self._reach(own), _values(codes)

    def _reach(self, own: Bounds) -> tuple[float | None, float | None]:
        return reach_of(self.hierarchy, own, self._whole)

    @cached_property
    def _whole(self) -> bool:
        return is_whole(self.hierarchy)


def ends_of(text: str) -> Bounds | None:
    """Return the ends of an interval, whether what is missing belongs to it or not; None where a label is none."""
    return read_interval(text.removesuffix(OR_MISSING))


def _values(codes: IntArray) -> Hashable:
    """Return ascending codes as something to compare: of a run its ends, however many they are."""
    if len(codes) and codes[-1] - codes[0] + 1 == len(codes):
        return int(codes[0]), int(codes[-1])
    return codes.astype(np.int64).tobytes()
