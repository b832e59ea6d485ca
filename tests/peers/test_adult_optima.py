"""The optima of ARX 3.9.2 on Adult (30,162 rows), levels, suppressed records and scores."""

import csv
from functools import cache

import numpy as np
import pytest
from tests.adult import QUASI, adult_directory, level_rows

from kohort.algorithms import Silent
from kohort.algorithms.lattice.optimal import Optimal
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.metrics import METRICS
from kohort.models import Attribute, KAnonymity, LDiversity, Reference, TCloseness
from kohort.recode import Problem

EIGHT = tuple(name for name in QUASI if name != "occupation")


@cache
def column(name):
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = [row[name] for row in csv.DictReader(file, delimiter=";")]
    hierarchy = Hierarchy.from_rows(name, level_rows(name))
    return hierarchy, hierarchy.encode(rows)


@cache
def table(names):
    codes = np.column_stack([column(name)[1] for name in names]).astype(np.int32)
    occupation, values = column("occupation")
    base, class_of = classes_of_rows(
        codes, {"occupation": (values, occupation.size)} if names == EIGHT else {}
    )
    totals = np.bincount(values, minlength=occupation.size)
    attribute = Attribute("occupation", occupation.ground, totals, occupation, np.arange(occupation.size))
    return base, class_of, values, Reference(len(class_of), {"occupation": attribute})


def adult(names, models, share, objective="loss"):
    base, class_of, values, reference = table(names)
    return Problem(
        names,
        tuple(column(name)[0] for name in names),
        base,
        class_of,
        tuple(model.bind(reference) for model in models),
        METRICS[objective](),
        int(share * len(class_of)),
        sensitive={"occupation": values} if names == EIGHT else {},
        reference=reference,
    )


@pytest.mark.parametrize(
    ("k", "share", "objective", "levels", "suppressed", "score"),
    [
        (2, 0.00, "loss", "041132020", 0, 0.529696),
        (2, 0.02, "loss", "030121110", 573, 0.209371),
        (2, 0.05, "loss", "030011110", 1350, 0.169006),
        (5, 0.00, "loss", "041132210", 0, 0.5731509655590044),
        (5, 0.02, "loss", "030221120", 506, 0.3137130352819242),
        (5, 0.05, "loss", "030021120", 1346, 0.2419323650662908),
        (5, 1.00, "loss", "030021110", 2553, 0.22041192847984292),
        (10, 0.05, "loss", "030121120", 1437, 0.2912700156059571),
        (10, 1.00, "loss", "030021110", 3983, 0.261394),
        (5, 0.05, "discernibility", "001232211", 105, 7_220_555),
        (5, 0.05, "average-class-size", "101132201", 906, 30162 / 1047),
        (5, 0.05, "precision", "040031010", 1461, 0.365626),
    ],
)
def test_nine_quasi_identifiers(k, share, objective, levels, suppressed, score):
    problem = adult(QUASI, [KAnonymity(k)], share, objective)
    found = Optimal().solve(problem, Silent())
    printed = len(f"{score:.10g}".split(".")[-1]) <= 6  # only six decimals are told
    assert "".join(map(str, found.decision.levels)) == levels
    assert found.facts["suppressed"] == suppressed
    assert found.score == pytest.approx(score, abs=5.1e-7 if printed else 1e-9)
    assert found.facts["nodes"] == 12_960
    released = found.decision.apply(problem).outcome(problem)
    assert found.score == pytest.approx(problem.objective.score(released), abs=1e-12)


@pytest.mark.parametrize(
    ("model", "levels", "suppressed", "score"),
    [
        (LDiversity(3, "occupation"), "03002110", 1400, 0.171702),
        (TCloseness(0.2, "occupation", "equal"), "14113121", 235, 0.815003),
        (TCloseness(0.2, "occupation", "hierarchical"), "14003121", 1384, 0.612806),
    ],
)
def test_eight_quasi_identifiers_with_occupation_sensitive(model, levels, suppressed, score):
    found = Optimal().solve(adult(EIGHT, [KAnonymity(5), model], 0.05), Silent())
    assert "".join(map(str, found.decision.levels)) == levels
    assert found.facts["suppressed"] == suppressed
    assert found.score == pytest.approx(score, abs=5.1e-7)
    assert found.facts["nodes"] == 4_320
