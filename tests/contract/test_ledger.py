"""Releases of every algorithm go into the ledger, and what it says of them equals Python sets over the written tables."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from msgspec import to_builtins
from tests.reference.together import Contents, together

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.errors import InfeasibleError, InputError
from kohort.sharing import mark_as_shared

N = 60
AGE = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20, 40], "origin": 0}}
ONE_QUASI = ("univariate", "outliers")
PROMISED = {"factor-2": 2}
FIGURES = ("shared", "smallest", "below_k", "new_below_k", "single_value", "new_single_value")


def people(seed: int) -> pa.Table:
    """The same people, of other ages in each table: classes cross."""
    rng = np.random.default_rng(seed)
    ills = np.random.default_rng(0).integers(0, 5, N)
    return pa.table(
        {
            "who": [f"p{i}" for i in range(N)],
            "tag": [f"t{i}" for i in range(N)],
            "age": rng.integers(20, 80, N),
            "pay": rng.integers(1, 60, N),
            "ill": [f"ill{i}" for i in ills],
        }
    )


def saved(name: str, seed: int, out: Path, tag: bool) -> dict[str, object]:
    columns = {"age": AGE, "ill": "sensitive"}
    columns |= {} if name in ONE_QUASI else {"pay": AGE}
    columns |= {"tag": {"role": "insensitive", "allow_unique": True}} if tag else {}
    diverse = {"model": "l-diversity", "l": 2, "column": "ill"}
    require = [diverse if name == "anatomy" else {"model": "k-anonymity", "k": PROMISED.get(name, 3)}]
    plan = kohort.Plan(
        columns=columns,
        require=require,
        input={"respondent": "who"},
        recode={"algorithm": name, "max_suppression": 0.2},
    )
    table = people(seed)
    if name == "outliers":  # it leaves values as they are: few, so that somebody shares them
        table = table.set_column(
            2, "age", pa.array([20 + int(age) // 30 for age in table["age"].to_pylist()])
        )
    release = kohort.anonymize(table, plan)
    release.save(out)
    drafted = to_builtins(release.facts.ledger)
    told = to_builtins(mark_as_shared(out, anyway=True))
    assert drafted == told | {"marked": False}, "a draft is told what it would be told if it were shared"
    return told


def told(out: Path, k: int) -> Contents:
    """A written release by sets; the tag, which a real release would not hold, tells who is who, and which row is which."""
    ills = dict(zip(people(0)["tag"].to_pylist(), people(0)["ill"].to_pylist(), strict=True))
    with (out / "table.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seen = [(row["age"], row.get("pay")) for row in rows]
    numbers = {labels: number for number, labels in enumerate(dict.fromkeys(seen))}
    tags = [row["tag"] for row in rows]
    pairs = zip(tags, seen, strict=True)
    return Contents([(t, t, numbers[labels], {"ill": ills[t], "tag": t}) for t, labels in pairs], k)


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_what_the_ledger_says_equals_sets_over_the_written_tables(name: str, tmp_path: Path) -> None:
    for tag in (True, False):  # some admit no other columns
        try:
            found = [saved(name, seed, tmp_path / f"out{seed}{tag}", tag) for seed in range(2)]
        except InputError as problem:
            refusal = str(problem)
            continue
        assert found[-1]["compared"] >= 1
        assert found[-1]["not_compared"] == {}
        assert found[-1]["shared"] > 0
        if tag and name != "anatomy":
            k = PROMISED.get(name, 3)
            first, second = (told(tmp_path / f"out{seed}{tag}", k) for seed in range(2))
            right = together(second, [first])
            assert {figure: found[-1][figure] for figure in FIGURES} == {f: right[f] for f in FIGURES}
        return
    # Who cannot count people makes no release of people, so none that the ledger would have to know.
    assert "respondents" in refusal or name == "dp-mdav"


TWELVE = pa.table(
    {
        "who": [f"p{i}" for i in range(12)],
        "z1": list("aaaabbbbcccc"),
        "z2": list("xxyyxxyyxxyy"),
        "ill": ["hiv", "hiv", "flu", "flu", "flu", "flu", "hiv", "hiv", "flu", "flu", "hiv", "hiv"],
        "pay": [101, 103, 502, 508, 301, 304, 702, 707, 901, 903, 1101, 1104],
    }
)
INSENSITIVE = {"role": "insensitive", "allow_unique": True}
UNLIKE = {
    "coarser": ({"round": 10}, {}),
    "by classes": ({"role": "quasi", "allow_unique": False, "hierarchy": {"kind": "suppress"}}, {}),
    "sensitive here": ({"round": 100}, {"role": "sensitive", "round": 7}),
}


@pytest.mark.parametrize("way", [*UNLIKE])
def test_a_column_that_two_releases_tell_in_unlike_forms_gives_no_false_all_clear(
    way: str, tmp_path: Path
) -> None:
    """By texts that are equal hiv and flu are left to everybody; by what they mean, one of them."""
    for number, (quasi, pay) in enumerate(zip(("z1", "z2"), UNLIKE[way], strict=True)):
        plan = kohort.Plan(
            columns={"who": "identifier", quasi: "quasi", "ill": "sensitive", "pay": INSENSITIVE | pay},
            require=[kohort.KAnonymity(2), kohort.LDiversity(2, "ill")],
            input={"respondent": "who"},
            recode={"max_suppression": 0},
        )
        kohort.anonymize(TWELVE, plan).save(tmp_path / f"{number}")
        if not number:
            mark_as_shared(tmp_path / "0")
    with pytest.raises(InfeasibleError, match="1 column is told in unlike forms") as refused:
        mark_as_shared(tmp_path / "1")
    assert "up to 12 people may be left with one sensitive value" in str(refused.value)


def test_rows_of_extracts_that_hold_other_columns_are_not_taken_for_the_same(tmp_path: Path) -> None:
    """Alike are the cells of the extracts, not what they are cells of: p alone smokes and has sugar in one row."""
    rows = [(f"q{q}", *told, "abcd"[q]) for q in range(4) for told in (("yes", "no"), ("no", "yes"))]
    rows += [("p", "yes", "yes", "a"), ("p", "no", "no", "a")]
    for number, (column, name) in enumerate(((1, "smoker"), (2, "sugar"))):
        extract = pa.table(
            {"who": [r[0] for r in rows], name: [r[column] for r in rows], "ill": [r[3] for r in rows]}
        )
        plan = kohort.Plan(
            input={"respondent": "who"},
            columns={
                "who": "identifier",
                name: {"role": "quasi", "max_level": 0},
                "ill": {"role": "sensitive", "allow_unique": True},
            },
            require=[kohort.KAnonymity(3)],
            recode={"algorithm": "outliers", "max_suppression": 0},
            output={"ledger": str(tmp_path / "ledger.duckdb")},
        )  # type: ignore[call-arg]
        kohort.anonymize(extract, plan).save(tmp_path / str(number))
        found = kohort.share(tmp_path / str(number), anyway=True)
    assert found.smallest == 1
