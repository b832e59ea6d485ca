"""`kohort verify` and `kohort keygen` as a user meets them: what is said, and how it ends."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import CELLS, PLAN, Result

Run = Callable[..., Result]


@pytest.fixture
def out(kohort: Run, place: Path) -> Path:
    assert kohort("keygen", place / "key.pem").code == 0
    assert (
        kohort("anonymize", place / "plan.toml", "-o", place / "out", "--sign", place / "key.pem").code == 0
    )
    return place / "out"


def alone(out: Path) -> None:
    shutil.rmtree(out.with_name("out.private"))


def judged(result: Result) -> dict[str, object]:
    told = json.loads(result.out)
    assert told["exit_code"] == result.code
    assert told["holds"] == {0: True, 4: False, 5: None}[result.code]
    assert all(v["judged"] == (v["holds"] is not None) for v in told["verdicts"])
    assert told["judged"] == all(v["judged"] for v in told["verdicts"])
    return {v["promise"]: v["holds"] for v in told["verdicts"]}


def test_the_holder_finds_everything_in_order(kohort: Run, out: Path) -> None:
    result = kohort("verify", out)
    assert result.code == 0
    assert "?" not in result.out
    assert "✗" not in result.out
    assert "everything that was promised was judged, and holds" in result.out
    assert all(judged(kohort("verify", out, "--json")).values())


def test_anybody_else_is_told_what_could_not_be_judged(kohort: Run, out: Path) -> None:
    alone(out)
    result = kohort("verify", out)
    assert result.code == 5
    assert "✓ 2-anonymity" in result.out
    assert "? the promises are those that were made" in result.out
    assert "? truthful" in result.out
    assert "could not be judged" in result.err
    assert not judged(kohort("verify", out, "--json"))["truthful"]


def test_a_recipient_recognises_the_releaser(kohort: Run, out: Path, place: Path) -> None:
    alone(out)
    result = kohort("verify", out, "--signer", place / "key.pem.pub")
    assert result.code == 5  # truth takes the original
    assert "✓ signed by SHA256:" in result.out
    assert "✓ the files are those that were released" in result.out
    assert kohort("keygen", place / "mallory.pem").code == 0
    wrong = kohort("verify", out, "--signer", place / "mallory.pem.pub")
    assert wrong.code == 4
    assert "another key" in wrong.out
    arguments = ("--signer", place / "key.pem.pub", "--plan", place / "plan.toml", "--original")
    assert kohort("verify", out, *arguments, place / "patients.csv").code == 0


def test_nothing_private_is_in_a_signature(out: Path) -> None:
    text = (out / "signature.json").read_text(encoding="utf-8")
    assert not [cell for cell in CELLS if cell in text]
    assert "PRIVATE" not in text


def test_a_key_that_cannot_sign_is_told_before_the_search(kohort: Run, place: Path) -> None:
    result = kohort("anonymize", place / "plan.toml", "-o", place / "out", "--sign", place / "none.pem")
    assert result.code == 2
    assert "keygen" in result.err
    assert not (place / "out").exists()


def test_a_failing_release_says_which_promise_fails_once(kohort: Run, out: Path) -> None:
    (out / "more.csv").touch()
    result = kohort("verify", out)
    assert result.code == 4
    assert "✗ nothing else in the folder – 'more.csv' (file) does not belong there" in result.out
    told = judged(kohort("verify", out, "--json"))
    assert [promise for promise, holds in told.items() if not holds] == ["nothing else in the folder"]


def test_the_number_of_people_is_not_judged_without_the_audit(kohort: Run, place: Path) -> None:
    plan = PLAN.replace('path = "patients.csv"', 'path = "patients.csv"\nrespondent = "name"')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    assert kohort("anonymize", place / "plan.toml", "-o", place / "out").code == 0
    assert kohort("verify", place / "out").code == 0
    people = place / "out.private" / "respondents.parquet"
    kept = people.read_bytes()
    people.write_bytes(kept[:-1] + b"x")
    assert kohort("verify", place / "out").code == 4
    people.unlink()
    assert kohort("verify", place / "out").code == 4
    people.write_bytes(kept)
    alone(place / "out")
    arguments = ("--plan", place / "plan.toml", "--original", place / "patients.csv", "--json")
    result = kohort("verify", place / "out" / "table.csv", *arguments)
    assert result.code == 5
    assert judged(result)["2-anonymity"] is None


def test_rows_left_out_beyond_the_limit_are_found_with_the_original(
    kohort: Run, out: Path, place: Path
) -> None:
    alone(out)
    lines = (out / "table.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    cut = place / "cut.csv"
    cut.write_text("".join(lines[:-1]), encoding="utf-8")
    arguments = ("--plan", place / "plan.toml", "--original", place / "patients.csv", "--json")
    told = judged(kohort("verify", cut, *arguments))
    assert told["no more rows left out than allowed"] is False
    assert told["truthful"] is True


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_releases_of_every_engine_are_judged_alike(engine: str, kohort: Run, place: Path) -> None:
    plan = PLAN.replace('path = "patients.csv"', 'path = "patients.csv"\nrespondent = "name"')
    (place / "plan.toml").write_text(plan, encoding="utf-8")
    assert (
        kohort(
            "anonymize",
            place / "plan.toml",
            "-o",
            place / "out",
            "--engine",
            engine,
            "--set",
            "output.ledger=",
        ).code
        == 0
    )
    told = judged(kohort("verify", place / "out", "--json"))
    assert all(told.values())
    assert "no more rows left out than allowed" in told
    (place / "patients.csv").unlink()
    assert kohort("verify", place / "out").code == 0  # the bytes are those that were judged when it was there
