"""Spark profiles, reduces and counts as memory does, tuple by tuple, and refuses by name what it does not serve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.conftest import Written, people, plan_of
from tests.engines.in_spark.refused import REFUSED
from tests.engines.test_seam import KINDS, agreements, facts_of, kept, named_rows

import kohort
from kohort import InputError
from kohort.arrays import IntArray
from kohort.engines import Engine, Need, Node, Wanted, engine, opened
from kohort.preparation import watched
from kohort.table.empty_rows import empty_rows_warning


def records_by_text(keeper: Engine, records: dict[str, IntArray]) -> dict[str, dict[str | None, int]]:
    return {n: dict(zip(keeper.table[n].texts, told.tolist(), strict=True)) for n, told in records.items()}


@pytest.mark.parametrize(
    ("suffix", "respondent", "numbered"),
    [
        (".csv", None, True),
        pytest.param(".parquet", "person", True, marks=pytest.mark.long),
        pytest.param(".parquet", None, False, marks=pytest.mark.long),  # as columns of very many values are
    ],
)
def test_profiles_and_classes_are_those_of_memory(
    written: Written, suffix: str, respondent: str | None, numbered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not numbered:
        monkeypatch.setattr("kohort.engines.spark.rows.SMALL", 3)
    plan = plan_of(input__respondent=respondent) if respondent else plan_of()
    path, told = written(people(3, 200), suffix), []
    for name in ("memory", "spark"):
        keeper, hierarchies, ground = kept(name, path, plan)
        base = keeper.reduce(ground, watched(plan)).base
        blocks = tuple((np.arange(h.size) // 3).astype(np.int32) for h in hierarchies)
        middle = ground.at_levels(hierarchies, (1, 2, 0))
        few = base.rollup(hierarchies, (1, 2, 0)).codes[::3]
        assert keeper.distinct([middle])[0] > 0  # an estimate
        told.append(
            {
                "rows": keeper.table.n_rows,
                "people": keeper.people(),
                "names_alike": keeper.names_alike(),
                "alone": keeper.alone("ward"),
                "empty": keeper.empty(["age", "zip"])[0],
                "base": facts_of(keeper, base),
                "sizes": [told.tolist() for told in keeper.sizes(middle)],
                "records": records_by_text(keeper, keeper.records(middle, few)),
                "node": facts_of(keeper, keeper.settle(middle, watched(plan))),
                "cuts": respondent or facts_of(keeper, keeper.count(ground.at_cuts(blocks), [])),
            }
        )
    assert told[0] == told[1]


def test_how_rows_of_one_name_agree_is_counted_as_in_memory(written: Written) -> None:
    path = written(named_rows(2), ".parquet")
    for found, told in zip(agreements("spark", path), agreements("memory", path), strict=True):
        assert found == pytest.approx(told, abs=1e-12)


def test_values_of_every_kind_are_profiled_and_counted_as_in_memory(tmp_path: Path) -> None:
    path, kinds = tmp_path / "kinds.parquet", [kind for kind in KINDS if kind not in REFUSED]
    pa.parquet.write_table(pa.table({kind: KINDS[kind] for kind in kinds}), path)
    told = []
    for name in ("memory", "spark"):
        keeper = opened(name, path, Wanted(tuple(kinds)))
        columns = {kind: keeper.table[kind] for kind in kinds}
        counts = {kind: dict(zip(c.texts, c.counts().tolist(), strict=True)) for kind, c in columns.items()}
        order = {kind: sorted(c.texts, key=lambda t: (t is not None, t or "")) for kind, c in columns.items()}
        codes = {
            kind: np.array([order[kind].index(t) for t in c.texts], np.int32) for kind, c in columns.items()
        }
        classes = facts_of(keeper, keeper.count(Node(codes, (0,) * len(kinds)), []))
        told.append([counts, {kind: c.values.type for kind, c in columns.items()}, classes])
    assert told[0] == told[1]


@pytest.mark.parametrize("kind", REFUSED)
def test_values_that_spark_cannot_tell_are_refused(tmp_path: Path, kind: str) -> None:
    pa.parquet.write_table(pa.table({"q": KINDS[kind]}), tmp_path / "kinds.parquet")
    with pytest.raises(InputError, match=REFUSED[kind]):
        opened("spark", tmp_path / "kinds.parquet", Wanted(("q",)))


def test_nested_and_binary_columns_are_refused_as_in_memory(tmp_path: Path) -> None:
    pa.parquet.write_table(
        pa.table({"q": [[1], [2]], "b": [b"1", b"2"], "n": [1, 2]}), tmp_path / "nested.parquet"
    )
    for column in ("q", "b"):
        with pytest.raises(InputError, match=f"column '{column}' has the type .*which Kohort cannot recode"):
            opened("spark", tmp_path / "nested.parquet", Wanted((column,)))


def test_names_that_are_one_to_spark_are_refused(tmp_path: Path, spark: Any) -> None:
    (tmp_path / "source.csv").write_text("age,Age\n1,2\n")
    with pytest.raises(InputError, match="'age' and 'Age' are one name to Spark"):
        opened("spark", tmp_path / "source.csv", Wanted(("age",)))
    with pytest.raises(InputError, match="more than one column named 'n'"):
        opened("spark", spark.sql("SELECT 1 AS n, 2 AS n"), Wanted(("n",)))


@pytest.mark.long
def test_audits_are_the_same(written: Written) -> None:
    source = written(people(5, 150), ".parquet")
    asked = {"quasi": ["age", "zip"], "sensitive": ["illness"], "respondent": "person"}
    assert kohort.audit(source, **asked, engine="spark") == kohort.audit(source, **asked)


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("output.shuffle", False, "rows of the spark engine have no order"),
        ("output.format", "xlsx", "spark engine writes csv, parquet, tsv, not xlsx"),
        ("output.ledger", "book.sqlite", "ledger of the people"),
        (
            "recode.algorithm",
            "mondrian-relaxed",
            "mondrian-relaxed looks at single rows.* one of: .*k-member",
        ),
        ("recode.algorithm", "mdav", "does not tell averages of single rows"),
    ],
)
def test_what_is_not_served_is_refused_by_name_before_anything_is_read(
    setting: str, value: object, told: str
) -> None:
    plan = plan_of(output__format="parquet").with_settings({setting: value})
    with pytest.raises(InputError, match=told):
        kohort.anonymize("nowhere.parquet", plan, engine="spark")


def test_frames_that_are_in_memory_are_refused() -> None:
    with pytest.raises(
        InputError, match="reads files, folders, tables of a catalog and data frames of Spark"
    ):
        kohort.audit(people(1, 30), ["age"], engine="spark")
    with pytest.raises(InputError, match="keeps no bound"):
        kohort.audit("people.csv", ["age"], engine="spark", memory="1GB")


def test_rows_without_a_value_are_told_without_a_place(tmp_path: Path) -> None:
    pa.parquet.write_table(pa.table({"q": ["a", None, "a", None]}), tmp_path / "source.parquet")
    keeper = opened("spark", tmp_path / "source.parquet", Wanted(("q",)))
    said = empty_rows_warning(*keeper.empty(["q"]))
    assert said[0].startswith("2 rows hold no value in any of the columns used and count as people")


def test_gaps_are_declared() -> None:
    assert engine("spark").lacks == frozenset(Need) - {Need.FRAMES, Need.COARSE, Need.PEOPLE}
