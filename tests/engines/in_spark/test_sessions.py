"""What depends on how Spark is reached: frames, functions of Python and failures. At a Connect server, `make test` runs these alone."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.folders import folder_of

import kohort
from kohort import InputError
from kohort.algorithms import Silent, Standing
from kohort.facts.release import of_table
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table import Table
from kohort.table.cluster.session import quiet
from kohort.table.writing import write_table


def told(release: Release) -> list[str]:
    return sorted(map(str, release.table.toArrow().to_pylist()))


def test_a_frame_of_spark_comes_back_as_one(spark: Any) -> None:
    table, plan = people(8), plan_of(output__format="parquet")
    frame = spark.createDataFrame(table)
    release = kohort.anonymize(frame, plan)  # where the rows are, as no engine is named
    assert type(release.table) is type(frame)
    assert told(release) == sorted(map(str, kohort.anonymize(table, plan).table.to_pylist()))
    with pytest.raises(InputError, match='leave the engine out, or say engine="spark"'):
        kohort.anonymize(frame, plan, engine="memory")
    with pytest.raises(InputError, match=r"takes the rows in memory: frame\.toArrow\(\)"):
        kohort.propose(frame)


@pytest.mark.long
def test_whoever_takes_frames_takes_those_of_spark(tmp_path: Path, spark: Any) -> None:
    """Without an engine, and what comes back as a frame is one of Spark."""
    table, plan = people(8, 100), plan_of()
    frame = spark.createDataFrame(table)
    assert kohort.audit(frame, ["age", "sex"]) == kohort.audit(table, ["age", "sex"])
    kohort.anonymize(table, plan).save(tmp_path / "out")
    assert {v.holds for v in kohort.verify(tmp_path / "out", plan, frame)} == {True}
    points, others = kohort.frontier(frame, plan, k=[2, 4]), kohort.frontier(table, plan, k=[2, 4])
    assert type(points) is type(frame)
    assert (
        points.select("value", "highest_risk").toArrow().to_pylist()
        == others.select(["value", "highest_risk"]).to_pylist()
    )
    compared = kohort.compare(frame, plan, k=[2], algorithms=["mondrian"])
    assert [row["algorithm"] for row in compared.collect()] == ["optimal", "mondrian"]


def test_a_session_may_lay_texts_out_for_very_many(tmp_path: Path, spark: Any) -> None:
    """As frames whose texts take more than 2 GB need it; released, saved and judged as elsewhere."""
    table, plan, name = people(8, 200), plan_of(), "spark.sql.execution.arrow.useLargeVarTypes"
    before = spark.conf.get(name, "false")
    spark.conf.set(name, "true")
    try:
        release = kohort.anonymize(spark.createDataFrame(table), plan, engine="spark")
        release.save(tmp_path / "out")
        found = told(release)
        assert {v.holds for v in kohort.verify(tmp_path / "out", engine="spark")} == {True}
    finally:
        spark.conf.set(name, before)
    assert found == sorted(map(str, kohort.anonymize(table, plan).table.to_pylist()))


@pytest.mark.parametrize("name", ["source.csv", "source.parquet"])
def test_paths_begin_where_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Executors and servers work in another folder than whoever names a file."""
    monkeypatch.chdir(tmp_path)
    write_table(Table.from_arrow(people(8, 60)), Path(name))
    found = kohort.audit(name, ["age", "sex"], engine="spark")
    assert found == kohort.audit(name, ["age", "sex"])


@pytest.mark.long
@pytest.mark.parametrize("name", ["source.csv", "source.parquet"])
def test_releases_begin_where_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(Table.from_arrow(people(8, 60)), Path(name))
    plan = plan_of(output__format=Path(name).suffix[1:])
    kohort.anonymize(name, plan, engine="spark").save("out")
    assert {v.holds for v in kohort.verify("out", plan, name, engine="spark")} == {True}


@pytest.mark.long
def test_folders_of_text_are_tables(tmp_path: Path) -> None:
    table, plan = people(8), plan_of(output__format="parquet")
    text = folder_of(table, tmp_path / "text", 3, "csv")
    one, other = kohort.anonymize(text, plan, engine="spark"), kohort.anonymize(table, plan)
    assert told(one) == sorted(map(str, other.table.to_pylist()))


def test_a_job_that_fails_leaves_nothing_that_looks_like_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kohort.engines.spark import output

    def fails(frame: Any, columns: Any, path: Path) -> None:
        def broken(batches: Any) -> Any:
            raise ValueError("a cell that no message may quote")

        with quiet():
            frame = frame.mapInArrow(broken, frame.schema)
        write_parts(frame, columns, path)

    write_parts = output.write_parts
    monkeypatch.setattr(output, "write_parts", fails)
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(9, 100), source)
    with pytest.raises(InputError, match="Spark could not do it") as told:
        kohort.anonymize(source, plan_of(output__format="parquet"), engine="spark").save(tmp_path / "out")
    assert "no message" not in str(told.value)
    assert [path.name for path in tmp_path.iterdir()] == ["source.parquet"]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """Return a folder where nothing of size finds room: a disk of 16 KB, or one that is not to be written to."""
    place = tmp_path / "full"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place]
    is_mounted = subprocess.run(words, capture_output=True, check=False).returncode == 0
    place.chmod(0o700 if is_mounted else 0o500)
    yield place
    if is_mounted:
        subprocess.run(["umount", "-l", place], check=True)
    place.chmod(0o700)


def test_a_disk_that_is_full_leaves_nothing_that_looks_like_a_release(tmp_path: Path, full: Path) -> None:
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(9, 4000), source)
    draft = make_release(source, plan_of(output__format="parquet"), Silent(), "spark")
    with pytest.raises(InputError):
        Release.written(draft, full / "out")
    assert not list(full.iterdir())


class Interrupting(Silent):
    """Presses Ctrl-C once, when the search first says how it stands."""

    pressed = False

    def update(
        self,
        note: str,
        done: float | None = None,
        total: float | None = None,
        standing: Standing | None = None,
    ) -> None:
        if standing is not None and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)


def test_the_first_interrupt_releases_the_best_so_far(tmp_path: Path) -> None:
    """Spark ends whatever runs at Ctrl-C where it starts Java; a search of Kohort goes by its own rule there too."""
    source = tmp_path / "source.parquet"
    pa.parquet.write_table(people(9, 400), source)
    endless = {
        "recode__algorithm": "annealing",
        "recode__objective": "discernibility",
        "recode__options": {"coolings": 10**9},
    }
    plan = plan_of(**endless, require=[{"model": "k-anonymity", "k": 5}], output__format="parquet")
    draft = make_release(source, plan, Interrupting(), "spark")
    assert of_table(draft.facts).search.stopped == "interrupt"
    assert all(verdict.holds for verdict in Release.written(draft, tmp_path / "out").verdicts)
