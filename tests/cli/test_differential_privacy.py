"""`kohort anonymize` with differential privacy: what a user is told, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import CELLS, Result

Run = Callable[..., Result]
PLAN = """[input]
path = "patients.csv"

[columns]
name = { role = "identifier" }
age  = { role = "quasi" }
zip  = { role = "quasi" }

[[require]]
model = "k-anonymity"
k = 2

[recode]
algorithm = "dp-mdav"

[recode.options]
epsilon = 0.1
decimals = 0
bounds = { age = [0, 110], zip = [0, 99_999] }
"""


@pytest.fixture
def plan(place: Path) -> Path:
    (place / "private.toml").write_text(PLAN, encoding="utf-8")
    return place / "private.toml"


def test_the_promise_is_told_in_words_with_how_much_noise_there_is(
    kohort: Run, plan: Path, place: Path
) -> None:
    result = kohort("anonymize", plan, "-o", place / "out")
    said = " ".join(result.out.split())
    assert result.code == 0
    assert "ε = 0.1 per record (substitution of one record; the number of records is known)" in said
    assert "The private directory is not covered" in said
    assert "age ±1.47e+03, zip ±1.33e+06" in said  # 2 columns x 2 groups x the range / (0.1 x 3 records)
    assert "records are missing" not in said
    assert kohort("verify", place / "out").code == 0


def test_the_holder_is_told_which_cells_stand_for_others_and_nobody_else_is(
    kohort: Run, plan: Path, place: Path
) -> None:
    told = [
        "recode.options.bounds.age=[40, 110]",
        "columns.ill.role=quasi",
        "recode.options.bounds.ill=[0, 9]",
    ]
    result = kohort("anonymize", plan, "-o", place / "out", *(f"--set={setting}" for setting in told))
    said = " ".join(result.out.split())
    assert "age: 0 records are missing or no number and counted as declared for these; 3 lie outside" in said
    assert "ill: 6 records are missing or no number" in said
    assert "displaced" in (place / "out.private" / "audit.json").read_text(encoding="utf-8")
    for file in (place / "out").iterdir():
        assert b"displaced" not in file.read_bytes()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("recode.seed=4", "[recode] seed"),
        ("output.shuffle=false", "[output] shuffle"),
        ("input.respondent=name", "[input] respondent"),
        ("columns.ill.role=sensitive", "[columns] ill"),
        ("columns.sex.role=quasi", "no bounds for 'sex'"),
        ("columns.age.hierarchy.kind=mask", "[columns] age: its hierarchy"),
        ("recode.options.decimals={age = 0}", "no decimals for 'zip'"),
        ("recode.options.epsilon=0", "epsilon must be a number above 0"),
        ("recode.options.bounds.age=[0]", "the bounds of 'age'"),
    ],
)
def test_what_epsilon_cannot_cover_is_refused(
    kohort: Run, plan: Path, place: Path, setting: str, said: str
) -> None:
    result = kohort("anonymize", plan, "-o", place / "out", "--set", setting)
    assert result.code == 2
    assert said in " ".join(result.err.split())
    assert not [cell for cell in CELLS if cell in result.err]
    assert not (place / "out").exists()
