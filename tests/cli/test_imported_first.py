"""Any module may be imported first: no command depends on what another one happened to import before it."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import kohort

APART = """
import importlib, os, sys
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except ImportError as refused:
            print(name, refused, file=sys.stderr, flush=True)
            os._exit("kohort" in str(refused))  # what an extra brings may be absent
        except SystemExit:
            pass  # __main__
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(1)
"""
MODULES = [
    name for _, name, _ in pkgutil.walk_packages(kohort.__path__, "kohort.") if not name.endswith("__main__")
]
FIRST = [name for name in MODULES if name.startswith(("kohort.cli.", "kohort.table.", "kohort.proposals."))]


@pytest.mark.parametrize(
    "names", [FIRST[::3], pytest.param(MODULES, marks=pytest.mark.long)], ids=["some", "all"]
)
def test_every_module_can_be_imported_first(names: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", APART, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
