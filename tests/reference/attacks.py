"""Attacks by brute force over plain rows: slow, obvious, and independent of the code under test."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations, product

import pyarrow as pa

from kohort.attacks import Target
from kohort.table import Table

Row = dict[str, str | None]
Covers = Callable[[str, str | None, str | None], bool]  # column, released label, value


def table_of(rows: Sequence[Row]) -> Table:
    """Return rows as a table of texts."""
    return Table.from_arrow(
        pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]})
    )


def target_of(rows: Sequence[Row], quasi: Sequence[str], sensitive: Sequence[str], **known: object) -> Target:
    """Return a target of plain rows."""
    return Target(table_of(rows), tuple(quasi), tuple(sensitive), **known)  # type: ignore[arg-type]


def classes(rows: Sequence[Row], quasi: Sequence[str], column: str) -> list[list[str | None]]:
    """Return the sensitive values of each class."""
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row[column])
    return list(found.values())


def homogeneous_share(found: list[list[str | None]]) -> float:
    """Return the share of records in classes with one value."""
    return sum(len(c) for c in found if len(set(c)) == 1) / sum(map(len, found))


def certain_share(found: list[list[str | None]], m: int) -> float:
    """Return the share of records that some m excluded values make certain: all sets of values are tried."""
    hits = 0
    for members in found:
        for value in members:
            hits += best_posterior(members, value, m) == 1
    return hits / sum(map(len, found))


def best_posterior(members: list[str | None], value: str | None, m: int) -> float:
    """Return the highest chance of `value` after up to m other values are ruled out."""
    others = set(members) - {value}
    best = 0.0
    for size in range(min(m, len(others)) + 1):
        for gone in combinations(sorted(others, key=str), size):
            left = [v for v in members if v not in gone]
            best = max(best, left.count(value) / len(left))
    return best


def worst_rise(found: list[list[str | None]]) -> tuple[float, float]:
    """Return the greatest (posterior - prior) and the greatest posterior / prior."""
    everything = [v for members in found for v in members]
    prior = {v: count / len(everything) for v, count in Counter(everything).items()}
    pairs = [(members.count(v) / len(members), prior[v]) for members in found for v in set(members)]
    return max(a - b for a, b in pairs), max(a / b for a, b in pairs)


def match_set(person: Row, rows: Sequence[Row], on: Iterable[str], covers: Covers) -> list[int]:
    """Return the released rows that can be the person's."""
    names = list(on)
    return [i for i, row in enumerate(rows) if all(covers(n, row[n], person[n]) for n in names)]


def shuffled_share(found: list[list[str | None]], draws: int, seed: int = 1) -> float:
    """Return the mean share of records in one-valued classes over random deals of the values."""
    generator = random.Random(seed)
    values = [v for members in found for v in members]
    total = 0.0
    for _ in range(draws):
        generator.shuffle(values)
        rest = iter(values)
        total += homogeneous_share([[next(rest) for _ in members] for members in found])
    return total / draws


def exact_deal_share(found: list[list[str | None]]) -> float:
    """Return the same over all deals; for a handful of records."""
    values = [v for members in found for v in members]
    shares = []
    for deal in permutations(values):
        rest = iter(deal)
        shares.append(homogeneous_share([[next(rest) for _ in members] for members in found]))
    return sum(shares) / len(shares)


def natural_join_cover(
    views: Sequence[Sequence[Row]], identity: str, protected: str
) -> dict[str | None, int]:
    """Return the size of every association cover, by trying all combinations of rows of the views."""
    found: dict[str | None, set[str | None]] = {
        row[identity]: set() for view in views for row in view if identity in row
    }
    for rows in product(*views):
        merged: Row = {}
        if all(merged.setdefault(name, value) == value for row in rows for name, value in row.items()):
            found[merged[identity]].add(merged[protected])
    return {name: len(values) for name, values in found.items()}


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the rank correlation, ties ranked by their mean."""
    a, b = ranks(left), ranks(right)
    mean = (len(a) + 1) / 2
    above = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    below = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return above / below if below else 0.0


def ranks(values: Sequence[float]) -> list[float]:
    return [sum(v < value for v in values) + (values.count(value) + 1) / 2 for value in values]


def assigned_by_learning(
    groups: Sequence[Sequence[int]],
    values: Sequence[Sequence[str]],
    features: Sequence[Sequence[str]],
    rounds: int,
) -> list[str]:
    """Return the deFinetti guess of every person, with dicts and loops.

    `groups` lists the people of each group and `values` the sensitive values of each group; `features` what is
    known of each person.
    """
    labels = sorted({v for held in values for v in held})
    chance = {
        (i, v): held.count(v) / len(held)
        for people, held in zip(groups, values, strict=True)
        for i in people
        for v in set(held)
    }
    domains = [sorted({f[j] for f in features}) for j in range(len(features[0]))]
    for _ in range(rounds):
        model = {}
        for j, domain in enumerate(domains):
            for v in labels:
                seen = {
                    x: 0.5 + sum(c for (i, w), c in chance.items() if w == v and features[i][j] == x)
                    for x in domain
                }
                total = sum(seen.values())
                model.update({(j, v, x): count / total for x, count in seen.items()})
        fresh = {}
        for people, held in zip(groups, values, strict=True):
            weight = {
                (i, v): math.prod(model[j, v, x] for j, x in enumerate(features[i]))
                for i in people
                for v in set(held)
            }
            for _ in range(10):
                for v in set(held):
                    total = sum(weight[i, v] for i in people)
                    for i in people:
                        weight[i, v] *= held.count(v) / total
                for i in people:
                    total = sum(weight[i, v] for v in set(held))
                    for v in set(held):
                        weight[i, v] /= total
            fresh.update(weight)
        chance = fresh
    return [
        max(labels, key=lambda v: (round(chance.get((i, v), 0.0), 9), -labels.index(v)))
        for i in range(len(features))
    ]


def split_only_by_values(
    classes: Sequence[Sequence[int]],
    part_of: Sequence[Callable[[int], object]],
    values: Sequence[str],
    k: int,
    l: int,  # noqa: E741
) -> set[int]:
    """Return the rows of classes that some column splits into parts of at least k, one with fewer than l values."""
    found: set[int] = set()
    for rows in classes:
        for part in part_of:
            parts = defaultdict(list)
            for row in rows:
                parts[part(row)].append(row)
            large = len(parts) > 1 and all(len(p) >= k for p in parts.values())
            if large and any(len({values[r] for r in p}) < l for p in parts.values()):
                found |= set(rows)
    return found


def downcoded(rows: Sequence[Row], column: str, totals: dict[str, int]) -> dict[int, set[str]]:
    """Return the finer values guessed for each row whose `column` is `*`: several where they tie.

    `totals` tells how often each finer value occurs in all. What finer rows tell is taken off, and their other columns
    are evidence, by naive Bayes; a value that no finer row holds is none.
    """
    others = [name for name in rows[0] if name != column]
    told = [row for row in rows if row[column] != "*"]
    guesses = {}
    for i, row in enumerate(rows):
        if row[column] != "*":
            continue
        scores = {}
        for value, total in totals.items():
            like = [t for t in told if t[column] == value]
            score = math.log(max(total - len(like), 0.5))
            for name in [n for n in others if any(t[n] == row[n] for t in told)]:
                size = len({r[name] for r in rows})
                score += math.log((sum(t[name] == row[name] for t in like) + 0.5) / (len(like) + 0.5 * size))
            scores[value] = score
        guesses[i] = {value for value, score in scores.items() if score >= max(scores.values()) - 1e-9}
    return guesses


def fitting_classes(
    person: Row, rows: Sequence[Row], on: Sequence[str], covers: Covers
) -> dict[tuple[str | None, ...], list[int]]:
    """Return the released rows that can be the person's, by what is released of them."""
    found: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for i in match_set(person, rows, on, covers):
        found[tuple(rows[i][name] for name in on)].append(i)
    return found


def every_picker(
    known: Sequence[Row], owners: Sequence[object], rows: Sequence[Row], on: Sequence[str], covers: Covers
) -> dict[str, float]:
    """Return how often intruders are right who know one exact row of somebody and pick a released one.

    Row i is released of person owners[i], who is known by known[i]. `any` picks among all that fit; `told` is told which
    fitting class holds the greatest share of the person's rows, and `highest` is that share for the most exposed;
    `best` chooses one class for all people who are known alike, so that most picks are right: no rule that looks at what
    is known can do better.
    """
    n, any_, told = len(rows), 0.0, []
    alike: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
    for i, person in enumerate(known):
        alike[tuple(person[name] for name in on)].append(i)
        found = fitting_classes(person, rows, on, covers)
        fits = [r for members in found.values() for r in members]
        any_ += sum(owners[r] == owners[i] for r in fits) / max(len(fits), 1)
        told.append(
            max((sum(owners[r] == owners[i] for r in c) / len(c) for c in found.values()), default=0.0)
        )
    best = 0.0
    for cases in alike.values():
        found = fitting_classes(known[cases[0]], rows, on, covers)
        shares = [sum(owners[r] == owners[i] for i in cases for r in c) / len(c) for c in found.values()]
        best += max(shares, default=0.0)
    return {"any": any_ / n, "told": sum(told) / n, "highest": max(told, default=0.0), "best": best / n}
