"""What `kohort anonymize` says of the outcome, beyond figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kohort.cli.anonymize import show
from kohort.tables.told import outcome


def facts(**changed: Any) -> dict[str, Any]:
    return {
        "verdicts": [{"promise": "2-anonymity", "achieved": 2, "holds": True}],
        "rows": 10, "released": 10, "suppressed": 0, "classes": 2,
        "levels": {"Kosten [EUR]": 1, "sex": 0},
        "columns": [{"name": "Kosten [EUR]", "height": 1, "loss": 1.0}, {"name": "sex", "height": 1, "loss": 0.0}],
        "objective": "loss", "score": 0.5, "optimal": True, "undeclared": ["[note]"],
        "algorithm": {"name": "optimal", "truthful": True, "torn": False},
    } | changed  # fmt: skip


def said(capsys: pytest.CaptureFixture[str], **changed: Any) -> str:
    told = facts(**changed)
    show(told, outcome(told), Path("out [draft]"))
    return " ".join(capsys.readouterr().out.split())


def test_brackets_in_names_and_paths_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys)
    assert "Kosten [EUR] 1 1 100%" in told
    assert "does not name them: [note]" in told
    assert "report: out [draft]/report.html" in told


def test_a_column_of_which_nothing_is_left_is_named_with_what_helps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = said(capsys)
    assert "nothing is left of Kosten [EUR];" in told
    assert 'generalize = "cell"' in told
    assert "nothing is left" not in said(capsys, levels={"Kosten [EUR]": 0, "sex": 0})


def test_perturbation_and_two_tables_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "perturbed" not in said(capsys)
    assert "perturbed" in said(
        capsys, algorithm={"name": "mdav", "truthful": False, "torn": False}, levels=None
    )
    anatomy = {"name": "anatomy", "truthful": True, "torn": True}
    told = said(
        capsys,
        algorithm=anatomy,
        levels=None,
        groups=4,
        column="ill",
        risk={"prosecutor": {"average": 0.51}},
    )
    assert "in 4 groups" in told
    assert "classes" not in told
    assert "two tables" in told
    assert "nobody is hidden: who knows them picks the right row with a chance of 51% on average" in told


def test_a_search_that_stopped_early_tells_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, optimal=False, bound=0.25, gap=0.5, stopped="time_limit", seconds={"search": 2.0})
    assert "not proved optimal; nothing can score below 0.25, a gap of 50.0%" in told
    assert (
        "stopped at the time limit after 2.0 s: the best so far is verified and released, gap 50.0%" in told
    )
    unknown = said(capsys, optimal=False, stopped="asked", seconds={"search": 2.0})
    assert "stopped as asked after 2.0 s" in unknown
    assert "how near to the best possible it is, is not known" in unknown
