"""`ValueRoom`: how much memory the distinct values of a table's columns may take, all together."""

from __future__ import annotations

from collections.abc import Collection

from kohort.errors import InputError
from kohort.plurals import many
from kohort.table.budget import with_room

# Measured at millions of values, judging included; rather too high.
PER_GENERALIZED = 600  # bytes of a value with its labels at every level, beside its own
PER_COUNTED = 250  # of one that is counted only
PER_BYTE = 4  # each byte of a text stands in as many places at a time


class ValueRoom:
    """Refuses by name the column whose values no longer fit; `generalized` are the columns that have a hierarchy."""

    def __init__(self, room: int, generalized: Collection[str]) -> None:
        self._room, self._generalized = room, frozenset(generalized)
        self._taken: dict[str, int] = {}
        self._labels: dict[str, int] = {}

    @property
    def left(self) -> int:
        """How many bytes are left for other things."""
        return self._room - self._needed

    @property
    def _needed(self) -> int:
        return sum(self._taken.values()) + sum(self._labels.values())

    def hold(self, name: str, values: int, own_bytes: int) -> None:
        """Say how many distinct values a column has by now, and what they take by themselves: of a file, or of its release."""
        per = PER_GENERALIZED if name in self._generalized else PER_COUNTED
        self._taken[name] = max(self._taken.get(name, 0), values * per + own_bytes * PER_BYTE)
        if self.left < 0:
            raise InputError(
                f"column {name!r} has {many(values, 'distinct value')} or more, which do not fit in the {self._room / 1e6:,.0f} MB "
                f"that are left for values and classes; allow at least {with_room(self._needed)} of memory, tell the column more "
                "coarsely before, or leave it out",
                code="engine.out-of-memory",
                column=name,
                found=values,
            )

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Say how many bytes the labels of a column take above its values, at the levels of its hierarchy."""
        self._labels[name] = n_bytes
        if self.left < 0:
            raise InputError(
                f"column {name!r}: the labels of all levels of its hierarchy take about {n_bytes / 1e6:,.0f} MB, which do not "
                f"fit in the {self._room / 1e6:,.0f} MB that are left for values, labels and classes; allow at least "
                f"{with_room(self._needed)} of memory, or give the hierarchy fewer levels",
                code="engine.out-of-memory",
                column=name,
                found=n_bytes,
            )
