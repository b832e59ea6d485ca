"""`Held`: a release as it is compared with others, by keyed hashes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray
from kohort.classes.schemes import Column
from kohort.ledger.lines import Told, told_by


@dataclass(frozen=True, eq=False)
class Held:
    """One release: who stands in which class, and what each class holds.

    Of an attribute that is told in another form than it was read, the lines hold it as it was read too; of a
    quasi-identifier, which is told by the classes, the contents do.
    """

    number: int
    k: int  # people that a class promises to hold
    least: Mapping[Column, int]  # per sensitive attribute: different values that a class promises to hold
    members: Mapping[str, IntArray]  # person, row, class: one entry per released row
    contents: Mapping[str, IntArray]  # class, attribute, value: of every sensitive attribute by itself
    lines: Mapping[str, IntArray]  # class, line, attribute, value: of all that the rows tell side by side
    forms: Mapping[Column, Column] = field(default_factory=dict)  # attribute in another form: as it was read
    marks: Mapping[Column, frozenset[int]] = field(default_factory=dict)  # as it was read: what is missing
    quasi: frozenset[Column] = frozenset()  # as they were read: what is known of people outside
    places: IntArray | None = None  # the line that each entry of the members tells; None: not noted
    spellings: Mapping[str, IntArray] | None = None  # value, plain, several: `spellings_of`; None: not noted
    names: Mapping[Column, Column] = field(
        default_factory=dict
    )  # attribute: as which it is known by its plain name
    alike: Mapping[int, int] = field(default_factory=dict)  # values that a reader may take for one: as which
    marks_alike: Mapping[Column, frozenset[int]] = field(
        default_factory=dict
    )  # to that reader, what is missing

    @cached_property
    def taken_alike(self) -> Held:
        """The release to whoever takes values for one, and so more of them for missing."""
        return self if self.marks_alike == self.marks else replace(self, marks=self.marks_alike)

    @cached_property
    def everything(self) -> list[Told]:
        """What the release tells, and exact values that it does not tell."""
        return told_by(self.contents, self.lines)

    @cached_property
    def told(self) -> list[Told]:
        """What the release tells."""
        return [some.without(self.untold) for some in self.everything]

    @cached_property
    def untold(self) -> frozenset[Column]:
        """The attributes that are kept as they were read and told in another form."""
        return frozenset(self.forms.values())

    @cached_property
    def sensitive(self) -> frozenset[Column]:
        """The attributes that the release calls sensitive, as it tells them."""
        return frozenset(self.contents["attribute"].tolist()) - self.untold

    @cached_property
    def ways(self) -> frozenset[tuple[Column, Column]]:
        """Of every attribute that is told, by rows or by classes: the form, and the attribute as it was read."""
        as_read = {column for some in self.told for column in some.columns if column not in self.forms}
        return frozenset(self.forms.items()) | {(column, column) for column in as_read}

    @cached_property
    def beside(self) -> Mapping[Column, Column]:
        """The attributes that the rows tell, and as what each was read."""
        columns = np.unique(self.lines["attribute"][self.lines["line"] >= 0]).tolist()
        return {column: self.forms.get(column, column) for column in columns if column not in self.untold}

    @property
    def columns(self) -> frozenset[Column]:
        """The attributes, as they were read, that the release tells in any way."""
        return self.quasi.union(as_read for _, as_read in self.ways)

    @property
    def followed(self) -> frozenset[Column]:
        """The attributes, as they were read, that the rows tell or that the release calls sensitive."""
        return frozenset({*self.beside.values(), *(self.forms.get(form, form) for form in self.sensitive)})

    @property
    def tells_quasi(self) -> bool:
        """Whether the rows tell quasi-identifiers of its own: people stand in groups, and hide in no crowd of rows (Anatomy)."""
        return not self.quasi.isdisjoint(self.beside.values())

    @property
    def is_by_column(self) -> bool:
        """Whether no sensitive attribute stands in the rows beside others, or it is not known what does."""
        return bool(self.sensitive) and self.sensitive.isdisjoint(self.beside)


def quasi_before(
    forms: Mapping[Column, Column], contents: Mapping[str, IntArray], lines: Mapping[str, IntArray]
) -> frozenset[Column]:
    """Return the quasi-identifiers, as they were read, of a release that was recorded before they were noted.

    Told by the classes is what is told neither by rows nor apart. Where nothing is, groups are told (Anatomy), and any column
    of the rows may be one.
    """
    told = {*contents["attribute"].tolist(), *lines["attribute"].tolist()}
    by_class = frozenset(as_read for form, as_read in forms.items() if form not in told)
    return by_class or frozenset(lines["attribute"][lines["line"] >= 0].tolist())
