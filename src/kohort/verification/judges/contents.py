"""`Contents`: what written tables say, counted; all that whoever describes a release in public may know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kohort.arrays import IntArray
from kohort.classes import Classes, Histogram, classes_of_columns, group_columns
from kohort.classes.alone import Standing
from kohort.table import Table
from kohort.verification.judges.rows_alone import rows_alone

Labels = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Contents:
    """The cells of a release without the order of its rows, and without the people behind them.

    Labels stand in the order of their text, missing first, and classes in the order of their labels. So it
    is the same whatever wrote the tables, read them or counted them; every figure computed from it is too.
    """

    names: tuple[str, ...]  # the columns of the table, as they stand in it
    quasi: tuple[str, ...]
    labels: Mapping[str, Labels]  # of every column that is counted
    classes: Classes  # records that share their quasi-identifiers, with a histogram of each sensitive column
    standing: Standing  # rows that no other row equals, by more and more of the released columns
    apart: Mapping[str, Classes] = field(
        default_factory=dict
    )  # columns that other tables tell, in classes of theirs

    @property
    def rows(self) -> int:
        """The number of released records."""
        return self.classes.n_rows

    def counts(self, name: str) -> IntArray:
        """Return how many records hold each label of a column."""
        told = self.apart.get(name, self.classes).sensitive
        if name in told:
            return told[name].totals()
        codes = self.classes.codes[:, self.quasi.index(name)]
        return np.bincount(codes, self.classes.rows, len(self.labels[name])).astype(np.int64)


def contents_of(
    table: Table, quasi: Sequence[str], sensitive: Sequence[str], hidden: Sequence[str] = ()
) -> Contents:
    """Return what a released table of rows says, read from what was written; `hidden` columns are no facts of people."""
    watched = [name for name in sensitive if name in table.columns]
    columns = [table[name].codes for name in quasi]
    counted = {name: (table[name].codes, len(table[name].values)) for name in watched}
    classes, class_of = classes_of_columns(columns, counted)
    standing = rows_alone(table, class_of, quasi, hidden)
    return contents_by_classes(table.names, classes, _texts(table, quasi), _texts(table, watched), standing)


def contents_by_classes(
    names: Sequence[str],
    classes: Classes,
    quasi: Mapping[str, Labels],
    sensitive: Mapping[str, Labels],
    standing: Standing,
) -> Contents:
    """Return classes that were counted in some coding of the labels, put in the order of their labels.

    A coding may know labels that do not occur, such as those of rows that were left out; they are not told.
    """
    used = {name: classes.codes[:, j] for j, name in enumerate(quasi)}
    used |= {name: classes.sensitive[name].values for name in sensitive}
    labels, places = {}, {}
    for name, texts in (*quasi.items(), *sensitive.items()):
        labels[name], places[name] = ordered_labels(texts, used[name])
    codes, class_of = group_columns([places[name][classes.codes[:, j]] for j, name in enumerate(quasi)])
    rows = np.bincount(class_of, classes.rows, minlength=len(codes)).astype(np.int64)
    histograms = {}
    for name in sensitive:
        held = classes.sensitive[name]
        values = places[name][held.values]
        histograms[name] = Histogram.of(
            class_of[held.owners], values, len(codes), len(labels[name]), held.counts
        )
    counted = Classes(codes, (0,) * len(quasi), rows, rows, histograms)
    return Contents(tuple(names), tuple(quasi), labels, counted, standing)


def ordered_labels(texts: Labels, used: IntArray) -> tuple[Labels, IntArray]:
    """Return the labels in use in the order of their text, missing first, and the place of each text among them."""
    occurring = {texts[code] for code in np.unique(used)}
    labels = tuple(sorted(occurring, key=lambda text: (text is not None, text or "")))
    place = {label: i for i, label in enumerate(labels)}
    return labels, np.array([place.get(text, -1) for text in texts], np.int32)


def _texts(table: Table, names: Sequence[str]) -> dict[str, Labels]:
    return {name: table[name].texts for name in names}
