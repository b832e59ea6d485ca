"""What is missing in one release and told in another, of people with several rows: nobody is counted less than intruders find."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.intruder import Series, intruders, left
from tests.reference.together import Contents, ways
from tests.thinned import many

from kohort.ledger import Held, Together, compose, missing
from kohort.ledger.entry import Coded, Entry

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
    assert (found.uncombined, found.single_value, found.disagreeing) == (0, 0, 0)
    monkeypatch.setattr(missing, "LIMIT", 0)
    found = composed([blank, [*told]])
    assert (found.uncombined, found.single_value, found.new_single_value, found.smallest) == (2, 2, 2, 1)
