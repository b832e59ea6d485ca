"""What releases leave of a person, by trying every assignment of values to columns: shares nothing with kohort.classes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

Row = dict[str, str]  # column: value


@dataclass
class Told:
    """What a release tells of one class: rows, each of the columns that are told together in it."""

    rows: list[Row]


def consistent(told: list[list[Told]], columns: tuple[str, ...]) -> list[Row]:
    """All assignments of values to these columns that agree with some row of everything that each release tells."""
    domain = {
        c: _domain(told, c) for c in columns if any(c in part.rows[0] for parts in told for part in parts)
    }
    known = [*domain]
    found = []
    for values in product(*(sorted(domain[c]) for c in known)):
        world = dict(zip(known, values, strict=True))
        if all(any(_agrees(world, row) for row in part.rows) for parts in told for part in parts):
            found.append(world)
    return found


def _domain(told: list[list[Told]], column: str) -> set[str]:
    """The values that everything which tells the column holds."""
    held = [{row[column] for row in part.rows} for parts in told for part in parts if column in part.rows[0]]
    return set.intersection(*held)


def _agrees(world: Row, row: Row) -> bool:
    return all(row[c] == value for c, value in world.items() if c in row)


def connected(told: list[list[Told]], columns: tuple[str, ...], column: str) -> tuple[str, ...]:
    """The columns that rows connect with this one, over any number of others."""
    found = {column}
    while True:
        more = {
            c
            for parts in told
            for part in parts
            for row in part.rows
            if found & row.keys() & set(columns)
            for c in row
            if c in columns
        }
        if more <= found:
            return tuple(c for c in columns if c in found)
        found |= more


def left(told: list[list[Told]], columns: tuple[str, ...], column: str) -> list[set[str]]:
    """The values of a column in some assignment; where there is none, the fewest that fewer columns leave: several answers."""
    everything = values_of(told, columns, column)
    if everything:
        return [everything]
    sizes = {len(columns) - 1, 2, 1} & set(range(1, len(columns)))
    fewer = [
        values_of(told, some, column) for n in sizes for some in combinations(columns, n) if column in some
    ]
    least = min((len(values) for values in fewer if values), default=0)
    return [values for values in fewer if len(values) == least] or [set()]


def values_of(told: list[list[Told]], columns: tuple[str, ...], column: str) -> set[str]:
    """The values of a column in some assignment."""
    return {world[column] for world in consistent(told, connected(told, columns, column))}
