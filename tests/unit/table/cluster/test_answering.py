"""A place where Spark cannot run, or where nobody answers, is told at once, without what only a server should know."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from kohort.cli.main import app
from kohort.errors import InputError
from kohort.table.cluster import addresses
from kohort.table.cluster.starting import words_of

LOCAL = ["local", "local[1]", "local[*]", "local[16,3]", "local[*, 2]"]
STANDALONE = ["spark://h:7077", "spark://one:7077,two.example.org:7078", "spark://[::1]:7077"]
MASTERS = [*LOCAL, *STANDALONE, "yarn", "k8s://https://h:6443", "k8s://h"]
NO_MASTERS = ["", " ", "foo", "local[0]", "local[x]", "local[2]  ", "local[2", "local[2,0]", "LOCAL", "yarn ", "yarn\n",
              "spark://h", "spark://h:x", "spark://h:99999", "spark://h:0", "spark://", "spark://h:1,", "mesos://h:5050", "k8s://",
              "sc://h:15002", "http://h"]  # fmt: skip
REMOTES = [
    "sc://h",
    "sc://h:15002",
    "sc://h:15002/",
    "sc://h/;token=a;use_ssl=true",
    "sc://[::1]:15002",
    "local[2]",
]
NO_REMOTES = ["", "foo", "sc://", "sc://:15002", "sc://h:99999", "sc://h:abc", "sc://h:0", ":abc", "http://x", "spark://h:7077",
              "sc://h:15002;token=hidden", "sc://me:hidden@h:15002", "sc://[h:15002", "sc://h/path/;token=hidden", "sc://a b",
              " sc://h"]  # fmt: skip


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Yield a port of this machine at which nobody listens yet."""
    for name in addresses._PROXIES:
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield found


def test_what_spark_knows_is_taken() -> None:
    for master in MASTERS:
        addresses.check_master(master)
    for remote in REMOTES:
        addresses.check_remote(remote)


@pytest.mark.parametrize("master", NO_MASTERS)
def test_what_is_no_master_is_refused_with_what_is_allowed(master: str) -> None:
    with pytest.raises(
        InputError, match=r"nothing that Spark knows; write it as local, local\[n\].*spark://"
    ) as refused:
        addresses.check_master(master)
    assert ("as remote" in str(refused.value)) == master.startswith("sc://")


@pytest.mark.parametrize("remote", NO_REMOTES)
def test_what_is_no_server_is_refused_and_nothing_secret_told(remote: str) -> None:
    with pytest.raises(
        InputError, match=r"no address of a Connect server; write it as sc://host:port"
    ) as refused:
        addresses.check_remote(remote)
    assert "hidden" not in str(refused.value.told())


@pytest.mark.parametrize(
    "words", [["--master", "local[0]"], ["--master", ""], ["--remote", "foo"], ["--remote", ""]]
)
def test_commands_refuse_it_before_anything_is_read(words: list[str]) -> None:
    for command in (["anonymize", "none.toml"], ["verify", "none"], ["audit", "none.csv"]):
        with pytest.raises(InputError, match=f"^the {words[0][2:]} .* (is nothing|is no address)") as refused:
            CliRunner().invoke(app, [*command, "--engine", "spark", *words], catch_exceptions=False)
        assert refused.value.code == "cli.option"


def test_nobody_answers_is_told_at_once(taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    port = taken.getsockname()[1]
    remote, master = f"sc://127.0.0.1:{port}", f"spark://127.0.0.1:{port}"
    with pytest.raises(InputError, match=f"nobody answers at {remote} ") as refused:
        addresses.demand_server(f"{remote}/;token=secret")
    assert "secret" not in str(refused.value)
    with pytest.raises(
        InputError, match=f"nobody answers at {master} .*; see whether the master is running there"
    ):
        addresses.demand_master(master)
    taken.listen()
    addresses.demand_server(f"{remote}/;token=secret")
    addresses.demand_master(master)
    addresses.demand_master(f"spark://127.0.0.1:1,127.0.0.1:{port}")  # one of several is enough
    for elsewhere in ("local[2]", "yarn", "k8s://127.0.0.1:1"):
        addresses.demand_master(elsewhere)
    addresses.demand_server("local[2]")


def test_a_server_behind_a_proxy_is_not_asked(taken: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    addresses.demand_server(f"sc://127.0.0.1:{taken.getsockname()[1]}")


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (socket.gaierror(-2, "?"), "no machine of that name is known here"),
        (TimeoutError("timed out"), "it says nothing for 20 seconds"),
        (UnicodeError("label too long"), "no machine can have that name"),
    ],
)
def test_why_nobody_answers_is_told_kindly(
    taken: socket.socket, monkeypatch: pytest.MonkeyPatch, problem: Exception, told: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(socket, "create_connection", fail)
    for ask, place in ((addresses.demand_server, "sc://h"), (addresses.demand_master, "spark://h:7077")):
        with pytest.raises(InputError, match=rf"nobody answers at {place} \({told}\)"):
            ask(place)


def test_what_java_says_is_told_in_one_sentence() -> None:
    of_submit = 'WARNING: x\nException in thread "main" org.apache.spark.SparkException: It must be set.\n\tat o.a.s.X(Y.scala:3)\n'
    of_py4j = (
        "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
        ": org.apache.spark.SparkException: Asked to run locally with 0 threads\n\tat o.a.s.X(Y.scala:3)\n"
    )
    assert words_of(of_submit) == "It must be set"
    assert words_of(of_py4j) == "Asked to run locally with 0 threads"
    assert words_of(f"{of_py4j}Caused by: java.io.IOException: refused there\n\tat x") == "refused there"
    assert words_of("nothing of the kind") == ""
