"""What one release calls quasi is known in all: never fewer people are counted than are given away to whoever knows it."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.reference import together as twin
from tests.reference.outside import Found, Release, Row, given_away
from tests.thinned import many

import kohort
from kohort.facts.ledger import LedgerFacts
from kohort.ledger import Held, Together, compose
from kohort.ledger.entry import Coded, Entry, entry_of
from kohort.release.release import TogetherWarning
from kohort.report.ledger import said_of
from kohort.sharing import mark_as_shared
from kohort.table import Table

KEY = bytes(32)
COLUMNS = {"z": 4, "a": 4, "m": 3, "ill": 3, "pay": 3}
LABELS = [{str(v): str(v >> level) for v in range(4)} for level in range(3)]
FIGURES = (
    "below_k", "new_below_k", "single_value", "new_single_value", "below_l", "new_below_l", "laid_open", "laid_open_before"
)  # fmt: skip
Drawn = tuple[dict[str, Row], list[Release]]
ROLES = {  # by chance: quasi, insensitive, sensitive, not told
    "z": (0.7, 0.1, 0.0, 0.2),
    "a": (0.4, 0.3, 0.1, 0.2),
    "m": (0.2, 0.4, 0.2, 0.2),
    "ill": (0.1, 0.1, 0.6, 0.2),
    "pay": (0.1, 0.3, 0.3, 0.3),
}


def people(rng: np.random.Generator) -> dict[str, Row]:
    return {
        f"p{i}": {c: str(rng.integers(0, n)) for c, n in COLUMNS.items()}
        for i in range(int(rng.integers(6, 11)))
    }


def roles_by_chance(rng: np.random.Generator) -> dict[str, str]:
    named = ("quasi", "insensitive", "sensitive", "")
    roles = {c: str(rng.choice(named, p=chances)) for c, chances in ROLES.items()}
    roles[str(rng.choice(["z", "a"]))] = "quasi"
    return {c: role for c, role in roles.items() if role}


def drawn(
    rng: np.random.Generator, truth: dict[str, Row], roles: dict[str, str], groups: bool, missing: float
) -> Release:
    """A release of some of the people, whose classes promise as many as stand in them; or groups with values apart."""
    some = [who for who in truth if rng.random() < 0.85] or [*truth]
    quasi, sensitive = (tuple(c for c in roles if roles[c] == role) for role in ("quasi", "sensitive"))
    groups = groups and len(sensitive) == 1
    rows: dict[str, Row] = {
        who: {
            c: None if roles[c] == "insensitive" and rng.random() < missing else truth[who][c]
            for c in roles
            if (c not in sensitive if groups else c not in quasi)
        }
        for who in some
    }
    if groups:
        size = int(rng.choice([2, 3, len(some)]))
        group_of = {who: str(i // size) for i, who in enumerate(rng.permutation(some).tolist())}
        apart = {who: {c: truth[who][c] for c in sensitive} for who in some}
        return Release(group_of, rows, apart, quasi, sensitive, 0, 2)
    for levels in (*rng.choice(3, (9, len(quasi))), [2] * len(quasi)):
        labels = {c: LABELS[level] for c, level in zip(quasi, levels, strict=True)}
        class_of = {who: tuple(labels[c][str(truth[who][c])] for c in quasi) for who in some}
        least = min(Counter(class_of.values()).values())
        if least > 1:
            break
    k = max(2, min(least, int(rng.integers(2, 5))))
    return Release(class_of, rows, {}, quasi, sensitive, k, int(rng.choice([0, 2])), labels)


def held(release: Release, truth: dict[str, Row]) -> Held:
    """The release as the ledger holds it; read were all people, also those who were left out."""
    who, everybody = [*release.rows], [*truth]
    columns = {c: [release.rows.get(p, truth[p])[c] for p in everybody] for c in release.rows[who[0]]}
    columns |= {c: [truth[p][c] for p in everybody] for c in (*release.by_class, *release.sensitive)}
    read = Table.from_arrow(pa.table({"who": everybody, **columns}))
    told = {c: [release.rows[p][c] for p in who] for c in release.rows[who[0]]}
    apart = {c: [release.apart[p][c] for p in who] for c in release.sensitive} if release.apart else {}
    labels = [str(release.class_of[p]) for p in who]
    shown = Table.from_arrow(
        pa.table({**dict.fromkeys(release.by_class, labels), **told, **({"group": labels} if apart else {})})
    )
    tables = {"table": shown}
    if apart:
        ((name, values),) = apart.items()
        tables["sensitive"] = Table.from_arrow(
            pa.table({"group": labels, name: values, "count": [1] * len(who)})
        )
    rows = np.array([everybody.index(p) for p in who])
    return entry_of(read, plan(release), tables, rows, read).hashed(KEY)


def plan(release: Release) -> kohort.Plan:
    names = (*release.by_class, *next(iter(release.rows.values())), *release.sensitive)
    columns: dict[str, object] = {"who": "identifier"}
    for c in dict.fromkeys(names):
        role = "quasi" if c in release.quasi else "sensitive" if c in release.sensitive else "insensitive"
        columns[c] = role if role == "quasi" else {"role": role, "allow_unique": True}
    diverse = [kohort.LDiversity(release.least, c) for c in release.sensitive if release.least]
    require = [kohort.KAnonymity(release.k), *diverse] if release.k else diverse
    if release.apart:
        require = [kohort.LDiversity(max(2, release.least), release.sensitive[0])]
    recode = {"algorithm": "anatomy"} if release.apart else {}
    return kohort.Plan(input={"respondent": "who"}, columns=columns, require=require, recode=recode)  # type: ignore[arg-type]


def composed(truth: dict[str, Row], releases: list[Release], ruled: bool = True) -> Together:
    *earlier, new = (held(release, truth) for release in releases)
    if not ruled:  # as it was: classes only
        earlier, new = ([replace(h, quasi=frozenset()) for h in earlier], replace(new, quasi=frozenset()))
    return compose(new, earlier)


def by_chance(seed: int, missing: float = 0) -> Drawn:
    """Two or three releases in which columns have other roles."""
    rng = np.random.default_rng(seed)
    truth = people(rng)
    return truth, [
        drawn(rng, truth, roles_by_chance(rng), bool(rng.random() < 0.3), missing)
        for _ in range(int(rng.integers(2, 4)))
    ]


def usual(seed: int, groups: float) -> Drawn:
    """A series of other people, classes, promises and columns, each of which has one role."""
    rng = np.random.default_rng(seed)
    truth, everything = people(rng), {"z": "quasi", "a": "quasi", "m": "insensitive", "ill": "sensitive"}
    releases = []
    for _ in range(int(rng.integers(2, 4))):
        roles = {c: role for c, role in everything.items() if c == "ill" or rng.random() < 0.7}
        roles |= {} if {"z", "a"} & {*roles} else {"z": "quasi"}
        releases.append(drawn(rng, truth, roles, bool(rng.random() < groups), 0))
    return truth, releases


def overlooked(said: Together, found: Found) -> list[str]:
    """In which figures fewer are counted than are given away."""
    small = [] if (said.smallest or 0) <= found.smallest else ["smallest"]
    return [*small, *(name for name in FIGURES if getattr(said, name) < len(getattr(found, name)))]


@pytest.mark.parametrize("start", range(0, 240, 20))
@pytest.mark.parametrize("missing", [0, 0.25])
def test_never_fewer_are_counted_than_are_given_away(start: int, missing: float) -> None:
    for seed in range(start, start + 20):
        truth, releases = by_chance(seed, missing)
        assert overlooked(composed(truth, releases), given_away(truth, releases)) == [], seed


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 3000, 250))
def test_never_fewer_are_counted_than_are_given_away_in_more_draws(start: int) -> None:
    for seed in range(start, start + 250):
        for missing in (0, 0.25):
            truth, releases = by_chance(seed, missing)
            assert overlooked(composed(truth, releases), given_away(truth, releases)) == [], (seed, missing)


def test_by_the_classes_that_releases_put_people_in_most_are_overlooked() -> None:
    """What the draws are worth: without what is known outside, they show it."""
    several = [by_chance(seed) for seed in range(40)]
    assert sum(bool(overlooked(composed(*one, ruled=False), given_away(*one))) for one in several) > 10


@pytest.mark.parametrize("groups", [0, 1])
def test_usual_series_are_counted_as_by_classes(groups: int) -> None:
    """A column that has one role in all of them opens no class; groups beside groups stay groups."""
    for seed in range(60):
        truth, releases = usual(seed, groups)
        by_classes = replace(composed(truth, releases, ruled=False), unpaired_quasi=0)
        assert replace(composed(truth, releases), unpaired_quasi=0) == by_classes, seed


def coded(values: list[str]) -> Coded:
    texts = sorted(set(values))
    return texts, np.array([texts.index(value) for value in values])


@many(seed=range(60))
def test_people_with_several_rows_are_followed_through_the_parts_of_classes(seed: int) -> None:
    """As if releases had put them in classes as fine as whoever knows x and y sees them; some rows are not recognised."""
    rng = np.random.default_rng(seed)
    visits = [
        (f"p{i}", f"p{i}-{j}") for i in range(int(rng.integers(3, 8))) for j in range(int(rng.integers(1, 4)))
    ]
    truth = {
        row: {c: str(rng.integers(0, n)) for c, n in (("x", 2), ("y", 2), ("ill", 3))} for _, row in visits
    }
    known, releases, classes = ("x", "y")[: int(rng.integers(1, 3))], [], []
    for _ in range(int(rng.integers(2, 4))):
        names = ["ill", *(c for c in "xy" if rng.random() < 0.7)]
        changed = rng.random() < 0.3
        told = [
            (who, f"{row}'" if changed and rng.random() < 0.6 else row, int(rng.integers(0, 2)), {c: truth[row][c] for c in names})
            for who, row in visits
            if rng.random() < 0.85
        ] or [(*visits[0], 0, {c: truth[visits[0][1]][c] for c in names})]  # fmt: skip
        parts = sorted({(c, *(cells.get(x) for x in known)) for _, _, c, cells in told}, key=str)
        numbers = [parts.index((c, *(cells.get(x) for x in known))) for _, _, c, cells in told]
        finer = [(who, row, n, cells) for (who, row, _, cells), n in zip(told, numbers, strict=True)]
        classes.append(twin.Contents(finer, 3, 2))
        who, row = (coded([one[i] for one in told]) for i in (0, 1))
        columns = {c: coded([cells[c] for *_, cells in told]) for c in names}
        class_of, ill = np.array([c for _, _, c, _ in told]), {"ill": columns["ill"]}
        entry = Entry("who", who, {"row": row}, class_of, ill, columns, 3, {"ill": 2}, (), "", quasi=known)
        # As classes would tell x and y; groups, whose own these are, hide people otherwise.
        releases.append(replace(entry.hashed(KEY), quasi=frozenset()))
    quasi = Entry(
        "who", ((), np.zeros(0, np.int64)), {}, np.zeros(0, np.int64), {}, {}, 2, {}, (), "", quasi=known
    )
    *earlier, new = releases
    found = compose(new, [quasi.hashed(KEY), *earlier])
    right = twin.together(classes[-1], classes[:-1])
    for figure in ("shared", "smallest", "below_k", "single_value", "below_l"):
        assert getattr(found, figure) == right[figure], (seed, figure)


def two(first: dict[str, object], second: dict[str, object], **more: object) -> list[kohort.Plan]:
    diverse = [kohort.KAnonymity(4), kohort.LDiversity(2, "ill")]
    return [
        kohort.Plan(input={"respondent": "who"}, columns={"who": "identifier", **columns}, **asked)  # type: ignore[arg-type]
        for columns, asked in ((first, more), (second, {"require": diverse}))
    ]


SUPPRESS = {"role": "quasi", "hierarchy": {"kind": "suppress"}}
BESIDE = {"role": "insensitive", "allow_unique": True}
EIGHT = {
    "who": [f"p{i}" for i in range(8)],
    "zip": list("11112222"),
    "age": ["31", "31", "35", "35"] * 2,
    "name": list("abcdefgh"),
    "job": list("uvuvuvuv"),
    "shoe": list("xyxyyxyx"),
}
TENS = {
    "role": "quasi",
    "hierarchy": {"kind": "intervals", "widths": [10], "domain": [0, 99]},
    "min_level": 1,
}


def test_a_column_that_is_quasi_in_one_release_is_known_where_another_calls_it_insensitive(
    tmp_path: Path,
) -> None:
    """By zip and age everybody is one of two, who have one illness."""
    table = EIGHT | {"ill": ["flu", "flu", "hiv", "hiv"] * 2}
    plans = two(
        {"zip": SUPPRESS, "age": TENS},
        {"zip": SUPPRESS, "age": BESIDE, "ill": "sensitive"},
        require=[kohort.KAnonymity(4)],
    )
    for order in (plans, plans[::-1]):
        found = shared(tmp_path / str(order is plans), table, order)
        assert (found.smallest, found.below_k, found.new_below_k) == (2, 8, 8)
        assert (found.single_value, found.new_single_value) == (8, 8)


def test_what_rows_of_groups_tell_beside_exact_quasi_identifiers_is_known_in_the_next_release(
    tmp_path: Path,
) -> None:
    """Who knows the name reads the job among the groups, and finds one illness beside it in the other release."""
    table = EIGHT | {"ill": ["flu", "hiv"] * 4}
    plans = two(
        {"name": SUPPRESS, "job": BESIDE, "shoe": "sensitive"},
        {"zip": SUPPRESS, "job": BESIDE, "ill": "sensitive"},
        require=[kohort.LDiversity(2, "shoe")],
        recode={"algorithm": "anatomy", "options": {"least": 8}},
    )
    for order in (plans, plans[::-1]):
        found = shared(tmp_path / str(order is plans), table, order)
        assert (found.single_value, found.new_single_value) == (8, 8)
        again = shared(tmp_path / f"{order is plans} again", table, order[:1] * 2)
        assert (again.below_k, again.single_value, again.below_l) == (0, 0, 0)


def shared(out: Path, table: dict[str, list[str]], plans: list[kohort.Plan]) -> LedgerFacts:
    """What is said of the last of these releases."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TogetherWarning)
        for number, plan in enumerate(plans):
            told = pa.table({name: table[name] for name in plan.columns})
            kohort.anonymize(told, plan).save(out / str(number))
            found = mark_as_shared(out / str(number), anyway=True)
    return found


@pytest.mark.parametrize("crowded", [True, False])
def test_people_of_one_side_only_are_judged_by_what_the_other_calls_quasi(
    tmp_path: Path, crowded: bool
) -> None:
    """Jobs stand beside the zips of some people, and are quasi of others; by both each of the former is one of two."""
    names = {name: cells[:4] * 2 for name, cells in EIGHT.items()} | {"ill": ["flu", "hiv"] * 4}
    jobs = names | {"who": [f"q{i}" for i in range(8)], "job": list("uuuuvvvv")}
    beside = names | {
        "who": EIGHT["who"],
        "zip": list("11112222"),
        "job": list("vvvv" if crowded else "uvuv") * 2,
    }
    first, second = two(
        {"zip": SUPPRESS, "job": BESIDE},
        {"job": SUPPRESS, "ill": "sensitive"},
        require=[kohort.KAnonymity(4)],
    )

    def last(place: str, *releases: tuple[dict[str, list[str]], kohort.Plan]) -> LedgerFacts:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TogetherWarning)
            for number, (table, plan) in enumerate(releases):
                told = pa.table({name: table[name] for name in plan.columns})
                kohort.anonymize(told, plan).save(tmp_path / place / str(number))
                found = mark_as_shared(tmp_path / place / str(number), anyway=True)
        return found

    number = 0 if crowded else 8
    found = last("before", (beside, first), (jobs, second))
    assert (found.shared, found.laid_open, found.laid_open_before) == (0, 0, number)
    assert ("the earlier ones give away 8 people who are in them only" in said_of(found)) != crowded
    found = last("after", (jobs, second), (beside, first))
    assert (found.laid_open, found.laid_open_before) == (number, 0)
    assert ("of those who are in this one only, 8 people are left with fewer" in said_of(found)) != crowded
