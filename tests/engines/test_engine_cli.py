"""`kohort anonymize --engine`: what is asked for is what works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kohort import InputError
from kohort.cli.main import app


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    rows = "".join(f"{20 + i % 7},{'FM'[i % 2]},{i % 3}\n" for i in range(60))
    folder = tmp_path / "it's here"
    folder.mkdir()
    (folder / "people.csv").write_text("age,sex,ill\n" + rows)
    path = folder / "plan.toml"
    path.write_text(
        '[input]\npath = "people.csv"\n[columns]\nage = "quasi"\nsex = "quasi"\nill = "sensitive"\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 3\n'
    )
    return path


def run(*words: object) -> dict[str, object]:
    done = CliRunner().invoke(app, ["anonymize", *map(str, words), "--json"], catch_exceptions=False)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_both_engines_tell_the_same(plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(plan.parent))  # a folder that SQL must quote
    told = [
        run(plan, "-o", tmp_path / f"out{i}", *options)
        for i, options in enumerate(([], ["--engine", "memory"], ["--engine", "duckdb", "--memory", "800MB"]))
    ]
    for facts in told:
        facts.pop("seconds")
    assert told[0] == told[1] == told[2]


def test_memory_is_for_the_engine_on_disk(plan: Path) -> None:
    with pytest.raises(InputError, match="add --engine duckdb"):
        run(plan, "--memory", "1GB")
    with pytest.raises(InputError, match="write it as"):
        run(plan, "--engine", "duckdb", "--memory", "plenty")
    with pytest.raises(InputError, match="the engines are: memory, duckdb, spark"):
        run(plan, "--engine", "abacus")
