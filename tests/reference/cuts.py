"""Naive twins of the cut kernels: cost of a cut set by counting tuples, the optimum by trying all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product


def cell(row: Sequence[int], cuts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the interval of every value: how many cuts of its attribute lie at or below it."""
    return tuple(sum(cut <= value for cut in own) for value, own in zip(row, cuts, strict=True))


def cost(
    rows: Sequence[Sequence[int]],
    target: Sequence[int],
    cuts: Sequence[Sequence[int]],
    k: int,
    metric: str,
) -> tuple[float, int]:
    """Return the cost and the number of suppressed rows, straight from the definitions."""
    members: dict[tuple[int, ...], list[int]] = {}
    for row, label in zip(rows, target, strict=True):
        members.setdefault(cell(row, cuts), []).append(label)
    total, suppressed, kept = 0, 0, 0
    for labels in members.values():
        if len(labels) < k:
            suppressed += len(labels)
            total += len(labels) * (len(rows) if metric == "discernibility" else 1)
        elif metric == "discernibility":
            total += len(labels) ** 2
            kept += 1
        else:
            total += len(labels) - max(Counter(labels).values())
            kept += 1
    if metric == "average-class-size":
        return len(rows) / max(kept + (suppressed > 0), 1), suppressed
    return total, suppressed


def all_cut_sets(sizes: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every choice of cuts: subsets of 1..size-1 per attribute."""
    alphabet = [(j, p) for j, size in enumerate(sizes) for p in range(1, size)]
    for chosen in product((False, True), repeat=len(alphabet)):
        cuts: list[list[int]] = [[] for _ in sizes]
        for (j, p), taken in zip(alphabet, chosen, strict=True):
            if taken:
                cuts[j].append(p)
        yield cuts


def optimum(
    rows: Sequence[Sequence[int]],
    target: Sequence[int],
    sizes: Sequence[int],
    k: int,
    metric: str,
    limit: int,
) -> float | None:
    """Return the least cost over all cut sets that suppress at most `limit` rows; None where there is none."""
    costs = [cost(rows, target, cuts, k, metric) for cuts in all_cut_sets(sizes)]
    allowed = [c for c, suppressed in costs if suppressed <= limit]
    return min(allowed) if allowed else None


def optima(
    rows: Sequence[Sequence[int]], target: Sequence[int], sizes: Sequence[int], k: int, limits: Sequence[int]
) -> dict[tuple[str, int], float]:
    """Return the optimum of both paper metrics at each limit from one pass over all cut sets (inf: none)."""
    best = {
        (metric, limit): float("inf") for metric in ("discernibility", "classification") for limit in limits
    }
    for cuts in all_cut_sets(sizes):
        members: dict[tuple[int, ...], list[int]] = {}
        for row, label in zip(rows, target, strict=True):
            members.setdefault(cell(row, cuts), []).append(label)
        lost = sum(len(own) for own in members.values() if len(own) < k)
        kept = [own for own in members.values() if len(own) >= k]
        found = {
            "discernibility": sum(len(own) ** 2 for own in kept) + len(rows) * lost,
            "classification": sum(len(own) - max(own.count(y) for y in set(own)) for own in kept) + lost,
        }
        for metric, limit in best:
            if lost <= limit:
                best[metric, limit] = min(best[metric, limit], found[metric])
    return best


def walk(
    steps: Sequence[tuple[int, int, float]],
    sizes: Sequence[int],
    movable: Sequence[bool],
    measure: Callable[[list[int]], tuple[float, int]],
    limit: int,
    price: float,
) -> tuple[list[int], float, list[int] | None]:
    """Return where a walk of (cut, shift, rise allowed) ends, and cost and set of the best on the way."""

    def value(included: list[int]) -> float:
        own, lost = measure(included)
        return own + price * max(0, lost - limit)

    attribute = [j for j, size in enumerate(sizes) for _ in range(size)]
    included = [0] * len(attribute)
    best_cost, best = float("inf"), None
    for v, by, rise in steps:
        proposed = included.copy()
        proposed[v] = 1 - included[v]
        to = v + by
        beside = by != 0 and 0 <= to < len(included) and attribute[to] == attribute[v]
        if included[v] and beside and movable[to] and not included[to]:
            proposed[to] = 1
        if not movable[v] or value(proposed) - value(included) > rise:
            continue
        included = proposed
        own, lost = measure(included)
        if lost <= limit and own < best_cost:
            best_cost, best = own, included
    return included, best_cost, best
