"""ε is about the whole public output: every byte that is published, over neighbouring tables.

Three ways. That a release is refused or made depends on the plan alone. Whatever is published is a function of the
noised table: with the noise held fast, tables that have nothing in common give the same bytes. And, with the noise
as it is, no event that an outsider can see is more than e^ε times as likely for one table as for its neighbour.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import beta
from tests.thinned import thinned

import kohort
from kohort.algorithms import Silent
from kohort.algorithms.microaggregation import dp_mdav
from kohort.algorithms.microaggregation.dp_mdav import DpMdav
from kohort.engines import DEFAULT, Wanted, opened
from kohort.engines.preparing import prepare
from kohort.errors import InputError
from kohort.metrics import METRICS
from kohort.pipeline import make_release
from kohort.preparation import chosen_algorithm
from kohort.release.publishing import released_order, released_table
from kohort.release.release import Release
from kohort.table import Table

Cells = list[Any]
WRONG = 1e-7  # the probability that a true ε is called wrong, over all events of a test


def plan_of(k: int = 2, columns: dict[str, Any] | None = None, **options: Any) -> kohort.Plan:
    bounds = options.setdefault("bounds", {"age": [0, 100]})
    return kohort.Plan(
        columns=columns or {**dict.fromkeys(bounds, "quasi"), "who": "identifier"},
        require=[{"model": "k-anonymity", "k": k}],
        recode={"algorithm": "dp-mdav", "options": {"decimals": 0} | options},
        output={"ledger": ""},
    )


def frame_of(**columns: Cells) -> pa.Table:
    """Return the columns as texts, and a column that is not released."""
    texts = {name: [None if c is None else str(c) for c in cells] for name, cells in columns.items()}
    return pa.table(
        {**texts, "who": [f"p{i}" for i in range(len(next(iter(texts.values()))))]},
        schema=pa.schema([(name, pa.string()) for name in (*texts, "who")]),
    )


def published(frame: Any, plan: kohort.Plan, folder: Path, format: str = "csv") -> dict[str, bytes]:
    """Return every public file."""
    saved = Release.written(make_release(frame, plan, Silent()), folder / "out", format).directory
    return {
        str(path.relative_to(saved)): path.read_bytes() for path in sorted(saved.rglob("*")) if path.is_file()
    }


# --- refused by the plan, never by the table -------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a sensitive column beside": ({"columns": {"age": "quasi", "who": "sensitive"}}, "who: a column of role sensitive"),
    "an insensitive column beside": (
        {"columns": {"age": "quasi", "who": {"role": "insensitive", "allow_unique": True}}},
        "who: a column of role insensitive",
    ),
    "a hierarchy": (
        {"columns": {"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5], "domain": [0, 100]}}}},
        "age: its hierarchy",
    ),
    "a least level": ({"columns": {"age": {"role": "quasi", "min_level": 1}}}, "min_level"),
    "a greatest level": ({"columns": {"age": {"role": "quasi", "max_level": 1}}}, "min_level and max_level"),
    "people": ({"input": {"respondent": "who"}}, "respondent: ε holds per record"),
    "a seed": ({"recode.seed": 7}, "seed: noise"),
    **{
        f"the objective {name}": ({"recode.objective": name}, "objective: nothing is chosen by it")
        for name in METRICS
        if name not in ("loss", "classification")
    },
    "an objective with a target": (
        {"recode.objective": "classification", "recode.target": "who", "columns": {"age": "quasi", "who": "insensitive"}},
        "who: a column of role insensitive",
    ),
    "no weight": ({"columns": {"age": {"role": "quasi", "weight": 0}}}, "weight 0"),
    "the order of the rows": ({"output.shuffle": False}, "shuffle is false"),
    "no bounds": ({"recode.options.bounds": {}}, "no bounds for 'age'"),
    "no decimals": ({"recode.options.decimals": {}}, "no decimals for 'age'"),
    "a model of sensitive values": ({"require": [{"model": "average-risk", "risk": 0.5}]}, "k-anonymity"),
}  # fmt: skip
TABLES: dict[str, Cells] = {
    "plain": [1, 2, 3, 4, 5],
    "alike": [7, 7, 7, 7, 7],
    "missing": [None, None, None, None, None],
    "decimals": [1.5, "2.25", 3, "4.0", "1e-9"],
    "outside": [-5, 10**30, "1e999", "-1e999", "9" * 300],
    "texts": ["x", "", "*", "=1+1", "١٢"],
    "spellings": ["7", "07", "7.0", "+7", "7e0"],
    "zeros": ["0", "-0", "0.0", "-0.0", ".0"],
    "dates": ["2020-01-01", "2020-01-02", "1.234,5", "true", "nan"],
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("what", REFUSED)
def test_a_plan_that_would_publish_more_is_refused_whatever_the_table(what: str, table: str) -> None:
    changes, said = REFUSED[what]
    plan = kohort.Plan.from_dict(plan_of().to_dict()).to_dict()
    for key, value in changes.items():
        if "." in key:
            section, _, rest = key.partition(".")
            place = plan[section]
            for part in rest.split(".")[:-1]:
                place = place[part]
            place[rest.split(".")[-1]] = value
        else:
            plan[key] = value
    with pytest.raises(InputError, match=said):
        kohort.anonymize(frame_of(age=TABLES[table]), kohort.Plan.from_dict(plan))


WEIGHTS: dict[str, tuple[dict[str, float], dict[str, float]]] = {
    "none": ({}, {}),
    "one of two": ({"weight": 0.0}, {}),
    "least": ({"weight": 5e-324}, {"weight": 1.7e308}),
    "greatest": ({"weight": 1.7e308}, {"weight": 1.7e308}),
    "free": ({"suppression_cost": 0.0}, {}),
    "dear": ({"suppression_cost": 1e308}, {"suppression_cost": 1e308}),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_no_table_is_refused_for_its_score(weights: str, table: str) -> None:
    """Also where a column has one value only, whose detail cannot be lost, and the other counts for nothing."""
    one, two = WEIGHTS[weights]
    columns = {"age": {"role": "quasi", **one}, "pay": {"role": "quasi", **two}, "who": "identifier"}
    plan = plan_of(columns=columns, bounds={"age": [0, 100], "pay": [0, 9]})
    for age, pay in ((TABLES[table], TABLES["alike"]), (TABLES["alike"], TABLES[table])):
        assert kohort.anonymize(frame_of(age=age, pay=pay), plan).verified


@pytest.mark.parametrize("last", ["0", "1"])
def test_very_many_columns_are_released_whatever_they_hold(last: str) -> None:
    """Two values in each of 1,100 columns make more tuples than a number can count: ambiguity is infinite, and no reason to refuse."""
    names = [f"c{j}" for j in range(1100)]
    plan = plan_of(bounds={name: [0, 1] for name in names})
    frame = frame_of(**{name: ["0", "0", "0", last] for name in names})
    assert kohort.anonymize(frame, plan).verified


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize("table", TABLES)
def test_every_table_is_released_in_the_same_shape(table: str, format: str, tmp_path: Path) -> None:
    plan = plan_of(decimals=2, epsilon=0.5)
    plan = plan.with_settings({"output.format": format})
    files = published(frame_of(age=TABLES[table]), plan, tmp_path, format)
    assert sorted(files) == ["manifest.json", "report.html", f"table.{format}"]
    release = kohort.anonymize(frame_of(age=TABLES[table]), plan).table
    assert release.column_names == ["age"]
    assert release.schema.types == [pa.string()]
    told = release["age"].to_pylist()
    assert len(told) == 5
    assert all(len(text.partition(".")[2]) == 2 and 0 <= float(text) <= 100 for text in told)
    assert len(set(told)) <= 1  # the square root of five rows is three a block: one block


def test_epsilon_is_said_in_public_as_what_it_is(tmp_path: Path) -> None:
    files = published(frame_of(age=TABLES["plain"]), plan_of(epsilon=0.125), tmp_path)
    said = json.loads(files["manifest.json"])["algorithm"]["guarantee"]
    assert said.startswith(
        "ε = 0.125 per record (substitution of one record; the number of records is known)"
    )
    assert "private directory is not covered" in said
    assert "each further release of the same people adds its ε" in said
    assert files["report.html"].decode().count(said) == 2  # before any figure, and where the method is told


def test_frames_of_numbers_are_read_as_their_texts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing value turns a column of whole numbers into floats in some frames: that shows nowhere."""
    monkeypatch.setattr(dp_mdav, "discrete_laplace", lambda _: 0)
    cells: list[Cells] = [[1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0], ["1", "2", "3", "4"], [1, 2, 3, 4.25]]
    told = [
        kohort.anonymize(pa.table({"age": c, "who": list("abcd")}), plan_of(group=2)).table["age"]
        for c in cells
    ]
    assert [sorted(column.to_pylist()) for column in told] == [["2", "2", "4", "4"]] * 4


# --- a function of the noised table ----------------------------------------------------------------------------


def random_cells(rng: np.random.Generator, n: int) -> Cells:
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: int(rng.integers(-300, 300)),
        lambda: float(rng.normal(0, 200)),
        lambda: str(rng.choice(["x", "", "*", "1e400", "0.0", "-0.0", "07", "2020-02-30"])),
        lambda: int(rng.integers(1, 9)) * 10**25,
    ]
    some = rng.choice(len(kinds), int(rng.integers(1, len(kinds) + 1)), replace=False)
    return [kinds[int(rng.choice(some))]() for _ in range(n)]


def without_digests(files: dict[str, bytes]) -> dict[str, Any]:
    """Return the files with the rows in order, and without the digest of the table, which tells their order."""
    digest = json.loads(files["manifest.json"])["files"]["table.csv"].encode()
    told: dict[str, Any] = {name: content.replace(digest, b"") for name, content in files.items()}
    told["table.csv"] = sorted(files["table.csv"].splitlines())
    return told


@pytest.mark.parametrize("seed", range(6))
def test_with_the_noise_held_fast_every_table_gives_the_same_bytes(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing of two tables that have only their number of rows in common differs in any public file."""
    rng = np.random.default_rng(seed)
    n, blocks = int(rng.integers(6, 40)), rng.integers(0, 50, 200).tolist()
    plan = plan_of(
        bounds={"age": [0, 100], "pay": [-(10**18), 10**18]}, decimals={"age": 1, "pay": 0}, group=3
    )
    seen = []
    for place in range(3):
        held = iter(blocks)
        monkeypatch.setattr(dp_mdav, "noised", lambda *_, held=held: next(held))
        frame = frame_of(age=random_cells(rng, n), pay=random_cells(rng, n))
        seen.append(without_digests(published(frame, plan, tmp_path / str(place))))
    assert seen[0] == seen[1] == seen[2]
    assert len(set(seen[0]["table.csv"])) > 1


ALIKE = [
    "csv",
    "tsv",
    "parquet",
    "sqlite",
    "xlsx",
    "sav",
    "dta",
]  # formats in which the same cells are the same bytes
# of all other formats three tables in `make test`: what is written is the same released table
WRITTEN_ALIKE = [(format, name) for format in ALIKE for name in TABLES if name != "plain"]


@pytest.mark.parametrize(
    ("format", "table"),
    thinned(WRITTEN_ALIKE, lambda _, case: case[0] == "csv" or case[1] in ("missing", "texts")),
)
def test_where_all_rows_come_out_alike_no_byte_differs(
    format: str, table: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then the order of the rows tells nothing either, and files can be compared as they are."""
    monkeypatch.setattr(dp_mdav, "noised", lambda *_: 7)
    plan = plan_of(decimals=1).with_settings({"output.format": format})
    plain, other = (
        published(frame_of(age=TABLES[name]), plan, tmp_path / name, format) for name in ("plain", table)
    )
    assert plain == other


# --- e^ε -------------------------------------------------------------------------------------------------------

Event = tuple[Any, ...]


@dataclass
class Watch:
    """How often each event was seen in the releases of one table."""

    runs: int = 0
    seen: Counter[Event] = field(default_factory=Counter)

    def add(self, events: Iterable[Event]) -> None:
        self.runs += 1
        self.seen.update(set(events))


def violations(one: Watch, other: Watch, epsilon: float) -> list[Event]:
    """Return the events that are, beyond chance, more than e^ε times as likely in the one as in the other.

    Clopper and Pearson's bounds, at a level that makes a single wrong verdict over all events as unlikely as WRONG.
    The event that something is not seen is an event too.
    """
    events = sorted({*one.seen, *other.seen}, key=repr)
    level = WRONG / (8 * max(len(events), 1))
    found = set()
    for a, b in ((one, other), (other, one)):
        x, y = (np.array([watch.seen[event] for event in events]) for watch in (a, b))
        for p, q in ((x, y), (a.runs - x, b.runs - y)):
            least = np.where(p > 0, beta.ppf(level, np.maximum(p, 1), a.runs - p + 1), 0)
            most = np.where(q < b.runs, beta.ppf(1 - level, q + 1, np.maximum(b.runs - q, 1)), 1)
            found |= set(np.flatnonzero(least > exp(min(epsilon, 700)) * most).tolist())
    return [events[i] for i in sorted(found)]


def table_events(columns: dict[str, list[str]]) -> Iterator[Event]:
    """Yield what can be seen of a released table: its values and their lengths, its classes, in no order."""
    rows = Counter(zip(*columns.values(), strict=True))
    yield ("classes", len(rows))
    yield ("sizes", tuple(sorted(rows.values())))
    for name, cells in columns.items():
        distinct = sorted(set(cells), key=lambda text: Fraction(text))
        yield (name, "values", len(distinct))
        yield (name, "characters", sum(map(len, cells)))
        yield (name, "longest", max(map(len, cells)))
        yield (name, "decimals", max(len(text.partition(".")[2]) for text in cells))
        yield (name, "signs", any(text.startswith("-") for text in cells))
        for place in (0, len(distinct) // 2, -1):
            yield (name, place, distinct[place])
            yield (name, place, "first", distinct[place][:2])
            yield (name, place, "last", distinct[place][-1])
            for step in THRESHOLDS:
                yield (name, place, "at least", step, Fraction(distinct[place]) >= step)


THRESHOLDS = (Fraction(-10) ** 17, 0, 1, 10, 25, 50, 75, 90, 100, Fraction(10) ** 17)


def file_events(files: dict[str, bytes]) -> Iterator[Event]:
    """Yield what can be seen of the files: which there are, how long they are, every leaf of the manifest."""
    for name, content in files.items():
        yield ("file", name, len(content))
    told = json.loads(files["manifest.json"])
    told.pop("files", None)  # digests: of the table's bytes, whose length and cells are events
    yield from _leaves(told, ())
    header, *rows = files["table.csv"].decode().splitlines()
    names = header.split(",")
    yield ("header", header)
    yield from table_events({n: [row.split(",")[j] for row in rows] for j, n in enumerate(names)})


def _leaves(told: Any, path: Event) -> Iterator[Event]:
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else None
    if inner is None:
        yield (*path, told)
        return
    yield (*path, "entries", len(told))
    for key, value in inner:
        yield from _leaves(value, (*path, key))


def drawn_tables(frame: pa.Table, plan: kohort.Plan, runs: int) -> Watch:
    """Draw many releases without writing them: the same steps, on a table that is reduced once."""
    table, watch = Table.from_arrow(frame), Watch()
    problem = prepare(opened(DEFAULT, table, Wanted.by(plan)), plan)
    chosen = chosen_algorithm(plan, problem)
    for _ in range(runs):
        recoded = chosen.solve(problem, Silent()).decision.apply(problem)
        released = released_table(table, plan, problem, recoded, released_order(plan, problem, recoded))
        watch.add(table_events({c.name: [str(text) for text in c.to_arrow().to_pylist()] for c in released}))
    return watch


def drawn_files(frame: pa.Table, plan: kohort.Plan, runs: int, folder: Path) -> Watch:
    watch = Watch()
    for _ in range(runs):
        watch.add(file_events(published(frame, plan, folder)))
    return watch


BIG = 10**18
NEIGHBOURS: dict[str, tuple[dict[str, Any], dict[str, Cells], dict[str, Cells]]] = {
    "far apart": ({"group": 2}, {"age": [0, 0, 0, 0]}, {"age": [0, 0, 0, 100]}),
    "all blocks move": (
        {"group": 2},
        {"age": [0, 20, 20, 40, 40, 60, 60, 100]},
        {"age": [20, 20, 40, 40, 60, 60, 100, 100]},
    ),
    "one has decimals": ({}, {"age": [44, 44, 44, 44]}, {"age": [44, 44, 44, "44.5"]}),
    "one is missing": ({}, {"age": [0, 0, 0, 0]}, {"age": [0, 0, 0, None]}),
    "one is no number": ({}, {"age": [0, 0, 0, 0]}, {"age": [0, 0, 0, "x"]}),
    "one is outside": ({}, {"age": [0, 0, 0, 0]}, {"age": [0, 0, 0, "1e300"]}),
    "no multiple of k": ({"k": 3, "group": 3}, {"age": [100] * 8}, {"age": [100] * 7 + [0]}),
    "below zero, with decimals": (
        {"bounds": {"age": [-50.5, 50.5]}, "decimals": 3, "group": 2},
        {"age": [-50.5] * 4},
        {"age": [-50.5] * 3 + ["50.5"]},
    ),
    "a domain beyond int64": (
        {"bounds": {"age": [-BIG, BIG]}, "decimals": 4, "group": 2},
        {"age": [-BIG] * 4},
        {"age": [-BIG] * 3 + [BIG]},
    ),
    "several columns": (
        {"bounds": {"age": [0, 100], "pay": [0, 9]}, "group": 2},
        {"age": [0, 0, 0, 0], "pay": [0, 0, 0, 0]},
        {"age": [0, 0, 0, 100], "pay": [0, 0, 0, 9]},
    ),
    "several columns that alternate": (
        {"bounds": {"age": [0, 3], "pay": [0, 1]}, "group": 2},
        {"age": [0, 0, 0, 1, 1, 1], "pay": [0, 0, 1, 0, 1, 1]},
        {"age": [0, 0, 1, 1, 1, 3], "pay": [0, 1, 0, 1, 1, 1]},
    ),
}
EPSILONS: tuple[Any, ...] = (1, "1e-9", 0.3, 3)


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_no_event_of_the_table_is_more_than_epsilon_apart(name: str) -> None:
    _compare(name, 1, 200)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_no_event_of_the_table_is_more_than_epsilon_apart_in_many_runs(name: str, epsilon: Any) -> None:
    _compare(name, epsilon, 4_000)


def _compare(name: str, epsilon: Any, runs: int) -> None:
    options, one, other = NEIGHBOURS[name]
    plan = plan_of(epsilon=epsilon, **options)
    watches = [drawn_tables(frame_of(**cells), plan, runs) for cells in (one, other)]
    assert violations(*watches, float(epsilon)) == []


def test_no_event_of_any_public_file_is_more_than_epsilon_apart(tmp_path: Path) -> None:
    _compare_files("one has decimals", 60, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_no_event_of_any_public_file_is_more_than_epsilon_apart_in_many_runs(
    name: str, tmp_path: Path
) -> None:
    _compare_files(name, 300, tmp_path)


def _compare_files(name: str, runs: int, folder: Path) -> None:
    options, one, other = NEIGHBOURS[name]
    plan = plan_of(epsilon=0.5, **options)
    watches = [drawn_files(frame_of(**cells), plan, runs, folder) for cells in (one, other)]
    assert violations(*watches, 0.5) == []


@pytest.mark.parametrize("top", [1, 10**18, 10**30])
def test_epsilon_at_its_least_leaves_nothing_of_the_values(top: int) -> None:
    for epsilon in ("1e-30", 1e-9):
        plan = plan_of(epsilon=epsilon, bounds={"age": [str(-top), str(top)]}, decimals=3, group=2)
        seen = {text for _ in range(30) for text in contents_of(plan, [top, top, top, top])}
        assert {f"{top}.000", f"-{top}.000"} <= seen


@pytest.mark.parametrize(
    ("top", "third"), [(2, "1.000"), (5, "2.000"), (10**18 + 1, f"{(10**18 + 2) // 3}.000")]
)
def test_epsilon_at_its_greatest_tells_the_means_to_the_last_digit(top: int, third: str) -> None:
    plan = plan_of(epsilon="1e30", bounds={"age": [-top, top]}, decimals=3, group=2)
    cells = [
        top,
        top,
        -top,
        -top,
        1 - top,
    ]  # two blocks: the least two, and three of which the mean is (top + 1) / 3
    assert sorted(contents_of(plan, cells)) == sorted([f"-{top}.000"] * 2 + [third] * 3)


def contents_of(plan: kohort.Plan, cells: Cells) -> list[str]:
    return list(kohort.anonymize(frame_of(age=cells), plan).table["age"].to_pylist())


# --- the controls: what is wrong is found wrong ----------------------------------------------------------------


def test_noise_that_is_too_small_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    true = DpMdav.scales
    monkeypatch.setattr(DpMdav, "scales", lambda *told: [scale / 10 for scale in true(*told)])
    options, one, other = NEIGHBOURS["far apart"]
    watches = [drawn_tables(frame_of(**cells), plan_of(**options), 250) for cells in (one, other)]
    assert violations(*watches, 1)


def test_decimals_read_from_the_table_are_found() -> None:
    """As it was: one record 44.5 turned every 0 into 0.0."""
    watches = []
    for decimals in (0, 1):
        plan = plan_of(epsilon=0.5, decimals=decimals)
        watches.append(drawn_tables(frame_of(age=[44, 44, 44, 44]), plan, 70))
    assert ("age", "decimals", 1) in violations(*watches, 0.5)


def test_events_of_the_same_likelihood_are_not_called_wrong() -> None:
    rng = np.random.default_rng(0)
    watches = [Watch(), Watch()]
    for watch, share in zip(watches, (0.3, 0.3 * exp(0.5)), strict=True):
        for _ in range(2000):
            watch.add([("seen", bool(rng.random() < share))])
    assert violations(*watches, 0.5) == []
    assert violations(*watches, 0.1)
