"""Runs the tests of Spark, in one process that starts one session; what Spark does not need is tested here."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.engines.clusters.processes import (
    ALL,
    EVERY_ENGINES,
    IN_SPARK,
    SAIL,
    run_tests_at,
    sail_environment,
    sail_server,
)
from typer.testing import CliRunner

from kohort import InputError
from kohort.cli.main import app
from kohort.table.cluster import java


@pytest.mark.skipif(
    find_spec("pyspark") is None, reason="the extra spark is not installed here: make test installs it"
)
def test_the_contract_holds_in_spark(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """On this machine, and at a Connect server that the same Java serves: all of it is one test, so that one Java is started."""
    run_tests_at("local[2]", tmp_path, request.config, IN_SPARK, ALL)


@pytest.mark.skipif(not SAIL.exists(), reason="Sail is not installed here: make test installs it")
def test_the_contract_holds_at_sail(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """At a Connect server of another making, which has no Java; what it does not serve is refused by name."""
    with sail_server(tmp_path) as remote:
        run_tests_at(remote, tmp_path, request.config, EVERY_ENGINES, told=sail_environment())


def test_a_java_that_is_too_old_gives_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(place: Path, text: str) -> Path:
        place.parent.mkdir(parents=True)
        place.write_text(f"#!/bin/sh\n{text}\n")
        place.chmod(0o700)
        return place

    old = script(tmp_path / "old" / "bin" / "java", "echo 'openjdk version \"11.0.2\"' >&2")
    new = script(
        tmp_path / "new" / "bin" / "java",
        'echo "openjdk version \\"21.0.1\\"" >&2; for w in "$@"; do echo "<$w>"; done',
    )
    assert (java.version_of(str(old)), java.version_of(str(new)), java.version_of("no-java")) == (11, 21, 0)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "new"))
    java.provide_java()
    assert os.environ["JAVA_HOME"] == str(tmp_path / "new")  # what serves is used
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setattr(java, "_bundled", lambda: new)
    java.provide_java()
    words = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "--add-opens=x", ""]
    told = subprocess.run(
        [Path(os.environ["JAVA_HOME"]) / "bin" / "java", *words], capture_output=True, text=True, check=True
    )
    assert told.stdout.split("\n")[:-1] == ["<-cp>", "<a b>", "<--add-opens=x>", "<>"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--master", "local[2]"], "--master says where Apache Spark runs; add --engine spark"),
        (["--engine", "duckdb", "--remote", "sc://x"], "--remote says where Apache Spark runs"),
        (["--engine", "spark", "--master", "local", "--remote", "sc://x"], "say two places"),
    ],
)
def test_clusters_are_for_spark(words: list[str], told: str) -> None:
    for command in (
        ["anonymize", "p.toml"],
        ["verify", "out"],
        ["audit", "t.csv"],
        ["frontier", "p.toml"],
        ["attack", "out"],
    ):
        with pytest.raises(InputError, match=told):
            CliRunner().invoke(app, [*command, *words], catch_exceptions=False)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import kohort

    (tmp_path / "people.csv").write_text("age,sex\n30,f\n31,m\n")
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(InputError, match=r"kohort\[spark\]"):
        kohort.audit(tmp_path / "people.csv", ["age"], engine="spark")
