"""Every engine of the registry profiles, reduces and counts alike, tuple by tuple."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of
from tests.engines.in_spark.refused import REFUSED

from kohort import InputError, Plan
from kohort.classes import Classes, Histogram, classes_of_rows
from kohort.engines import Engine, Need, Node, Wanted, engine, opened
from kohort.engines.preparing import prepare
from kohort.hierarchy import Hierarchy
from kohort.preparation import quasi_hierarchies, watched
from kohort.proposals.agreeing import Agreement
from kohort.table.reading import read_table

SUFFIXES = (".csv", ".tsv", ".parquet", ".duckdb", ".sqlite")
EACH = pytest.mark.parametrize("name", list(AT_HAND))
READING = [(name, suffix) for name in AT_HAND for suffix in SUFFIXES if suffix in engine(name).reads]
CLUSTERED = ("spark",)
SEEDS = {"spark": 1}  # where every count is a job; else 3


def by_text(keeper: Engine, classes: Classes, name: str, histogram: Histogram) -> list[dict[str | None, int]]:
    """Return a histogram with texts for codes, which follow the order in which an engine met the values."""
    texts = keeper.table[name].texts
    told: list[dict[str | None, int]] = [{} for _ in range(len(classes))]
    for owner, value, count in zip(histogram.owners, histogram.values, histogram.counts, strict=True):
        told[owner][texts[value]] = int(count)
    return told


def facts_of(keeper: Engine, classes: Classes) -> dict[str, object]:
    """Return everything that classes tell, whatever the engine called values and people."""
    people = classes.respondents
    return {
        "codes": classes.codes.tolist(),
        "levels": classes.levels,
        "rows": classes.rows.tolist(),
        "sizes": classes.sizes.tolist(),
        "sensitive": {n: by_text(keeper, classes, n, h) for n, h in classes.sensitive.items()},
        "holding": {n: by_text(keeper, classes, n, classes.people_holding(n)) for n in classes.sensitive},
        "most": {n: held.pairs.most for n, held in classes.holders.items()},
        "people": None if people is None else [sorted(own.tolist()) for own in np.split(people.counts, people.starts[1:-1])],
        "totals": None if people is None else sorted(people.totals().tolist()),
    }  # fmt: skip


def kept(name: str, path: Path, plan: Plan) -> tuple[Engine, tuple[Hierarchy, ...], Node]:
    keeper = opened(name, path, Wanted.by(plan))
    hierarchies = quasi_hierarchies(keeper.table, plan)
    return keeper, hierarchies, Node.ground(keeper.table, hierarchies)


@pytest.mark.parametrize(("name", "suffix"), READING)
@pytest.mark.parametrize("respondent", [None, "person"])
@pytest.mark.usefixtures("small_pieces")
def test_classes_are_those_of_the_rows(
    written: Written, name: str, suffix: str, respondent: str | None
) -> None:
    """Against the rows as they are read, coded here and not by any engine."""
    for seed in range(SEEDS.get(name, 3)):
        path = written(people(seed), suffix)
        keeper, _, _ = kept(name, path, plan_of(input__respondent=respondent) if respondent else plan_of())
        table, quasi = read_table(path), ("age", "zip", "sex")
        code_of = {n: {t: i for i, t in enumerate(sorted(table[n].texts, key=str))} for n in table.names}
        ground = {n: np.array([code_of[n][t] for t in keeper.table[n].texts], np.int32) for n in quasi}
        rows = [np.array([code_of[n][t] for t in table[n].texts], np.int32)[table[n].codes] for n in quasi]
        place = {text: code for code, text in enumerate(keeper.table["illness"].texts)}
        ill = np.array([place[t] for t in table["illness"].texts], np.int32)[table["illness"].codes]
        expected, _ = classes_of_rows(
            np.column_stack(rows),
            {"illness": (ill, len(place))},
            None if respondent is None else table[respondent].codes,
        )
        found = keeper.reduce(Node(ground, (0, 0, 0)), ["illness"]).base
        assert facts_of(keeper, expected) == facts_of(keeper, found)


def nodes(hierarchies: tuple[Hierarchy, ...], rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    tops = tuple(h.height for h in hierarchies)
    yield tuple(0 for _ in tops)
    yield tops
    for _ in range(4):
        yield tuple(int(rng.integers(0, top + 1)) for top in tops)


@EACH
@pytest.mark.parametrize("respondent", [None, "person"])
@pytest.mark.usefixtures("small_pieces")
def test_counting_a_node_is_rolling_up_to_it(written: Written, name: str, respondent: str | None) -> None:
    for seed in range(SEEDS.get(name, 3)):
        plan = plan_of(input__respondent=respondent) if respondent else plan_of()
        path = written(people(seed, 200), ".csv")
        fresh, hierarchies, ground = kept(name, path, plan)
        keeper, _, _ = kept(name, path, plan)
        base = keeper.reduce(ground, watched(plan)).base
        for levels in nodes(hierarchies, np.random.default_rng(seed)):
            counted = fresh.count(ground.at_levels(hierarchies, levels), watched(plan))  # nothing was reduced
            rolled = base.rollup(hierarchies, levels)
            assert facts_of(fresh, counted) == facts_of(keeper, rolled), levels


@EACH
@pytest.mark.parametrize("respondent", [None, "person"])
def test_counting_cuts_is_merging_by_them(written: Written, name: str, respondent: str | None) -> None:
    rng = np.random.default_rng(1)
    plan = plan_of(input__respondent=respondent) if respondent else plan_of()
    keeper, hierarchies, ground = kept(name, written(people(4, 200), ".csv"), plan)
    base = keeper.reduce(ground, watched(plan)).base
    for _ in range(4):
        blocks = tuple(np.cumsum(rng.random(h.size) < 0.3).astype(np.int32) for h in hierarchies)
        blocks = tuple(own - own.min() for own in blocks)
        mapped = np.column_stack([own[base.codes[:, j]] for j, own in enumerate(blocks)])
        codes, class_of = np.unique(mapped, axis=0, return_inverse=True)
        merged = base.merged(codes.astype(np.int32), class_of.reshape(-1))
        assert facts_of(keeper, keeper.count(ground.at_cuts(blocks), watched(plan))) == facts_of(
            keeper, merged
        )


@EACH
def test_counting_leaves_what_was_reduced_as_it_is(written: Written, tmp_path: Path, name: str) -> None:
    plan = plan_of(output__shuffle=False)
    keeper, hierarchies, ground = kept(name, written(people(5), ".csv"), plan)
    problem = prepare(keeper, plan)
    before = facts_of(keeper, problem.base)
    keeper.count(ground.at_levels(hierarchies, tuple(h.height for h in hierarchies)), watched(plan))
    assert facts_of(keeper, keeper.reduce(ground, watched(plan)).base) == before


def test_engines_count_the_same(written: Written) -> None:
    plan = plan_of(input__respondent="person")
    path = written(people(6), ".parquet")
    told = []
    for name in AT_HAND:
        keeper, hierarchies, ground = kept(name, path, plan)
        counted = keeper.count(ground.at_levels(hierarchies, (1, 2, 0)), watched(plan))
        told.append(facts_of(keeper, counted) | {"people": keeper.people(), "alone": keeper.alone("ward")})
    assert all(one == told[0] for one in told)


def named_rows(seed: int) -> pa.Table:
    """Rows of people whose names repeat more or less, some of them and of their traits missing."""
    rng = np.random.default_rng(seed)
    n, people = 300, int(rng.choice([20, 120, 100_000]))
    who = rng.integers(0, people, n)
    own = rng.integers(0, 4, people)[who]
    lost = [None, "", "  "]
    return pa.table(
        {
            "name": [lost[i % 3] if rng.random() < 0.1 else f"Name {person}" for i, person in enumerate(who)],
            "trait": [None if rng.random() < 0.1 else f"t{value}" for value in own],
            "chance": [f"c{value}" for value in rng.integers(0, 3, n)],
            "only": ["x"] * n,
        }
    )


def agreements(name: str, path: Path) -> list[Agreement]:
    keeper = opened(name, path, Wanted(("trait", "chance", "only"), naming=("name",)))
    assert len(keeper.table["name"].values) == 0 or name == "memory"  # no name is held
    return [keeper.agreement("name", other) for other in ("trait", "chance", "only")]


@pytest.mark.parametrize(("name", "suffix"), READING)
@pytest.mark.usefixtures("small_pieces")
def test_how_rows_of_one_name_agree_is_counted_alike(written: Written, name: str, suffix: str) -> None:
    for seed in range(SEEDS.get(name, 3)):
        path = written(named_rows(seed), suffix)
        for found, told in zip(agreements(name, path), agreements("memory", path), strict=True):
            assert found == pytest.approx(told, abs=1e-12)
            assert found.rows < 300  # what is missing agrees with nothing


@EACH
def test_of_very_many_rows_those_of_some_names_are_looked_at(
    written: Written, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kohort.engines.agreeing_in_sql.ENOUGH", 100)
    path = written(named_rows(1), ".parquet")
    whole = agreements("memory", path)[0]
    some = agreements(name, path)[0]
    assert 0 < some.rows <= whole.rows
    assert some.repeating <= whole.repeating


@EACH
def test_tuples_too_many_for_one_key_are_still_told_apart(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(3)
    columns = {f"c{i}": [str(v) for v in rng.integers(0, 2000, 3000)] for i in range(9)}
    columns = {column: values + values[:500] for column, values in columns.items()}
    path = tmp_path / "wide.parquet"
    pa.parquet.write_table(pa.table(columns), path)
    keeper = opened(name, path, Wanted(tuple(columns)))
    ground = Node({c: np.arange(len(keeper.table[c].values), dtype=np.int32) for c in columns}, (0,) * 9)
    for classes in (keeper.count(ground, []), keeper.reduce(ground, []).base):
        assert len(classes) == 3000
        assert np.bincount(classes.rows).tolist() == [0, 2500, 500]


KINDS = {
    "nulls": pa.array([None, None, "a", "a", "b"]),
    "nan": pa.array([float("nan"), None, 1.5, 1.5, 2.0]),
    "zeros": pa.array([0.0, -0.0, 0.0, 1.0, None]),
    "big integers": pa.array([2**62, 2**62 + 1, 2**62, -(2**62), None], pa.int64()),
    "unsigned": pa.array([2**64 - 1, 0, 1, 1, None], pa.uint64()),
    "decimals": pa.array([Decimal("1.10"), Decimal("1.10"), Decimal("99999999999999999999.99"), None, Decimal(0)], pa.decimal128(38, 2)),
    "timestamps": pa.array([dt.datetime(2020, 1, 1, h) for h in (0, 0, 1, 23)] + [None], pa.timestamp("us")),
    "nanoseconds": pa.array([1, 1, 2, 10**18, None], pa.timestamp("ns")),
    "zones": pa.array([dt.datetime(2020, 1, 1, h) for h in (0, 0, 1, 23)] + [None], pa.timestamp("ms", "Europe/Berlin")),
    "dates": pa.array([dt.date(2020, 1, d) for d in (1, 1, 2, 3)] + [None]),
    "empty texts": pa.array(["", "", " ", None, "x"]),
    "booleans": pa.array([True, False, True, None, None]),
    "nothing": pa.nulls(5),
    "categories": pa.array(["x", "y", "x", None, "y"]).dictionary_encode(),
}  # fmt: skip


@EACH
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [5, 1])
def test_values_of_every_kind_are_profiled_and_counted_as_in_memory(
    tmp_path: Path, name: str, kind: str, rows: int
) -> None:
    path = tmp_path / "kinds.parquet"
    source = pa.table({"q": KINDS[kind], "s": KINDS[kind], "p": [1, 1, 2, 3, 3]}).slice(0, rows)
    pa.parquet.write_table(source, path)
    wanted = Wanted(("q",), ("s",), ("q", "s"), "p")
    if name in CLUSTERED and kind in REFUSED:
        with pytest.raises(InputError, match=REFUSED[kind]):
            opened(name, path, wanted)
        return
    one, other = opened("memory", path, wanted), opened(name, path, wanted)
    told = []
    for keeper in (one, other):
        column = keeper.table["q"]
        counts = dict(zip(column.texts, column.counts().tolist(), strict=True))
        order = sorted(column.texts, key=lambda text: (text is not None, text or ""))
        codes = {"q": np.array([order.index(text) for text in column.texts], np.int32)}
        classes = facts_of(keeper, keeper.count(Node(codes, (0,)), ["s"]))
        told.append(
            [counts, column.values.type, keeper.people(), keeper.alone("q"), classes, keeper.table.n_rows]
        )
    assert told[0] == told[1]


@EACH
def test_an_engine_says_what_it_is_and_what_it_lacks(name: str) -> None:
    kind = engine(name)
    assert kind.card.name == name
    assert kind.card.summary
    assert all(isinstance(need, Need) for need in kind.lacks)
    assert not engine("memory").lacks  # what no engine serves is no need of an engine
