"""What is laid over the cells of a workbook is told by what it is."""

from pathlib import Path

import polars as pl

from kohort.table.formats.passed_over import in_workbook


def test_a_table_that_polars_lays_over_the_cells_is_told_as_such(tmp_path: Path) -> None:
    pl.DataFrame({"town": ["a", "b"]}).write_excel(tmp_path / "t.xlsx")
    assert [what for what in in_workbook(tmp_path / "t.xlsx") if "xl/tables" in what and "polars" in what]
    assert len(in_workbook(tmp_path / "t.xlsx")) == 1
