"""The verifier of written files finds what was done to them, and works where memory is short."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.engines.conftest import AWKWARD, Written, people, plan_of

from kohort.algorithms import Silent
from kohort.errors import VerificationError
from kohort.pipeline import make_release
from kohort.release.draft import Draft
from kohort.release.release import Release
from kohort.table.budget import Budget
from kohort.table.formats.delimited_stream import stream_csv
from kohort.table.reading import read_released, read_table
from kohort.table.scratch import Scratch
from kohort.table.streaming import open_released, open_stream
from kohort.table.writing import write_table


@pytest.fixture
def release(written: Written) -> Draft:
    return make_release(written(people(21), ".csv"), plan_of(input__respondent="person"), Silent(), "duckdb")


def broken(release: Draft, path: Path) -> list[str]:
    return [f"{v.promise}: {v.note}" for v in release.judge({"table": path}).verdicts if not v.holds]


def table_of(release: Draft, folder: Path) -> tuple[Path, pa.Table]:
    path = folder / "table.csv"
    write = release.tables["table"]
    assert callable(write)
    write(path)
    return path, read_released(path).to_arrow()


def test_an_honest_file_holds(release: Draft, tmp_path: Path) -> None:
    path, _ = table_of(release, tmp_path)
    assert broken(release, path) == []
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_row_left_out_is_found(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    write_table(table.slice(1), path)
    assert "rows were written instead of" in "".join(broken(release, path))


def test_an_undeclared_column_is_found(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    write_table(table.append_column("person", table["sex"]), path)
    assert "not declared: 'person'" in "".join(broken(release, path))


def test_of_a_file_that_is_no_release_nothing_is_told(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    for wrong in (table.slice(1), table.append_column("person", table["sex"])):
        write_table(wrong, path)
        with pytest.raises(VerificationError, match="does not hold the rows or columns"):
            release.judge({"table": path}).judged.tell()


def test_without_people_rows_are_counted(written: Written, tmp_path: Path) -> None:
    release = make_release(written(people(21), ".csv"), plan_of(), Silent(), "duckdb")
    path, _ = table_of(release, tmp_path)
    assert broken(release, path) == []


def test_a_changed_cell_is_found(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    tried = []
    for at, name in enumerate(table.column_names):
        cells = table[name].to_pylist()
        lie = next((cell for cell in cells if cell not in (cells[0], None, "*")), None)
        if lie is None or cells[0] == "*":
            continue  # every other label of a level is false
        tried.append(name)
        write_table(table.set_column(at, name, pa.array([lie, *cells[1:]])), path)
        assert any("truthful" in told and repr(name) in told for told in broken(release, path)), name
    assert {"ward", "illness"} < set(tried)


def test_swapped_rows_are_found(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    ill = table["illness"].to_pylist()
    at = next(i for i in range(1, len(ill)) if ill[i] != ill[0])
    order = list(range(len(ill)))
    order[0], order[at] = at, 0
    write_table(table.take(order), path)
    assert "truthful" in "".join(broken(release, path))


def test_a_class_below_k_is_found(release: Draft, tmp_path: Path) -> None:
    path, table = table_of(release, tmp_path)
    ages = ["*", *table["age"].to_pylist()[1:]]  # true, but alone
    write_table(table.set_column(0, "age", pa.array(ages)), path)
    told = broken(release, path)
    assert any(line.startswith("5-anonymity") for line in told)
    assert not any("truthful" in line for line in told)


def test_a_value_that_the_original_lacks_is_found(release: Draft, tmp_path: Path) -> None:
    path, _ = table_of(release, tmp_path)
    path.write_text(path.read_text().replace("gout", "plague"))
    with pytest.raises(VerificationError, match="does not have") as caught:
        release.judge({"table": path})
    assert "plague" not in str(caught.value)


def test_a_false_claim_of_rows_is_found(release: Draft, tmp_path: Path) -> None:
    path, _ = table_of(release, tmp_path)
    order = release.tables["table"].__self__.order  # type: ignore[union-attr]
    claims = pa.parquet.read_table(order)
    rows = claims["row"].to_pylist()
    for lie in ([rows[1], *rows[1:]], [10**6, *rows[1:]]):
        pa.parquet.write_table(claims.set_column(0, "row", pa.array(lie)), order)
        assert "truthful: an original row" in "".join(broken(release, path))


def test_little_memory_spills_and_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "duckdb", "60MB")
    rng = np.random.default_rng(1)
    n = 80_000
    table = pa.table(
        {
            "person": [f"person {i:040d}" for i in rng.integers(0, n // 2, n)],
            "age": [str(a) for a in rng.integers(0, 100, n)],
            "zip": [f"{z:05d}" for z in rng.integers(0, 300, n)],
            "sex": [("F", "M")[s] for s in rng.integers(0, 2, n)],
            "ward": [f"{AWKWARD[w]} {'x' * 200}" for w in rng.integers(0, len(AWKWARD), n)],
            "illness": [("flu", "cold", "gout")[i] for i in rng.integers(0, 3, n)],
        }
    )
    path = tmp_path / "source.parquet"
    pa.parquet.write_table(table, path)
    plan = plan_of(input__respondent="person")
    release = Release.written(make_release(path, plan, Silent(), "duckdb"), tmp_path / "out")
    expected = Release.verified(make_release(path, plan, Silent()))
    assert release.levels == expected.levels
    assert release.suppressed == expected.suppressed
    assert read_released(tmp_path / "out" / "table.csv").n_rows == n - release.suppressed


def size_now(path: Path) -> int:
    """DuckDB's threads remove what they have read back, at any moment."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def test_scratch_spills_to_its_folder() -> None:
    with Scratch("80MB") as scratch:
        seen = 0
        pieces = scratch.pieces("SELECT i, md5(i::VARCHAR) AS s FROM range(2000000) t(i) ORDER BY s")
        for _ in pieces:
            spilled = sum(size_now(p) for p in scratch.path("spill").glob("*"))
            seen = max(seen, spilled)
        assert seen > 1_000_000


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".duckdb", ".sqlite"])
def test_pieces_hold_the_cells_of_the_whole(written: Written, suffix: str) -> None:
    path = written(people(31), suffix)
    whole = read_table(path, missing=["", "cold"])
    stream = open_stream(path, missing=["", "cold"])
    assert stream.names == whole.names
    pieces = list(stream.pieces(["zip", "ward", "illness"]))
    assert len(pieces) > 5
    for name in ("zip", "ward", "illness"):
        told = [text for piece in pieces for text in np.array(piece[name].texts, object)[piece[name].codes]]
        assert told == np.array(whole[name].texts, object)[whole[name].codes].tolist()


@pytest.mark.usefixtures("small_pieces")
def test_released_files_are_read_piece_by_piece_as_whole(tmp_path: Path) -> None:
    table = pa.table(
        {
            "=a": [*AWKWARD, "x", None] * 30,
            "b": ["'", "''=x", '"', ",", "@", "+1", "w", None, "x", "y", "z"] * 30,
        }
    )
    for suffix in (".csv", ".tsv", ".parquet"):
        path = tmp_path / f"t{suffix}"
        write_table(table, path)
        stream = open_released(path)
        assert stream.names == ("=a", "b")
        for name in stream.names:
            told = [text for piece in stream.pieces([name]) for text in piece[name].to_arrow().to_pylist()]
            assert told == table[name].to_pylist(), (suffix, name)


@pytest.mark.usefixtures("small_pieces")
def test_encodings_are_settled_before_the_first_piece(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes(("name,town\n" + "Ann,Bern\n" * 500 + "Zoë,Zürich\n").encode("cp1252"))
    stream = open_stream(path)
    last = list(stream.pieces(["town"]))[-1]
    assert last["town"].to_arrow()[-1].as_py() == "Zürich"
    assert sum(piece.num_rows for piece in stream_csv(path, stream.options)) == 501


def test_sqlite_columns_of_mixed_types_are_read_as_whole(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = tmp_path / "mixed.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a, b, c BOOLEAN, d, e, f)")
        rows = [(1, 1.5, 1, "x", None, 2**60), (2, 2, 0, 7, None, 0.5), (None, None, None, None, None, None)]
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)
    whole = read_table(path)
    (piece,) = open_stream(path).pieces(list("abcdef"))
    for column in whole:
        assert piece[column.name].values.type == column.values.type, column.name
        assert piece[column.name].texts == column.texts
