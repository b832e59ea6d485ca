"""The verifier judges cells, counts people, and sees missing values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kohort.models import KAnonymity, LDiversity, TCloseness
from kohort.table import Table
from kohort.verification.judges import judge_promises, judge_shape


def released(**columns: list[str | None]) -> Table:
    return Table.from_arrow(pa.table(columns))


def test_k_is_the_size_of_the_smallest_class() -> None:
    verdict = judge_promises(released(age=["2*", "2*", "3*", "3*", "3*"]), ["age"], [KAnonymity(2)])[0]
    assert (verdict.holds, verdict.achieved) == (True, 2)
    assert not judge_promises(released(age=["2*", "2*", "3*"]), ["age"], [KAnonymity(2)])[0].holds


def test_a_missing_value_is_a_class_of_its_own() -> None:
    verdict = judge_promises(released(age=["2*", "2*", None]), ["age"], [KAnonymity(2)])[0]
    assert (verdict.holds, verdict.achieved) == (False, 1)


def test_one_person_with_k_rows_does_not_hide_in_them() -> None:
    table = released(age=["2*", "2*", "2*"])
    people = np.array([7, 7, 7])
    assert not judge_promises(table, ["age"], [KAnonymity(2)], respondents=people)[0].holds
    assert judge_promises(table, ["age"], [KAnonymity(2)], respondents=np.array([7, 7, 8]))[0].holds


def test_diversity_is_judged_from_the_released_cells() -> None:
    table = released(age=["2*", "2*", "3*", "3*"], ill=["flu", "cold", "flu", "flu"])
    verdict = judge_promises(table, ["age"], [LDiversity(column="ill", l=2)])[0]
    assert (verdict.holds, verdict.achieved) == (False, 1)


def test_a_column_too_many_or_too_few_is_seen() -> None:
    table = released(age=["2*"], name=["x"])
    assert not judge_shape(table, ["age"]).holds
    assert not judge_shape(table, ["age", "name", "zip"]).holds
    assert not judge_shape(table, ["age", "name"], n_rows=2).holds
    assert judge_shape(table, ["age", "name"], n_rows=1).holds


def test_what_cannot_be_judged_without_the_original_is_neither_kept_nor_broken() -> None:
    table = released(age=["2*", "2*"], ill=["flu", "cold"])
    model = TCloseness(column="ill", t=0.1, distance="hierarchical")
    verdict = judge_promises(table, ["age"], [model])[0]
    assert verdict.holds is None
    assert "not judged" in verdict.note
