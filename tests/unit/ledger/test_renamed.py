"""A column of the rows that has another name in another release cannot be compared, and that is said, whatever the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kohort
from kohort.errors import InfeasibleError
from kohort.facts.ledger import LedgerFacts
from kohort.report.ledger import said_of

SAID = "what was renamed is not recognised, and was not compared"


def shared(place: Path, number: int, columns: dict[str, str], seed: int = 0) -> LedgerFacts:
    """Release and share people by some columns: the name of each in this release, and what it tells."""
    rng, n = np.random.default_rng(seed), 40
    cells = {
        "town": [f"t{i % 4}" for i in rng.permutation(n)],
        "ill": [f"i{i % 5}" for i in rng.permutation(n)],
        "pay": [f"p{i % 4}" for i in rng.permutation(n)],
    }
    told: dict[str, Any] = {name: cells[what] for name, what in columns.items()}
    quasi = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
    roles: dict[str, Any] = {name: quasi if what == "town" else "sensitive" for name, what in columns.items()}
    plan = kohort.Plan(
        input={"respondent": "who"},  # type: ignore[arg-type]
        columns=roles | {"who": "identifier"},
        require=[kohort.KAnonymity(2)],
        output={"ledger": str(place / "ledger.db")},  # type: ignore[arg-type]
    )
    table = pa.table(told | {"who": [f"P{i}" for i in range(n)]})
    kohort.anonymize(table, plan).save(place / f"out{number}")
    return kohort.share(place / f"out{number}", anyway=True)


SAME = {"town": "town", "ill": "ill"}
CASES: dict[str, tuple[dict[str, str], dict[str, str], int]] = {
    "the same names": (SAME, SAME, 0),
    "renamed": (SAME, {"town": "town", "illness": "ill"}, 2),
    "one of two renamed": (SAME | {"pay": "pay"}, SAME | {"wage": "pay"}, 2),
    "one more": (SAME, SAME | {"pay": "pay"}, 0),  # a column that is added is no other one
    "one fewer": (SAME | {"pay": "pay"}, SAME, 0),
    "exchanged for another": (
        SAME,
        {"town": "town", "pay": "pay"},
        2,
    ),  # which no name tells from a renamed one
    "a quasi-identifier renamed": (SAME, {"place": "town", "ill": "ill"}, 0),  # by which classes are compared
}


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("case", CASES)
def test_what_may_be_renamed_is_said_beside_every_result(case: str, seed: int, tmp_path: Path) -> None:
    first, second, unpaired = CASES[case]
    shared(tmp_path, 1, first, seed)
    told = shared(tmp_path, 2, second, seed)
    assert told.compared == 1
    assert told.unpaired == unpaired
    assert (SAID in said_of(told)) == bool(unpaired)


def test_an_all_clear_says_it_too() -> None:
    clear = LedgerFacts(
        compared=1, release=2, releases=(1,), shared=4, smallest=2, below_k=0, single_value=0, below_l=0
    )
    assert SAID not in said_of(clear)
    doubtful = LedgerFacts(
        compared=1,
        release=2,
        releases=(1,),
        shared=4,
        smallest=2,
        below_k=0,
        single_value=0,
        below_l=0,
        unpaired=1,
    )
    assert "give nobody" in said_of(doubtful)
    assert "1 column of the rows has its name in some of them only" in said_of(doubtful)


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
@pytest.mark.parametrize("together", ["report", "demand"])
@pytest.mark.parametrize(
    ("other", "beside", "said"),
    [
        ("lot", "", None),
        ("Lot", "", None),
        ("Lot", "LOT", None),  # which is never released, and puts no name in doubt
        ("batch", "", 2),
    ],
)
def test_lots_that_link_rows_are_followed_or_the_doubt_is_said(
    tmp_path: Path, other: str, beside: str, said: int | None, together: str
) -> None:
    """Each lot goes with one illness only; by zip, and by sex, two are left of each."""
    people = [*"paqbrcse"]
    lots, ill = [*"xxyyzzww"], ["flu", "flu", "hiv", "hiv", "hiv", "hiv", "flu", "flu"]
    harmless = {"role": "insensitive", "allow_unique": True}

    def share(name: str, lot: str, place: dict[str, list[str]], **more: list[str]) -> LedgerFacts:
        table = {"who": people, **place, lot: lots, "ill": ill, **more}
        roles: dict[str, Any] = dict.fromkeys(place, "quasi")
        plan = kohort.Plan(
            input={"respondent": "who"},  # type: ignore[arg-type]
            columns=roles | {"who": "identifier", lot: harmless, "ill": "sensitive"},
            require=[kohort.KAnonymity(2), kohort.LDiversity(2, "ill")],
            output={"ledger": str(tmp_path / "ledger.db"), "together": together},  # type: ignore[arg-type]
        )
        kohort.anonymize(pa.table(table), plan).save(tmp_path / name)
        return kohort.share(tmp_path / name)

    more = {beside: ["n"] * 8} if beside else {}
    share("a", "lot", {"zip": [*"11112222"], "sex": ["*"] * 8}, **more)
    second = {"zip": ["*"] * 8, "sex": [*"FFMMFFMM"]}
    if said is None:
        with pytest.raises(InfeasibleError):
            share("b", other, second)
        return
    told = share("b", other, second)
    assert (told.below_l, told.unpaired) == (0, said)
    assert SAID in said_of(told)
    assert "as far as they could be compared, together they give nobody" in said_of(told)
