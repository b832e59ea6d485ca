"""Ways to tamper with a release folder, each a function that changes it in place.

A function returns False where it does not apply (no second table, another format); then the folder is as it was.
Files are changed with other libraries than Kohort's readers where the format allows it.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet

from kohort.errors import InputError
from kohort.table.reading import read_released
from kohort.table.writing import write_table

UNWRITABLE = ("table.beyond-format", "table.empty")  # one column without its one value, or no column at all
Tampering = Callable[[Path], bool | None]
TAMPERINGS: dict[str, Tampering] = {}


def tampering(function: Tampering) -> Tampering:
    TAMPERINGS[function.__name__] = function
    return function


def table_of(folder: Path, stem: str = "table") -> Path:
    return next(path for path in sorted(folder.iterdir()) if path.stem == stem and path.suffix != ".json")


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> bool:
    """Write the table anew with changed cells, as Kohort would have written them; False where the format holds no such cells."""
    cells = read_released(path).to_arrow()
    changed = change(cells)
    path.unlink()
    try:
        write_table(changed, path)
    except InputError as problem:
        if problem.code not in UNWRITABLE:
            raise
        return False
    return not changed.equals(cells)


def texts(table: pa.Table, name: str) -> list[Any]:
    return table[name].to_pylist()


def put(table: pa.Table, name: str, cells: list[Any]) -> pa.Table:
    place = table.column_names.index(name)
    kind = table.schema.field(name).type
    try:
        column = pa.array(cells, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        column = pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
    return table.set_column(place, name, column)


# --- rows ----------------------------------------------------------------------------------------------------


@tampering
def drop_the_first_row(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.slice(1))


@tampering
def drop_the_last_row(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.slice(0, t.num_rows - 1))


@tampering
def drop_half_of_the_rows(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.slice(0, t.num_rows // 2))


@tampering
def duplicate_a_row(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: pa.concat_tables([t, t.slice(0, 1)]))


@tampering
def duplicate_every_row(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: pa.concat_tables([t, t]))


@tampering
def replace_a_row_by_another(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: pa.concat_tables([t.slice(1, 1), t.slice(1)]))


@tampering
def turn_the_rows_around(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.take(list(range(t.num_rows))[::-1]))


# --- cells ---------------------------------------------------------------------------------------------------


def _swapped(table: pa.Table, name: str) -> pa.Table:
    cells = texts(table, name)
    other = next((i for i, cell in enumerate(cells) if cell != cells[0]), 0)
    cells[0], cells[other] = cells[other], cells[0]
    return put(table, name, cells)


def _first_replaced(table: pa.Table, name: str, cell: Any) -> pa.Table:
    return put(table, name, [cell, *texts(table, name)[1:]])


@tampering
def swap_two_values_of_the_last_column(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _swapped(t, t.column_names[-1]))


@tampering
def swap_two_values_of_the_first_column(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _swapped(t, t.column_names[0]))


@tampering
def replace_a_value_by_another_of_its_column(folder: Path) -> bool | None:
    def change(table: pa.Table) -> pa.Table:
        name = table.column_names[-1]
        cells = texts(table, name)
        return _first_replaced(table, name, next((c for c in cells if c != cells[0]), cells[0]))

    return rewrite(table_of(folder), change)


@tampering
def invent_a_value(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _first_replaced(t, t.column_names[-1], "Wolpertinger"))


@tampering
def blank_a_value(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _first_replaced(t, t.column_names[-1], None))


@tampering
def blank_a_quasi_identifier(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _first_replaced(t, t.column_names[0], None))


@tampering
def star_a_quasi_identifier(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _first_replaced(t, t.column_names[0], "*"))


@tampering
def tell_a_quasi_identifier_exactly(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: _first_replaced(t, t.column_names[0], "94138"))


@tampering
def replace_the_table_by_the_original(folder: Path) -> bool | None:
    original = read_released(folder.parent / "patients.csv").to_arrow()
    return rewrite(
        table_of(folder), lambda _: original.select([n for n in original.column_names if n != "name"])
    )


# --- columns -------------------------------------------------------------------------------------------------


@tampering
def drop_a_column(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.drop_columns([t.column_names[0]]))


@tampering
def add_a_column(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.append_column("name", pa.array(["Ann"] * t.num_rows)))


@tampering
def rename_a_column(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.rename_columns(["renamed", *t.column_names[1:]]))


@tampering
def capitalize_a_column(folder: Path) -> bool | None:
    return rewrite(
        table_of(folder), lambda t: t.rename_columns([t.column_names[0].upper(), *t.column_names[1:]])
    )


@tampering
def exchange_two_names(folder: Path) -> bool | None:
    """Where there is one column only, nothing changes."""
    return rewrite(
        table_of(folder), lambda t: t.rename_columns([*t.column_names[:2][::-1], *t.column_names[2:]])
    )


@tampering
def put_the_columns_in_another_order(folder: Path) -> bool | None:
    return rewrite(table_of(folder), lambda t: t.select(t.column_names[::-1]))


# --- bytes ---------------------------------------------------------------------------------------------------


@tampering
def cut_the_table_short(folder: Path) -> bool | None:
    path = table_of(folder)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return None


@tampering
def empty_the_table(folder: Path) -> bool | None:
    table_of(folder).write_bytes(b"")
    return None


@tampering
def append_bytes_to_the_table(folder: Path) -> bool | None:
    with table_of(folder).open("ab") as file:
        file.write(b"\nAnn Quixote,94138,31,F,flu\n")
    return None


@tampering
def change_a_byte_in_the_middle(folder: Path) -> bool | None:
    path = table_of(folder)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    return None


@tampering
def write_noise_over_the_table(folder: Path) -> bool | None:
    table_of(folder).write_bytes(bytes(range(256)) * 20)
    return None


def _recoded(folder: Path, change: Callable[[str], bytes]) -> bool:
    path = table_of(folder)
    if path.suffix not in (".csv", ".tsv"):
        return False
    before = path.read_bytes()
    path.write_bytes(change(before.decode()))
    return path.read_bytes() != before


@tampering
def encode_otherwise(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: text.encode("utf-16"))


@tampering
def put_a_mark_before_the_text(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: text.encode("utf-8-sig"))


@tampering
def end_lines_otherwise(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: text.replace("\n", "\r\n").encode())


@tampering
def delimit_otherwise(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: text.replace(",", ";").replace("\t", ";").encode())


@tampering
def quote_a_cell(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: ('"' + text.replace("\n", '"\n', 1)).encode() if text else b"")


@tampering
def add_a_blank_line(folder: Path) -> bool | None:
    return _recoded(folder, lambda text: (text + "\n").encode())


# --- beside the table in its file ----------------------------------------------------------------------------


@tampering
def add_metadata_to_parquet(folder: Path) -> bool | None:
    path = table_of(folder)
    if path.suffix != ".parquet":
        return False
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.replace_schema_metadata({"note": "Ann Quixote has the flu"}), path)
    return None


@tampering
def compress_parquet_otherwise(folder: Path) -> bool | None:
    path = table_of(folder)
    if path.suffix != ".parquet":
        return False
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path), path, compression="snappy")
    return None


@tampering
def add_a_second_sheet(folder: Path) -> bool | None:
    import xlsxwriter

    path = table_of(folder)
    if path.suffix != ".xlsx":
        return False
    cells = read_released(path).to_arrow()
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("release")
        for j, name in enumerate(cells.column_names):
            for i, cell in enumerate([name, *texts(cells, name)]):
                sheet.write(i, j, cell)
        book.add_worksheet("raw").write(0, 0, "Ann Quixote has the flu")
    return None


@tampering
def add_a_comment_to_the_workbook(folder: Path) -> bool | None:
    path = table_of(folder)
    if path.suffix != ".xlsx":
        return False
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/note.txt", "Ann Quixote has the flu")
    return None


def _in_database(folder: Path, statement: str) -> bool:
    path = table_of(folder)
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        return True
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.execute(statement)
        return True
    return False


@tampering
def add_a_table_to_the_database(folder: Path) -> bool | None:
    return _in_database(folder, "CREATE TABLE raw AS SELECT 'Ann Quixote' AS name")


@tampering
def add_a_view_to_the_database(folder: Path) -> bool | None:
    return _in_database(folder, "CREATE VIEW raw AS SELECT 'Ann Quixote' AS name")


@tampering
def add_an_index_to_the_database(folder: Path) -> bool | None:
    return _in_database(folder, "CREATE INDEX ann ON release (age)")


@tampering
def rename_the_table_of_the_database(folder: Path) -> bool | None:
    return _in_database(folder, "ALTER TABLE release RENAME TO raw")


@tampering
def leave_deleted_rows_in_the_database(folder: Path) -> bool | None:
    path = table_of(folder)
    if path.suffix != ".sqlite":
        return False
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE raw (name TEXT)")
        connection.executemany("INSERT INTO raw VALUES (?)", [("Ann Quixote" * 99,)] * 99)
        connection.commit()
        connection.execute("DROP TABLE raw")
        connection.commit()
    return None


@tampering
def write_another_format_under_the_name(folder: Path) -> bool | None:
    path = table_of(folder)
    cells = read_released(path).to_arrow()
    if path.suffix == ".csv":
        pyarrow.parquet.write_table(cells, path)
    else:
        path.write_text(",".join(cells.column_names) + "\n", encoding="utf-8")
    return None


# --- the folder ----------------------------------------------------------------------------------------------


def _aside(path: Path) -> Path:
    elsewhere = path.parent.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    return Path(shutil.move(path, elsewhere / path.name))


@tampering
def link_to_the_table(folder: Path) -> bool | None:
    path = table_of(folder)
    path.symlink_to(_aside(path))
    return None


@tampering
def link_to_the_manifest(folder: Path) -> bool | None:
    path = folder / "manifest.json"
    path.symlink_to(_aside(path))
    return None


@tampering
def link_to_the_report(folder: Path) -> bool | None:
    path = folder / "report.html"
    path.symlink_to(_aside(path))
    return None


@tampering
def link_to_nothing(folder: Path) -> bool | None:
    path = folder / "report.html"
    path.unlink()
    path.symlink_to(folder / "nothing")
    return None


@tampering
def make_the_table_a_folder(folder: Path) -> bool | None:
    path = table_of(folder)
    path.unlink()
    path.mkdir()
    return None


@tampering
def make_the_report_a_pipe(folder: Path) -> bool | None:
    path = folder / "report.html"
    path.unlink()
    os.mkfifo(path)
    return None


@tampering
def make_the_table_a_pipe(folder: Path) -> bool | None:
    path = table_of(folder)
    path.unlink()
    os.mkfifo(path)
    return None


@tampering
def make_the_manifest_a_pipe(folder: Path) -> bool | None:
    path = folder / "manifest.json"
    path.unlink()
    os.mkfifo(path)
    return None


@tampering
def remove_the_table(folder: Path) -> bool | None:
    table_of(folder).unlink()
    return None


@tampering
def remove_the_manifest(folder: Path) -> bool | None:
    (folder / "manifest.json").unlink()
    return None


@tampering
def remove_the_report(folder: Path) -> bool | None:
    (folder / "report.html").unlink()
    return None


@tampering
def remove_the_signature(folder: Path) -> bool | None:
    (folder / "signature.json").unlink()
    return None


@tampering
def add_a_file(folder: Path) -> bool | None:
    (folder / "raw.csv").write_text("name\nAnn Quixote\n", encoding="utf-8")
    return None


@tampering
def add_a_hidden_file(folder: Path) -> bool | None:
    (folder / ".raw").write_text("name\nAnn Quixote\n", encoding="utf-8")
    return None


@tampering
def add_an_empty_file(folder: Path) -> bool | None:
    (folder / "table.csv~").touch()
    return None


@tampering
def add_a_folder(folder: Path) -> bool | None:
    (folder / "more").mkdir()
    return None


@tampering
def add_a_hidden_folder(folder: Path) -> bool | None:
    (folder / ".git").mkdir()
    (folder / ".git" / "raw.csv").write_text("name\nAnn Quixote\n", encoding="utf-8")
    return None


@tampering
def add_a_link(folder: Path) -> bool | None:
    (folder / "raw.csv").symlink_to(folder.parent / "patients.csv")
    return None


@tampering
def add_the_table_in_another_format(folder: Path) -> bool | None:
    other = ".parquet" if table_of(folder).suffix == ".csv" else ".csv"
    shutil.copy(folder.parent / "patients.csv", folder / f"table{other}")
    return None


@tampering
def add_a_second_table(folder: Path) -> bool | None:
    path = folder / f"sensitive{table_of(folder).suffix}"
    if path.exists():
        return False
    shutil.copy(table_of(folder), path)
    return None


@tampering
def add_a_name_that_moves_the_cursor(folder: Path) -> bool | None:
    (folder / "\x1b[2K\x1b[1Araw").touch()
    return None


@tampering
def exchange_report_and_manifest(folder: Path) -> bool | None:
    one, other = folder / "report.html", folder / "manifest.json"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return None


@tampering
def take_the_table_of_another_release(folder: Path) -> bool | None:
    path = table_of(folder)
    shutil.copy(table_of(folder.parent / "other"), path.with_suffix(".other"))
    path.with_suffix(".other").replace(path)
    return None


@tampering
def take_the_report_of_another_release(folder: Path) -> bool | None:
    shutil.copy(folder.parent / "other" / "report.html", folder / "report.html")
    return None


@tampering
def take_the_manifest_of_another_release(folder: Path) -> bool | None:
    shutil.copy(folder.parent / "other" / "manifest.json", folder / "manifest.json")
    return None


@tampering
def take_the_signature_of_another_release(folder: Path) -> bool | None:
    shutil.copy(folder.parent / "other" / "signature.json", folder / "signature.json")
    return None


# --- the second table of Anatomy -----------------------------------------------------------------------------


def _second(folder: Path, change: Callable[[pa.Table], pa.Table]) -> bool:
    if not list(folder.glob("sensitive.*")):
        return False
    return rewrite(table_of(folder, "sensitive"), change)


@tampering
def swap_values_of_the_second_table(folder: Path) -> bool | None:
    return _second(folder, lambda t: _swapped(t, t.column_names[1]))


@tampering
def drop_a_row_of_the_second_table(folder: Path) -> bool | None:
    return _second(folder, lambda t: t.slice(1))


@tampering
def raise_a_count(folder: Path) -> bool | None:
    return _second(folder, lambda t: _first_replaced(t, "count", 2))


@tampering
def count_nothing(folder: Path) -> bool | None:
    return _second(folder, lambda t: _first_replaced(t, "count", 0))


@tampering
def count_below_nothing(folder: Path) -> bool | None:
    return _second(folder, lambda t: _first_replaced(t, "count", -1))


@tampering
def count_beyond_all(folder: Path) -> bool | None:
    return _second(folder, lambda t: _first_replaced(t, "count", 2**62))


@tampering
def count_in_words(folder: Path) -> bool | None:
    return _second(folder, lambda t: put(t, "count", ["one"] * t.num_rows))


@tampering
def forget_a_count(folder: Path) -> bool | None:
    return _second(folder, lambda t: _first_replaced(t, "count", None))


@tampering
def name_a_group_in_words(folder: Path) -> bool | None:
    return _second(folder, lambda t: put(t, "group", ["one"] * t.num_rows))


@tampering
def turn_the_second_table_around(folder: Path) -> bool | None:
    return _second(folder, lambda t: t.take(list(range(t.num_rows))[::-1]))


@tampering
def remove_the_second_table(folder: Path) -> bool | None:
    if not list(folder.glob("sensitive.*")):
        return False
    table_of(folder, "sensitive").unlink()
    return None


@tampering
def put_the_values_back_beside_the_rows(folder: Path) -> bool | None:
    if not list(folder.glob("sensitive.*")):
        return False
    return rewrite(table_of(folder), lambda t: t.append_column("ill", pa.array(["flu"] * t.num_rows)))


# --- the manifest and the report -----------------------------------------------------------------------------


def _manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> bool:
    path = folder / "manifest.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(told)
    change(told)
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return json.dumps(told) != before


@tampering
def point_the_manifest_elsewhere(folder: Path) -> bool | None:
    """The report of issue 10: the listed file is fine, and the table beside it is raw."""
    path = table_of(folder)
    good = folder.parent / "elsewhere" / path.name
    good.parent.mkdir(exist_ok=True)
    shutil.copy(path, good)
    original = read_released(folder.parent / "patients.csv").to_arrow()
    path.unlink()
    write_table(original, path)
    return _manifest(
        folder, lambda m: m.update(files={f"../elsewhere/{k}": v for k, v in m["files"].items()})
    )


@tampering
def list_the_tables_by_their_whole_path(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m.update(files={str(folder / k): v for k, v in m["files"].items()}))


@tampering
def list_no_digest(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m.update(files=dict.fromkeys(m["files"], "")))


@tampering
def list_one_table_more(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["files"].update({"raw.csv": "0" * 64}))


@tampering
def call_it_perturbed(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["algorithm"].update(truthful=not m["algorithm"]["truthful"]))


@tampering
def ask_for_another_algorithm(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["asked"].setdefault("recode", {}).update(algorithm="mdav"))


@tampering
def ask_for_less(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["asked"].update(require=[{"model": "k-anonymity", "k": 1}]))


@tampering
def ask_for_nothing(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["asked"].update(require=[]))


@tampering
def call_a_quasi_identifier_harmless(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["asked"]["columns"].update(zip={"role": "insensitive"}))


@tampering
def declare_another_column(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m["asked"]["columns"].update(raw={"role": "insensitive"}))


@tampering
def add_a_key_to_the_manifest(folder: Path) -> bool | None:
    return _manifest(folder, lambda m: m.update(note="Ann Quixote has the flu"))


@tampering
def space_the_manifest_otherwise(folder: Path) -> bool | None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    return None


BROKEN = {
    "nothing": "",
    "a list": "[]",
    "a number": "1",
    "null": "null",
    "half": '{"files": ',
    "not a number": '{"files": NaN}',
    "deep": "[" * 100_000,
    "deep objects": '{"files":' * 50_000 + "1" + "}" * 50_000,
    "a long number": '{"rows": ' + "9" * 10_000 + "}",
    "twice": '{"files": {}, "files": {}}',
    "files as a list": '{"files": ["table.csv"], "asked": {}}',
    "files as a text": '{"files": "table.csv", "asked": {}}',
    "digest as a number": '{"files": {"table.csv": 1}, "asked": {}}',
    "asked as a text": '{"files": {"table.csv": "%s"}, "asked": "k"}' % ("0" * 64),
    "asked lacks columns": '{"files": {"table.csv": "%s"}, "asked": {}}' % ("0" * 64),
    "asked holds nonsense": '{"files": {"table.csv": "%s"}, "asked": {"columns": [1], "require": 5}}'
    % ("0" * 64),
    "half a sign": '{"files": {"\\ud800": "%s"}, "asked": {}}' % ("0" * 64),
    "no text": b"\xff\xfe\x00",
}


def break_the_manifest(content: str | bytes) -> Tampering:
    def breaking(folder: Path) -> None:
        (folder / "manifest.json").write_bytes(content.encode() if isinstance(content, str) else content)

    return breaking


for _name, _content in BROKEN.items():
    TAMPERINGS[f"manifest holds {_name}"] = break_the_manifest(_content)


def _report(folder: Path, change: Callable[[str], str]) -> bool:
    path = folder / "report.html"
    before = path.read_text(encoding="utf-8")
    path.write_text(change(before), encoding="utf-8")
    return path.read_text(encoding="utf-8") != before


@tampering
def write_into_the_report(folder: Path) -> bool | None:
    return _report(folder, lambda page: page.replace("</body>", "<p>Ann Quixote has the flu</p></body>"))


@tampering
def run_a_script_in_the_report(folder: Path) -> bool | None:
    return _report(folder, lambda page: page.replace("</head>", "<script>alert(1)</script></head>"))


@tampering
def raise_a_figure_of_the_report(folder: Path) -> bool | None:
    return _report(folder, lambda page: page.replace("2", "7"))


@tampering
def hide_a_remark_in_the_report(folder: Path) -> bool | None:
    return _report(folder, lambda page: page + "<!-- Ann Quixote has the flu -->")


@tampering
def empty_the_report(folder: Path) -> bool | None:
    return _report(folder, lambda _: "")


@tampering
def change_the_signature(folder: Path) -> bool | None:
    path = folder / "signature.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["signature"] = ("0" if told["signature"][0] != "0" else "1") + told["signature"][1:]
    path.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return None


@tampering
def space_the_signature_otherwise(folder: Path) -> bool | None:
    path = folder / "signature.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))) + "\n\n", encoding="utf-8")
    return None


@tampering
def sign_with_another_key(folder: Path) -> bool | None:
    from kohort.folders.release_folder import sha256
    from kohort.release.signing import Signer, new_key, write_signature

    new_key(folder.parent / "mallory.pem")
    digests = {path.name: sha256(path) for path in folder.iterdir() if path.name != "signature.json"}
    write_signature(folder, Signer.load(folder.parent / "mallory.pem"), digests)
    return None


# --- leaf by leaf --------------------------------------------------------------------------------------------


def leaves(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every leaf of a document, empty lists and objects included."""
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    found = False
    for key, value in inner:
        found = True
        yield from leaves(value, (*path, key))
    if not found and path:
        yield path


def other_than(leaf: Any) -> Any:
    """Return something else of the same type."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + 1
    if isinstance(leaf, str):
        return leaf + "x" if not leaf or leaf[-1] != "0" else leaf[:-1] + "1"
    return "x" if leaf is None else [1] if isinstance(leaf, list) else {"x": 1}


def at(told: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return what holds a leaf, and its key."""
    for key in path[:-1]:
        told = told[key]
    return told, path[-1]
