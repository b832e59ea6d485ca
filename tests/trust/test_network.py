"""No command needs a network: each runs with the network cut off, and none so much as tries to open a socket."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOOK = """
import sys

def told(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request"):
        print("NETWORK", event, file=sys.stderr)

sys.addaudithook(told)
"""
TABLE = "zip,age,ill\n" + "".join(
    f"9413{i % 3},{20 + i % 30},{('flu', 'cold', 'asthma')[i % 3]}\n" for i in range(90)
)
PLAN = """
[input]
path = "people.csv"
[columns]
zip = { role = "quasi", hierarchy = { kind = "mask" } }
age = { role = "quasi", hierarchy = { kind = "intervals", widths = [10, 50], domain = [0, 99] } }
ill = { role = "sensitive" }
[[require]]
model = "k-anonymity"
k = 3
[output]
ledger = "ledger.duckdb"
"""
COMMANDS = (
    ("init", "people.csv", "-o", "drafted.toml"),
    ("anonymize", "plan.toml", "-o", "out"),
    (
        "anonymize",
        "plan.toml",
        "-o",
        "parquet",
        "--set",
        "output.format=parquet",
        "--set",
        "output.ledger=",
        "--engine",
        "duckdb",
    ),
    ("verify", "out"),
    ("audit", "people.csv", "--quasi", "zip,age", "--sensitive", "ill"),
    ("attack", "out", "--all"),
    ("frontier", "plan.toml", "--k", "2,3"),
    ("share", "out"),
    ("explain", "out", "--row", "1", "--columns"),
    ("history", "--ledger", "ledger.duckdb"),
    ("models",),
)

ENDED = "--- it ended with "
# Loads Kohort once, and gives each command a process of its own; says on standard error how each ended.
EACH = f"""
import json, os, sys
import kohort.pipeline
from kohort.cli.main import main
for command in json.loads(sys.argv[1]):
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        sys.argv = ["kohort", *command]
        sys.exit(main())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("{ENDED}", code, sep="", file=sys.stderr)
"""


def cut_off() -> list[str]:
    """Return what starts a command without a network, where this user may do that."""
    alone = ["unshare", "--net"]
    able = shutil.which("unshare") and subprocess.run([*alone, "true"], capture_output=True).returncode == 0
    return alone if able else []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("network")
    (folder / "sitecustomize.py").write_text(HOOK)
    (folder / "people.csv").write_text(TABLE)
    (folder / "plan.toml").write_text(PLAN)
    return folder


def run(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(place), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [*cut_off(), sys.executable, *command],
        cwd=place, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip


def test_every_command_works_without_a_network(place: Path) -> None:
    done = run(place, "-W", "ignore", "-c", EACH, json.dumps(COMMANDS))
    assert done.returncode == 0, done.stderr
    *told, last = done.stderr.split(ENDED)
    for command, said, ended in zip(COMMANDS, told, [*told[1:], last], strict=True):
        assert ended.startswith("0\n"), (command, said)
        assert "NETWORK" not in said, command


def test_an_attempt_would_be_seen(place: Path) -> None:
    done = run(place, "-c", "import socket; socket.getaddrinfo('localhost', 80)")
    assert "NETWORK" in done.stderr
