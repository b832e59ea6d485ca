"""Composition, association covers, row order and undeclared quasi-identifiers, against brute force."""

from __future__ import annotations

from dataclasses import replace as with_changes

import numpy as np
import pytest
from tests.reference import attacks as naive
from tests.reference.joins import Told, connected, left
from tests.thinned import many

from kohort.attacks import Outside, Target, association_cover
from kohort.attacks.association import Association
from kohort.attacks.composition import Composition
from kohort.attacks.row_order import RowOrder
from kohort.attacks.undeclared import Undeclared
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.verification.judges.rows_alone import rows_alone

AGE = Hierarchy.from_rows("age", [(str(a), str(a // 2), f"h{a // 4}", "*") for a in range(8)])


def release(people: list[naive.Row], level: int) -> list[naive.Row]:
    labels = AGE.levels[level]
    return [
        {"age": labels.labels[labels.of_ground[AGE.ground.index(p["age"])]], "ill": p["ill"]} for p in people
    ]


def covers(name: str, label: str | None, value: str | None) -> bool:
    return any(level.labels[level.of_ground[AGE.ground.index(value)]] == label for level in AGE.levels)


@many(seed=range(25))
def test_composition_equals_the_intersection_of_match_sets(seed):
    rng = np.random.default_rng(seed)
    people = [
        {"age": str(rng.integers(8)), "ill": str(rng.integers(4))} for _ in range(int(rng.integers(2, 14)))
    ]
    # distinct labels at levels 0 and 1 overlap in spelling (`1` is an age and a pair): meaning covers both
    rest = [
        release([p for p in people if rng.random() < 0.7] or people[:1], int(rng.integers(1, 3)))
        for _ in range(int(rng.integers(1, 4)))
    ]
    releases = [release(people, 2), *rest]
    known = naive.table_of(people)
    others = tuple(Target(naive.table_of(told), ("age",), ("ill",), {"age": AGE}) for told in rest)
    target = Target(
        naive.table_of(releases[0]), ("age",), ("ill",), {"age": AGE}, Outside(known, ("age",)), others
    )
    single = n = alone = 0
    for person in people:
        seen = [{told[i]["ill"] for i in naive.match_set(person, told, ["age"], covers)} for told in releases]
        seen = [ills for ills in seen if ills]
        if len(seen) > 1:
            n += 1
            single += len(set.intersection(*seen)) == 1
            alone += any(len(ills) == 1 for ills in seen)
    finding = Composition().run(target)[0]
    assert finding.n == n
    assert finding.success == pytest.approx(single / max(n, 1))
    assert finding.baseline == pytest.approx(alone / max(n, 1))


@many(seed=range(30))
def test_composition_follows_rows_by_all_columns_as_every_assignment_does(seed):
    """Releases tell some of three columns each, at levels whose labels overlap or do not."""
    rng = np.random.default_rng(seed)
    people = [
        {"age": str(rng.integers(8))} | {name: str(rng.integers(3)) for name in ("ill", "pay", "pet")}
        for _ in range(int(rng.integers(3, 12)))
    ]

    def told(names: list[str]) -> list[naive.Row]:
        some = [p for p in people if rng.random() < 0.8] or people[:1]
        levels = (
            rng.integers(1, 3, len(some)) if rng.random() < 0.4 else [int(rng.integers(1, 3))] * len(some)
        )
        ages = [release([p], int(level))[0]["age"] for p, level in zip(some, levels, strict=True)]
        return [{"age": age} | {n: p[n] for n in names} for age, p in zip(ages, some, strict=True)]

    names = [
        ["ill", "pay", "pet"],
        *(rng.permutation(["ill", "pay", "pet"])[: 1 + seed % 3] for _ in range(2)),
    ]
    releases = [told(list(some)) for some in names]
    first, *others = (
        Target(naive.table_of(rows), ("age",), tuple(n for n in rows[0] if n in ("ill", "pay")), {"age": AGE})
        for rows in releases
    )
    target = with_changes(first, outside=Outside(naive.table_of(people), ("age",)), others=tuple(others))
    for finding in Composition().run(target):
        if "singletons" not in finding.details:
            continue
        column, single, n = finding.details["column"], 0, 0
        reached = connected([[Told(rows)] for rows in releases], ("ill", "pay", "pet"), column)
        used = [rows for rows in releases if set(reached) & rows[0].keys()]
        joining = [c for c in reached if c == column or sum(c in rows[0] for rows in used) > 1]
        for person in people:
            fits = [[rows[i] for i in naive.match_set(person, rows, ["age"], covers)] for rows in used]
            known = [[Told([{c: r[c] for c in joining if c in r} for r in rows])] for rows in fits if rows]
            if len(known) > 1:
                n += 1
                held = {c for parts in known for c in parts[0].rows[0]}
                times = {c: sum(c in parts[0].rows[0] for parts in known) for c in held}
                columns = tuple(sorted(c for c in held if c == column or times[c] > 1))
                single += column in held and len(left(known, columns, column)[0]) == 1
        assert (finding.n, finding.details["singletons"]) == (n, single)


def test_two_diverse_releases_of_one_table_give_values_away_and_one_release_twice_does_not():
    ills = ["flu", "cold", "flu", "ulcer", "hiv", "ulcer", "mumps", "cold"]
    people = [{"age": str(i), "sex": "FM"[i % 2], "ill": ill} for i, ill in enumerate(ills)]
    by_age = [{"age": f"h{int(p['age']) // 4}", "sex": "*", "ill": p["ill"]} for p in people]
    by_sex = [{"age": "*", "sex": p["sex"], "ill": p["ill"]} for p in people]
    known = naive.table_of(people)
    meanings = {"age": AGE}
    other = Target(naive.table_of(by_sex), ("age", "sex"), ("ill",), meanings)
    target = Target(
        naive.table_of(by_age), ("age", "sex"), ("ill",), meanings, others=(other,), original=known
    )
    finding = Composition().run(target)[0]
    assert finding.baseline == 0
    assert finding.success == 2 / 8, "the two young women: flu alone is in both"
    assert finding.details["newly_learnt"] == finding.details["singletons"] == 2
    same = Target(target.released, target.quasi, target.sensitive, meanings, others=(target,), original=known)
    assert Composition().run(same)[0].success == 0


def test_composition_says_what_it_lacks():
    rows = naive.table_of([{"age": "*", "ill": "flu"}])
    alone = Target(rows, ("age",), ("ill",))
    assert "second" in Composition().lacks(alone)
    assert "outside" in Composition().lacks(Target(rows, ("age",), ("ill",), others=(alone,)))


@many(seed=range(25))
def test_association_covers_equal_all_combinations_of_rows(seed):
    rng = np.random.default_rng(seed)

    def view(names: list[str], n: int) -> list[naive.Row]:
        return [{name: rng.choice(["a", "b", "c", None]) for name in names} for _ in range(n)]

    views = [view(["name", "sex", "zip"], 5), view(["sex", "town"], 4), view(["zip", "town", "ill"], 6)][
        : 2 + seed % 2
    ]
    if seed % 2 == 0:
        views[1] = view(["sex", "ill"], 5)
    got = association_cover([naive.table_of(v) for v in views], "name", "ill")
    assert got == naive.natural_join_cover(views, "name", "ill")


def test_views_without_a_common_column_are_combined_in_all_ways():
    one, two = naive.table_of([{"name": "Sue"}]), naive.table_of([{"ill": "flu"}, {"ill": None}])
    assert association_cover([one, two], "name", "ill") == {"Sue": 2}


def test_a_view_that_is_missing_is_named():
    with pytest.raises(InputError, match="'ill'"):
        association_cover([naive.table_of([{"name": "Sue"}])], "name", "ill")


def test_association_of_outside_table_and_release():
    released = naive.table_of(
        [
            {"age": "h0", "ill": "flu"},
            {"age": "h0", "ill": "cold"},
            {"age": "h1", "ill": "flu"},
            {"age": "h1", "ill": "flu"},
        ]
    )
    outside = Outside(
        naive.table_of([{"name": "Sue", "age": "2"}, {"name": "Jo", "age": "7"}]), ("age",), "name"
    )
    finding = Association().run(Target(released, ("age",), ("ill",), {"age": AGE}, outside))[0]
    assert finding.success == 0.5
    assert finding.details["smallest_cover"] == 1


@pytest.mark.parametrize("seed", range(10))
def test_row_order_equals_spearman(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 20))
    rows = [{"pay": str(rng.integers(0, 9)), "town": rng.choice(["a", "b", None])} for _ in range(n)]
    finding = RowOrder(permutations=20).run(naive.target_of(rows, ["town"], []))[0]
    pay = naive.spearman(list(range(n)), [float(row["pay"]) for row in rows])
    town = naive.spearman(list(range(n)), [{"a": 0.0, "b": 1.0, None: 2.0}[row["town"]] for row in rows])
    told = finding.details["correlations"]
    assert told.get("pay", 0) == pytest.approx(abs(pay), abs=1e-6)
    assert told.get("town", 0) == pytest.approx(abs(town), abs=1e-6)
    assert finding.success == pytest.approx(max(abs(pay), abs(town)))


def test_rows_in_the_original_order_are_noticed_and_shuffled_ones_are_not():
    rng = np.random.default_rng(5)
    rows = [{"zip": str(rng.integers(0, 40)), "ill": str(rng.integers(0, 9))} for _ in range(400)]
    original = naive.table_of(rows)
    shuffled = rng.permutation(400)
    for order, told in ((np.arange(400), True), (shuffled, False)):
        released = naive.table_of([rows[i] for i in order])
        finding = RowOrder().run(Target(released, ("zip",), ("ill",), original=original, rows=order))[0]
        assert finding.details["told"] is told
        assert (finding.success > finding.control) is told


def test_sorted_rows_are_noticed_without_the_original():
    rows = [{"zip": str(10 + i // 3), "ill": "flu"} for i in range(60)]
    finding = RowOrder().run(naive.target_of(rows, ["zip"], ["ill"]))[0]
    assert finding.success == pytest.approx(1, abs=0.01)
    assert "zip" in finding.sentence


@pytest.mark.parametrize("seed", range(15))
def test_undeclared_columns_equal_counting(seed):
    rng = np.random.default_rng(seed)
    rows = [
        {"zip": str(rng.integers(3)), "visit": str(rng.integers(12)), "ill": str(rng.integers(15))}
        for _ in range(int(rng.integers(1, 20)))
    ]
    finding = Undeclared().run(naive.target_of(rows, ["zip"], ["ill"]))[0]

    def unique(*names: str) -> float:
        tuples = [tuple(row[name] for name in names) for row in rows]
        return sum(tuples.count(t) == 1 for t in tuples) / len(rows)

    assert finding.details["columns"]["visit"] == {
        "alone": pytest.approx(unique("visit"), abs=1e-6),
        "with_quasi": pytest.approx(unique("zip", "visit"), abs=1e-6),
    }
    assert finding.success == pytest.approx(max(unique("zip", "visit"), unique("zip", "ill")))
    assert finding.baseline == pytest.approx(unique("zip"))


@pytest.mark.parametrize("seed", range(5))
def test_sensitive_columns_known_beside_the_quasi_identifiers_are_counted_as_the_report_counts_them(seed):
    rng = np.random.default_rng(seed)
    rows = [{"zip": str(i % 3), "ill": str(rng.integers(30))} for i in range(60)]
    finding = Undeclared().run(naive.target_of(rows, ["zip"], ["ill"]))[0]
    target = naive.target_of(rows, ["zip"], ["ill"])
    alone = rows_alone(target.released, target.class_of, ("zip",), frozenset()).one
    assert alone is not None
    assert finding.success == alone.alone / 60 > 0
    assert f"{finding.success:.1%} of the records, against 0.0% by the quasi" in finding.sentence
    assert "ill, which is not declared as a quasi-identifier, together with the quasi" in finding.sentence


def test_a_record_number_singles_everybody_out_and_a_constant_nobody():
    rows = [{"zip": "1", "number": str(i), "year": "2020"} for i in range(6)]
    assert Undeclared().run(naive.target_of(rows, ["zip"], []))[0].success == 1
    plain = [{"zip": "1", "year": "2020"} for _ in range(6)]
    assert Undeclared().run(naive.target_of(plain, ["zip"], []))[0].success == 0
    assert "not a quasi" in Undeclared().lacks(naive.target_of([{"zip": "1"}], ["zip"], []))
