"""The verifier judges cells, counts people, and sees missing values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kohort.classes import Pairs
from kohort.errors import VerificationError
from kohort.models import Attribute, KAnonymity, LDiversity, Personalized, Reference, TCloseness
from kohort.table import Table
from kohort.verification.judges import judge_promises, judge_shape
from kohort.verification.judges.definitions import Finding
from kohort.verification.judges.promises import _compared
from kohort.verification.judges.recounted import recount


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


def test_where_the_two_judges_differ_both_are_quoted_and_nothing_is_kept() -> None:
    kept, broken = Finding(True, 2.0), Finding(False, 1.5)
    for one, other, said in (
        (kept, broken, "kept and broken, 2 and 1.5"),
        (broken, kept, "broken and kept, 1.5 and 2"),
    ):
        verdict = _compared(KAnonymity(2), one, other, alone=False)
        assert (verdict.holds, verdict.achieved) == (False, None)
        assert f"disagree ({said})" in verdict.note
    guarded = _compared(Personalized(0.5, "ill", "guard"), kept, broken, alone=False)
    assert "disagree (kept and broken)" in guarded.note, "how near a guard came to its breach is not told"
    agreed = _compared(Personalized(0.5, "ill", "guard"), kept, kept, alone=False)
    assert (agreed.holds, agreed.achieved, agreed.note) == (True, None, "")


ORIGINAL = released(who=["p", "p", "q"], ill=["flu", "cold", "flu"])
HELD = Pairs.of(np.array([0, 0, 1]), np.array([0, 1, 0], np.int32), 2)[0]


def counted(
    totals: tuple[int, ...] = (2, 1), pairs: Pairs | None = None, labels: tuple[str, ...] = ("flu", "cold")
) -> Reference:
    return Reference(3, {"ill": Attribute("ill", labels, np.array(totals), pairs=pairs)})


def test_a_reference_that_the_original_bears_out_is_taken() -> None:
    recount(ORIGINAL, None, counted())
    recount(ORIGINAL, "who", counted())
    recount(ORIGINAL, "who", counted(pairs=HELD))
    recount(ORIGINAL, None, counted(pairs=HELD))
    recount(ORIGINAL, None, counted((1, 2), labels=("cold", "flu")))


@pytest.mark.parametrize(
    "wrong",
    [
        counted((1, 2)),
        counted((2, 1, 0), labels=("flu", "cold", "gout")),
        counted(labels=("flu", "gout")),
        counted(pairs=Pairs.of(np.array([0, 1, 1]), np.array([0, 1, 1], np.int32), 2)[0]),
        counted(pairs=Pairs.of(np.array([0, 1, 2]), np.array([0, 1, 0], np.int32), 2)[0]),
    ],
)
def test_a_reference_that_counts_otherwise_is_refused(wrong: Reference) -> None:
    with pytest.raises(VerificationError, match="column 'ill' of the original was counted in two ways"):
        recount(ORIGINAL, "who", wrong)
