"""Rows in which nothing stands."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from kohort.cli.main import app
from kohort.table.empty_rows import empty_rows, empty_rows_warning, of_nobody
from kohort.table.reading import read_table


def test_a_last_line_of_separators_is_found_and_told_by_init(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age;ill\n30;flu\n;flu\n40;\n;\n", encoding="utf-8")
    table = read_table(path)
    assert empty_rows(table, table.names).tolist() == [3]
    assert empty_rows(table, ["age"]).tolist() == [1, 3]
    assert empty_rows(table, []).tolist() == []
    shown = CliRunner().invoke(app, ["init", str(path), "-o", str(tmp_path / "plan.toml")])
    assert (
        "warning: 1 row holds no value in any of the columns used (row 4, the header not counted)"
        in shown.stderr
    )


def test_one_and_several_are_told_apart() -> None:
    assert empty_rows_warning(0, -1) == []
    assert "2 rows hold" in empty_rows_warning(2, 6)[0]
    assert of_nobody(1, 4) == "1 row names nobody (row 5, the header not counted)"
    assert of_nobody(3, 4) == "3 rows name nobody (the first is row 5, the header not counted)"
