"""A number that one person's cell spells otherwise changes no text that is told of others.

Ends of intervals, levels, medians and means are spelled by the number; `[35, 037]` would tell that somebody's cell is `037`. The odd
text may stand in the release as the value that it is, where a group is told by its values, and nowhere within another label.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.contract.test_public_side import FEW

import kohort
from kohort.algorithms import ALGORITHMS, algorithm

AGES = [21, 22, 23, 24, 25, 33, 34, 35, 36, 37, 38, 44, 45, 46, 47, 48]
ALIKE = [22, 22, 22, 22, 33, 34, 36, 36, 36, 36, 46, 46, 46, 46]
HIERARCHIES: dict[str, dict[str, Any]] = {
    "domain": {"kind": "intervals", "widths": [10], "domain": [20, 49]},
    "widths": {"kind": "intervals", "widths": [10]},
    "bands": {"kind": "bands", "ends": [[20, 30, 40, 50]]},
    "file": {"kind": "file", "path": "ages.csv"},
    "order": {"kind": "order", "values": [str(age) for age in range(20, 50)]},
}
ODD = ("046", "+46", "46.0", "4.6e1")
MORE: dict[str, dict[str, Any]] = {
    "mondrian": {"tight": True},
    "k-member": {"tight": True},
    "v-mdav": {"ordinal": ["age"]},
    "univariate": {"ordinal": ["age"]},
}
SLOW = {
    "k-optimize",
    "cells-exact",
    "factor-2",
    "factor-3",
}  # their labels are made by the code of hill-climbing and forest
SERVED = [name for name in ALGORITHMS if name not in {"dp-mdav", "anatomy", "columns", "outliers", *SLOW}]


def released(ages: list[str], name: str, hierarchy: str, options: dict[str, Any], base: Path) -> list[str]:
    """Return the ages that are released, in order; none where the algorithm refuses or finds nothing."""
    rows = len(ages)
    people = pa.table(
        {"age": ages, "sex": ["f"] * (rows - 1) + ["m" if rows % 2 else "f"], "ill": ["flu"] * rows}
    )
    limit = {"max_suppression": 2} if algorithm(name).card.leaves_out else {}
    asked = {
        "columns": {
            "age": {"role": "quasi", "hierarchy": HIERARCHIES[hierarchy]},
            "sex": "quasi",
            "ill": "insensitive",
        },
        "require": [{"model": "k-anonymity", "k": 6}],
        "recode": {"algorithm": name, "seed": 1, "options": options, **limit},
        "output": {"ledger": ""},
    }
    try:
        table = kohort.anonymize(people, kohort.Plan.from_dict(asked, base)).table
    except (kohort.InfeasibleError, kohort.InputError):
        return []
    return sorted(map(str, table.column("age").to_pylist()))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    lines = [f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*" for age in range(20, 50)]
    (tmp_path / "ages.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("hierarchy", HIERARCHIES)
@pytest.mark.parametrize("name", SERVED)
def test_no_label_is_spelled_as_one_persons_cell_is(name: str, hierarchy: str, base: Path) -> None:
    """The odd cell is that of somebody who is released, among others of that age or alone, and of somebody who is left out."""
    odd = ODD[(SERVED.index(name) + list(HIERARCHIES).index(hierarchy)) % len(ODD)]
    for options in [FEW.get(name, {}), *([MORE[name]] if name in MORE else [])]:
        for ages in (AGES, ALIKE):
            told = [str(age) for age in ages for _ in "ab"]
            spelled = [odd if i == told.index("46") else age for i, age in enumerate(told)]
            kept = released(spelled, name, hierarchy, options, base)
            assert not [label for label in kept if odd in label and label != odd]
            out = released([*told, odd], name, hierarchy, options, base)
            if len(out) == len(told):  # the only man is left out
                assert not [label for label in out if odd in label]
