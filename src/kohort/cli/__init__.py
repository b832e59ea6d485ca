"""The command line: one command per file, imported when it is called."""

from kohort.cli.main import main

__all__ = ["main"]
