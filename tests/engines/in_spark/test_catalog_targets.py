"""Releases into a table of a catalog: judged where they were written, named when they stand, and nothing is left of what fails."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import people, plan_of
from tests.engines.in_spark.refused import AT_SAIL
from tests.engines.in_spark.test_releases import released
from tests.engines.in_spark.test_text_targets import ODD, awkward

import kohort
from kohort import InputError, KohortError, Plan, VerificationError
from kohort.engines.spark import catalog_target
from kohort.engines.spark.engine import InCluster
from kohort.folders.workshop import Workshop
from kohort.table.catalog import UNFINISHED
from kohort.table.cluster import session
from kohort.verification.judgement import READABLE

NAME = "kohort_tests.people_told"
pytestmark = pytest.mark.skipif(AT_SAIL, reason="whether Sail keeps and renames tables has not been tried")


@pytest.fixture(autouse=True)
def schema(tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make a schema whose tables lie in a folder of the test; that they go with the program is no matter here."""
    monkeypatch.setattr(session, "_MADE", [])
    spark.sql(f"CREATE SCHEMA kohort_tests LOCATION 'file://{tmp_path / 'kept'}'")
    yield
    spark.sql("DROP SCHEMA kohort_tests CASCADE")


def tables(spark: Any) -> list[str]:
    found = spark.sql("SHOW TABLES IN kohort_tests").collect()
    return sorted(row["tableName"] for row in found if not row["isTemporary"])


def cells(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(str({key: None if cell != cell else cell for key, cell in row.items()}) for row in rows)


def source_of(folder: Path, table: pa.Table) -> Path:
    pa.parquet.write_table(table, folder / "source.parquet")
    return folder / "source.parquet"


def test_a_release_stands_in_a_catalog(tmp_path: Path, spark: Any) -> None:
    """Of cells of every kind: the rows of memory's release, told by a digest that anyone can take again."""
    source, plan = source_of(tmp_path, awkward()), ODD.with_settings({"output.table": NAME})
    released(source, ODD.with_settings({"output.format": "parquet"}), tmp_path / "memory", "memory")
    made = released(source, plan, tmp_path / "out")
    assert tables(spark) == ["people_told"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "report.html",
        "table.catalog",
    ]
    written = spark.table(NAME).toArrow().to_pylist()
    assert cells(written) == cells(pa.parquet.read_table(tmp_path / "memory" / "table.parquet").to_pylist())
    assert {v.holds for v in made.verdicts} == {True}
    assert {v.holds for v in kohort.verify(tmp_path / "out", engine="spark")} == {True}
    assert {v.holds for v in kohort.verify(tmp_path / "out", plan, source, engine="spark")} == {True}
    for engine in ("memory", "duckdb"):
        with pytest.raises(InputError, match=f"in a catalog, which the {engine} engine does not read"):
            kohort.verify(tmp_path / "out", engine=engine)
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    told = {v.promise: v for v in kohort.verify(tmp_path / "out", engine="spark")}
    assert False not in {v.holds for v in told.values()}
    assert told["the files hold nothing beside their tables"].note.startswith(
        "not judged: what a catalog keeps"
    )


def test_the_digest_is_that_of_its_description(tmp_path: Path, spark: Any) -> None:
    """By a program of its own, as whoever receives the table would write it."""
    plan = plan_of(output__table=NAME, recode__max_suppression=0.1)
    released(source_of(tmp_path, people(5, 120)), plan, tmp_path / "out")
    pointer = json.loads((tmp_path / "out" / "table.catalog").read_text())
    frame = spark.table(NAME)
    rows = [json.dumps([None if cell is None else str(cell) for cell in row]) for row in frame.collect()]
    digests = sorted(hashlib.sha256(row.encode()).digest() for row in rows)
    columns = [[field.name, field.dataType.simpleString()] for field in frame.schema.fields]
    total = hashlib.sha256(json.dumps(columns).encode())
    for first in sorted({digest[0] for digest in digests}):
        together = b"".join(digest for digest in digests if digest[0] == first)
        total.update(bytes([first]) + hashlib.sha256(together).digest())
    assert pointer == {"table": NAME, "columns": columns, "rows": len(rows), "digest": total.hexdigest()}


LIES: dict[str, str] = {
    "a row more": f"INSERT INTO {NAME} SELECT * FROM {NAME} LIMIT 1",
    "a row in place of another": f"INSERT OVERWRITE {NAME} (SELECT * FROM lied ORDER BY age LIMIT 1) "
    f"UNION ALL (SELECT * FROM lied ORDER BY age LIMIT {{rest}})",
    "no table": f"DROP TABLE {NAME}",
    "another column": f"ALTER TABLE {NAME} ADD COLUMNS (who string)",
}


@pytest.mark.parametrize(
    "lie", [lie if lie != "another column" else pytest.param(lie, marks=pytest.mark.long) for lie in LIES]
)
def test_what_is_done_to_the_table_is_found(tmp_path: Path, spark: Any, lie: str) -> None:
    plan = plan_of(output__table=NAME, recode__max_suppression=0.1)
    released(source_of(tmp_path, people(5, 120)), plan, tmp_path / "out")
    held = spark.table(NAME).toArrow()
    spark.createDataFrame(held).createOrReplaceTempView("lied")
    spark.sql(LIES[lie].format(rest=held.num_rows - 1)).collect()
    spark.sql(f"REFRESH TABLE {NAME}") if lie != "no table" else None
    told = {v.promise: v.holds for v in kohort.verify(tmp_path / "out", engine="spark")}
    assert told[READABLE] is False


@pytest.mark.parametrize(
    "change", [lambda text: text + " ", lambda text: text.replace("people_told", "other")]
)
def test_what_tells_the_table_is_judged_too(tmp_path: Path, change: Callable[[str], str]) -> None:
    plan = plan_of(output__table=NAME, recode__max_suppression=0.1)
    released(source_of(tmp_path, people(5, 120)), plan, tmp_path / "out")
    pointer = tmp_path / "out" / "table.catalog"
    pointer.write_text(change(pointer.read_text()))
    told = {v.promise: v.holds for v in kohort.verify(tmp_path / "out", engine="spark")}
    assert told[READABLE] is False
    assert told["the files are those that were released"] is False


def test_nothing_is_left_of_a_release_that_fails(
    tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is judged, and when its folder cannot take its name; and a table that is there stays as it is."""
    source, plan = source_of(tmp_path, people(5, 120)), plan_of(output__table=NAME)
    (tmp_path / "desk").mkdir()
    seen = []

    def fail(*_: object) -> None:
        seen.append(tables(spark))
        raise VerificationError("judged", code="verify.failed")

    for place in (InCluster, "judge"), (Workshop, "publish"):
        with monkeypatch.context() as patched:
            patched.setattr(*place, fail)
            with pytest.raises(VerificationError, match="judged"):
                released(source, plan, tmp_path / "desk" / "out")
    assert [name.startswith(UNFINISHED) for (name,) in seen] == [True, False]
    assert tables(spark) == []
    assert not list((tmp_path / "desk").iterdir())
    spark.sql(f"CREATE TABLE {NAME} AS SELECT 1 AS a")
    with pytest.raises(InputError, match=f"there is a table {NAME} already"):
        released(source, plan, tmp_path / "desk" / "out")
    assert spark.table(NAME).collect()[0]["a"] == 1


@pytest.mark.long
def test_nothing_is_left_where_the_writing_is_interrupted(
    tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While executors write, who would go on with it at a server: the table comes neither then nor later."""
    written, begun = catalog_target._rows, tmp_path / "begun"

    def slowly(spelling: Any, batches: Any) -> Any:
        begun.touch()
        time.sleep(4)
        return written(spelling, batches)

    def interrupt() -> None:
        while not begun.exists():
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(catalog_target, "_rows", slowly)
    Thread(target=interrupt, daemon=True).start()
    with pytest.raises((KeyboardInterrupt, KohortError)):
        released(source_of(tmp_path, people(5, 120)), plan_of(output__table=NAME), tmp_path / "out")
    assert begun.exists()
    time.sleep(6)
    assert tables(spark) == []
    assert not (tmp_path / "out").exists()


def test_a_table_that_comes_meanwhile_stays(
    tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, plan = source_of(tmp_path, people(5, 120)), plan_of(output__table=NAME)
    judged = InCluster.judge

    def judge(self: InCluster, *told: Any) -> Any:
        spark.sql(f"CREATE TABLE {NAME} AS SELECT 1 AS a")
        return judged(self, *told)

    monkeypatch.setattr(InCluster, "judge", judge)
    with pytest.raises(InputError, match="TABLE_OR_VIEW_ALREADY_EXISTS"):
        released(source, plan, tmp_path / "out")
    assert tables(spark) == ["people_told"]
    assert spark.table(NAME).collect()[0]["a"] == 1
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_of(tmp_path, people(5, 60))
    for name in ("people", "global_temp.people", "a.b.c.d", "a.`b`", "a.b; DROP TABLE c", ""):
        with pytest.raises(InputError, match=r"write it as schema\.name"):
            plan_of(output__table=name)
    for engine in ("memory", "duckdb"):
        with pytest.raises(InputError, match=f"the {engine} engine writes files"):
            kohort.anonymize(source, plan_of(output__table=NAME), engine=engine)
    with pytest.raises(InputError, match="which row is whose is noted by its place"):
        kohort.anonymize(source, plan_of(output__table=NAME, input__respondent="person"), engine="spark")
    for name in ("nosuch.people", "nosuch.schema.people"):
        with pytest.raises(InputError, match=rf"Spark knows no schema {name[:-7]}, .*; create it first"):
            # before anything is read, and before the search
            kohort.anonymize(tmp_path / "none.parquet", plan_of(output__table=name), engine="spark")
    monkeypatch.setattr(session, "_MADE", ["local"])
    if session.forgets_tables(session.session(), NAME):
        with pytest.raises(InputError, match="is gone when this program ends"):
            kohort.anonymize(source, plan_of(output__table=NAME), engine="spark")


def test_a_plan_that_names_a_table_can_be_saved_as_files(tmp_path: Path, spark: Any) -> None:
    plan: Plan = plan_of(output__table=NAME)
    release = kohort.anonymize(source_of(tmp_path, people(5, 120)), plan, engine="spark")
    release.save(tmp_path / "out", "csv")
    assert (tmp_path / "out" / "table.csv").is_dir()
    assert tables(spark) == []
    assert {v.holds for v in kohort.verify(tmp_path / "out", engine="spark")} == {True}


def test_a_second_saving_leaves_the_first_alone(tmp_path: Path, spark: Any) -> None:
    """Also by a name that tells Spark's own catalog, within which tables are renamed."""
    source, plan = source_of(tmp_path, people(9)), plan_of(output__table=f"spark_catalog.{NAME}")
    release = kohort.anonymize(source, plan, engine="spark")
    release.save(tmp_path / "out")
    with pytest.raises(InputError, match="there is a table"):
        release.save(tmp_path / "again")
    assert tables(spark) == ["people_told"]
    assert not (tmp_path / "again").exists()
    assert {v.holds for v in kohort.verify(tmp_path / "out", plan, source, engine="spark")} == {True}


def test_what_another_session_does_to_the_table_is_found(tmp_path: Path, spark: Any) -> None:
    source, plan = source_of(tmp_path, people(9)), plan_of(output__table=NAME)
    released(source, plan, tmp_path / "out")
    assert {v.holds for v in kohort.verify(tmp_path / "out", plan, source, engine="spark")} == {True}
    other = spark.newSession() if hasattr(spark, "newSession") else spark
    other.sql(f"INSERT INTO {NAME} SELECT * FROM {NAME} LIMIT 3").collect()
    found = {v.promise: v.holds for v in kohort.verify(tmp_path / "out", plan, source, engine="spark")}
    assert False in found.values()
