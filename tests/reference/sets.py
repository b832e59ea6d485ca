"""Naive twins for sets: every cut of a tree, every combination of labels, counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

Tree = str | tuple[str, list["Tree"]]  # an item, or a label with what lies under it
Cut = Mapping[str, str]  # item -> label


def items_of(tree: Tree) -> list[str]:
    return [tree] if isinstance(tree, str) else [item for child in tree[1] for item in items_of(child)]


def cuts(tree: Tree) -> Iterator[dict[str, str]]:
    """Every way to tell each item by one label over it, with whole subtrees under a label."""
    if isinstance(tree, str):
        yield {tree: tree}
        return
    for parts in product(*(list(cuts(child)) for child in tree[1])):
        yield {item: label for part in parts for item, label in part.items()}
    yield dict.fromkeys(items_of(tree), tree[0])


def told(sets: Sequence[set[str]], cut: Cut) -> list[set[str]]:
    return [{cut[item] for item in held} for held in sets]


def supports(sets: Sequence[set[str]], m: int) -> Counter[tuple[str, ...]]:
    """How many hold each combination of at most m labels."""
    return Counter(
        combination
        for held in sets
        for size in range(1, m + 1)
        for combination in combinations(sorted(held), size)
    )


def keeps(sets: Sequence[set[str]], k: int, m: int) -> bool:
    return all(support >= k for support in supports(sets, m).values())


def ncp(sets: Sequence[set[str]], cut: Cut) -> Fraction:
    """u / |I| for every time that an item under a label over u > 1 items is held, as a share of all times."""
    under = Counter(cut.values())
    held = Counter(item for one in sets for item in one)
    total = sum(held.values())
    lost = sum(n * under[cut[item]] for item, n in held.items() if under[cut[item]] > 1)
    return Fraction(lost, total * len(cut)) if total else Fraction(0)


def least_loss(sets: Sequence[set[str]], tree: Tree, k: int, m: int) -> Fraction | None:
    """The least NCP of all cuts that keep k^m; None where there is none."""
    return min((ncp(sets, cut) for cut in cuts(tree) if keeps(told(sets, cut), k, m)), default=None)


def crowd(known: set[str], released: Sequence[set[str]], covers: Mapping[str, set[str]]) -> int:
    """How many released sets fit somebody known to hold these items: a label over each of them is in the set."""
    return sum(all(any(item in covers[label] for label in held) for item in known) for held in released)
