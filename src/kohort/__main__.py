"""`python -m kohort` is the command line."""

from kohort.cli import program

program()
