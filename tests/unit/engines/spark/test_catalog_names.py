"""A table of a catalog has the name of its release, or is gone, whatever comes while it is renamed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from kohort import InputError, Plan
from kohort.engines.spark import catalog_target
from kohort.engines.spark.catalog_target import CatalogTable, within_catalog
from kohort.table.catalog import UNFINISHED, check_target
from kohort.table.cluster.row_digests import Held

NAME, STAGED = "health.people", f"health.{UNFINISHED}1"


class Spark:
    """A session that knows tables by name, and what each holds."""

    def __init__(self, *tables: str) -> None:
        self.tables = dict.fromkeys(tables, "another's") | {STAGED: "ours"}
        self.catalog = self
        self.meanwhile: Callable[[], None] = lambda: None

    def tableExists(self, name: str) -> bool:
        return name in self.tables

    def table(self, name: str) -> str:
        return self.tables[name]

    def sql(self, query: str) -> Spark:
        match query.split():
            case ["ALTER", "TABLE", one, "RENAME", "TO", other]:
                if other in self.tables:
                    raise ValueError("it is there")
                self.tables[other] = self.tables.pop(one)
                self.meanwhile()
            case ["DROP", *_, name]:
                self.tables.pop(name, None)
        return self

    def collect(self) -> None:
        pass


def written(spark: Spark, monkeypatch: pytest.MonkeyPatch) -> CatalogTable:
    """Return the target of a release that is written, and has no name yet."""
    monkeypatch.setattr(catalog_target, "demand_place", lambda *_: None)
    monkeypatch.setattr(catalog_target, "held_by", lambda held: Held((), 1, held))
    target: Any = CatalogTable(spark, None, NAME)  # type: ignore[arg-type]
    target.staged, target._held = STAGED, Held((), 1, "ours")
    return target  # type: ignore[no-any-return]


def test_ctrl_c_at_the_rename_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = Spark()
    spark.meanwhile = lambda: signal.raise_signal(signal.SIGINT)
    target = written(spark, monkeypatch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            target.stand()
    finally:
        signal.signal(signal.SIGINT, before)
    assert set(spark.tables) == {NAME}
    target.withdraw()
    assert not spark.tables


def test_an_answer_that_is_lost_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server renamed the table, and nobody heard of it."""

    def lost() -> None:
        raise ConnectionError("the server is gone")

    spark = Spark()
    spark.meanwhile = lost
    target = written(spark, monkeypatch)
    with pytest.raises(InputError):
        target.stand()
    target.withdraw()
    assert not spark.tables


def test_the_table_of_somebody_else_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = Spark(NAME)
    target = written(spark, monkeypatch)
    with pytest.raises(InputError):
        target.stand()
    target.withdraw()
    assert spark.tables == {NAME: "another's"}


def test_it_stays_even_where_ours_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = Spark(NAME)
    target = written(spark, monkeypatch)
    with pytest.raises(InputError):
        target.stand()
    del spark.tables[STAGED]
    target.withdraw()
    assert spark.tables == {NAME: "another's"}


def test_what_stands_is_left_to_its_release(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = Spark()
    target = written(spark, monkeypatch)
    target.stand()
    target.settle()
    target.withdraw()
    assert spark.tables == {NAME: "ours"}


def test_names_within_sparks_own_catalog_have_two_parts() -> None:
    assert within_catalog("SPARK_Catalog.a.b") == "a.b"
    assert within_catalog("spark_catalog.a") == "spark_catalog.a"  # a schema of that name
    assert within_catalog("lake.a.b") == "lake.a.b"


@pytest.mark.parametrize("name", [f"a.{UNFINISHED}x", f"c.a.{UNFINISHED}", "a.Kohort_Unfinished_x"])
def test_no_release_is_called_like_what_is_no_release(name: str) -> None:
    with pytest.raises(InputError, match="what begins with kohort_unfinished_ is told from releases"):
        check_target(name)
    with pytest.raises(InputError, match="kohort_unfinished_"):
        Plan(columns={"a": "quasi"}, require=[{"model": "k-anonymity", "k": 2}], output={"table": name})
    check_target(f"{UNFINISHED}a.people")
