"""What is missing in one release and told in another, of people with several rows: nobody is counted less than intruders find."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.reference.intruder import Series, intruders, left
from tests.reference.together import Contents, ways
from tests.thinned import many

import kohort
from kohort.facts.ledger import LedgerFacts
from kohort.ledger import Held, Together, compose, missing
from kohort.ledger.entry import Coded, Entry
from kohort.report.ledger import said_of

KEY = bytes(32)
Rows = list[tuple[str, str, int, dict[str, str | None]]]  # person, row, class, what it tells


def coded(values: list[str | None]) -> Coded:
    texts = (*sorted({value for value in values if value is not None}), None)
    return texts, np.array([texts.index(value) for value in values])


def held(rows: Rows) -> Held:
    told = {column: coded([cells[column] for *_, cells in rows]) for column in rows[0][3]}
    people, names = coded([who for who, *_ in rows]), coded([row for _, row, *_ in rows])
    classes = np.array([c for _, _, c, _ in rows])
    return Entry(
        "who", people, {"row": names}, classes, {"ill": told["ill"]}, told, 2, {"ill": 2}, (), ""
    ).hashed(KEY)


def draw(rng: np.random.Generator) -> list[Rows]:
    """Some releases of the same rows: columns are absent, cells missing, rows left out or not recognised."""
    visits = [
        (f"p{i}", f"p{i}-{j}") for i in range(int(rng.integers(3, 6))) for j in range(int(rng.integers(1, 3)))
    ]
    truth = {
        row: {name: f"{name}{rng.integers(0, n)}" for name, n in (("ill", 3), ("x", 3), ("y", 2))}
        for _, row in visits
    }

    def told() -> Rows:
        columns = ["ill", *(column for column in "xy" if rng.random() < 0.8)]
        rows: Rows = []
        for who, row in visits:
            cells: dict[str, str | None] = {column: truth[row][column] for column in columns}
            cells |= {column: None for column in columns[1:] if rng.random() < 0.25}
            known = row if rng.random() < 0.8 else f"{row}'"
            if rng.random() < 0.85 or not rows:
                rows.append((who, known, int(rng.integers(0, 2)), cells))
        return rows

    return [told() for _ in range(int(rng.integers(2, 4)))]


def by_intruders(releases: list[Rows]) -> tuple[set[str], set[str]]:
    """Whom intruders leave one illness, following any row; and whom by the last release only."""
    single: set[str] = set()
    new: set[str] = set()
    for person in {who for who, *_ in releases[-1]}:
        mine = [rows for rows in releases if any(who == person for who, *_ in rows)]
        for way in ways(person, [Contents(rows) for rows in mine]) if len(mine) > 1 else ():
            seen = [
                Series({person: at}, [[(c, cells) for _, _, c, cells in rows]], ("ill",))
                for rows, at in zip(mine, way, strict=True)
            ]
            for wild in intruders(seen):
                numbers = [left(person, side, wild, "ill") for side in (seen, seen[:-1], seen[-1:])]
                single |= {person} if numbers[0] == 1 else set()
                new |= {person} if numbers[0] == 1 and min(numbers[1:]) > 1 else set()
    return single, new


def composed(releases: list[Rows]) -> Together:
    *earlier, new = map(held, releases)
    return compose(new, earlier)


@many(seed=range(60))
def test_whoever_takes_nothing_for_filled_in_and_finds_nothing_that_agrees_is_told_of(seed: int) -> None:
    """Whatever agrees to whoever takes blanks for filled in, or by another way."""
    releases = draw(np.random.default_rng(seed))
    doubtful = set()
    for person in {who for who, *_ in releases[-1]}:
        mine = [rows for rows in releases if any(who == person for who, *_ in rows)]
        for way in ways(person, [Contents(rows) for rows in mine]) if len(mine) > 1 else ():
            here = [[cells for _, _, c, cells in rows if c == at] for rows, at in zip(mine, way, strict=True)]
            told = [set(cells[0]) for cells in here]
            joining = {"ill", *(name for name in "xy" if sum(name in names for names in told) > 1)}
            if not any(
                all(len({row[name] for row in some if name in row}) == 1 for name in joining)
                for some in product(*here)
            ):
                doubtful.add(person)
    assert composed(releases).disagreeing == len(doubtful)


@many(seed=range(60))
def test_nobody_is_counted_less_than_an_intruder_finds(seed: int) -> None:
    releases = draw(np.random.default_rng(seed))
    found, (single, new) = composed(releases), by_intruders(releases)
    assert found.single_value >= len(single)
    assert found.new_single_value >= len(new)


def test_the_same_release_again_adds_nothing_where_cells_are_missing() -> None:
    for seed in range(20):
        releases = draw(np.random.default_rng(seed))
        again = composed([*releases, releases[-1]])
        assert again.disagreeing <= composed(releases).disagreeing
        assert composed([releases[0], releases[0]]).new_single_value == 0


def test_people_in_classes_with_too_much_missing_count_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [("a", "a", 0, {"ill": "flu", "x": "1"}), ("b", "b", 0, {"ill": "hiv", "x": "2"})]
    blank: Rows = [(who, row, c, cells | {"x": None}) for who, row, c, cells in told]
    found = composed([blank, [*told]])
    assert (found.uncombined, found.single_value) == (0, 0)
    monkeypatch.setattr(missing, "LIMIT", 0)
    found = composed([blank, [*told]])
    assert (found.uncombined, found.single_value, found.new_single_value, found.smallest) == (2, 2, 2, 1)


@pytest.mark.parametrize("together", ["report", "demand"])
@pytest.mark.parametrize("blank", [None, "06/06/2020"])
def test_days_that_are_written_otherwise_are_said_beside_an_all_clear_whatever_is_missing(
    tmp_path: Path, blank: str | None, together: str
) -> None:
    """By the right days the flu is left of p and u; `demand` tells it as what it is."""
    beside = {"role": "insensitive", "allow_unique": True}

    def shared(name: str, days: list[str | None], **ill: list[str]) -> LedgerFacts:
        table = {"who": [*"pquv"], "zip": [*"1122"], "day": days, **ill}
        plan = kohort.Plan(
            input={"respondent": "who"},  # type: ignore[arg-type]
            columns={"who": "identifier", "zip": "quasi", "day": beside, **dict.fromkeys(ill, "sensitive")},
            require=[kohort.KAnonymity(2), *(kohort.LDiversity(2, column) for column in ill)],
            output={"ledger": str(tmp_path / "ledger.db"), "together": together},  # type: ignore[arg-type]
        )
        kohort.anonymize(pa.table(table), plan).save(tmp_path / name)
        return kohort.share(tmp_path / name)

    shared("a", ["03/04/2020", blank] * 2)
    told = shared("b", ["2020-04-03", "2020-06-06"] * 2, ill=["flu", "hiv"] * 2)
    assert (told.single_value, told.disagreeing) == (0, 4)
    assert "as far as they could be compared, together they give nobody of this one away" in said_of(told)
    assert "of 4 people rows that may go together tell nothing that agrees" in said_of(told)
    assert (told.changing, told.changing_of) == ("day", 4)
    assert "(of 4 people nothing that 'day' tells is the same" in said_of(told)
