"""What reports and terminal say of released sets in figures, computed anew from the baskets and the released file."""

from __future__ import annotations

import ast
import io
from collections import Counter
from contextlib import redirect_stdout
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.release import read_release
from tests.words.recount import num, pct
from tests.words.releases import Text
from tests.words.test_every_figure import SOURCES, spells

import kohort
from kohort.cli.anonymize import show
from kohort.sets.facts import of_sets
from kohort.shapes import shape_of

TREE = {"drinks": ["tea", "milk", "juice"], "food": ["bread", "jam", "salt"]}
ITEMS = [item for items in TREE.values() for item in items]
K, M = 4, 2
SITES = {
    "sets/pages.py": {"release_page", "_lead", "_figures", "_held", "_bar", "_sizes", "_told"},
    "sets/set_outcome.py": {"outcome"},
}


def baskets(seed: int) -> list[set[str]]:
    rng = np.random.default_rng(seed)
    weights = np.array([6, 5, 3, 3, 2, 1]) / 20
    return [
        {str(item) for item in rng.choice(ITEMS, size, replace=False, p=weights)}
        for size in rng.integers(0, 4, 60)
    ]


def plan() -> kohort.Plan:
    column = {"role": "set", "separator": ";", "hierarchy": {"kind": "tree", "tree": TREE}}
    return kohort.Plan.from_dict(
        {
            "input": {"shape": "sets"},
            "columns": {"basket": column},
            "require": [{"model": "k-m", "k": K, "m": M}],
        }
    )


def under(label: str) -> list[str]:
    return ITEMS if label == "*" else TREE.get(label, [label])


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_of_sets_in_figures_is_so(seed: int, tmp_path: Path) -> None:
    held = baskets(seed)
    cells = [";".join(sorted(basket)) or "{}" for basket in held]
    release = kohort.anonymize(pa.table({"basket": cells}), plan())
    out = release.save(tmp_path / "out")
    released = [
        set() if cell in (None, "{}") else set(cell.strip("{}").split(";"))
        for cell in read_release(out / "table.csv")["basket"]
    ]
    with redirect_stdout(io.StringIO()) as printed:
        show(release.facts, shape_of(plan()).outcome(of_sets(release.facts)), out)
    public = Text((out / "report.html").read_text(encoding="utf-8")).text
    private = Text((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8")).text
    terminal = " ".join(printed.getvalue().split())

    people, counts = len(held), Counter(label for labels in released for label in labels)
    groups = [
        Counter(c for labels in released for c in combinations(sorted(labels), size))
        for size in range(1, M + 1)
    ]
    smallest = min(count for found in groups for count in found.values())
    label_of = {item: label for label in counts for item in under(label)}
    costs = [Fraction(len(under(label_of[item])), len(ITEMS)) for basket in held for item in basket]
    ncp = sum((cost for cost in costs if cost > Fraction(1, len(ITEMS))), Fraction(0)) / len(costs)
    occurring = set().union(*held)
    for page in (public, private):
        assert (
            f"The sets of {people} people are released, told by {len(counts)} label{'s' * (len(counts) > 1)}."
            in page
        )
        assert f"{smallest} smallest crowd" in page
    for label, count in counts.items():
        assert f"{label} {count}" in public
        assert f"{count} ({pct(count, people)})" in public
        assert f"{label} {len(under(label))} {count}" in private
    for size, count in Counter(map(len, released)).items():
        assert f"{size} label{'' if size == 1 else 's'} {count}" in public
    assert (
        f"{len(occurring)} items occur in the original, of {len(ITEMS)} that the hierarchy knows" in private
    )
    assert f"{sum(map(bool, held))} of {people} people hold any." in private
    assert f"{num(float(f'{float(ncp):.3g}'))} NCP" in private
    exact = sum(len(under(label)) == 1 for label in counts)
    assert (
        f"sets of {people} people released; {len(occurring)} items are told by {len(counts)} labels, {exact} of them exactly"
        in terminal
    )
    assert f"NCP {float(ncp):.6g}, less being better" in terminal


@pytest.mark.parametrize("file", SITES)
def test_no_template_about_sets_goes_without_a_test(file: str) -> None:
    tree = ast.parse((SOURCES / file).read_text(encoding="utf-8"))
    found = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and spells(node)}
    assert found == SITES[file]
