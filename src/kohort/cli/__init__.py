"""The command line: one command per file, imported when it is called."""

import sys

try:
    from kohort.cli.main import main
except KeyboardInterrupt:  # before there is anybody to say a word
    sys.exit(130)

__all__ = ["main"]
