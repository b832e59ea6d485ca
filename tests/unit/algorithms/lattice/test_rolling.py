import numpy as np
from tests.reference import lattice as naive

from kohort.algorithms.lattice.packing import pack
from kohort.algorithms.lattice.rolling import Rolling


def told(classes):
    histogram = classes.sensitive["s"].dense().tolist()
    return sorted(
        zip(classes.codes.tolist(), classes.rows.tolist(), classes.sizes.tolist(), histogram, strict=True)
    )


def test_unsorted_roll_ups_are_the_classes_own():
    rng = np.random.default_rng(1)
    for _ in range(60):
        hierarchies = [naive.random_hierarchy(rng, f"a{j}") for j in range(3)]
        n = int(rng.integers(1, 40))
        rows = [[h.ground[int(rng.integers(h.size))] for h in hierarchies] for _ in range(n)]
        problem = naive.problem_of(
            rows,
            hierarchies,
            [],
            sensitive=["xyz"[int(i)] for i in rng.integers(0, 3, n)],
            respondents=rng.integers(0, n, n).tolist() if rng.random() < 0.5 else None,
        )
        rolling = Rolling(pack(problem))
        levels = tuple(int(rng.integers(0, h.height + 1)) for h in hierarchies)
        middle = tuple(level if rng.random() < 0.5 else 0 for level in levels)
        half = rolling.up(problem.base, middle)
        found = rolling.up(half, levels)
        assert found.levels == levels
        assert told(found) == told(problem.base.rollup(hierarchies, levels))
