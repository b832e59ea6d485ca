"""Nobody who was left out shows in a released label: not by value, not by where an interval ends."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.thinned import dealt

import kohort
from kohort.algorithms import ALGORITHMS, algorithm
from kohort.errors import InfeasibleError, InputError

HIERARCHIES = {
    "numbers": ({"kind": "intervals", "widths": [100, 1000]}, [110 + 10 * i for i in range(12)], "98765.43", ("987", "988", "99000")),
    "dates": (
        {"kind": "dates", "levels": ["month", "year"]},
        [f"2001-{1 + i:02}-03" for i in range(12)],
        "1811-02-03",
        ("1811", "1810"),
    ),
    "words": ({"kind": "suppress"}, [f"job{i}" for i in range(12)], "pope", ("pope",)),
    "codes": ({"kind": "mask"}, [f"{40 + i}" for i in range(12)], "97", ("97", "9*")),
}  # fmt: skip


NAMES = [name for name in ALGORITHMS if not algorithm(name).card.covers_all]


@pytest.mark.parametrize(("name", "kind"), dealt(NAMES, HIERARCHIES, every=2))
def test_no_label_tells_of_somebody_who_was_left_out(name: str, kind: str) -> None:
    spec, values, extreme, telling = HIERARCHIES[kind]
    values = [str(value) for value in values]
    # Twelve people of each sex, and one whose sex nobody shares and must not be generalized away.
    people = {
        "it": [*values, *values, extreme],
        "sex": ["f"] * 12 + ["m"] * 12 + ["x"],
        "ill": ["a", "b"] * 12 + ["c"],
    }
    plan = {
        "columns": {
            "it": {"role": "quasi", "hierarchy": spec},
            "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}, "weight": 50.0},
            "ill": {"role": "sensitive"},
        },
        "require": [{"model": "k-anonymity", "k": 3}],
        "recode": {"algorithm": name, "max_suppression": 0.1},
    }
    if name in ("k-optimize", "hill-climbing", "genetic", "annealing"):
        plan["recode"]["objective"] = "discernibility"  # type: ignore[index]
        plan["columns"]["sex"]["max_level"] = 0  # type: ignore[index]
    try:
        release = kohort.anonymize(pa.table(people), kohort.Plan.from_dict(plan))
    except (InputError, InfeasibleError):
        return  # it takes no such plan, or leaves nobody out
    if "x" in release.table["sex"].to_pylist() or release.suppressed != 1:
        return
    labels = {str(label) for label in release.table["it"].to_pylist()}
    assert not [label for label in labels if any(part in label for part in telling)], labels


def test_the_attack_would_be_seen() -> None:
    """Some algorithm does leave the one person out."""
    spec, values, extreme, _ = HIERARCHIES["numbers"]
    people = {"it": [*map(str, values), *map(str, values), extreme], "sex": ["f"] * 12 + ["m"] * 12 + ["x"]}
    plan = kohort.Plan.from_dict(
        {
            "columns": {"it": {"role": "quasi", "hierarchy": spec}, "sex": {"role": "quasi", "max_level": 0}},
            "require": [{"model": "k-anonymity", "k": 3}],
            "recode": {"algorithm": "k-optimize", "objective": "discernibility", "max_suppression": 0.1},
        }
    )
    assert kohort.anonymize(pa.table(people), plan).suppressed == 1


LEFT_OUT = (97.0, 77.5, 21.5, 22.0, 0.5, 150.0, None)
DECLARED = {
    "ends": {"kind": "intervals", "widths": [10, 50], "domain": [0, 199]},
    "widths": {"kind": "intervals", "widths": [10, 50]},
    "nothing": {"kind": "suppress"},
}


@pytest.mark.parametrize(("name", "told"), dealt(NAMES, DECLARED, every=3))
def test_no_type_tells_of_somebody_who_was_left_out(name: str, told: str) -> None:
    """The same cells have the same type, whoever is left out: numbers or texts, with a fraction or without."""
    types: dict[tuple[str, ...], set[pa.DataType]] = {}
    for age in LEFT_OUT:
        people = pa.table(
            {
                "age": pa.array([21.0, 22.0] * 8 + [age], pa.float64()),
                "sex": ["f", "f", "m", "m"] * 4 + ["x"],
                "ill": ["a", "b", "b", "a", "a", "c", "c", "b"] * 2 + ["c"],
            }
        )
        columns = {
            "age": {"role": "quasi", "hierarchy": DECLARED[told]},
            "sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}, "weight": 50.0},
            "ill": {"role": "sensitive"},
        }
        if name in ("k-optimize", "hill-climbing", "genetic", "annealing"):
            columns["sex"]["max_level"] = 0
        recode = {"algorithm": name, "max_suppression": 0.1}
        plan = {"columns": columns, "require": [{"model": "k-anonymity", "k": 2}], "recode": recode}
        try:
            release = kohort.anonymize(people, kohort.Plan.from_dict(plan))
        except (InputError, InfeasibleError):
            continue  # it takes no such plan, or leaves nobody out
        cells = release.table["age"]
        if release.suppressed == 1 and "x" not in release.table["sex"].to_pylist():
            types.setdefault(tuple(sorted(map(str, cells.to_pylist()))), set()).add(cells.type)
    assert all(len(found) == 1 for found in types.values()), types
