"""Releases in which each attack must gain, and releases in which there is nothing for it to find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from tests.reference import attacks as naive

from kohort.attacks import Outside, Target
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity
from kohort.verification.judges.two_tables import group_crowds

N = 160
ILLS = ("flu", "cold", "ulcer", "gout", "mumps", "hiv")
JOBS = ("cook", "clerk", "miner", "nurse", "pilot", "tailor")
SEX = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")])
JOB = Hierarchy.from_rows("job", [(job, "*") for job in JOBS])
ILL = Hierarchy.from_rows(
    "ill",
    [
        (ill, head, "*")
        for ill, head in zip(ILLS, ("lung", "lung", "belly", "joint", "lung", "blood"), strict=True)
    ],
)
MEANINGS = {"sex": SEX, "job": JOB, "ill": ILL}
World = Callable[[int], Target]


def people(seed: int, by_class: float, by_job: float) -> list[naive.Row]:
    """People of 20 towns; the illness goes with the town, with the job, or with nothing, so often each."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(N):
        town, job = int(rng.integers(20)), int(rng.integers(6))
        draw = rng.random()
        ill = town % 6 if draw < by_class else job if draw < by_class + by_job else int(rng.integers(6))
        found.append({"town": f"t{town}", "sex": "FM"[i % 2], "job": JOBS[job], "ill": ILLS[ill]})
    return found


def in_classes(rows: list[naive.Row]) -> Target:
    """The people released by town, whatever else they are."""
    released = [{"town": p["town"], "job": "*", "ill": p["ill"]} for p in rows]
    return Target(
        naive.table_of(released),
        ("town", "job"),
        ("ill",),
        MEANINGS,
        original=naive.table_of(rows),
        rows=np.arange(N),
    )


def values_known(seed: int) -> Target:
    """Towns tell the illness of nearly everybody."""
    return in_classes(people(seed, 0.97, 0.0))


def values_permuted(seed: int) -> Target:
    """The same, with values permuted within the whole table."""
    rows, rng = people(seed, 0.97, 0.0), np.random.default_rng(seed + 1)
    ills = rng.permutation([row["ill"] for row in rows])
    return in_classes([row | {"ill": str(ill)} for row, ill in zip(rows, ills, strict=True)])


def exact(seed: int) -> Target:
    """Everybody's quasi-identifiers as they are: most are unique."""
    rng = np.random.default_rng(seed)
    rows = [
        {"town": f"t{rng.integers(60)}", "job": JOBS[int(rng.integers(6))], "ill": "flu"} for _ in range(N)
    ]
    table = naive.table_of(rows)
    return Target(table, ("town", "job"), ("ill",), original=table, rows=np.arange(N))


def of_somebody_else(world: World) -> World:
    """The same release, where what is known of everybody is somebody else's."""

    def known(seed: int) -> Target:
        target = world(seed)
        return replace(target, rows=np.random.default_rng(seed + 2).permutation(N))

    return known


def perturbed(seed: int) -> Target:
    rng = np.random.default_rng(seed)
    ages = rng.uniform(20, 80, N)
    noisy = [{"age": f"{age + rng.normal(0, 0.1):.3f}"} for age in ages]
    known = naive.table_of([{"age": f"{age:.3f}"} for age in ages])
    return Target(naive.table_of(noisy), ("age",), (), original=known, rows=np.arange(N), truthful=False)


def anatomy(related: bool) -> World:
    """Groups of two with two illnesses; the job goes with the illness, or with nothing."""

    def torn(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        quasi, second, original = [], [], []
        for number in range(N):
            ills = [str(ill) for ill in rng.permutation(ILLS[:3])[:2]]
            for ill in ills:
                follows = related and rng.random() < 0.8
                job = JOBS[ILLS.index(ill)] if follows else str(rng.choice(JOBS[:3]))
                quasi.append({"job": job, "group": str(number)})
                original.append({"job": job, "ill": ill})
            second += [{"group": str(number), "ill": ill, "count": "1"} for ill in sorted(ills)]
        first, known = naive.table_of(quasi), naive.table_of(original)
        apart = group_crowds(first, naive.table_of(second))
        return Target(first, ("job",), ("ill",), original=known, rows=np.arange(2 * N), apart=apart)

    return torn


def half_suppressed(related: bool) -> World:
    """The sex is told in half of the rows; the job goes with it, or does not."""

    def told(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        rows = []
        for _ in range(N):
            sex = int(rng.integers(2))
            job = sex if related else int(rng.integers(2))
            rows.append({"sex": "FM"[sex], "job": JOBS[job]})
        released = [row | {"sex": "*"} if i % 2 else row for i, row in enumerate(rows)]
        return Target(
            naive.table_of(released),
            ("sex",),
            (),
            {"sex": SEX},
            original=naive.table_of(rows),
            rows=np.arange(N),
        )

    return told


def two_releases(related: bool) -> World:
    """The same people by town and by street; in the second the values are the people's, or permuted."""

    def told(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        places = {
            name: Hierarchy.from_rows(name, [(f"{name[0]}{i}", "*") for i in range(40)])
            for name in ("town", "street")
        }
        rows = [
            {"town": f"t{rng.integers(40)}", "street": f"s{rng.integers(40)}", "ill": f"i{rng.integers(12)}"}
            for _ in range(N)
        ]
        ills = [row["ill"] for row in rows]
        ills = ills if related else [str(ill) for ill in rng.permutation(ills)]
        second = [row | {"town": "*", "ill": ill} for row, ill in zip(rows, ills, strict=True)]
        quasi, first = ("town", "street"), [row | {"street": "*"} for row in rows]
        other = Target(naive.table_of([second[i] for i in rng.permutation(N)]), quasi, ("ill",), places)
        return Target(
            naive.table_of(first),
            quasi,
            ("ill",),
            places,
            others=(other,),
            original=naive.table_of(rows),
            rows=np.arange(N),
        )

    return told


def ordered(kept: bool) -> World:
    """Rows in the order of the original, of which few tuples are left, or shuffled."""

    def told(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        rows = [{"sex": "FM"[int(rng.integers(2))], "ill": ILLS[int(rng.integers(2))]} for _ in range(N)]
        order = np.sort(rng.permutation(N)[: N - 10]) if kept else rng.permutation(N)[: N - 10]
        return Target(
            naive.table_of([rows[i] for i in order]), ("sex",), ("ill",), {"sex": SEX}, original=naive.table_of(rows),
            rows=order,
        )  # fmt: skip

    return told


def split_by_values(forbidden: bool) -> World:
    """Women and men released together; only the men's illnesses forbid to tell them apart, or nothing does."""

    def told(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        rows = []
        for i in range(N):
            sex = "FM"[i % 2]
            ill = "hiv" if forbidden and sex == "M" else ILLS[int(rng.integers(3))]
            rows.append({"sex": sex, "ill": ill})
        released = [row | {"sex": "*"} for row in rows]
        return Target(
            naive.table_of(released), ("sex",), ("ill",), {"sex": SEX}, original=naive.table_of(rows), rows=np.arange(N),
            promises=(KAnonymity(3), LDiversity(2, "ill")), levels={"sex": 1},
        )  # fmt: skip

    return told


def harmless_column(numbered: bool) -> World:
    """Beside the quasi-identifiers a record number, or a column of two values."""

    def told(seed: int) -> Target:
        rng = np.random.default_rng(seed)
        rows = [
            {"town": f"t{rng.integers(3)}", "note": str(i if numbered else rng.integers(2))} for i in range(N)
        ]
        return naive.target_of(rows, ["town"], [])

    return told


PLANTED: dict[str, World] = {
    "linking": exact,
    "distance-linking": perturbed,
    "homogeneity": lambda seed: in_classes(people(seed, 1.0, 0.0)),
    "background-knowledge": values_known,
    "skewness": lambda seed: in_classes(people(seed, 1.0, 0.0)),
    "similarity": lambda seed: in_classes(people(seed, 1.0, 0.0)),
    "minimality": split_by_values(True),
    "definetti": anatomy(True),
    "downcoding": half_suppressed(True),
    "composition": two_releases(True),
    "association-cover": lambda seed: in_classes(people(seed, 1.0, 0.0)),
    "row-order": ordered(True),
    "undeclared-quasi-identifier": harmless_column(True),
}
NULLS: dict[str, World] = {
    "linking": of_somebody_else(exact),
    "distance-linking": of_somebody_else(perturbed),
    "homogeneity": values_permuted,
    "background-knowledge": values_permuted,
    "skewness": values_permuted,
    "similarity": values_permuted,
    "minimality": split_by_values(False),
    "definetti": anatomy(False),
    "downcoding": half_suppressed(False),
    "composition": two_releases(False),
    "association-cover": values_permuted,
    "row-order": ordered(False),
    "undeclared-quasi-identifier": harmless_column(False),
}


def voters(target: Target, seed: int) -> Outside:
    """Some of the people of a target, and some who are not in it, by name."""
    assert target.original is not None
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(target.original.n_rows)[:40].tolist()
    columns = [target.original[name] for name in target.quasi]
    rows = [{c.name: c.texts[c.codes[i]] for c in columns} | {"name": f"p{i}"} for i in chosen]
    return Outside(naive.table_of(rows), target.quasi, "name")
