"""The end of the program itself: what was said is out, and memory goes back to the operating system in one piece."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from typing import NoReturn


def run_and_leave(program: Callable[[], object]) -> NoReturn:
    """Run a program to its end and leave, with all that was registered for the end done.

    Python would take its objects down one by one first: for a table of millions of rows that takes a third of a second after the
    last word. Where anything is unusual (an error that nobody caught, output that cannot be written) Python ends as it always does.
    """
    try:
        program()
        code: object = 0
    except SystemExit as end:
        code = end.code or 0
    if not isinstance(code, int):
        sys.exit(str(code))
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as Python does; so do processes of multiprocessing
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        sys.exit(code)
    os._exit(code & 0xFF)
