"""`Baskets`: which items each person holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kohort.arrays import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Baskets:
    """A set of item codes for each person, ascending; person after person in one array."""

    starts: IntArray  # int64, one more than there are people: where each person's items begin
    items: IntArray  # int32

    @classmethod
    def of(cls, people: IntArray, items: IntArray, n_people: int) -> Baskets:
        """Return the sets of people 0 … n_people - 1; who names an item twice holds it once."""
        width = int(items.max(initial=0)) + 1
        held = np.sort(people.astype(np.int64) * width + items)  # np.unique takes five times as long
        held = held[np.diff(held, prepend=-1) > 0]
        starts = np.searchsorted(held, np.arange(n_people + 1, dtype=np.int64) * width)
        return cls(starts.astype(np.int64), (held % width).astype(np.int32))

    @property
    def n_people(self) -> int:
        """The number of people, those who hold nothing among them."""
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> IntArray:
        """How many items each person holds."""
        return np.diff(self.starts)

    @property
    def holding(self) -> int:
        """The number of people who hold anything."""
        return int((self.sizes > 0).sum())

    @cached_property
    def people(self) -> IntArray:
        """Who holds each of `items`."""
        return np.repeat(np.arange(self.n_people, dtype=np.int32), self.sizes)

    def counts(self, n_items: int) -> IntArray:
        """Return how many people hold each item."""
        return np.bincount(self.items, minlength=n_items)

    def part(self, people: IntArray) -> Baskets:
        """Return the sets of these people, in this order; somebody may be among them more than once."""
        sizes = self.sizes[people]
        ends = np.cumsum(sizes)
        places = np.repeat(self.starts[people] - ends + sizes, sizes) + np.arange(int(sizes.sum()))
        return Baskets(np.concatenate([[0], ends]).astype(np.int64), self.items[places])

    def recoded(self, code_of: IntArray) -> Baskets:
        """Return the sets with every item under another code; items of one code become one."""
        return Baskets.of(self.people, code_of[self.items], self.n_people)
