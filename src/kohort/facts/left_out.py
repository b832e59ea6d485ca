"""Who was left out: rows that are not released, by the groups they belong to. Private."""

from __future__ import annotations

from kohort.facts.fact import Count, Fact


class Group(Fact, frozen=True):
    """Rows of the original that share a label, and how many of them were left out."""

    label: str | None  # null: the value is missing
    rows: Count
    left_out: Count


class Groups(Fact, frozen=True):
    """The groups of one column; those of fewer than k people (rows, where nobody is named) stand together, unnamed."""

    column: str
    level: str  # of its hierarchy, by which groups are told; `exact`: each value is one
    groups: tuple[Group, ...]  # those that lost the greatest share first
    small: Count = 0  # groups of fewer than k people
    small_rows: Count = 0
    small_left_out: Count = 0
    small_vanished: Count = 0  # of which no row is released
    more: Count = 0  # further groups, which lost no greater share
    more_rows: Count = 0
    more_left_out: Count = 0


class LeftOut(Fact, frozen=True):
    """Who was left out."""

    columns: tuple[Groups, ...]
    people: Count | None = None  # of the original, where people are counted
    people_left_out: Count | None = None  # of whom no row is released
