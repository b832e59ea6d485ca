"""Tables of DuckDB and SQLite files."""

import re
import sqlite3
from contextlib import closing
from datetime import date

import duckdb
import pyarrow as pa
import pytest

from kohort.errors import InputError
from kohort.table.formats import databases, duckdb_file
from kohort.table.formats.database_stream import names_of_database, stream_database
from kohort.table.formats.options import ReadingOptions
from kohort.table.reading import read_released, read_table
from kohort.table.writing import write_table


def cells(table):
    return {column.name: [column.texts[code] for code in column.codes] for column in table}


@pytest.fixture
def duck(tmp_path):
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            """CREATE TABLE people AS SELECT '01234' AS zip, 1.50::DECIMAL(9, 2) AS amount, DATE '2020-03-01' AS day,
            170141183460469231731687303715884105727::HUGEINT AS large, 340282366920938463463374607431768211455::UHUGEINT
            AS larger, TRUE AS flag, 'a'::ENUM ('a', 'Xanthippe') AS kind, NULL::BIGINT AS nothing"""
        )
    return path


@pytest.fixture
def lite(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE people (zip TEXT, n INTEGER, x REAL, mixed, flag BOOLEAN, two BOOLEAN)"
        )
        rows = [("01234", 2**62, 0.5, "01", 1, 2), (None, None, None, 12, 0, 1), ("", 3, 2.0, 1.5, None, 0)]
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", rows)
    return path


def test_duckdb_values_are_exact(duck):
    table = read_table(duck)
    assert cells(table) == {
        "zip": ["01234"],
        "amount": ["1.5"],
        "day": ["2020-03-01"],
        "large": ["170141183460469231731687303715884105727"],
        "larger": ["340282366920938463463374607431768211455"],
        "flag": ["true"],
        "kind": ["a"],
        "nothing": [None],
    }
    assert table["day"].values.type == pa.date32()


def test_sqlite_values_are_exact(lite):
    table = read_table(lite)
    assert cells(table) == {
        "zip": ["01234", None, None],
        "n": [str(2**62), None, "3"],
        "x": ["0.5", None, "2"],
        "mixed": ["01", "12", "1.5"],
        "flag": ["true", "false", None],
        "two": [
            "2",
            "true",
            "false",
        ],  # each cell by itself: whether 1 is true must not follow from somebody's 2
    }
    assert cells(read_table(lite, missing=["01234"], columns=["zip"])) == {"zip": [None, None, None]}


def test_the_first_bytes_tell_the_kind(duck, lite, tmp_path):
    assert read_table(duck.rename(tmp_path / "a.db")).n_rows == 1
    assert read_table(lite.rename(tmp_path / "b.db")).n_rows == 3


@pytest.mark.parametrize("kind", ["duck", "lite"])
def test_tables_are_chosen_by_name(kind, request):
    path = request.getfixturevalue(kind)
    connect = duckdb.connect if kind == "duck" else sqlite3.connect
    with closing(connect(str(path))) as connection:
        connection.execute('CREATE TABLE "odd ""name""" AS SELECT 1 AS a')
        connection.commit()
    assert cells(read_table(path, table='odd "name"')) == {"a": ["1"]}
    with pytest.raises(InputError, match=r'holds several tables; state one of them .*: odd "name", people'):
        read_table(path)
    with pytest.raises(InputError, match=r"has no table 'visits'; state one of them .*: odd .name., people"):
        read_table(path, table="visits")
    with pytest.raises(InputError, match="has no column 'nowhere'"):
        read_table(path, table="people", columns=["nowhere"])


def test_what_cannot_be_read(tmp_path):
    path = tmp_path / "people.db"
    path.write_bytes(b"SQLite format 3\0" + b"\1" * 200)
    with pytest.raises(InputError, match="cannot be read as an SQLite database"):
        read_table(path)
    path.write_bytes(b"\0" * 8 + b"DUCK" + b"\1" * 200)
    with pytest.raises(InputError, match="cannot be read as a DuckDB database"):
        read_table(path)
    path.write_bytes(b"people")
    with pytest.raises(InputError, match="neither a DuckDB nor an SQLite database"):
        read_table(path)
    with closing(sqlite3.connect(tmp_path / "empty.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    with pytest.raises(InputError, match="holds no table"):
        read_table(tmp_path / "empty.sqlite")
    with closing(sqlite3.connect(tmp_path / "blobs.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE people AS SELECT x'5861' AS photo")
    with pytest.raises(InputError, match="column 'photo' holds binary cells"):
        read_table(tmp_path / "blobs.sqlite")


def test_undecodable_text_is_not_quoted(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people AS SELECT CAST(x'58616e74ff' AS TEXT) AS name")
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert "Xant" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("suffix", [".duckdb", ".sqlite"])
def test_a_written_table_has_the_name_asked_for(tmp_path, suffix):
    path = tmp_path / f"release{suffix}"
    write_table(pa.table({"day": [date(2020, 3, 1)], "flag": [True]}), path, name="people 2020")
    assert cells(read_table(path, table="people 2020")) == {"day": ["2020-03-01"], "flag": ["true"]}
    assert read_released(path).n_rows == 1


def test_a_database_whose_names_are_no_text_is_damaged(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (age INTEGER)")
    path.write_bytes(
        path.read_bytes().replace(b"people", b"peo\x94le").replace(b"CREATE TABLE", b"CREATE TABXE")
    )
    with pytest.raises(InputError, match="cannot be read as an SQLite database") as refused:
        read_table(path)
    assert refused.value.code == "table.damaged"


def test_a_table_of_another_schema_is_read_and_named_with_it(tmp_path):
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE SCHEMA "ward 3"')
        connection.execute("""CREATE TABLE "ward 3"."p.q" AS SELECT 1 AS n""")
    assert cells(read_table(path)) == {"n": ["1"]}
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people AS SELECT 2 AS n")
    assert cells(read_table(path, table="ward 3.p.q")) == {"n": ["1"]}
    assert cells(read_table(path, table="people")) == {"n": ["2"]}
    with pytest.raises(InputError, match=r"'?ward 3\.p\.q"):
        read_table(path)


def test_columns_generated_when_a_row_is_stored_are_read_and_programs_are_refused(tmp_path):
    path = tmp_path / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (n INTEGER, twice INTEGER AS (2 * n) STORED)")
        connection.execute("INSERT INTO people VALUES (1)")
    assert cells(read_table(path)) == {"n": ["1"], "twice": ["2"]}
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE people ADD COLUMN thrice INTEGER AS (3 * n) VIRTUAL")
    with pytest.raises(InputError, match="generated whenever it is read"):
        read_table(path)


# Columns as DuckDB's authors write them: whatever computes one at a reading would end with an error of its own,
# for the file has another name by then.
RAN = "CASE WHEN current_database() <> 'made' THEN error('it ran') END"
COMPUTED = (
    f"g INTEGER GENERATED ALWAYS AS ({RAN})",
    f"g INTEGER AS ({RAN})",
    '"gene""rated' + "'" + f'" VARCHAR AS ({RAN}) VIRTUAL',
    '"it\'s" VARCHAR DEFAULT \'a"\', g VARCHAR AS (random()::VARCHAR || "it\'s")',
)
STORED = (
    "g VARCHAR DEFAULT 'x INTEGER GENERATED ALWAYS AS (1)'",
    '"x INTEGER GENERATED ALWAYS AS (1)" INTEGER',
    "g INTEGER CHECK (g > 0) DEFAULT 2",
    "generated INTEGER, always INTEGER",
)


def with_column(path, declared, schema="main"):
    made = path.with_name("made.duckdb")
    if path.exists():
        path.rename(made)
    with duckdb.connect(str(made)) as connection:
        connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        connection.execute(f'CREATE TABLE "{schema}".people (n INTEGER, {declared})')
        connection.execute(f'INSERT INTO "{schema}".people (n) VALUES (1)')
    return made.rename(path)


@pytest.mark.parametrize("flagged", [True, False], ids=["flagged", "by statement"])
@pytest.mark.parametrize("schema", ["main", "ward 3"])
@pytest.mark.parametrize("declared", COMPUTED)
def test_what_duckdb_computes_at_each_reading_is_refused_before_it_runs(
    declared, schema, flagged, tmp_path, monkeypatch
):
    """Also where a column that is stored is asked for, and in a DuckDB whose catalog flags no such column."""
    path = with_column(tmp_path / "people.duckdb", declared, schema)
    if flagged:
        monkeypatch.setattr(duckdb_file, "_GENERATED", re.compile(r"(?!)"))
    else:
        monkeypatch.setattr(duckdb_file, "_FLAG", "NEVER SO")
    options = ReadingOptions(columns=("n",))
    ways = (
        lambda: read_table(path),
        lambda: read_released(path),
        lambda: databases.read_database(path, options),
        lambda: names_of_database(path, options),
        lambda: list(stream_database(path, options)),
    )
    for way in ways:
        with pytest.raises(InputError, match="generated whenever it is read") as refused:
            way()
        assert refused.value.code == "table.view"


@pytest.mark.parametrize("declared", STORED)
def test_columns_that_only_sound_generated_are_read(declared, tmp_path):
    path = with_column(tmp_path / "people.duckdb", declared)
    assert cells(read_table(path))["n"] == ["1"]


def test_only_the_table_that_is_read_must_hold_its_cells(tmp_path):
    path = with_column(tmp_path / "people.duckdb", COMPUTED[0], "ward 3")
    with_column(path, "m INTEGER", "main")
    assert cells(read_table(path, table="people"))["n"] == ["1"]
