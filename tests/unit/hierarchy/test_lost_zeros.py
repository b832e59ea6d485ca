"""Codes that a spreadsheet took for numbers: read with their zeros where the plan says so, and proposed so."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import kohort
from kohort.errors import InputError
from kohort.hierarchy.build import build_hierarchy
from kohort.hierarchy.code_standards import STANDARDS
from kohort.hierarchy.icd10 import is_code

RANDOM = random.Random(5)
WHOLE: dict[
    str, tuple[str, list[str]]
] = {  # by standard: what a column is called, and codes of which some begin with a zero
    "us-zip": ("zip", ["02134", "00501", *(f"{RANDOM.randrange(10_000, 99_999)}" for _ in range(28))]),
    "fr-postcode": (
        "code_postal",
        ["01000", "06000", *(f"{RANDOM.randrange(10_000, 95_999)}" for _ in range(28))],
    ),
    "de-postcode": (
        "plz",
        ["01067", "04109", "09111", *(f"{RANDOM.randrange(10_000, 99_999)}" for _ in range(27))],
    ),
    "nace": ("nace", ["0111", "0893", *(f"{RANDOM.randrange(1_010, 9_900)}" for _ in range(28))]),
    "isco": ("isco08", ["0110", "0210", "0310", *(f"{RANDOM.randrange(1_111, 9_629)}" for _ in range(27))]),
}


def test_every_standard_of_digits_is_tried() -> None:
    assert set(WHOLE) == {name for name, standard in STANDARDS.items() if standard.lost}


@pytest.mark.parametrize("standard", WHOLE)
def test_lost_zeros_are_read_where_the_plan_says_how_many_digits_there_are(standard: str) -> None:
    codes = sorted(set(WHOLE[standard][1]))
    told = {"kind": "prefix", "standard": standard}
    whole = build_hierarchy("code", told, codes, [1] * len(codes))
    lost = [str(int(code)) for code in codes]
    read = build_hierarchy("code", told | {"padded": STANDARDS[standard].digits[0]}, lost, [1] * len(codes))
    for code, short in zip(codes, lost, strict=True):
        above = [
            [level.labels[level.of_ground[h.ground.index(text)]] for level in h.levels[1:]]
            for h, text in ((whole, code), (read, short))
        ]
        assert above[0] == above[1]


@pytest.mark.parametrize("standard", WHOLE)
def test_the_draft_of_a_plan_reads_them_and_says_so(standard: str) -> None:
    name, codes = WHOLE[standard]
    for told, padded in ((codes, False), ([str(int(code)) for code in codes], True)):
        plan = kohort.propose(pa.table({name: told * 8, "sex": ["f", "m"] * (4 * len(codes))}))
        found = plan.columns[name].hierarchy or {}
        assert found.get("standard") == standard
        assert ("padded" in found, "lost zeros in front" in plan.notes[name]) == (padded, padded)


def test_a_refusal_says_how_lost_zeros_are_read() -> None:
    with pytest.raises(InputError, match="padded = 5 reads them"):
        build_hierarchy("plz", {"kind": "prefix", "standard": "de-postcode"}, ["1067", "10115"], [1, 1])
    with pytest.raises(InputError, match="from 2 to 20; found 0"):
        build_hierarchy("plz", {"kind": "prefix", "standard": "de-postcode", "padded": 0}, ["10115"], [1])


def test_a_group_of_three_digits_keeps_its_meaning() -> None:
    codes = ["251", *(str(code) for code in range(2511, 2530))]
    plan = kohort.propose(pa.table({"isco08": codes * 8, "sex": ["f", "m"] * (4 * len(codes))}))
    assert "padded" not in (plan.columns["isco08"].hierarchy or {})


def test_an_industry_is_not_called_an_occupation() -> None:
    codes = [f"{code}" for code in range(6201, 6221)]
    for name, said in (("nace", "a branch of industry"), ("isco08", "an occupation")):
        plan = kohort.propose(pa.table({name: codes * 8, "sex": ["f", "m"] * 80}))
        assert said in plan.notes[name]


@pytest.mark.parametrize("text", ["ı25", "ß1", "ﬁ1", "ſw1a 1aa"])
def test_letters_that_no_code_has_make_no_code(text: str) -> None:
    assert not is_code(text)
    assert [name for name, standard in STANDARDS.items() if standard.path(text)] == []
