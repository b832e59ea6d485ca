"""What is wrong with a source or a plan is told alike by both engines, and never by its cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.engines.at_hand import AT_HAND
from tests.engines.conftest import Written, people, plan_of

from kohort import Plan
from kohort.algorithms import Silent
from kohort.engines import ENGINES
from kohort.errors import InputError
from kohort.pipeline import make_release
from kohort.release.release import Release
from kohort.table.budget import LEAST, PROCESS, Budget
from kohort.table.scratch import Scratch

SECRET = "Xanthippe"
HEADER = "person,age,zip,sex,ward,illness\n"
ROW = f"p1,30,01234,F,{SECRET},flu\n"


def message(path: Path, plan: Plan, engine: str) -> str:
    with pytest.raises(InputError) as caught:
        make_release(path, plan, Silent(), engine)
    assert SECRET not in str(caught.value)
    return str(caught.value)


def text(content: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "source.csv"
        path.write_text(content)
        return path

    return write


def garbage(suffix: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / f"source{suffix}"
        path.write_bytes(b"PAR1 this is not what its name says " + SECRET.encode())
        return path

    return write


@pytest.mark.parametrize(
    "source",
    [
        text(HEADER + ROW * 20 + f"p1,30,{SECRET}\n" + ROW),  # ragged
        text(HEADER + ROW * 20 + f'p1,30,01234,F,"{SECRET},flu\n' + ROW * 3),  # a quote never closed
        text(HEADER),  # no rows
        text(""),
        text("person,age,age,sex,ward,illness\n" + ROW),  # a name twice
        text("person,age,zip,sex,ward\n" + ROW.replace(",flu", "") * 20),  # a column missing
        text(HEADER + "p1,30,01234,F,,flu\n" * 3),  # k beyond the rows
        text(HEADER + ROW + f"p1,{SECRET},01234,F,,flu\n" * 20),  # not a number
        text(HEADER + "".join(f"p{i},30,01234,F,{SECRET}{i},flu\n" for i in range(30))),  # a pointer
        garbage(".parquet"),
        garbage(".duckdb"),
        garbage(".sqlite"),
        lambda folder: folder / "nowhere.csv",
        lambda folder: folder,
    ],
)
def test_wrong_sources_are_told_alike(tmp_path: Path, source: Callable[[Path], Path]) -> None:
    path = source(tmp_path)
    assert message(path, plan_of(), "duckdb") == message(path, plan_of(), "memory")


def test_rows_of_nobody_are_told_alike(written: Written) -> None:
    table = people(1)
    nobody = pa.array([None, *table["person"].to_pylist()[1:]])
    for suffix in (".csv", ".parquet"):
        path = written(table.set_column(0, "person", nobody), suffix)
        plan = plan_of(input__respondent="person")
        told = message(path, plan, "duckdb")
        assert told == message(path, plan, "memory")
        assert "1 row names nobody (row 1, the header not counted)" in told


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("empty", [0, 1, 2])
def test_rows_without_a_value_are_told(written: Written, engine: str, suffix: str, empty: int) -> None:
    table = people(200)
    nothing = pa.table({name: pa.nulls(empty, table[name].type) for name in table.column_names})
    path = written(pa.concat_tables([table, nothing]), suffix)
    facts = make_release(path, plan_of(), Silent(), engine).facts
    told = [warning for warning in facts.warnings if "no value in any" in warning]
    assert facts.rows == table.num_rows + empty  # nobody is dropped in silence
    assert len(told) == (empty > 0)
    assert all(f"row {table.num_rows + 1:,}, the header not counted" in warning for warning in told)
    assert all(warning.startswith("1 row holds" if empty == 1 else "2 rows hold") for warning in told)


@pytest.mark.parametrize("suffix", [".xlsx", ".sav"])
def test_formats_that_are_not_streamed_are_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"source{suffix}"
    path.write_bytes(b"anything")
    assert "use the memory engine" in message(path, plan_of(), "duckdb")


def test_what_needs_rows_in_memory_is_refused(written: Written) -> None:
    path = written(people(1), ".csv")
    assert "single rows" in message(path, plan_of(recode__algorithm="k-member"), "duckdb")
    assert "single rows" in message(
        path, plan_of(recode__generalize="none", recode__suppress="cell"), "duckdb"
    )
    assert "task" in message(path, plan_of(output__task="illness"), "duckdb")
    assert "ledger" in message(path, plan_of(output__ledger="people.duckdb"), "duckdb")
    with pytest.raises(InputError, match="frames are in memory"):
        make_release(people(1), plan_of(), Silent(), "duckdb")


def test_unknown_engines_and_formats_are_refused(written: Written, tmp_path: Path) -> None:
    path = written(people(1), ".csv")
    assert "the engines are: memory, duckdb" in message(path, plan_of(), "abacus")
    draft = make_release(path, plan_of(), Silent(), "duckdb")
    with pytest.raises(InputError, match="not written piece by piece"):
        Release.written(draft, tmp_path / "out", "xlsx")
    assert not (tmp_path / "out").exists()


def test_views_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "source.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("handed", people(1))
        connection.execute("CREATE TABLE people AS SELECT * FROM handed")
        connection.execute("CREATE VIEW shown AS SELECT * FROM people")
    assert "is a view" in message(path, plan_of(input__table="shown"), "duckdb")


def test_a_wrong_amount_of_memory_is_refused() -> None:
    for wrong in ("much", "", "'; SELECT 1; --"):
        if wrong:
            with pytest.raises(InputError, match="write it as"):
                Scratch(wrong)


def test_what_memory_bounds_is_shared_out_and_never_exceeds_it() -> None:
    for memory, total in {"600MB": 6e8, "2GB": 2e9, "1.5 GiB": 1.5 * 2**30, "64gb": 64e9}.items():
        budget = Budget.of(memory)
        on_disk = int(budget.duckdb.removesuffix("MB")) * 1_000_000
        assert 0 < budget.room < on_disk < total - PROCESS
        assert on_disk + budget.room + PROCESS < total
    assert Budget.of(None).total == Budget.of("50%").total > LEAST
    for wrong in ("much", "", "4", "4XB", "-1GB", "'; SELECT 1; --"):
        with pytest.raises(InputError, match="write it as"):
            Budget.of(wrong)
    with pytest.raises(InputError, match="allow at least 600MB") as refused:
        Budget.of("599MB")
    assert refused.value.code == "engine.memory"


def test_running_out_of_memory_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    with Scratch("20MB") as scratch:
        scratch.run("SET max_temp_directory_size = '1MB'")
        with pytest.raises(InputError, match="allow it more memory"):
            scratch.table("SELECT i, md5(i::VARCHAR) AS s FROM range(3000000) t(i) ORDER BY s")


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "spark"])
def test_tables_of_a_catalog_are_for_spark(name: str) -> None:
    with pytest.raises(InputError, match="table of a catalog, which the spark engine reads") as refused:
        make_release("table:health.people", plan_of(), Silent(), name)
    assert refused.value.code == "table.no-file"


@pytest.mark.parametrize("name", list(AT_HAND))
def test_columns_of_the_same_name_are_refused_alike(tmp_path: Path, name: str) -> None:
    """A Parquet file may hold them; nothing can be said of them."""
    table = people(1)
    twice = pa.Table.from_arrays([*table.columns, table["age"]], names=[*table.column_names, "age"])
    pyarrow.parquet.write_table(twice, tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="more than one column named 'age'") as refused:
        make_release(tmp_path / "twice.parquet", plan_of(output__format="parquet"), Silent(), name)
    assert refused.value.code == "table.repeated-name"


@pytest.mark.parametrize(
    ("algorithm", "options"),
    [("k-member", {}), ("greedy-pk", {}), ("mdav", {"recode__options__release": "interval"})],
)
def test_people_are_not_grouped_by_regions(tmp_path: Path, algorithm: str, options: dict[str, str]) -> None:
    """Told for what it is, before anything is read; more memory would change nothing."""
    plan = plan_of(recode__algorithm=algorithm, input__respondent="person", **options)
    told = message(tmp_path / "nowhere.csv", plan, "spark")
    assert told.startswith(
        f"[recode] algorithm: {algorithm} groups rows region by region in the spark engine"
    )
    assert "respondent" in told
    assert "mondrian" in told
    assert "more memory" not in told
