"""The command line: one command per file, imported when it is called."""

import sys
from typing import NoReturn

try:
    from kohort.cli.leaving import run_and_leave
    from kohort.cli.main import main
except KeyboardInterrupt:  # before there is anybody to say a word
    sys.exit(130)

__all__ = ["main", "program"]


def program() -> NoReturn:
    """Run the command line as a program of its own."""
    run_and_leave(main)
