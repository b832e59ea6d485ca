"""De Capitani di Vimercati et al., section 3: Figures 7, 8 and 9 recomputed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from kohort.algorithms import Silent
from kohort.algorithms.buckets.anatomy import Anatomy
from kohort.algorithms.microaggregation.mdav import Mdav
from kohort.algorithms.microaggregation.univariate import Univariate
from kohort.algorithms.microaggregation.v_mdav import VMdav
from kohort.algorithms.partition.mondrian import Mondrian
from kohort.algorithms.partition.relaxed import MondrianRelaxed
from kohort.classes import classes_of_rows
from kohort.hierarchy import Hierarchy
from kohort.models import GroupPromise, KAnonymity, LDiversity
from kohort.recode import Problem
from kohort.recode.buckets import two_tables
from kohort.table import Table
from kohort.verification.judges.group_contents import GroupContents
from kohort.verification.judges.two_tables import judge_groups

ZIPS = ["98512", "99413", "98578", "99356", "99423", "98545", "99334", "99490", "99301"]
AGES = ["35", "45", "30", "50", "60", "40", "65", "70", "55"]
DISEASES = [
    "Heart attack", "COVID-19", "Cardiomyopathy", "COVID-19", "Dermatitis", "Pericarditis", "Short breath", "Cough",
    "COVID-19",
]  # fmt: skip

TWO_COLUMNS = Table.from_arrow(pa.table({"zip": ZIPS, "disease": DISEASES}))


def problem(names: tuple[str, ...], k: int, l: int | None = None) -> Problem:  # noqa: E741
    values = {"age": AGES, "zip": ZIPS}
    hierarchies = tuple(Hierarchy.from_rows(name, [[v, "*"] for v in sorted(values[name])]) for name in names)
    codes = np.column_stack([h.encode(values[n]) for n, h in zip(names, hierarchies, strict=True)])
    texts = sorted(set(DISEASES))
    disease = np.array([texts.index(d) for d in DISEASES], np.int32)
    base, class_of = classes_of_rows(codes, {"disease": (disease, len(texts))})
    models = (KAnonymity(k),) if l is None else (KAnonymity(k), LDiversity(l, "disease"))
    return Problem(names, hierarchies, base, class_of, models, sensitive={"disease": disease}, seed=1)


def texts_of(asked: Problem, decision, j: int) -> list[str | None]:
    column = decision.apply(asked).by_row().columns[j]
    return [column.labels[c] for c in column.codes]


@pytest.mark.parametrize("names", [("age", "zip"), ("zip", "age")])
def test_figure_7_mondrian_cuts_zip_at_99334_and_then_age_at_40_and_55(names):
    asked = problem(names, 2)
    decision = Mondrian().solve(asked, Silent()).decision
    age, zip_code = (asked.hierarchies[names.index(name)] for name in ("age", "zip"))
    boxes = {
        (
            zip_code.ground[low[names.index("zip")]],
            zip_code.ground[high[names.index("zip")]],
            age.ground[low[names.index("age")]],
            age.ground[high[names.index("age")]],
            int((decision.groups(asked) == g).sum()),
        )
        for g, (low, high) in enumerate(zip(decision.low, decision.high, strict=True))
    }
    assert boxes == {
        ("98512", "99334", "30", "40", 3),
        ("98512", "99334", "45", "70", 2),
        ("99356", "99490", "30", "55", 2),
        ("99356", "99490", "60", "70", 2),
    }


def test_figure_7_e_the_groups_are_the_same_when_told_tightly_or_relaxed():
    asked = problem(("age", "zip"), 2)
    groups = {
        frozenset({"98512", "98578", "98545"}), frozenset({"99334", "99301"}), frozenset({"99413", "99356"}),
        frozenset({"99423", "99490"}),
    }  # fmt: skip
    for chosen in (Mondrian(), Mondrian(tight=True), MondrianRelaxed()):
        group_of = chosen.solve(asked, Silent()).decision.groups(asked)
        assert {frozenset(np.array(ZIPS)[group_of == g].tolist()) for g in range(4)} == groups
    tight = texts_of(asked, Mondrian(tight=True).solve(asked, Silent()).decision, 0)
    assert dict(zip(AGES, tight, strict=True)) == {
        "30": "[30, 40]", "35": "[30, 40]", "40": "[30, 40]", "55": "[55, 65]", "65": "[55, 65]",
        "45": "[45, 50]", "50": "[45, 50]", "60": "[60, 70]", "70": "[60, 70]",
    }  # fmt: skip


def test_figure_8_anatomy_splits_the_groups_of_figure_4_in_two_tables():
    groups = np.array([1, 2, 1, 3, 2, 1, 3, 2, 3])
    tables = two_tables(TWO_COLUMNS, "disease", groups)
    quasi, counted = (tables[name].to_arrow() for name in ("table", "sensitive"))
    sensitive = {(row["group"], row["disease"]): row["count"] for row in counted.to_pylist()}
    assert sensitive == {
        (1, "Heart attack"): 1, (1, "Cardiomyopathy"): 1, (1, "Pericarditis"): 1,
        (2, "COVID-19"): 1, (2, "Dermatitis"): 1, (2, "Cough"): 1,
        (3, "Short breath"): 1, (3, "COVID-19"): 2,
    }  # fmt: skip
    assert dict(zip(quasi["zip"].to_pylist(), quasi["group"].to_pylist(), strict=True)) == dict(
        zip(ZIPS, groups.tolist(), strict=True)
    )
    told = GroupContents.of(tables["table"], tables["sensitive"], "disease")
    # Two distinct values in every group, but COVID-19 is two thirds of the third one.
    assert [v.holds for v in judge_groups(told, GroupPromise("disease", 1, 3))] == [True] * 4
    assert not judge_groups(told, GroupPromise("disease", 2, 3))[2].holds


def test_figure_8_anatomy_itself_finds_groups_of_three_that_are_2_diverse():
    asked = replace(problem(("age", "zip"), 3, 2), models=(LDiversity(2, "disease"),))
    groups = Anatomy(least=3).solve(asked, Silent()).decision.group_of
    tables = two_tables(TWO_COLUMNS, "disease", groups)
    told = GroupContents.of(tables["table"], tables["sensitive"], "disease")
    assert all(verdict.holds for verdict in judge_groups(told, GroupPromise("disease", 2, 3)))


@pytest.mark.parametrize("chosen", [Univariate(), Mdav(), VMdav()], ids=lambda chosen: chosen.card.name)
def test_figure_9_microaggregation_of_age_gives_the_means_35_50_and_65(chosen):
    asked = problem(("age",), 3)
    means = dict(zip(AGES, texts_of(asked, chosen.solve(asked, Silent()).decision, 0), strict=True))
    assert means == {
        "30": "35", "35": "35", "40": "35", "45": "50", "50": "50", "55": "50", "60": "65", "65": "65", "70": "65",
    }  # fmt: skip
