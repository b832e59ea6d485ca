"""What a database file brings along is never run, and stands for nothing that Kohort calls."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import kohort
from kohort.errors import InputError
from kohort.table.formats import database_stream, databases, duckdb_file, passed_over, sqlite_file
from kohort.table.formats.database_stream import names_of_database, stream_database, stream_stored
from kohort.table.formats.databases import read_database
from kohort.table.formats.options import ReadingOptions
from kohort.table.formats.passed_over import in_database
from kohort.table.reading import read_table

OPTIONS = ReadingOptions()
MODULES = (database_stream, databases, duckdb_file, passed_over, sqlite_file)
# Every word before a parenthesis, and DuckDB's own names of what has none.
CALLED = re.compile(r"\b([a-z_]+)\(")
UNNAMED = {"count_star", "count", "lower", "typeof", "min", "max", "cast", "concat", "equals", "error"}


def duck(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def lite(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


def readings(path: Path) -> list[object]:
    """Return all that is read of a database, in every way, or how it was refused."""
    ways = [read_database, names_of_database, lambda p, o: list(stream_database(p, o))]
    ways += [lambda p, _: in_database(p)]
    if path.suffix == ".sqlite":
        ways += [lambda p, o: list(stream_stored(p, o))]
    found: list[object] = []
    for way in ways:
        try:
            found.append(way(path, OPTIONS))
        except InputError as refused:
            found.append(refused.code)
    return found


def ours() -> list[str]:
    """Return the functions that DuckDB has, of those that any word of Kohort's readers may be."""
    with duckdb.connect() as connection:
        known = {
            row[0]
            for row in connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
        }
    words = {
        word
        for module in MODULES
        for word in CALLED.findall(Path(module.__file__ or "").read_text(encoding="utf-8").lower())
    }
    lists = {
        f"duckdb_{listed}"
        for listed in re.findall(r'"([a-z]+)"', Path(passed_over.__file__).read_text("utf-8"))
    }
    return sorted((words | lists | UNNAMED | {"duckdb_tables", "duckdb_views"}) & known)


PEOPLE = "CREATE TABLE people AS SELECT i::INTEGER AS age, 'f' || i AS sex FROM range(5) t(i)"


def test_the_functions_that_are_called_are_known() -> None:
    assert {"duckdb_tables", "duckdb_views", "duckdb_columns", "duckdb_functions", "count", "min"} <= set(
        ours()
    )


@pytest.mark.parametrize("name", ours())
def test_no_macro_stands_for_a_function_of_duckdb(name: str, tmp_path: Path) -> None:
    """A file whose author shadows it, as a value and as a table, in every schema, is read as one without."""
    plain, shadowing = (duck(tmp_path / f"{name}.duckdb", PEOPLE) for name in ("plain", "shadowing"))
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{shadowing}' AS f")
        connection.execute("CREATE SCHEMA f.memory")
        for schema in ("main", "memory"):
            called = f'CREATE MACRO f."{schema}"."{name}"'
            connection.execute(
                f"{called}() AS error('it ran'), (x) AS error('it ran'), (x, y) AS error('it ran')"
            )
            connection.execute(f"{called}() AS TABLE SELECT error('it ran') AS database_name")
    expected, found = readings(plain), readings(shadowing)
    assert found[:3] == expected[:3]
    assert found[3] == ["functions or macros", "further schemas"]


def lying(name: str, answers: dict[str, str]) -> str:
    """Return a macro that answers as one of DuckDB's lists would, with what its author likes."""
    with duckdb.connect() as connection:
        columns = connection.execute(f"DESCRIBE SELECT * FROM {name}()").fetchall()
    told = ", ".join(f'{answers.get(column, "NULL")}::{kind} AS "{column}"' for column, kind, *_ in columns)
    return f"CREATE MACRO {name}() AS TABLE SELECT {told}"


LIES = {
    "database_name": "current_database()",
    "schema_name": "'main'",
    "table_name": "'people'",
    "sql": "'CREATE TABLE people(age INTEGER)'",
    "internal": "FALSE",
}


def test_a_generated_column_is_not_read_because_a_macro_says_so(tmp_path: Path) -> None:
    path = duck(
        tmp_path / "people.duckdb",
        "CREATE TABLE people (age INTEGER, ran INTEGER GENERATED ALWAYS AS (CASE WHEN current_database() <> 'people' THEN error('it ran') END))",
        "INSERT INTO people (age) VALUES (1)",
        lying("duckdb_tables", LIES),
        lying("duckdb_columns", LIES | {"column_name": "'age'", "is_generated": "'NO'"}),
        "CREATE MACRO count_star() AS 0",
    )
    assert readings(path)[:3] == ["table.view"] * 3


def test_a_view_is_no_table_because_a_macro_says_so(tmp_path: Path) -> None:
    path = duck(
        tmp_path / "people.duckdb",
        "CREATE VIEW people AS SELECT error('it ran') AS age",
        lying("duckdb_tables", LIES),
    )
    assert readings(path)[:3] == ["table.empty"] * 3


def test_a_macro_called_count_star_is_no_bug(tmp_path: Path) -> None:
    path = duck(
        tmp_path / "people.duckdb", PEOPLE, "CREATE MACRO count_star() AS 5", "CREATE MACRO lower(x) AS 'z'"
    )
    assert read_table(path).n_rows == 5
    assert list(kohort.propose(path).to_dict()["columns"]) == ["age", "sex"]


def test_schemas_may_be_called_as_duckdbs_own_databases(tmp_path: Path) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS f")
        for schema in ("system", "temp", "memory", "the file", "information_schema2"):
            connection.execute(f'CREATE SCHEMA f."{schema}"')
            connection.execute(f"CREATE TABLE f.\"{schema}\".people AS SELECT '{schema}' AS of")
    for schema in ("system", "temp", "memory", "the file"):
        assert read_database(path, ReadingOptions(table=f"{schema}.people")).column("of").to_pylist() == [
            schema
        ]


@pytest.mark.parametrize(
    "name",
    ["a?b=c", "information_schema", "system", "temp", "main", "memory", "the file", "a'b", 'a"b', "a;b"],
)
def test_a_duckdb_file_may_have_any_name(name: str, tmp_path: Path) -> None:
    assert read_table(duck(tmp_path / "made.duckdb", PEOPLE).rename(tmp_path / f"{name}.duckdb")).n_rows == 5


def test_two_tables_of_one_name_are_asked_about(tmp_path: Path) -> None:
    path = duck(
        tmp_path / "people.duckdb",
        "CREATE SCHEMA a",
        "CREATE TABLE a.b AS SELECT 1 AS inner_one",
        'CREATE TABLE "a.b" AS SELECT 1 AS outer_one',
    )
    for asked in (None, "a.b"):
        with pytest.raises(InputError, match=r'"a"\."b", "main"\."a\.b"') as refused:
            read_table(path, table=asked)
        assert refused.value.code == "table.several-parts"
    assert read_table(path, table='"a"."b"').names == ("inner_one",)
    assert read_table(path, table='"main"."a.b"').names == ("outer_one",)


def test_changes_beside_a_duckdb_file_are_not_made_anew(tmp_path: Path) -> None:
    """DuckDB computes them where it opens the file, by what their author wrote."""
    path = tmp_path / "people.duckdb"
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); c.execute('CREATE TABLE people AS SELECT 1 AS age'); "
            "c.execute('CHECKPOINT'); c.execute(\"SET checkpoint_threshold = '1TB'\"); "
            "c.execute('ALTER TABLE people ALTER age TYPE BIGINT USING (age + 1)'); os._exit(0)",
            str(path),
        ],
        check=True,
    )
    assert path.with_name("people.duckdb.wal").stat().st_size
    for way in (read_table, in_database):
        with pytest.raises(InputError, match=r"changes wait in 'people\.duckdb\.wal'") as refused:
            way(path)
        assert refused.value.code == "table.unreadable"
    duckdb.connect(str(path)).close()
    assert read_database(path, OPTIONS).column("age").to_pylist() == [2]


ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT 'main' AS schema, 'people' AS name, 'table' AS type FROM r"
ROWS = ("CREATE TABLE people (age INTEGER, ill TEXT)", "INSERT INTO people VALUES (20, 'flu'), (21, 'cold')")


@pytest.mark.parametrize("pragma", ["pragma_table_list", "pragma_table_xinfo", "pragma_quick_check"])
@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_nothing_stands_for_a_pragma_of_sqlite(pragma: str, kind: str, tmp_path: Path) -> None:
    columns = "schema, name, type" if kind == "TABLE" else f"AS {ENDLESS}"
    told = f"CREATE {kind} {pragma} ({columns})" if kind == "TABLE" else f"CREATE {kind} {pragma} {columns}"
    path = lite(tmp_path / "people.sqlite", *ROWS, told, f"CREATE VIEW patients AS {ENDLESS}")
    if kind == "TABLE":
        lite(path, f"INSERT INTO {pragma} VALUES ('main', 'patients', 'table')")
        with pytest.raises(InputError) as refused:
            read_table(path, table="patients")
        assert refused.value.code == "table.view"
        assert read_table(path, table="people").n_rows == 2
    else:
        assert read_table(path).n_rows == 2
        assert all(not isinstance(found, str) for found in readings(path))


def test_the_authorizer_lets_no_view_be_read(tmp_path: Path) -> None:
    path = lite(
        tmp_path / "people.sqlite",
        *ROWS,
        "CREATE VIEW v AS SELECT age FROM people",
        f"CREATE VIEW w AS {ENDLESS}",
    )
    for statement in (
        "SELECT * FROM v",
        "SELECT * FROM w LIMIT 1",
        ENDLESS + " LIMIT 1",
        "SELECT upper(ill) FROM people",
        "SELECT load_extension('x')",
        "PRAGMA writable_schema = ON",
        "ATTACH ':memory:' AS x",
        "DELETE FROM people",
        "CREATE TEMP TABLE x (y)",
    ):
        with pytest.raises(InputError), sqlite_file.open_sqlite(path) as connection:
            connection.execute(statement).fetchall()


def test_rows_come_from_the_table_and_not_from_an_index(tmp_path: Path) -> None:
    path = lite(tmp_path / "people.sqlite", *ROWS, "CREATE INDEX i ON people (ill, age)")
    lite(path, "PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'i'")
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT DISTINCT typeof(ill) {sqlite_file.of_table('people')}"
        ).fetchall()
    assert "INDEX" not in str(plan).upper().replace("B-TREE", "")
    assert read_table(path).n_rows == 2


def laughs(path: Path, depth: int) -> Path:
    """Make a table whose pages lead to one page of rows again and again: 400 times at every level."""
    size, times = 4096, 400
    rows = [f"INSERT INTO people VALUES ({20 + i % 7}, 'flu')" for i in range(100)]
    lite(path, f"PRAGMA page_size = {size}", ROWS[0], *rows)
    held = bytearray(path.read_bytes())
    pages = []
    for level in range(depth - 1):
        child, page = (3 + level).to_bytes(4, "big"), bytearray(size)
        cells = [size - 5 * (i + 1) for i in range(times)]
        for i, at in enumerate(cells):
            page[at : at + 5] = child + bytes([i % 128])
        page[0], page[8:12] = 5, child
        page[3:5], page[5:7] = times.to_bytes(2, "big"), cells[-1].to_bytes(2, "big")
        page[12 : 12 + 2 * times] = b"".join(at.to_bytes(2, "big") for at in cells)
        pages.append(bytes(page))
    whole = bytes(held[:size]) + b"".join(pages) + bytes(held[size : 2 * size])
    path.write_bytes(whole[:28] + (len(whole) // size).to_bytes(4, "big") + whole[32:])
    return path


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_pages_that_lead_to_the_same_rows_again_are_damage(depth: int, tmp_path: Path) -> None:
    path = laughs(tmp_path / "people.sqlite", depth)
    with closing(sqlite3.connect(path)) as connection:  # it is a table to SQLite
        assert len(connection.execute("SELECT age FROM people LIMIT 5000").fetchall()) == 5000
    for way in (
        read_database,
        lambda p, o: list(stream_database(p, o)),
        lambda p, o: list(stream_stored(p, o)),
    ):
        with pytest.raises(InputError) as refused:
            way(path, OPTIONS)
        assert refused.value.code == "table.damaged"


def test_a_table_may_be_called_by_a_number(tmp_path: Path) -> None:
    path = lite(tmp_path / "people.sqlite", 'CREATE TABLE "2024" (age)', 'INSERT INTO "2024" VALUES (1)')
    assert read_table(path).n_rows == 1
    lite(path, "CREATE TABLE other (a, b AS (abs(-9223372036854775808)) NOT NULL)")
    with pytest.raises(InputError) as refused:
        read_table(path, table="2024")
    assert refused.value.code == "table.view"


def test_a_value_that_stands_for_many_rows_is_read_within_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column that was added with a usual value takes no room in the file, and all of it where rows are read."""
    path = lite(
        tmp_path / "people.sqlite",
        "CREATE TABLE people (age)",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000) INSERT INTO people SELECT n FROM r",
        f"ALTER TABLE people ADD COLUMN more DEFAULT '{'x' * 100_000}'",
    )
    monkeypatch.setattr(sqlite_file, "MEMORY", 10_000_000)
    with pytest.raises(InputError, match="far more than its") as refused:
        read_table(path)
    assert refused.value.code == "table.damaged"
    assert read_table(path, columns=["age"]).n_rows == 2000


def test_a_list_of_tables_that_does_not_end_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lite(tmp_path / "people.sqlite", *ROWS, *(f"CREATE TABLE t{i} (a UNIQUE)" for i in range(2000)))
    assert read_table(path, table="people").n_rows == 2
    monkeypatch.setattr(sqlite_file, "_STEPS", 10_000)
    monkeypatch.setattr(sqlite_file, "_STEPS_PER_BYTE", 0)
    with pytest.raises(InputError) as refused:
        read_table(path, table="people")
    assert refused.value.code == "table.damaged"
