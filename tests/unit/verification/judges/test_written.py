"""A written file judged beside its original without holding rows, on tables small enough to judge by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from kohort.classes import Pairs
from kohort.errors import VerificationError
from kohort.hierarchy import Hierarchy
from kohort.models import AlphaK, Attribute, KAnonymity, LDiversity, PrivacyModel, Reference, TCloseness
from kohort.table.streaming import open_stream
from kohort.table.writing import write_table
from kohort.verification.judges.judged import Judged
from kohort.verification.judges.written import Sources, judge_written

TOWNS = Hierarchy.from_rows("town", [("Ayr", "north", "*"), ("Oban", "north", "*"), ("Bude", "south", "*")])
ORIGINAL = {
    "who": ["p", "q", "r", "s", "t"],
    "town": ["Ayr", "Oban", "Bude", "Bude", "Ayr"],
    "ill": ["flu", "gout", "flu", "gout", "flu"],
    "ward": ["1", "1", None, "2", "2"],
}
RELEASED = {
    "town": ["south", "north", "north", "south"],
    "ill": ["flu", "flu", "gout", "gout"],
    "ward": [None, "1", "1", "2"],
}
ROWS = [2, 0, 1, 3]
DECLARED = ("town", "ill", "ward")


class Case:
    """An original, a written file and a claim of rows, each of which a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.original: dict[str, Any] = dict(ORIGINAL)
        self.released: dict[str, Any] = dict(RELEASED)
        self.rows = list(ROWS)
        self.miscounted = np.zeros(2, np.int64)

    def reference(self, several: bool) -> Reference:
        codes = np.array([("flu", "gout").index(ill) for ill in self.original["ill"]], np.int32)
        who = np.unique(self.original["who"], return_inverse=True)[1]
        pairs = Pairs.of(who, codes, 2)[0] if several else None
        held = Attribute(
            "ill", ("flu", "gout"), np.bincount(codes, minlength=2) + self.miscounted, pairs=pairs
        )
        return Reference(len(codes), {"ill": held}, people=int(who.max()) + 1 if several else None)

    def judged(self, *models: PrivacyModel, several: bool = False, **more: Any) -> Judged:
        original, written, order = (
            self.folder / name for name in ("original.csv", "written.csv", "order.parquet")
        )
        write_table(pa.table(self.original), original)
        write_table(pa.table(self.released), written)
        pyarrow.parquet.write_table(pa.table({"row": pa.array(self.rows, pa.int64())}), order)
        sources = Sources(written, open_stream(original), order)
        return judge_written(sources, DECLARED, models, [TOWNS], self.reference(several), **more)

    def holds(self, *models: PrivacyModel, **more: Any) -> dict[str, bool | None]:
        return {verdict.promise: verdict.holds for verdict in self.judged(*models, **more).verdicts}


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path)


def test_an_honest_file_keeps_everything_and_is_told(case: Case) -> None:
    found = case.judged(
        KAnonymity(2), LDiversity(2, "ill"), bounds={"town": (1, None)}, max_left_out=1, memory="100MB"
    )
    assert [(verdict.promise, verdict.holds, verdict.achieved) for verdict in found.verdicts][:2] == [
        ("2-anonymity", True, 2),
        ("distinct 2-diversity of ill", True, 2),
    ]
    assert [verdict.holds for verdict in found.verdicts] == [True] * 6
    assert "every cell of 4 rows covers the original value" in [verdict.note for verdict in found.verdicts]
    told = found.tell()
    assert told.labels == {"town": ("north", "south"), "ill": ("flu", "gout")}
    assert told.classes.rows.tolist() == [2, 2]
    assert told.names == DECLARED


def test_each_promise_is_broken_by_itself(case: Case) -> None:
    kept = {"3-anonymity": False, "distinct 3-diversity of ill": False}
    found = case.holds(KAnonymity(3), LDiversity(3, "ill"), bounds={"town": (2, None)}, max_left_out=0)
    assert found | kept == found
    assert found["town at level 2 or above"] is False
    assert found["truthful"] is True
    assert list(found.values()).count(False) == 4  # and more rows are left out than allowed


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("town", ["south", "south", "north", "south"]),
        ("town", ["south", "north", "nowhere", "south"]),
        ("town", ["south", "north", "Ayr", "south"]),
        ("ill", ["gout", "flu", "gout", "gout"]),
        ("ward", ["1", "1", "1", "2"]),
        ("ward", [None, None, "1", "2"]),
        ("ward", [None, "1", "1", "3"]),
    ],
)
def test_a_cell_that_is_not_true_of_its_row_is_found(
    case: Case, column: str, cells: list[str | None]
) -> None:
    case.released[column] = cells
    [verdict] = [verdict for verdict in case.judged().verdicts if verdict.promise == "truthful"]
    assert (verdict.holds, verdict.note) == (
        False,
        f"column {column!r} holds a value that is not true of its row",
    )


def test_rows_too_few_or_claimed_twice_are_found(case: Case) -> None:
    case.released = {name: [*cells, cells[1]] for name, cells in case.released.items()}
    found = case.judged()
    assert [verdict.holds for verdict in found.verdicts] == [False]
    assert found.verdicts[0].note == "5 rows were written instead of 4"
    with pytest.raises(VerificationError, match="does not hold the rows"):
        found.tell()
    case.rows.append(0)
    assert case.holds()["truthful"] is False


def test_another_column_is_found(case: Case) -> None:
    case.released["who"] = ["r", "p", "q", "s"]
    assert [verdict.holds for verdict in case.judged().verdicts] == [False]


def test_people_count_once(case: Case) -> None:
    """Both northern rows are p's, who has gout and flu: nobody hides p, and p's values are no diversity."""
    assert case.holds(KAnonymity(2), respondent="who")["2-anonymity"] is True
    case.original["who"] = ["p", "p", "r", "s", "t"]
    kept = case.holds(KAnonymity(2), LDiversity(2, "ill"), several=True, respondent="who")
    assert kept["2-anonymity"] is False
    assert kept["distinct 2-diversity of ill"] is False
    assert case.holds(LDiversity(2, "ill"))["distinct 2-diversity of ill"] is True


def test_two_people_with_two_rows_each_are_read_by_person(case: Case) -> None:
    """p and q hold flu and gout each: whichever value is taken for them, both may be flu."""
    case.original = {
        "who": ["p", "p", "q", "q"], "town": ["Bude"] * 4, "ill": ["flu", "gout"] * 2, "ward": ["1"] * 4
    }  # fmt: skip
    case.released, case.rows = {name: case.original[name] for name in DECLARED}, [0, 1, 2, 3]
    kept = case.holds(KAnonymity(2), LDiversity(2, "ill"), several=True, respondent="who")
    assert kept["2-anonymity"] is True
    assert kept["distinct 2-diversity of ill"] is False
    [verdict, *_] = case.judged(TCloseness(0.1, "ill"), several=True, respondent="who").verdicts
    assert (verdict.holds, verdict.achieved) == (True, 0)


def test_people_with_one_row_each_are_compared_with_a_table_of_rows(case: Case) -> None:
    """Half of each class has flu, and 3/5 of the table."""
    [verdict, *_] = case.judged(TCloseness(0.1, "ill"), respondent="who").verdicts
    assert verdict.holds is True
    assert verdict.achieved == pytest.approx(0.1)


def test_a_value_that_the_original_lacks_is_no_release_of_it(case: Case) -> None:
    case.released["ill"] = ["flu", "flu", "gout", "pox"]
    with pytest.raises(VerificationError, match="values of 'ill' that the original does not have"):
        case.judged()


def test_who_says_a_value_twice_holds_it_once(case: Case) -> None:
    """p says flu in two rows, q gout in one: half of the people hold flu."""
    case.original = {
        "who": ["p", "p", "q"],
        "town": ["Bude"] * 3,
        "ill": ["flu", "flu", "gout"],
        "ward": ["1"] * 3,
    }
    case.released, case.rows = {name: case.original[name] for name in DECLARED}, [0, 1, 2]
    [verdict, *_] = case.judged(AlphaK(0.5, 2, "ill"), several=True, respondent="who").verdicts
    assert (verdict.holds, verdict.achieved) == (True, 0.5)


def test_a_distribution_that_is_not_the_originals_is_refused(case: Case) -> None:
    case.miscounted = np.array([-1, 1])
    with pytest.raises(VerificationError, match="column 'ill' of the original was counted in two ways"):
        case.judged(TCloseness(0.1, "ill"))
