"""Values are told apart as they are written, and columns and values are known again where their spelling leaves no doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.outside import Release, Row, given_away
from tests.unit.ledger.test_known_outside import BESIDE, SUPPRESS, Drawn, by_chance, held, overlooked

import kohort
from kohort.errors import InfeasibleError
from kohort.facts.ledger import LedgerFacts
from kohort.ledger import Held, Together, compose
from kohort.ledger.entry import entry_of
from kohort.ledger.recognised import recognised
from kohort.ledger.spelling import plain_name, same_value
from kohort.report.ledger import said_of
from kohort.table import Table

SEEMING = [  # four values each, and fewer to whoever heeds no spelling
    ("AA", "Aa", "aa", "a A"),
    ("1.1", "1.10", "1.100", "01.1"),
    ("4E2", "400", "4e2", "400.0"),
    ("x²", "x2", "ß", "ss"),
    ("A 1", "A1", "B", "\u212b"),
]
SPELLED: list[Callable[[str], str]] = ["{}.0".format, "0{}".format, " {}".format, "{}e0".format, "+{}".format]
NAMED: list[Callable[[str], str]] = [str.upper, " {} ".format, "{}_".format, "-{}".format, str.title]
SAID = "may be called otherwise in another"
Spell = Callable[[str], str]


def otherwise(
    release: Release, truth: dict[str, Row], value: Spell, name: Spell = str
) -> tuple[Release, dict[str, Row]]:
    """The same release of the same people, as another source would write it."""

    def row(told: Row) -> Row:
        return {name(c): None if v is None else value(v) for c, v in told.items()}

    written = replace(
        release,
        rows={p: row(told) for p, told in release.rows.items()},
        apart={p: row(told) for p, told in release.apart.items()},
        quasi=tuple(map(name, release.quasi)),
        sensitive=tuple(map(name, release.sensitive)),
        by_class={
            name(c): {value(v): label for v, label in told.items()} for c, told in release.by_class.items()
        },
    )
    return written, {p: row(told) for p, told in truth.items()}


def composed(releases: list[Held]) -> Together:
    return compose(releases[-1], releases[:-1])


def plainly(drawn: Drawn) -> Together:
    truth, releases = drawn
    return composed([held(release, truth) for release in releases])


@pytest.mark.parametrize(
    "start", [0, pytest.param(18, marks=pytest.mark.long), pytest.param(36, marks=pytest.mark.long)]
)
def test_values_that_look_alike_are_told_apart_as_an_intruder_tells_them(start: int) -> None:
    for seed in range(start, start + 18):
        truth, releases = by_chance(seed, 0.15 * (seed % 2))
        value = dict(zip("0123", SEEMING[seed % len(SEEMING)], strict=True)).__getitem__
        written = [otherwise(release, truth, value) for release in releases]
        found = composed([held(*one) for one in written])
        for alike in (str, same_value):
            right = given_away(written[0][1], [release for release, _ in written], alike)
            assert overlooked(found, right) == [], (seed, alike)
        assert found.smallest == plainly((truth, releases)).smallest, seed


@pytest.mark.parametrize(
    "start", [0, pytest.param(18, marks=pytest.mark.long), pytest.param(36, marks=pytest.mark.long)]
)
def test_values_and_columns_that_a_release_spells_otherwise_are_the_same(start: int) -> None:
    for seed in range(start, start + 18):
        rng = np.random.default_rng(seed)
        truth, releases = by_chance(seed, 0.25 * (seed % 2))
        written = [
            otherwise(release, truth, SPELLED[rng.integers(len(SPELLED))], NAMED[rng.integers(len(NAMED))])
            for release in releases
        ]
        assert composed([held(*one) for one in written]) == plainly((truth, releases)), seed


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 2000, 200))
def test_values_that_look_alike_are_told_apart_in_more_draws(start: int) -> None:
    for seed in range(start, start + 200):
        truth, releases = by_chance(seed, 0.15 * (seed % 2))
        value = dict(zip("0123", SEEMING[seed % len(SEEMING)], strict=True)).__getitem__
        written = [
            otherwise(release, truth, value, NAMED[(seed + j) % len(NAMED)])
            for j, release in enumerate(releases)
        ]
        found = composed([held(*one) for one in written])
        right = given_away(
            {p: {c: value(str(v)) for c, v in row.items()} for p, row in truth.items()},
            [otherwise(release, truth, value)[0] for release in releases],
        )
        assert overlooked(found, right) == [], seed


def test_what_the_draws_are_worth() -> None:
    """By plain forms, as it was, most of what looks alike is overlooked; without them, what is spelled otherwise agrees with nothing."""

    def merged(one: Held) -> Held:
        assert one.spellings is not None
        return replace(one, spellings=one.spellings | {"several": 0 * one.spellings["several"]})

    missed, strangers = 0, 0
    for seed in range(18):
        truth, releases = by_chance(seed)
        value = dict(zip("0123", SEEMING[0], strict=True)).__getitem__
        written = [otherwise(release, truth, value) for release in releases]
        found = composed([merged(held(*one)) for one in written])
        missed += bool(overlooked(found, given_away(written[0][1], [release for release, _ in written])))
        spelled = [held(*otherwise(r, truth, SPELLED[j])) for j, r in enumerate(releases)]
        found = composed([replace(one, spellings=None) for one in spelled])
        strangers += found.disagreeing > plainly((truth, releases)).disagreeing
    assert missed > 5
    assert strangers > 5


def shared(
    place: Path, number: int, table: dict[str, list[str]], columns: dict[str, Any], k: int
) -> LedgerFacts:
    plan = kohort.Plan(
        input={"respondent": "who"},  # type: ignore[arg-type]
        columns=columns | {"who": "identifier"},
        require=[kohort.KAnonymity(k)],
        output={"ledger": str(place / "ledger.db")},  # type: ignore[arg-type]
    )
    people = {"who": [f"p{i}" for i in range(len(next(iter(table.values()))))]}
    kohort.anonymize(pa.table(people | table), plan).save(place / f"out{number}")
    return kohort.share(place / f"out{number}")


ILL = ["flu", "hiv", "ok"] * 3


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
@pytest.mark.parametrize("genes", SEEMING)
def test_who_knows_the_gene_finds_it_however_alike_others_look(
    genes: tuple[str, ...], tmp_path: Path
) -> None:
    gene = [genes[i % 3] for i in range(9)]
    shared(tmp_path, 1, {"gene": gene, "ill": ILL}, {"gene": SUPPRESS, "ill": "sensitive"}, 6)
    columns = {"gene": BESIDE, "sex": "quasi", "ill": "sensitive"}
    with pytest.raises(InfeasibleError, match="9 people hide among fewer than promised"):
        shared(tmp_path, 2, {"gene": gene, "sex": ["F"] * 9, "ill": ILL}, columns, 6)


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
@pytest.mark.parametrize("lots", SEEMING)
def test_rows_are_matched_by_what_they_carry_however_alike_others_look(
    lots: tuple[str, ...], tmp_path: Path
) -> None:
    """No column is quasi in one and not in the other; a lot that looks like the other one links all rows to all."""
    table = {"zip": list("01") * 4, "lot": [lots[i % 2] for i in range(8)], "ill": ["flu", "hiv"] * 4}
    suppressed = SUPPRESS | {"min_level": 1}
    shared(tmp_path, 1, table, {"zip": suppressed, "lot": BESIDE, "ill": "sensitive"}, 4)
    del table["ill"]
    with pytest.raises(InfeasibleError, match="8 people are left with one sensitive value"):
        shared(tmp_path, 2, table, {"zip": SUPPRESS, "lot": BESIDE}, 4)


TENS = {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}}
AGES = [str(20 + i) for i in range(12)]


def after_ages(place: Path, **columns: list[str]) -> LedgerFacts:
    """Release ages by tens, then these columns, as harmless, beside the same illnesses."""
    ill = ILL + ILL[:3]
    shared(place, 1, {"age": AGES, "ill": ill}, {"age": TENS, "ill": "sensitive"}, 4)
    table = columns | {"sex": ["F"] * 12, "ill": ill}
    return shared(place, 2, table, dict.fromkeys(columns, BESIDE) | {"sex": "quasi", "ill": "sensitive"}, 4)


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
@pytest.mark.parametrize("name", ["age", "Age", " age", "AGE_", "\uff21ge", "a-ge"])
def test_a_quasi_identifier_is_known_again_however_its_name_is_spelled(name: str, tmp_path: Path) -> None:
    with pytest.raises(InfeasibleError, match="12 people hide among fewer than promised"):
        after_ages(tmp_path, **{name: AGES})


@pytest.mark.filterwarnings("ignore::kohort.release.release.TogetherWarning")
def test_of_two_columns_whose_names_are_alike_the_one_of_the_same_name_is_known_and_the_doubt_is_said(
    tmp_path: Path,
) -> None:
    with pytest.raises(InfeasibleError, match="12 people hide among fewer than promised"):
        after_ages(tmp_path / "same", age=AGES, Age=["x"] * 12)
    told = after_ages(tmp_path / "doubt", age=["x"] * 12, Age=AGES)
    assert (told.smallest, told.unpaired_quasi) == (12, 1)


def test_a_quasi_identifier_that_may_be_called_otherwise_is_said_beside_an_all_clear(tmp_path: Path) -> None:
    told = after_ages(tmp_path, years=AGES)
    assert (told.below_k, told.single_value, told.unpaired, told.unpaired_quasi) == (0, 0, 0, 1)
    assert "give nobody" in said_of(told)
    assert f"1 column that one release calls quasi {SAID}, and was not compared there" in said_of(told)


def test_of_columns_that_nobody_tells_beside_others_nothing_is_said(tmp_path: Path) -> None:
    told = after_ages(tmp_path)
    assert told.unpaired_quasi == 0
    assert SAID not in said_of(told)


@pytest.mark.parametrize("written", ["9", "09", " 9", "9e0"])
def test_a_value_beside_a_mark_that_looks_like_it_is_no_missing_one(written: str) -> None:
    """`9` is read as missing; `09`, which stands in the same column, is a value."""
    plan = kohort.Plan(
        input={"respondent": "who", "missing_in": {"x": ["9"]}},  # type: ignore[arg-type]
        columns={"who": "identifier", "g": "quasi", "x": "sensitive"},
        require=[kohort.KAnonymity(2)],
    )
    (alone,) = recognised([entry_of_texts(plan, [None, written, "1", "2"])])
    (mark,) = frozenset[int]().union(*alone.marks.values())
    assert (mark in alone.contents["value"]) == (written == "9")


def entry_of_texts(plan: kohort.Plan, texts: list[str | None]) -> Held:
    n = len(texts)
    read = Table.from_arrow(pa.table({"who": [f"p{i}" for i in range(n)], "g": ["a"] * n, "x": texts}))
    shown = Table.of([column for column in read if column.name != "who"], n)
    return entry_of(read, plan, {"table": shown}, np.arange(n), read).hashed(bytes(32))


@pytest.mark.parametrize(
    ("one", "other"), [("Age", " age"), ("zip_code", "Zip-Code"), ("ﬀ", "FF"), ("größe", "GRÖSSE")]
)
def test_a_plain_name_is_the_same_however_it_is_spelled(one: str, other: str) -> None:
    assert plain_name(one) == plain_name(other) == plain_name(plain_name(one))


@pytest.mark.parametrize("name", ["_", " ", "-", ""])
def test_a_name_of_nothing_but_joints_is_its_own(name: str) -> None:
    assert plain_name(name) == name
