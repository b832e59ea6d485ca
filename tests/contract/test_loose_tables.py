"""A table that stands by itself: whatever else is in its file is told by `verify`, in every format and engine."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kohort
from kohort.engines import ENGINES
from kohort.errors import InputError
from kohort.table import Table
from kohort.table.formats import DELIMITED, LOOKS, READERS, WRITERS
from kohort.table.streaming import STREAMS
from kohort.table.writing import write_table
from kohort.verification.judges.beside import BESIDE

PEOPLE = {"ward": ["a", "a", "b", "b"], "ill": ["flu", "cold", "flu", "hiv"]}
PLAN = {
    "columns": {"ward": "quasi", "ill": {"role": "sensitive"}},
    "require": [{"model": "k-anonymity", "k": 2}],
}
SECRET = "Eve Example, hiv"


def table_of(cells: dict[str, list[str]]) -> Table:
    return Table.from_arrow(pa.table(cells))


def in_sqlite(*statements: str) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    return add


def in_duckdb(statement: str) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute(statement)

    return add


def in_archive(name: str, text: str) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        with zipfile.ZipFile(path, "a") as book:
            book.writestr(name, text)

    return add


def changed_part(name: str, old: str, new: str) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        with zipfile.ZipFile(path) as book:
            parts = {part: book.read(part) for part in book.namelist()}
        assert old.encode() in parts[name]
        parts[name] = parts[name].replace(old.encode(), new.encode(), 1)
        with zipfile.ZipFile(path, "w") as book:
            for part, content in parts.items():
                book.writestr(part, content)

    return add


def deleted_rows(path: Path) -> None:
    in_sqlite("CREATE TABLE gone (x TEXT)", f"INSERT INTO gone VALUES ('{SECRET}')")(path)
    in_sqlite("PRAGMA secure_delete = OFF", "DROP TABLE gone")(path)


def waiting_changes(path: Path) -> None:
    path.with_name(f"{path.name}-wal").write_bytes(b"not empty")


def rewritten_parquet(change: Callable[[pa.Table], pa.Table]) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        pq.write_table(change(pq.read_table(path)), path)

    return add


def of_column(key: str, value: str) -> Callable[[pa.Table], pa.Table]:
    def told(table: pa.Table) -> pa.Table:
        return table.cast(
            pa.schema([table.schema.field(0).with_metadata({key: value}), table.schema.field(1)])
        )

    return told


def unused_entry(table: pa.Table) -> pa.Table:
    codes = pa.array([0, 0, 1, 1], pa.int32())
    return table.set_column(0, "ward", pa.DictionaryArray.from_arrays(codes, pa.array(["a", "b", SECRET])))


def trailing(path: Path) -> None:
    """Put bytes in front of the footer of a Parquet file, where no reader looks."""
    content = path.read_bytes()
    length = int.from_bytes(content[-8:-4], "little") + 8
    path.write_bytes(content[:-length] + SECRET.encode() + content[-length:])


def statistics(**told: object) -> Callable[[Path], None]:
    def add(path: Path) -> None:
        pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
        writer = pyreadstat.write_sav if path.suffix == ".sav" else pyreadstat.write_dta
        writer(pandas.DataFrame(PEOPLE), str(path), **told)

    return add


# what is put beside a table, by format; True where a look at the parts must find it
BESIDES: dict[tuple[str, str], tuple[Callable[[Path], None], bool]] = {
    (".sqlite", "a view"): (in_sqlite(f"CREATE VIEW v AS SELECT '{SECRET}' AS name"), True),
    (".sqlite", "a trigger"): (in_sqlite(f"CREATE TRIGGER t AFTER INSERT ON release BEGIN SELECT '{SECRET}'; END"), True),
    (".sqlite", "an index"): (in_sqlite(f"CREATE INDEX i ON release (ward) WHERE ward <> '{SECRET}'"), True),
    (".sqlite", "a virtual table"): (in_sqlite("CREATE VIRTUAL TABLE f USING fts5(x)", f"INSERT INTO f VALUES ('{SECRET}')"), True),
    (".sqlite", "deleted rows"): (deleted_rows, True),
    (".sqlite", "changes that wait"): (waiting_changes, True),
    (".sqlite", "a number"): (in_sqlite("PRAGMA user_version = 4711"), False),
    (".duckdb", "a view"): (in_duckdb(f"CREATE VIEW v AS SELECT '{SECRET}' AS name"), True),
    (".duckdb", "a macro"): (in_duckdb(f"CREATE MACRO m() AS '{SECRET}'"), True),
    (".duckdb", "a schema"): (in_duckdb(f'CREATE SCHEMA "{SECRET}"'), True),
    (".duckdb", "a view in a schema"): (in_duckdb(f"CREATE SCHEMA s; CREATE VIEW s.v AS SELECT '{SECRET}'"), True),
    (".duckdb", "a type"): (in_duckdb(f"CREATE TYPE t AS ENUM ('{SECRET}')"), True),
    (".duckdb", "a sequence"): (in_duckdb("CREATE SEQUENCE s START 4711"), True),
    (".duckdb", "an index"): (in_duckdb("CREATE INDEX i ON release (ward)"), True),
    (".duckdb", "a comment on the table"): (in_duckdb(f"COMMENT ON TABLE release IS '{SECRET}'"), True),
    (".duckdb", "a comment on a column"): (in_duckdb(f"COMMENT ON COLUMN release.ward IS '{SECRET}'"), True),
    (".duckdb", "a default"): (in_duckdb(f"ALTER TABLE release ALTER ward SET DEFAULT '{SECRET}'"), True),
    (".parquet", "metadata of the file"): (rewritten_parquet(lambda t: t.replace_schema_metadata({"note": SECRET})), True),
    (".parquet", "metadata of a column"): (rewritten_parquet(of_column("note", SECRET)), True),
    (".parquet", "a name for the codes of polars"): (rewritten_parquet(of_column("_PL_CATEGORICAL2", f"16;0;u32;{SECRET}")), True),
    (".parquet", "more than the type of codes of polars"): (rewritten_parquet(of_column("_PL_CATEGORICAL2", f"0;0;u32;{SECRET}")), True),
    (".parquet", "values of an enum of polars"): (rewritten_parquet(of_column("_PL_ENUM_VALUES2", f"1;a1;b16;{SECRET}")), True),
    (".parquet", "an entry of a dictionary"): (rewritten_parquet(unused_entry), False),
    (".parquet", "bytes that nobody reads"): (trailing, False),
    (".xlsx", "a sheet"): (in_archive("xl/worksheets/sheet2.xml", SECRET), True),
    (".xlsx", "comments"): (in_archive("xl/comments1.xml", SECRET), True),
    (".xlsx", "custom XML"): (in_archive("customXml/item1.xml", SECRET), True),
    (".xlsx", "a pivot cache"): (in_archive("xl/pivotCache/pivotCacheRecords1.xml", SECRET), True),
    (".xlsx", "a program"): (in_archive("xl/vbaProject.bin", SECRET), True),
    (".xlsx", "a defined name"): (
        changed_part("xl/workbook.xml", "</sheets>", f'</sheets><definedNames><definedName name="n">"{SECRET}"</definedName></definedNames>'), True),
    (".xlsx", "a title"): (changed_part("docProps/core.xml", "<dc:creator>", f"<dc:title>{SECRET}</dc:title><dc:creator>"), True),
    (".xlsx", "a maker"): (changed_part("docProps/core.xml", "<dc:creator>", f"<dc:creator>{SECRET}"), False),
    (".xlsx", "a text that no cell shows"): (changed_part("xl/sharedStrings.xml", "</sst>", f"<si><t>{SECRET}</t></si></sst>"), False),
    **{
        (suffix, what): (statistics(**told), found)
        for suffix in (".sav", ".dta")
        for what, told, found in (
            ("labels of columns", {"column_labels": [SECRET, ""]}, True),
            ("a label of the file", {"file_label": SECRET}, True),
        )
    },
    (".sav", "notes"): (statistics(note=SECRET), True),
}  # fmt: skip


def engines_of(suffix: str) -> list[str]:
    return [name for name in ENGINES if name == "memory" or (name == "duckdb" and suffix in STREAMS)]


def judged(path: Path, engine: str) -> bool | None:
    verdicts = kohort.verify(path, PLAN, table_of(PEOPLE) if engine == "memory" else None, engine=engine)
    assert not any(SECRET in verdict.note for verdict in verdicts)
    (beside,) = [verdict for verdict in verdicts if verdict.promise == BESIDE]
    return beside.holds


@pytest.mark.parametrize("suffix", WRITERS)
def test_what_kohort_writes_holds_nothing_beside_its_table(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"release{suffix}"
    write_table(table_of(PEOPLE), path)
    for engine in engines_of(suffix):
        # databases of DuckDB have numbers of their own, and are not twice the same
        assert judged(path, engine) is (None if suffix == ".duckdb" else True), engine


@pytest.mark.parametrize(("suffix", "what"), BESIDES)
def test_whatever_stands_beside_a_table_is_never_passed_over(suffix: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / f"release{suffix}"
    write_table(table_of(PEOPLE), path)
    add, is_found = BESIDES[suffix, what]
    add(path)
    for engine in engines_of(suffix):
        assert judged(path, engine) is (False if is_found else None), engine


def test_every_format_with_parts_is_looked_into() -> None:
    looked = {suffix for suffix, _ in BESIDES}
    assert looked == set(WRITERS) - DELIMITED
    assert set(WRITERS) - DELIMITED <= set(LOOKS) <= set(READERS)


def by_pandas(path: Path, kind: str) -> None:
    pytest.importorskip("pandas").DataFrame(PEOPLE, dtype=kind).to_parquet(path)


def by_polars(path: Path, kind: str) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame(PEOPLE, schema=dict.fromkeys(PEOPLE, getattr(polars, kind))).write_parquet(path)


OTHERS: dict[str, Callable[[Path], None]] = {
    "pandas": lambda path: by_pandas(path, "object"),
    "pandas, coded": lambda path: by_pandas(path, "category"),
    "polars": lambda path: by_polars(path, "String"),
    "polars, coded": lambda path: by_polars(path, "Categorical"),
    "duckdb": lambda path: duckdb.from_arrow(pa.table(PEOPLE)).to_parquet(str(path)),
}


@pytest.mark.parametrize("writer", OTHERS)
def test_a_file_of_another_program_is_not_said_to_hold_nothing_else(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "release.parquet"
    OTHERS[writer](path)
    assert {judged(path, engine) for engine in engines_of(".parquet")} == {None}


def test_an_enum_of_polars_lists_values_that_no_row_has(tmp_path: Path) -> None:
    polars, path = pytest.importorskip("polars"), tmp_path / "release.parquet"
    kinds = {name: polars.Enum([*dict.fromkeys(cells), SECRET]) for name, cells in PEOPLE.items()}
    polars.DataFrame(PEOPLE, schema=kinds).write_parquet(path)
    assert {judged(path, engine) for engine in engines_of(".parquet")} == {False}


def test_a_generated_column_is_refused_by_every_reader(tmp_path: Path) -> None:
    shown = "CASE ill WHEN 'flu' THEN 'Bob' ELSE 'Eve' END"
    made = f"CREATE TABLE t (ward TEXT, ill TEXT, name TEXT GENERATED ALWAYS AS ({shown}) VIRTUAL)"
    with closing(sqlite3.connect(tmp_path / "r.sqlite")) as connection, connection:
        connection.execute(made)
        connection.execute("INSERT INTO t VALUES ('a', 'flu'), ('a', 'hiv')")
    with duckdb.connect(str(tmp_path / "r.duckdb")) as other:
        other.execute(made)
        other.execute("INSERT INTO t VALUES ('a', 'flu'), ('a', 'hiv')")
    for name, engine in product(("r.sqlite", "r.duckdb"), ("memory", "duckdb")):
        with pytest.raises(InputError, match="generated whenever it is read"):
            kohort.verify(tmp_path / name, PLAN, engine=engine)
