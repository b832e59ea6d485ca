"""`kohort hierarchy` and `kohort import` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import CELLS
from tests.unit.arx.test_projects import project


def test_a_hierarchy_is_shown_with_its_counts_and_who_may_see_it(kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    shown = kohort("hierarchy", "show", place / "plan.toml", "zip")
    assert shown.code == 0
    assert "private" in shown.out
    assert (
        "level 0, exact: 4 labels, 4 of them in the table; the rarest in 1 row, one row each: 2" in shown.out
    )
    assert "level 1, 1 hidden: 2 labels" in shown.out
    assert "94138" not in shown.out  # values are what export is for
    told = json.loads(kohort("hierarchy", "show", place / "plan.toml", "zip", "--json").out)
    assert told["levels"][1]["labels"] == [
        {"label": "9413*", "rows": 4, "values": 2},
        {"label": "9414*", "rows": 2, "values": 2},
    ]


def test_exported_edited_and_checked(kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    plan = place / "plan.toml"
    made = kohort("hierarchy", "export", plan, "zip")
    assert (made.code, "private" in made.out) == (0, True)
    assert kohort("hierarchy", "check", plan, "zip").code == 0
    file = place / "zip.csv"
    file.write_text(file.read_text().replace("94138;9413*", "94138;13-Sep"))
    found = kohort("hierarchy", "check", plan, "zip", "-f", file)
    assert found.code == 2
    assert "1 cell at level 1 is a date" in found.out
    assert not any(cell in found.out + found.err for cell in CELLS)
    told = json.loads(kohort("hierarchy", "check", plan, "zip", "--json").out)
    assert [fault["rows"] for fault in told["faults"]] == [[1]]
    assert kohort("hierarchy", "export", plan, "zip").code == 2  # nothing is replaced


def test_the_level_file_of_a_plan_is_checked_even_where_it_cannot_be_built(kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    plan = place / "plan.toml"
    plan.write_text(plan.read_text().replace('{ kind = "mask" }', '{ kind = "file", path = "zips.csv" }'))
    (place / "zips.csv").write_text("94138;a;*\n94139;a;*\n94141;b;*\n94141;b;*\n")
    found = kohort("hierarchy", "check", plan, "zip")
    assert found.code == 2
    assert "1 ground value stands there more than once (row 4)" in found.out
    assert "1 value of the table is not there, in 1 row of it" in found.out


@pytest.mark.parametrize("where", ["beside.csv", "below/it.csv", "../above.csv", "with 'blanks' ü.csv"])
def test_the_line_for_the_plan_works_as_it_is_printed(where: str, kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    plan = place / "plan.toml"
    (place / "below").mkdir()
    made = kohort("hierarchy", "export", plan, "zip", "-o", place / where)
    line = made.out.partition("in the plan: hierarchy = ")[2].partition("\n")[0]
    plan.write_text(plan.read_text().replace('{ kind = "mask" }', line), encoding="utf-8")
    assert line in plan.read_text(encoding="utf-8")
    assert kohort("hierarchy", "show", plan, "zip").code == 0


@pytest.mark.parametrize("command", ["show", "export", "check"])
def test_an_unknown_column_is_answered_by_those_there_are(command: str, kohort, place: Path) -> None:  # type: ignore[no-untyped-def]
    found = kohort("hierarchy", command, place / "plan.toml", "zap")
    assert found.code == 2
    assert "the plan has no column 'zap'; its columns are: name, zip, age, sex, ill" in found.err


def test_a_project_is_imported_and_says_what_does_not_map(kohort, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    place = project(tmp_path)
    made = kohort("import", place, "-o", tmp_path / "new" / "plan.toml")
    assert made.code == 0
    assert "does not map: column 'zip': its hierarchy had several roots" in made.out
    assert kohort("anonymize", tmp_path / "new" / "plan.toml").code == 0
    told = json.loads(kohort("import", place, "-o", tmp_path / "more" / "plan.toml", "--json").out)
    assert (Path(told["plan"]).name, len(told["level_files"])) == ("plan.toml", 2)
    assert kohort("import", tmp_path / "none.deid").code == 2
