"""What `--set` reaches, and what a plan with a mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kohort.errors import InputError
from kohort.plan import Plan

PLAN = """
[columns]
"Größe (m)" = { role = "quasi" }
"a.b" = { role = "quasi" }
[[require]]
model = "k-anonymity"
k = 5
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "key", ["columns.Größe (m).weight", 'columns."Größe (m)".weight', "columns.'Größe (m)'.weight"]
)
def test_a_column_is_named_plainly_or_quoted(file: Path, key: str) -> None:
    assert Plan.load(file, [f"{key}=3"]).columns["Größe (m)"].weight == 3


def test_a_quoted_column_may_hold_a_dot(file: Path) -> None:
    assert Plan.load(file, ['columns."a.b".weight=2']).columns["a.b"].weight == 2


@pytest.mark.parametrize(
    "setting", ["recode..seed=1", ".recode=1", "recode.=1", "=1", 'columns."a.b=1', "recode.seed"]
)
def test_what_is_no_key_is_refused(file: Path, setting: str) -> None:
    with pytest.raises(InputError, match=r"write it as section\.key=value"):
        Plan.load(file, [setting])


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("recode.algoritm=1", "there is no key `algoritm`; it takes: generalize"),
        ("recode.generalize=row", "generalize: there is no value 'row'; it takes: attribute, cell, none"),
        ("recode.max_suppression=5%", "max_suppression: expected a number, got text"),
        ('columns."a.b".hierarchy=mask', 'write it as { kind = "mask" }'),
        ("output.format=docx", "[output] format is 'docx'; it must be one of: csv, dta"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(file: Path, setting: str, told: str) -> None:
    with pytest.raises(InputError) as problem:
        Plan.load(file, [setting])
    assert told in str(problem.value)


def test_a_plan_that_is_not_there_can_be_drafted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="kohort init TABLE"):
        Plan.load(tmp_path / "plan.toml")
