"""`kohort anonymize` and `kohort verify`, from plan to release."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import PLAN, Result

Run = Callable[..., Result]
WHOLE_CELLS = ("Quixote", "94138", "94139", "94141", "94142", "asthma", "cold", "flu")


def test_json_is_one_object_with_what_the_interface_names(kohort: Run, place: Path) -> None:
    result = kohort("anonymize", place / "plan.toml", "-o", place / "out", "--json")
    assert result.code == 0
    told = json.loads(result.out)
    assert {"rows", "released", "suppressed", "classes", "levels", "objective", "score", "optimal", "nodes",
            "checked", "verdicts", "losses", "seconds"} <= set(told)  # fmt: skip
    assert told["rows"] == told["released"] == 6
    assert told["verdicts"][0] == {"promise": "2-anonymity", "achieved": 2, "holds": True}
    assert set(told["seconds"]) >= {"read", "search", "write", "total"}


def test_the_directory_holds_table_manifest_and_report_and_the_audit_stands_apart(
    kohort: Run, place: Path
) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    assert sorted(p.name for p in (place / "out").iterdir()) == ["manifest.json", "report.html", "table.csv"]
    private = place / "out.private"
    assert (private / "audit.json").exists()
    assert private.stat().st_mode & 0o077 == 0
    assert (private / "audit.json").stat().st_mode & 0o077 == 0
    assert not [p for p in place.iterdir() if p.name.startswith(".")]


def test_the_manifest_and_the_report_tell_no_cell_of_the_table(kohort: Run, place: Path) -> None:
    kohort("anonymize", place / "plan.toml", "-o", place / "out", "--set", "recode.seed=4")
    for name in ("manifest.json", "report.html"):
        text = (place / "out" / name).read_text(encoding="utf-8")
        assert not [cell for cell in WHOLE_CELLS if cell in text]
        assert "patients.csv" not in text
        assert "seed" not in text.replace("the seed and columns that are not released", "")


def test_set_overrides_the_plan(kohort: Run, place: Path) -> None:
    told = json.loads(kohort("anonymize", place / "plan.toml", "--set", "require.0.k=3", "--json").out)
    assert told["verdicts"][0]["promise"] == "3-anonymity"


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "xlsx"])
def test_every_format_is_written_and_verified(format: str, kohort: Run, place: Path) -> None:
    setting = f'output.format="{format}"'
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out", "--set", setting).code == 0
    assert (place / "out" / f"table.{format}").exists()
    assert kohort("verify", place / "out").code == 0


def test_an_earlier_release_is_replaced(kohort: Run, place: Path) -> None:
    for k in (2, 3):
        assert (
            kohort("anonymize", place / "plan.toml", "-o", place / "out", "--set", f"require.0.k={k}").code
            == 0
        )
    manifest = json.loads((place / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["verdicts"][0]["promise"] == "3-anonymity"
    assert sorted(p.name for p in place.iterdir()) == ["out", "out.private", "patients.csv", "plan.toml"]


def test_verify_counts_people_by_the_private_audit(kohort: Run, place: Path) -> None:
    plan = PLAN.replace('path = "patients.csv"', 'path = "patients.csv"\nrespondent = "name"')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    told = json.loads(kohort("verify", place / "out", "--json").out)
    assert told["holds"]
    (place / "out.private" / "audit.json").unlink()
    (place / "out.private" / "respondents.parquet").unlink()
    result = kohort("verify", place / "out", "--json")
    alone = json.loads(result.out)
    counted = next(v for v in alone["verdicts"] if v["promise"] == "2-anonymity")
    assert "the private audit alone tells" in counted["note"]
    assert (counted["holds"], counted["judged"], alone["holds"], alone["judged"]) == (
        None,
        False,
        None,
        False,
    )
    assert result.code == alone["exit_code"] == 5


def test_verify_judges_a_table_by_a_plan(kohort: Run, place: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    table = place / "out" / "table.csv"
    arguments = ("--plan", place / "plan.toml", "--original", place / "patients.csv")
    assert kohort("verify", table, *arguments).code == 0
    table.write_text(table.read_text(encoding="utf-8").replace("flu", "cold", 1), encoding="utf-8")
    result = kohort("verify", table, *arguments)
    assert result.code == 4
    assert "✗ truthful" in result.out


def test_a_failed_verification_leaves_nothing(
    kohort: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kohort.table import Table

    def truncated(path: Path) -> Table:
        from kohort.table.reading import read_table

        arrow = read_table(path).to_arrow()
        return Table.from_arrow(arrow.slice(0, 1))

    monkeypatch.setattr("kohort.preparation.sources.read_released", truncated)
    result = kohort("anonymize", place / "plan.toml", "-o", place / "out")
    assert result.code == 4
    assert sorted(p.name for p in place.iterdir()) == ["patients.csv", "plan.toml"]


def test_verify_reads_tables_that_others_wrote(kohort: Run, place: Path) -> None:
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    table = place / "out" / "table.csv"
    foreign = place / "foreign.csv"
    foreign.write_text(table.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    assert kohort("verify", foreign, "--plan", place / "plan.toml").code == 5  # truth takes the original
    arguments = ("--plan", place / "plan.toml", "--original", place / "patients.csv")
    assert kohort("verify", foreign, *arguments).code == 0


def test_an_error_is_one_json_object_where_json_was_asked_for(kohort: Run, place: Path) -> None:
    plan = PLAN.replace("k = 2", 'k = 2\n[[require]]\nmodel = "l-diversity"\ncolumn = "ill"\nl = 4')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    result = kohort("anonymize", place / "plan.toml", "--json")
    told = json.loads(result.out)
    assert (result.code, told["exit_code"]) == (3, 3)
    assert told["error"]["message"] in " ".join(result.err.split()).removeprefix("error: ")
    assert told["error"]["code"].startswith("infeasible.")
    assert told["error"]["nearest"]
