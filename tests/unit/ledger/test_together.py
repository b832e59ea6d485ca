"""All releases together: against Python sets on random sequences, and the examples of the papers."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from tests.reference.together import Contents, together
from tests.thinned import many

from kohort.ledger import Held, compose
from kohort.ledger import paths as ways_of_people

ATTRIBUTES = {"ill": 7, "pay": 4, "job": 9, "pet": 2}


def numbered(texts: list[object]) -> dict[object, int]:
    return {text: 10**15 * (i + 1) for i, text in enumerate(sorted(set(texts), key=str))}


def held(told: list[Contents]) -> list[Held]:
    """The same releases as the ledger holds them."""
    rows = [row for release in told for row in release.rows]
    person, row = (numbered([r[i] for r in rows]) for i in (0, 1))
    cells = [[{"ill": r[3]} if isinstance(r[3], str) else r[3] for r in release.rows] for release in told]
    value = numbered([(c, v) for some in cells for cell in some for c, v in cell.items()])
    found = []
    for number, (release, values) in enumerate(zip(told, cells, strict=True)):
        classes = [c for _, _, c, _ in release.rows]
        members = {
            "person": np.array([person[who] for who, *_ in release.rows], np.int64),
            "row": np.array([row[r] for _, r, _, _ in release.rows], np.int64),
            "class": np.array(classes, np.int64),
        }
        contents = sorted(
            {
                (c, ATTRIBUTES[name], value[name, v])
                for c, cell in zip(classes, values, strict=True)
                for name, v in cell.items()
                if name in release.sensitive
            }
        )
        beside = [{n: v for n, v in cell.items() if n not in release.apart} for cell in values]
        lines = [
            (c, line, ATTRIBUTES[name], value[name, v])
            for line, (c, cell) in enumerate(zip(classes, beside, strict=True))
            for name, v in cell.items()
        ]
        found.append(
            Held(
                number,
                release.k,
                {ATTRIBUTES[name]: release.least for name in release.sensitive},
                members,
                columns(("class", "attribute", "value"), contents),
                columns(("class", "line", "attribute", "value"), lines),
            )
        )
    return found


def columns(names: tuple[str, ...], rows: list[tuple[int, ...]]) -> dict[str, np.ndarray]:
    matrix = np.array(rows, np.int64).reshape(-1, len(names))
    return {name: matrix[:, j] for j, name in enumerate(names)}


def computed(new: Contents, earlier: list[Contents]) -> dict[str, int | None]:
    *before, last = held([*earlier, new])
    found = asdict(compose(last, before))
    assert found.pop("uncombined") == 0
    assert (found.pop("laid_open"), found.pop("laid_open_before")) == (0, 0)
    changing, of = found.pop("changing"), found.pop("changing_of")
    assert (changing is None) == (of == 0)
    assert of <= found["disagreeing"]
    found.pop("unpaired_quasi")
    found.pop("unpaired")  # by names, of which nothing is counted: test_renamed.py
    told = [
        number
        for number, release in enumerate(earlier)
        if release.sensitive and set(release.sensitive) <= set(release.apart)
    ]
    assert found.pop("by_column") == tuple(told)
    return found


def release(classes: dict[str, int], values: dict[str, str], k: int = 2, least: int = 0) -> Contents:
    return Contents([(who, who, c, values[who]) for who, c in classes.items()], k, least)


@many(seed=range(60))
def test_random_sequences_equal_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    everybody = [f"p{i}" for i in range(int(rng.integers(4, 16)))]
    values = {who: str(rng.integers(0, 4)) for who in everybody}

    def draw() -> Contents:
        some = [who for who in everybody if rng.random() < 0.8] or everybody[:1]
        classes = {who: int(rng.integers(0, 3)) for who in some}
        return release(classes, values, int(rng.integers(2, 5)), int(rng.integers(0, 4)))

    *earlier, new = (draw() for _ in range(int(rng.integers(2, 6))))
    assert computed(new, earlier) == together(new, earlier)


@many(seed=range(60))
def test_random_sequences_with_several_rows_per_person_equal_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    visits = [
        (f"p{i}", f"p{i}-{j}") for i in range(int(rng.integers(3, 9))) for j in range(int(rng.integers(1, 4)))
    ]
    values = {row: str(rng.integers(0, 3)) for _, row in visits}

    def draw() -> Contents:
        changed = rng.random() < 0.3  # the rows of this one are not recognised
        rows = [
            (who, f"{row}'" if changed and rng.random() < 0.7 else row, int(rng.integers(0, 3)), values[row])
            for who, row in visits
            if rng.random() < 0.8
        ]
        return Contents(rows or [(*visits[0], 0, "0")], int(rng.integers(2, 4)), int(rng.integers(0, 3)))

    *earlier, new = (draw() for _ in range(int(rng.integers(2, 4))))
    assert computed(new, earlier) == together(new, earlier)


@many(seed=range(120))
def test_nobody_is_said_to_hide_among_more_than_stand_beside_one_of_their_rows(seed: int) -> None:
    """Whatever of the rows was left out, and however few of them are recognised (a new column, an extract, other spellings)."""
    rng = np.random.default_rng(1000 + seed)
    visits = [
        (f"p{i}", f"p{i}-{j}") for i in range(int(rng.integers(2, 7))) for j in range(int(rng.integers(1, 4)))
    ]
    single = {who for who, _ in visits if sum(who == other for other, _ in visits) == 1}
    classes = []  # per release: true row -> class
    told = []
    for number in range(int(rng.integers(2, 4))):
        changed = rng.random() < 0.5
        own = {row: int(rng.integers(0, 2)) for _, row in visits if rng.random() < 0.8}
        if not own:
            own = {visits[0][1]: 0}
        named = {row: f"{row}/{number}" if changed and who not in single else row for who, row in visits}
        told.append(Contents([(who, named[row], own[row], "x") for who, row in visits if row in own]))
        classes.append({(who, row): own[row] for who, row in visits if row in own})
    *earlier, new = held(told)
    found = compose(new, earlier)
    crowds = []
    for who in {who for who, _ in classes[-1]}:
        those = [own for own in classes if any(who == other for other, _ in own)]
        everywhere = set.intersection(*map(set, those))
        ways = {key: tuple(own[key] for own in those) for key in everywhere}
        mine = {way for (other, _), way in ways.items() if other == who}
        if len(those) > 1 and mine:
            crowds.append(min(len({other for (other, _), way in ways.items() if way == one}) for one in mine))
    if crowds:
        assert found.smallest is not None
        assert found.smallest <= min(crowds)
        assert found.below_k >= sum(crowd < 2 for crowd in crowds)


@many(seed=range(80))
def test_random_series_of_rows_with_several_columns_equal_every_assignment(seed: int) -> None:
    """Some releases tell all columns, some a few, some of them apart; of some people a value was changed."""
    rng = np.random.default_rng(seed)
    everybody = [f"p{i}" for i in range(int(rng.integers(4, 9)))]
    names = [*ATTRIBUTES][: int(rng.integers(2, 5))]
    truth = {who: {name: str(rng.integers(0, 3)) for name in names} for who in everybody}

    def draw() -> Contents:
        some = [who for who in everybody if rng.random() < 0.8] or everybody[:1]
        told = [name for name in names if rng.random() < 0.7] or names[:1]
        changed = rng.random() < 0.3
        rows = []
        for who in some:
            cells = {name: truth[who][name] for name in told}
            if changed and rng.random() < 0.5:
                cells[told[0]] = str(rng.integers(0, 3))
            rows.append((who, who, int(rng.integers(0, 3)), cells))
        sensitive = tuple(name for name in told if rng.random() < 0.7)
        apart = tuple(name for name in sensitive if rng.random() < 0.2)
        return Contents(rows, int(rng.integers(2, 4)), int(rng.integers(0, 3)), sensitive, apart)

    *earlier, new = (draw() for _ in range(int(rng.integers(2, 5))))
    assert computed(new, earlier) == together(new, earlier)


def test_columns_apart_leave_two_values_each_and_rows_one_tuple() -> None:
    cells = {"a": ("hiv", "poor"), "b": ("flu", "rich"), "c": ("hiv", "rich"), "d": ("flu", "poor")}
    rows = {who: {"ill": ill, "pay": pay} for who, (ill, pay) in cells.items()}

    def of(classes: dict[str, int], apart: tuple[str, ...] = ()) -> Contents:
        told = [(who, who, c, rows[who]) for who, c in classes.items()]
        return Contents(told, sensitive=("ill", "pay"), apart=apart, least=2)

    first, other = {"a": 0, "b": 0, "c": 1, "d": 1}, {"a": 0, "e": 0, "c": 1, "d": 1}
    rows["e"] = {"ill": "flu", "pay": "poor"}
    rows["f"] = {"ill": "hiv", "pay": "rich"}
    found = computed(of(other | {"f": 0}), [of(first)])
    assert (found["single_value"], found["new_single_value"], found["below_l"]) == (1, 1, 1), "a"
    found = computed(of(other | {"f": 0}, ("ill", "pay")), [of(first)])
    assert (found["single_value"], found["below_l"]) == (0, 0), "told apart, both values of each are left"


def test_three_releases_by_one_bit_each_leave_everybody_alone() -> None:
    """In pairs each crowd is 2, as promised; all three together tell everybody."""
    everybody = {f"p{i}": i for i in range(8)}
    values = {who: str(i % 4) for who, i in everybody.items()}
    bits = [release({who: i >> bit & 1 for who, i in everybody.items()}, values) for bit in range(3)]
    for pair in ((0, 1), (0, 2), (1, 2)):
        found = computed(bits[pair[1]], [bits[pair[0]]])
        assert (found["smallest"], found["below_k"]) == (2, 0)
    found = computed(bits[2], bits[:2])
    assert (found["smallest"], found["below_k"], found["new_below_k"]) == (1, 8, 8)


def test_figures_3_and_4_of_de_capitani() -> None:
    ills = {
        "Alice": "heart attack", "Bob": "covid", "Carol": "cardiomyopathy", "David": "covid", "Eric": "dermatitis",
        "Fred": "pericarditis", "Greg": "short breath", "Hal": "cough", "Ian": "covid",
    }  # fmt: skip
    three = dict.fromkeys(("Alice", "Carol", "Fred"), 0)
    figure_3 = three | dict.fromkeys(("Bob", "David", "Ian"), 1) | dict.fromkeys(("Eric", "Greg", "Hal"), 2)
    figure_4 = three | dict.fromkeys(("Bob", "Eric", "Hal"), 1) | dict.fromkeys(("David", "Greg", "Ian"), 2)
    first, second = release(figure_3, ills, k=3), release(figure_4, ills, k=3, least=2)
    found = computed(second, [first])
    # crowds: Bob, Greg 1; David, Eric, Hal, Ian 2; Alice, Carol, Fred 3
    assert (found["shared"], found["smallest"], found["below_k"], found["new_below_k"]) == (9, 1, 6, 6)
    # one value left: Bob, David, Ian, Greg; Figure 3 alone told all but Greg's
    assert (found["single_value"], found["new_single_value"]) == (4, 1)
    assert (found["below_l"], found["new_below_l"]) == (4, 4)


def test_the_same_release_again_adds_nothing_also_where_people_have_several_rows() -> None:
    again = Contents([("a", "a1", 0, "x"), ("b", "b1", 0, "y"), ("a", "a2", 1, "x"), ("c", "c1", 1, "z")])
    found = computed(again, [again, again])
    assert (found["smallest"], found["below_k"], found["single_value"]) == (2, 0, 0)


def test_a_person_whose_rows_were_changed_in_between_is_not_overlooked() -> None:
    first = Contents([("a", "a1", 0, "x"), ("b", "b1", 0, "y"), ("a", "a2", 1, "x"), ("c", "c1", 1, "z")])
    second = Contents(
        [("a", "a1'", 0, "x"), ("b", "b1'", 0, "y"), ("a", "a2'", 1, "x"), ("c", "c1'", 1, "z")]
    )
    assert computed(second, [first])["smallest"] == 1  # in class 0 of the one and class 1 of the other


def test_a_way_that_leaves_no_value_tells_nothing_where_another_is_possible() -> None:
    """Of a's rows the first release lacks the one, the second the other: neither is followed for sure."""
    first = Contents(
        [("a", "a1", 0, "x"), ("b", "b1", 0, "y"), ("a", "a3", 1, "v"), ("b", "b3", 1, "u")], least=2
    )
    second = Contents([("a", "a2", 0, "x"), ("b", "b1", 0, "y")], least=2)
    found = computed(second, [first])
    assert (found["shared"], found["below_l"], found["single_value"]) == (2, 0, 0), "class 1 shares no value"
    third = Contents([("a", "a2", 0, "z"), ("b", "b2", 0, "y")])
    found = computed(third, [first])
    assert (found["single_value"], found["unsure"]) == (2, 2), "y is left to a, whose rows never hold it"


def test_whose_rows_are_the_same_in_all_releases_is_never_unsure() -> None:
    rows = [(who, f"{who}{i}", i, "xyz"[i]) for who in "abc" for i in range(3)]
    found = computed(Contents(rows, k=4), [Contents(rows, k=4)])
    assert (found["below_k"], found["single_value"], found["unsure"]) == (3, 3, 0)


def test_people_with_too_many_rows_count_as_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_of_people, "LIMIT", 3)
    rows = [(who, f"{who}{i}", i, "xyz"[i]) for who in "abc" for i in range(2)]
    *before, last = held([Contents(rows), Contents(rows)])
    found = compose(last, before)
    assert (found.uncombined, found.below_k, found.smallest) == (3, 3, 1)


def test_a_changed_value_leaves_none_and_breaks_the_promise() -> None:
    people = {"a": 0, "b": 0}
    first = release(people, {"a": "x", "b": "y"}, least=2)
    second = release(people, {"a": "v", "b": "w"}, least=2)
    found = computed(second, [first])
    assert (found["single_value"], found["below_l"], found["new_below_l"]) == (0, 2, 2)
