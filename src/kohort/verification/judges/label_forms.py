"""Judges that labels of quasi-identifiers are spelled as their meaning has it, so that no spelling tells people apart.

`30-39`, `[30, 39]`, `[30, 40)` and `[3e1, 39]` are read as one interval, `{oslo, bergen}`, `{bergen, oslo}`, `{"oslo", bergen}`
and `north` as one set: whoever chooses among them can write something into every class. So a column is told by one of the
spellings of its hierarchy: by its labels, or by intervals and sets as Kohort spells them, no two of which mean the same.
Intervals may all be told in another form that is one for the whole column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from kohort.arrays import IntArray
from kohort.hierarchy import SUPPRESSED, Hierarchy, Label
from kohort.hierarchy.bounds import read_interval
from kohort.hierarchy.numerals import is_number
from kohort.hierarchy.reading import covered, is_span
from kohort.hierarchy.spans import is_clear, listed
from kohort.table.formats import formulas
from kohort.verification.judges.interval_forms import are_plain_numbers, in_one_form, spelled_as_ours
from kohort.verification.judges.told_labels import Told, ToldLabels


@dataclass(frozen=True)
class LabelForms:
    """What is found of the labels of quasi-identifiers: the columns in which spellings tell more than meanings, or may."""

    wrong: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()  # what their labels mean is not known
    escaped: tuple[
        str, ...
    ] = ()  # of those that are wrong: nothing is but the apostrophes by which texts are escaped


def label_forms(
    labels: Mapping[str, Sequence[Label]], hierarchies: Sequence[Hierarchy] | None, truthful: bool = True
) -> LabelForms:
    """Return what the distinct labels of columns show; without hierarchies nothing is known of intervals and sets.

    Where a release is not `truthful`, a value may be told in a group that a label above it is called by, too.
    """
    if hierarchies is None:
        return LabelForms(unknown=tuple(name for name, told in labels.items() if any(map(is_span, told))))
    of = {hierarchy.name: hierarchy for hierarchy in hierarchies}
    wrong = tuple(name for name, told in labels.items() if not spelled_in_one_way(of[name], told, truthful))
    return LabelForms(
        wrong, escaped=tuple(name for name in wrong if _is_escaped(of[name], labels[name], truthful))
    )


def _is_escaped(hierarchy: Hierarchy, labels: Sequence[Label], truthful: bool) -> bool:
    """Say whether labels are spelled in one way but for apostrophes before signs, which belong into text and workbooks alone."""
    plain = formulas.unescaped(pa.array(labels, pa.string()))
    escaped = formulas.escaped(plain).to_pylist() == list(labels)
    return escaped and spelled_in_one_way(hierarchy, plain.to_pylist(), truthful)


def spelled_in_one_way(hierarchy: Hierarchy, labels: Sequence[Label], truthful: bool = True) -> bool:
    """Say whether distinct labels are spelled as their meanings are, in one of the spellings of a hierarchy.

    What means nothing there must be a number, as means are: whether it is true is asked elsewhere.

    Complexity: linear in the labels, what they cover and, where intervals are told, the cells of the hierarchy.
    """
    others = (replace(other.hierarchy, allowed=hierarchy.allowed) for other in hierarchy.spellings)
    every = [hierarchy, *others]
    serves = [None, *(other.serves for other in hierarchy.spellings)]
    told = (ToldLabels(own, tuple(labels)) for own in every)
    return any(
        _follows(own, every) and not _is_twice(own, truthful) and _is_served(own, by)
        for own, by in zip(told, serves, strict=True)
    )


def _follows(told: ToldLabels, every: Sequence[Hierarchy]) -> bool:
    """Say whether every spelling follows from its meaning; `every` are all the spellings that there are."""
    if _is_of_another(told, every) or not _is_average(told):
        return False
    if not told.spans:
        return True
    return _is_listed(told) and _is_bounded(told) and not _is_mixed(told)


def _is_average(told: ToldLabels) -> bool:
    """Say whether what is no label, interval or set is a number, as means are, and plainly written: nothing else has a place."""
    return not told.lost or (_has_numbers(told.hierarchy) and are_plain_numbers(told.lost))


def _has_numbers(hierarchy: Hierarchy) -> bool:
    """Say whether numbers have a place among ground values: some are numbers, or nothing is there but what is missing."""
    values = [text for text in hierarchy.ground if text is not None]
    return hierarchy.numbers is not None or not values or any(map(is_number, values))


def _is_of_another(told: ToldLabels, every: Sequence[Hierarchy]) -> bool:
    """Say whether a label that means nothing in one spelling is one of another."""
    return any(text in level.code_of for text in told.lost for other in every for level in other.levels)


def _is_served(told: ToldLabels, by: Callable[[str], bool] | None) -> bool:
    """Say whether every label stands for a value that a spelling is there for; None: it is there for all."""
    if by is None:
        return True
    served = np.array([text is None or by(text) for text in told.hierarchy.ground], np.bool_)
    meant = (covered(told.hierarchy, label) for label in told.labels)
    return all(bool(served[codes].any()) for codes in meant if codes is not None)


def _is_listed(told: ToldLabels) -> bool:
    """Say whether sets list values as ours do, and stand beside no other labels of several values where ours list none."""
    if not all(text == listed(told.hierarchy, told.spans[text]) for text in told.sets):
        return False
    several = any(len(told.spans[text]) > 1 for text in told.sets)
    return told.hierarchy.listable or not several or not (told.intervals or told.groups)


def _is_bounded(told: ToldLabels) -> bool:
    """Say whether intervals are spelled as ours are, or all in one form; none tells of the missing where nothing is."""
    if any(own.missing for own in told.intervals) and told.hierarchy.ground[-1] is not None:
        return False
    if spelled_as_ours(told.hierarchy, told.intervals):
        return True
    return in_one_form(told.hierarchy, told.intervals, [read_interval(label) for label in told.groups])


def _is_twice(told: ToldLabels, truthful: bool) -> bool:
    """Say whether two labels mean the same: labels of the hierarchy, intervals or sets, whatever they are."""
    met: dict[Hashable, list[Told]] = {}
    for label in told.told():
        for meaning in label.meanings:
            if any(label.may_stand_for(other, truthful) for other in met.get(meaning, ())):
                return True
            met.setdefault(meaning, []).append(label)
    return False


def _is_mixed(told: ToldLabels) -> bool:
    """Say whether some values or labels are told by themselves, and others in the words of an interval or a set.

    Where values are not declared, one that only rows left out have may be why a block of values bears no label.
    """
    for text, codes in told.spans.items():
        if told.tells_values and told.is_one_value(text) and not _is_unclear(told, codes):
            return True
        if len(codes) == 1 and told.is_open(0, int(codes[0])):
            return True
        if told.groups and told.tells_all and _is_label(told, text):
            return True
    return False


def _is_label(told: ToldLabels, text: str) -> bool:
    """Say whether a span means what a label above the ground does that nothing else is called by."""
    meaning = told.meaning_of_span(text)
    return any(
        height > 0
        and told.is_allowed(height)
        and label not in (None, SUPPRESSED)
        and is_clear(told.hierarchy, height, code)
        and meaning in set(told.meanings_of_node(label, height, code))
        for label, height, code in told.nodes_over(told.spans[text])
    )


def _is_unclear(told: ToldLabels, codes: IntArray) -> bool:
    """Say whether a label over exactly these codes also stands for others, so that Kohort tells them otherwise."""
    return not all(is_clear(told.hierarchy, height, code) for _, height, code in told.nodes_over(codes))
