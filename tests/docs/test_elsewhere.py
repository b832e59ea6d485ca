"""Where there is no POSIX: nothing that only Unix has is needed to import Kohort or to ask for help."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import kohort

SOURCE = Path(kohort.__file__).parent
UNIX = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
# What Windows lacks in modules that it has; the interpreter itself needs some of it here, so it is taken away late.
LACKING = {
    "os": ("fork", "getuid", "geteuid", "getgid", "fchmod", "fchown", "chown", "mkfifo", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"),
    "signal": ("SIGHUP", "SIGALRM", "SIGKILL", "setitimer", "alarm", "pthread_sigmask"),
}  # fmt: skip
HIDDEN = f"""
import os, signal, sys
import duckdb, jinja2, msgspec, narwhals, numba, numpy, pyarrow, rich.console, rich.progress, typer
import rich.markup, rich.padding, rich.table, rich.text, importlib.metadata, importlib.resources, tempfile, shutil, subprocess
for name in {UNIX!r}:
    sys.modules[name] = None
for name, parts in {LACKING!r}.items():
    for part in parts:
        if hasattr(sys.modules[name], part):
            delattr(sys.modules[name], part)
sys.platform = "win32"
"""
EVERYTHING = """
from importlib import import_module
from pathlib import Path
import kohort
root = Path(kohort.__file__).parent
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root.parent).with_suffix("").parts
    if parts[-1] != "__main__":
        import_module(".".join(part for part in parts if part != "__init__"))
assert all(getattr(kohort, name) for name in kohort.__all__)
from kohort.cli import main
sys.argv = ["kohort", "--help"]
main()
"""


def test_every_module_is_imported_and_help_is_given_without_unix() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN + EVERYTHING], capture_output=True, text=True, check=False
    )
    assert (done.returncode, "anonymize" in done.stdout) == (0, True), done.stderr


def test_what_is_hidden_would_be_missed() -> None:
    for need in ("import fcntl", "import signal; signal.SIGHUP", "import os; os.fork"):
        done = subprocess.run(
            [sys.executable, "-c", HIDDEN.replace("import duckdb", "import sys #") + need],
            capture_output=True,
            check=False,
        )
        assert done.returncode, need


def test_modules_of_unix_are_asked_for_only_where_they_are() -> None:
    """Each such import stands under a look at the platform, or is tried."""
    asked = re.compile(rf"^(\s*)(?:import|from) ({'|'.join(UNIX)})\b", re.M)
    found = [path for path in SOURCE.rglob("*.py") if asked.search(path.read_text(encoding="utf-8"))]
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert all(indent for indent, _ in asked.findall(text)), f"{path.name}: at the top of the file"
        assert "win32" in text or "except ImportError" in text, path.name
    assert {path.name for path in found} >= {"claims.py", "apart.py"}, "the test sees them"
