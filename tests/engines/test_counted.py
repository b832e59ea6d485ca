"""Where distinct tuples do not fit, a search that counts nodes in the engine comes to what it comes to in memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of
from tests.engines.test_duckdb_engine import cells, public_side, saved

import kohort
from kohort import Plan
from kohort.algorithms import ALGORITHMS, Silent, card_of
from kohort.engines import Engine, Wanted, engine, opened
from kohort.engines.duckdb.engine import OnDisk
from kohort.engines.node import Node
from kohort.engines.preparing import prepare
from kohort.errors import InfeasibleError, InputError
from kohort.metrics import METRICS
from kohort.pipeline import make_release
from kohort.preparation import quasi_hierarchies, watched
from kohort.preparation.table_problem import takes_target
from kohort.release.release import Release

BOUNDED = [name for name in AT_HAND if engine(name).bounded]
BY_LEVELS = [name for name in ALGORITHMS if card_of(name).levels]
PROMISES: list[list[dict[str, Any]]] = [
    [{"model": "k-anonymity", "k": 6}],
    [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "column": "illness", "l": 2}],
    [{"model": "k-anonymity", "k": 3}, {"model": "t-closeness", "column": "illness", "t": 0.4}],
    [{"model": "k-anonymity", "k": 4}, {"model": "average-risk", "risk": 0.1}],
]


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave so little memory for classes that the bottom of no table here fits, and most nodes above it do."""
    for name in BOUNDED:
        monkeypatch.setattr(engine(name), "room", 30_000)
    monkeypatch.setattr("kohort.engines.room.PER_VALUE", 1)


def told(place: Path) -> dict[str, Any]:
    """Return the private facts but those of pairs of columns, which take the bottom, and of the search's way."""
    facts: dict[str, Any] = json.loads((place.with_name(f"{place.name}.private") / "audit.json").read_text())[
        "facts"
    ]
    for different in (
        "seconds",
        "files",
        "correlations",
        "numbers",
        "search",
        "why",
        "attacks",
        "attacks_not_run",
        "attacks_not_applicable",
    ):
        facts.pop(different)
    facts["divergence"].pop("pairs")
    return facts


def made(source: Path, plan: Plan, place: Path, name: str) -> Release | str:
    """Return a release, or why there is none, with the nearest miss."""
    try:
        return saved(source, plan, place, name)
    except InfeasibleError as none:
        return str(none)


def assert_same(source: Path, plan: Plan, place: Path, name: str) -> None:
    expected, release = (
        made(source, plan, place / w, e) for w, e in (("memory", "memory"), ("counted", name))
    )
    if isinstance(expected, str) or isinstance(release, str):
        assert isinstance(release, str)
        assert isinstance(expected, str)
        return
    assert release.facts.search.counted
    assert cells(place / "memory" / "table.csv") == cells(place / "counted" / "table.csv")
    assert public_side(place / "memory") == public_side(place / "counted")
    assert told(place / "memory") == told(place / "counted")


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("algorithm", BY_LEVELS)
@pytest.mark.usefixtures("little_room")
def test_every_search_over_levels_decides_as_in_memory(
    written: Written, tmp_path: Path, name: str, algorithm: str
) -> None:
    seed = BY_LEVELS.index(algorithm)
    promises = (
        PROMISES[seed % 2]
        if card_of(algorithm).keeps == "monotone" or algorithm == "samarati"
        else PROMISES[seed % 4]
    )
    plan = plan_of(recode__algorithm=algorithm, recode__max_suppression=0.1, require=promises)
    assert_same(written(people(seed), ".parquet"), plan, tmp_path, name)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("objective", list(METRICS))
@pytest.mark.usefixtures("little_room")
def test_every_objective_is_optimal_all_the_same(
    written: Written, tmp_path: Path, name: str, objective: str
) -> None:
    seed = list(METRICS).index(objective)
    asked = {"recode__target": "illness"} if takes_target(objective) else {}
    plan = plan_of(
        recode__objective=objective,
        recode__max_suppression=(0.0, 0.05, 0.2)[seed % 3],
        recode__suppressed_rows=("drop", "blank")[seed % 2],
        require=PROMISES[seed % 4],
        **asked,
    )
    assert_same(written(people(seed + 50), ".csv"), plan, tmp_path, name)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("algorithm", ["optimal", "mingen"])  # the others tell of the top, or "at least"
@pytest.mark.usefixtures("little_room")
def test_the_nearest_that_is_told_is_the_nearest(
    written: Written, tmp_path: Path, name: str, algorithm: str, seed: int
) -> None:
    """Sizes alone tell of most nodes only how many records they lose at least."""
    whole_table = {"model": "average-risk", "risk": 0.01}  # a node loses all records then, whatever its sizes
    plan = plan_of(
        recode__algorithm=algorithm,
        recode__max_suppression=0.03,
        require=[{"model": "k-anonymity", "k": 4 - seed}, whole_table],
        columns__age__max_level=3 - seed % 2,
        columns__zip__max_level=4 - seed % 2,
        columns__sex={"role": "quasi", "max_level": 0},
    )
    source = written(people(seed + 9), ".parquet")
    nearest, told = (made(source, plan, tmp_path / e, e) for e in ("memory", name))
    assert isinstance(nearest, str)
    assert told == nearest


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.usefixtures("little_room")
def test_the_bottom_is_never_held(written: Written, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("reduced, though it does not fit")

    monkeypatch.setattr(engine(name), "reduce", refused)
    draft = make_release(written(people(3), ".csv"), plan_of(recode__max_suppression=0.1), Silent(), name)
    assert 0 < draft.facts.search.counted <= draft.facts.search.checked


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize(
    "algorithm",
    [name for name in ALGORITHMS if card_of(name).decides == "class" and not card_of(name).levels],
)
@pytest.mark.usefixtures("little_room")
def test_what_starts_from_distinct_tuples_is_refused_by_name(
    written: Written, name: str, algorithm: str
) -> None:
    plan = plan_of(recode__algorithm=algorithm, require=PROMISES[0])
    with pytest.raises(InputError, match=f"{algorithm} needs the distinct tuples") as refused:
        make_release(written(people(2), ".csv"), plan, Silent(), name)
    assert refused.value.code == "engine.no-bottom"


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.usefixtures("little_room")
def test_people_are_refused_by_name(written: Written, name: str) -> None:
    with pytest.raises(InputError, match="respondent: counting people needs the distinct tuples"):
        make_release(written(people(2), ".csv"), plan_of(input__respondent="person"), Silent(), name)


@pytest.mark.parametrize("name", BOUNDED)
def test_a_node_that_must_be_looked_at_and_does_not_fit_is_told(
    written: Written, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(engine(name), "room", 2_000)
    with pytest.raises(InputError, match="the search must look at the levels age") as refused:
        make_release(
            written(people(2), ".csv"), plan_of(require=[{"model": "k-anonymity", "k": 2}]), Silent(), name
        )
    assert refused.value.code == "engine.no-bottom"


def node_of(keeper: Engine, plan: Plan, levels: tuple[int, ...]) -> Node:
    hierarchies = quasi_hierarchies(keeper.table, plan)
    return Node.ground(keeper.table, hierarchies).at_levels(hierarchies, levels)


@pytest.mark.parametrize("name", list(AT_HAND))
def test_sizes_records_and_estimates_are_those_of_the_classes(written: Written, name: str) -> None:
    plan, rng = plan_of(), np.random.default_rng(7)
    keeper = opened(name, written(people(7), ".parquet"), Wanted.by(plan))
    told = [tuple(int(rng.integers(0, top + 1)) for top in (4, 5, 1)) for _ in range(5)]
    nodes = [node_of(keeper, plan, levels) for levels in told]
    for node, about in zip(nodes, keeper.distinct(nodes), strict=True):
        classes = keeper.settle(node, watched(plan))
        assert len(classes) * 0.8 - 1 <= about <= len(classes) * 1.4 + 2
        sizes, number = keeper.sizes(node)
        assert dict(zip(*np.unique(classes.rows, return_counts=True), strict=True)) == dict(
            zip(sizes.tolist(), number.tolist(), strict=True)
        )
        kept = rng.random(len(classes)) < 0.5
        found = keeper.records(node, classes.codes[kept])
        for j, (column, codes) in enumerate(node.codes.items()):
            at_node = np.bincount(codes, found[column], minlength=int(codes.max()) + 1)
            expected = np.bincount(classes.codes[kept, j], classes.rows[kept], minlength=len(at_node))
            assert at_node.tolist() == expected.tolist()
            assert len(found[column]) == len(keeper.table[column].values)


def test_what_fits_is_reduced_as_ever(written: Written) -> None:
    keeper = opened("duckdb", written(people(8), ".csv"), Wanted.by(plan_of()), "1GB")
    assert isinstance(keeper, OnDisk)
    assert prepare(keeper, plan_of()).nodes is None


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.usefixtures("little_room")
def test_frontiers_and_comparisons_count_as_well(written: Written, name: str) -> None:
    """Whatever promise is varied, and where a way of recoding starts from distinct tuples, it is told by name."""
    path, plan = written(people(9), ".parquet"), plan_of(recode__max_suppression=0.2)
    for asked in ({"k": [3, 8]}, {"parameter": "require.1.l", "values": [2, 3]}):
        told = [kohort.frontier(path, plan, engine=e, **asked) for e in ("memory", name)]
        for one, other in zip(*told, strict=True):
            assert {**one, "seconds": 0} == {**other, "seconds": 0}
    trials = kohort.compare(path, plan, k=[5], algorithms=["optimal", "top-down"], engine=name)
    assert [trial["status"] for trial in trials] == ["found", "refused"]
    assert "top-down needs the distinct tuples" in trials[1]["reason"]


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.usefixtures("little_room")
def test_audits_and_attacks_are_refused_by_name(written: Written, tmp_path: Path, name: str) -> None:
    path = written(people(2), ".csv")
    with pytest.raises(InputError, match="an audit needs the distinct tuples"):
        kohort.audit(path, ["age", "zip", "sex"], engine=name)
    saved(path, plan_of(recode__max_suppression=0.1), tmp_path / "out", name)
    with pytest.raises(InputError, match="the original at hand needs the distinct tuples"):
        kohort.attack(tmp_path / "out", engine=name)


def test_classes_are_not_rolled_down() -> None:
    """A search that takes the base for the bottom must not come to anything where it is not."""
    plan = plan_of()
    keeper = opened("memory", people(1), Wanted.by(plan))
    problem = prepare(keeper, plan)
    coarse = problem.base.rollup(problem.hierarchies, (2, 1, 0))
    with pytest.raises(AssertionError, match="tell nothing of finer ones"):
        coarse.rollup(problem.hierarchies, (2, 0, 0))
