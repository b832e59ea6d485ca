"""The engine on disk gives the same classes, decisions and rows as the one in memory."""

from __future__ import annotations

import gc
import json
import stat
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.engines.conftest import Written, people, plan_of

from kohort import Plan
from kohort.algorithms import ALGORITHMS, Silent, algorithm
from kohort.demo import write as write_demo
from kohort.engines import Wanted, opened
from kohort.errors import InfeasibleError, InputError
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.reading import read_released
from kohort.table.writing import write_table

SUFFIXES = (".csv", ".tsv", ".parquet", ".duckdb", ".sqlite")


def saved(source: Path, plan: Plan, directory: Path, engine: str, suffix: str = "csv") -> Release:
    return Release.written(make_release(source, plan, Silent(), engine), directory, suffix)


def cells(path: Path) -> Counter[tuple[str | None, ...]]:
    table = read_released(path)
    columns = [np.array(column.texts, dtype=object)[column.codes] for column in table]
    return Counter(zip(*columns, strict=True))


def public_side(release: Path) -> list[str]:
    """Return manifest and report without the digest of the table, which tells the order of its rows."""
    texts = [(release / name).read_text(encoding="utf-8") for name in ("manifest.json", "report.html")]
    digests = json.loads(texts[0])["files"].values()
    return [text.replace(digest, "") for text in texts for digest in digests]


def assert_same_release(source: Path, plan: Plan, place: Path, suffix: str = "csv") -> Release:
    one = saved(source, plan, place / "memory", "memory", suffix)
    other = saved(source, plan, place / "disk", "duckdb", suffix)
    assert cells(place / "memory" / f"table.{suffix}") == cells(place / "disk" / f"table.{suffix}")
    assert public_side(place / "memory") == public_side(place / "disk")
    told = [
        json.loads((place / f"{d}.private" / "audit.json").read_text())["facts"] for d in ("memory", "disk")
    ]
    for facts in told:
        for different in (
            "seconds",
            "files",
            "correlations",
            "numbers",
            "attacks",
            "attacks_not_run",
            "attacks_not_applicable",
        ):
            facts.pop(different)
    assert told[0] == told[1]
    assert one.levels == other.levels
    assert one.suppressed == other.suppressed
    return other


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.usefixtures("small_pieces")
def test_releases_are_the_same(written: Written, tmp_path: Path, suffix: str) -> None:
    for seed, changed in (
        (1, {}),
        (2, {"input__respondent": "person"}),
        (3, {"recode__algorithm": "mondrian"}),
        (4, {"recode__algorithm": "top-down", "output__format": "parquet"}),
    ):
        plan = plan_of(**changed)
        assert_same_release(written(people(seed), suffix), plan, tmp_path / str(seed), plan.output.format)


@pytest.mark.parametrize("model", [
    {"model": "t-closeness", "column": "illness", "t": 0.4},
    {"model": "p-sensitive", "column": "illness", "p": 2, "k": 5},
    {"model": "alpha-k", "column": "illness", "value": "flu", "alpha": 0.6, "k": 5},
])  # fmt: skip
def test_releases_with_sensitive_models_are_the_same(
    written: Written, tmp_path: Path, model: dict[str, object]
) -> None:
    plan = plan_of(require=[{"model": "k-anonymity", "k": 5}, model], recode__max_suppression=0.3)
    assert_same_release(written(people(11), ".csv"), plan, tmp_path)


def test_releases_with_weights_and_a_population_are_the_same(written: Written, tmp_path: Path) -> None:
    population = pa.concat_tables([people(12, 200), people(13, 500)])
    write_table(population, tmp_path / "population.csv", escape_formulas=False)
    plan = plan_of(
        columns__age__weight=5.0,
        columns__zip__weight=0.5,
        columns__sex__suppression_cost=2.0,
        input__population=str(tmp_path / "population.csv"),
        require=[{"model": "k-map", "k": 4}, {"model": "k-anonymity", "k": 2}],
        recode__max_suppression=0.2,
    )
    assert_same_release(written(people(12, 200), ".csv"), plan, tmp_path)


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_every_algorithm_works_or_is_refused(written: Written, tmp_path: Path, name: str) -> None:
    path = written(people(5, 60), ".csv")
    only_k = [{"model": "k-anonymity", "k": 4}]
    plan = plan_of(
        recode__algorithm=name,
        recode__seed=1,
        recode__max_suppression=0.5,
        recode__objective="discernibility",
        require=only_k,
    )
    if algorithm(name).card.decides != "class":
        # What a plan may not ask of any engine is told first.
        said = rf"\(algorithm {name}\)" if algorithm(name).card.covers_all else "use the memory engine"
        with pytest.raises(InputError, match=said):
            make_release(path, plan, Silent(), "duckdb")
        return
    try:
        one = saved(path, plan, tmp_path / "memory", "memory")
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            make_release(path, plan, Silent(), "duckdb")
        return
    other = saved(path, plan, tmp_path / "disk", "duckdb")
    assert one.facts.score == pytest.approx(other.facts.score, abs=1e-12)
    assert cells(tmp_path / "memory" / "table.csv") == cells(tmp_path / "disk" / "table.csv")


def test_the_demo_is_the_same(tmp_path: Path) -> None:
    plan = Plan.load(write_demo(tmp_path / "demo"), ['output.ledger=""'])
    assert plan.input.path is not None
    assert_same_release(plan.base / plan.input.path, plan, tmp_path)


def test_types_are_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    n = 300
    import datetime as dt
    from decimal import Decimal

    source = pa.table(
        {
            "age": pa.array([None if a == 30 else int(a) for a in rng.integers(20, 40, n)], pa.int8()),
            "sex": pa.array(rng.integers(0, 2, n).astype(bool)),
            "weight": pa.array([float("nan") if w == 5 else w / 2 for w in rng.integers(0, 9, n)]),
            "paid": pa.array([Decimal(int(c)) / 100 for c in rng.integers(0, 99, n)], pa.decimal128(9, 2)),
            "day": pa.array([dt.date(2020, 1, int(d)) for d in rng.integers(1, 29, n)]),
            "seen": pa.array([dt.datetime(2020, 1, 1, int(h)) for h in rng.integers(0, 24, n)], pa.timestamp("us", "Europe/Berlin")),
            "note": pa.array([""] * n, pa.large_string()),
            "void": pa.nulls(n),
            "ill": pa.array(rng.integers(0, 5, n), pa.uint16()),
        }
    )  # fmt: skip
    path = tmp_path / "typed.parquet"
    pa.parquet.write_table(source, path)
    carried = {name: "insensitive" for name in source.column_names if name not in ("age", "sex", "ill")}
    plan = Plan(
        columns={
            "age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5, 10]}, "max_level": 0},
            "sex": "quasi",
            **carried,
            "ill": "sensitive",
        },
        require=[{"model": "k-anonymity", "k": 3}],
        output={"format": "parquet"},
    )
    assert_same_release(path, plan, tmp_path, "parquet")
    one, other = (pa.parquet.read_table(tmp_path / d / "table.parquet") for d in ("memory", "disk"))
    assert one.schema.equals(other.schema)
    order = [(name, "ascending") for name in one.column_names if name != "void"]
    assert one.sort_by(order).equals(other.sort_by(order))


def test_blank_rows_are_kept_among_the_others(written: Written, tmp_path: Path) -> None:
    plan = plan_of(recode__suppressed_rows="blank", recode__max_suppression=0.2)
    release = assert_same_release(written(people(6), ".csv"), plan, tmp_path)
    assert release.suppressed > 0
    assert len(read_released(tmp_path / "disk" / "table.csv")) == 400


def test_order_comes_from_the_system_whatever_the_seed(written: Written, tmp_path: Path) -> None:
    path = written(people(7), ".csv")

    def order(name: str, **changed: object) -> bytes:
        saved(path, plan_of(**changed), tmp_path / name, "duckdb")
        return (tmp_path / name / "table.csv").read_bytes()

    one, other = order("a", recode__seed=1), order("b", recode__seed=1)
    assert one != other
    assert sorted(one.splitlines()) == sorted(other.splitlines())
    assert order("d") != order("e")
    saved(path, plan_of(output__shuffle=False), tmp_path / "m", "memory")
    assert order("f", output__shuffle=False) == (tmp_path / "m" / "table.csv").read_bytes()


def test_nothing_is_left_behind(written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    release = make_release(written(people(8), ".csv"), plan_of(), Silent(), "duckdb")
    (folder,) = room.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    Release.written(release, tmp_path / "out")
    assert list(room.iterdir()) == [folder]  # the verifier's is gone already
    assert not [p for p in tmp_path.iterdir() if "staging" in p.name]
    del release
    gc.collect()
    assert not list(room.iterdir())


def test_a_failed_reading_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n1,2\n1,2,3\n")
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    with pytest.raises(InputError):
        opened("duckdb", path, Wanted(("a",)))
    gc.collect()
    assert not list(room.iterdir())


def test_a_release_on_disk_has_no_table_in_memory(written: Written, tmp_path: Path) -> None:
    draft = make_release(written(people(9), ".csv"), plan_of(), Silent(), "duckdb")
    release = Release.written(draft, tmp_path / "out")
    with pytest.raises(InputError, match="save it"):
        _ = release.table
