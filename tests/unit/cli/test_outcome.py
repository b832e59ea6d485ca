"""What `kohort anonymize` says of the outcome, beyond figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.hand_made import facts as release_facts
from tests.unit.report.hand_made import quasi, told, told_torn

from kohort.cli.anonymize import show
from kohort.facts import ReleaseFacts
from kohort.tables.outcome import outcome


def facts(**changed: Any) -> ReleaseFacts:
    columns = [
        quasi("Kosten [EUR]", 1, ["exact", "any value"], None, loss=1.0),
        quasi("sex", 0, ["exact", "any value"], None, loss=0.0),
    ]
    whole = {
        "rows": 10, "released": 10, "suppressed": 0, "classes": 2, "score": 0.5, "undeclared": ["[note]"],
        "levels": {"Kosten [EUR]": 1, "sex": 0}, "columns": columns,
    }  # fmt: skip
    return release_facts(**(whole | changed))


def said(capsys: pytest.CaptureFixture[str], **changed: Any) -> str:
    changed_facts = facts(**changed)
    show(changed_facts, outcome(changed_facts), Path("out [draft]"))
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
    assert "try kohort compare; or" in told
    named = " ".join(map(str, outcome(facts(), Path("my plan.toml"))))
    assert "try kohort compare 'my plan.toml'; or" in named
    some = [quasi("zip", 1, ["exact", "941**", "94***", "any value"], None, loss=0.4)]
    assert "nothing is left" not in said(capsys, levels={"zip": 1}, columns=some)


def test_a_column_told_by_one_label_below_the_top_is_named_too(capsys: pytest.CaptureFixture[str]) -> None:
    """All that can occur starts with 94: the level below the top tells as little."""
    alike = [quasi("zip", 2, ["exact", "941**", "94***", "any value"], None, loss=1.0)]
    assert "nothing is left of zip;" in said(capsys, levels={"zip": 2}, columns=alike)


def test_perturbation_and_two_tables_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "perturbed" not in said(capsys)
    perturbed = told()["algorithm"] | {"name": "mdav", "truthful": False}
    assert "perturbed" in said(capsys, algorithm=perturbed, levels=None)
    anatomy = told_torn()
    risk = anatomy["risk"] | {"prosecutor": anatomy["risk"]["prosecutor"] | {"average": 0.51}}
    shown = said(
        capsys, algorithm=anatomy["algorithm"], levels=None, apart=anatomy["apart"] | {"groups": 4}, risk=risk
    )
    assert "in 4 groups" in shown
    assert "classes" not in shown
    assert "two tables" in shown
    assert "nobody is hidden: who knows them picks the right row with a chance of 51% on average" in shown


def test_a_search_that_stopped_early_tells_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    search = {"bound": 0.25, "gap": 0.5, "stopped": "time_limit"}
    shown = said(capsys, optimal=False, search=search, seconds={"search": 2.0})
    assert "not proved optimal; nothing can score below 0.25, a gap of 50.0%" in shown
    assert (
        "stopped at the time limit after 2.0 s: the best so far is verified and released, gap 50.0%" in shown
    )
    unknown = said(capsys, optimal=False, search={"stopped": "asked"}, seconds={"search": 2.0})
    assert "stopped as asked after 2.0 s" in unknown
    assert "how near to the best possible it is, is not known" in unknown
