"""Random tables for the clusterings, as problems and as naive rows.

All shares of the information loss are multiples of 1/16, so that floating point is exact and ties are ties.
"""

from __future__ import annotations

import numpy as np
from tests.reference import clustering as naive

from kohort.algorithms.clustering.demands import Demands, demands_of
from kohort.classes import Pairs, classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.recode import Problem

AGE = Hierarchy.from_rows("age", [[str(a), f"{a // 4 * 4}+", f"{a // 8 * 8}+", "*"] for a in range(20, 37)])
CITY = Hierarchy.from_rows(
    "city",
    [["Rome", "Italy", "*"], ["Milan", "Italy", "*"], ["Paris", "France", "*"], ["Lyon", "France", "*"],
     [None, None, "*"]],
)  # fmt: skip
SEX = Hierarchy.from_rows("sex", [["f", "*"], ["m", "*"]])
HIERARCHIES = (AGE, CITY, SEX)
NAMES = ("age", "city", "sex")


def problem_of(
    codes: np.ndarray,
    sensitive: dict[str, np.ndarray],
    models: tuple[PrivacyModel, ...],
    hierarchies: tuple[Hierarchy, ...] = HIERARCHIES,
    respondents: np.ndarray | None = None,
    attributes: dict[str, Attribute] | None = None,
    **more: object,
) -> Problem:
    """A problem over these rows."""
    sizes = {name: int(values.max()) + 1 for name, values in sensitive.items()}
    several = respondents is not None and len(np.unique(respondents)) < len(codes)

    def attribute(name: str, values: np.ndarray) -> Attribute:
        labels = tuple(f"v{i:03}" for i in range(sizes[name]))
        pairs = Pairs.of(respondents, values, sizes[name])[0] if several else None
        return Attribute(name, labels, np.bincount(values), pairs=pairs)

    reference = Reference(
        len(codes),
        attributes or {name: attribute(name, values) for name, values in sensitive.items()},
        people=len(np.unique(respondents)) if several else None,
    )
    watched = {name: (values.astype(np.int32), sizes[name]) for name, values in sensitive.items()}
    base, class_of = classes_of_rows(codes.astype(np.int32), watched, respondents)
    return Problem(
        tuple(h.name for h in hierarchies),
        hierarchies,
        base,
        class_of,
        tuple(model.bind(reference) for model in models),
        sensitive={name: values for name, (values, _) in watched.items()},
        respondents=respondents,
        reference=reference,
        **more,  # type: ignore[arg-type]
    )


def random_problem(
    table_seed: int,
    n: int,
    models: tuple[PrivacyModel, ...],
    values: tuple[int, ...] = (5, 4),
    **more: object,
) -> Problem:
    """A random table whose ages cover the whole range, with skewed sensitive attributes s0, s1, …"""
    rng = np.random.default_rng(table_seed)
    codes = np.column_stack([rng.integers(0, h.size, n) for h in HIERARCHIES])
    codes[0, 0], codes[1, 0] = 0, AGE.size - 1
    sensitive = {}
    for i, size in enumerate(values):
        shares = rng.dirichlet(np.full(size, 1.5))
        sensitive[f"s{i}"] = np.append(np.arange(size), rng.choice(size, n - size, p=shares))
        rng.shuffle(sensitive[f"s{i}"])
    return problem_of(codes, sensitive, models, **more)  # type: ignore[arg-type]


def naive_of(problem: Problem, watched: bool = True) -> tuple[naive.Naive, Demands]:
    """The same table as sorted plain rows, with the sensitive attributes in the order of the needs."""
    demands = demands_of(problem, "test")
    needs = demands.needs if watched else ()
    rows = sorted(
        (tuple(map(int, codes)), tuple(int(need.values[i]) for need in needs))
        for i, codes in enumerate(problem.codes)
    )
    attributes = [
        naive.Attribute(
            int(weight),
            None if h.numbers is None else {c: int(x) for c, x in enumerate(h.numbers)},
            {c: tuple(level.labels[level.of_ground[c]] for level in h.levels) for c in range(h.size)},
        )
        for h, weight in zip(problem.hierarchies, problem.given_weights, strict=True)
    ]
    return naive.Naive(attributes, rows, tuple(need.p for need in needs)), demands


def clusters_of(
    problem: Problem, group_of: np.ndarray, demands: Demands, watched: bool = True
) -> list[list[naive.Row]]:
    """The clusters of a decision as plain rows, sorted."""
    needs = demands.needs if watched else ()
    found: dict[int, list[naive.Row]] = {}
    for i, g in enumerate(group_of):
        row = tuple(map(int, problem.codes[i])), tuple(int(need.values[i]) for need in needs)
        found.setdefault(int(g), []).append(row)
    return sorted(sorted(cluster) for cluster in found.values())
